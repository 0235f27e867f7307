/** Longest text that is read as a file of this room: 1 MiB. */
export const MAX_FILE_CHARACTERS: number = 1024 * 1024

/** Parties of a head at most (hydra-node/src/Hydra/Chain.hs, maximumNumberOfParties). */
export const MAX_PARTIES = 29

/** Largest transaction of a head from 2.4 on, bytes: what every output of it still leaves by, fanout included. */
export const MAX_HEAD_TX_SIZE = 10_250
