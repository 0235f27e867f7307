/** Longest text of a file that is read here: 1 MiB. */
export const MAX_FILE_CHARACTERS: number = 1024 * 1024

/** Maximum number of parties of a head (hydra-node/src/Hydra/Chain.hs, maximumNumberOfParties). */
export const MAX_PARTIES = 29

/**
 * Largest transaction of a head from 2.4 on, bytes: small enough for a fanout transaction to pay out any of its
 * outputs.
 */
export const MAX_HEAD_TX_SIZE = 10_250
