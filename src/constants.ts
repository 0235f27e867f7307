/** Network ids as they stand in addresses. @see CIP-19 */
export const NETWORK_ID = { TESTNET: 0, PREPROD: 0, MAINNET: 1 } as const

/** A network id: 0 for every test network, 1 for mainnet. */
export type NetworkId = 0 | 1

/** Networks that the providers and the slot arithmetic know by name. */
export type NetworkName = 'mainnet' | 'preprod' | 'preview'

/** How slots map to time and epochs. */
export interface SlotConfig {
  /** Unix time of the start of `zeroSlot`, ms. */
  zeroTime: number
  /** First slot of the era. */
  zeroSlot: number
  /** Length of a slot, ms. */
  slotLength: number
  /** Epoch that begins with `zeroSlot`. */
  startEpoch: number
  /** Slots per epoch. */
  epochLength: number
}

/** Slot configurations from the Shelley era on (cardano-configurations; checked against explorers' blocks). */
export const SLOT_CONFIG: Readonly<Record<'MAINNET' | 'PREPROD' | 'PREVIEW', Readonly<SlotConfig>>> = {
  MAINNET: { zeroTime: 1596059091000, zeroSlot: 4492800, slotLength: 1000, startEpoch: 208, epochLength: 432000 },
  PREPROD: { zeroTime: 1655769600000, zeroSlot: 86400, slotLength: 1000, startEpoch: 4, epochLength: 432000 },
  PREVIEW: { zeroTime: 1666656000000, zeroSlot: 0, slotLength: 1000, startEpoch: 0, epochLength: 86400 }
}

/** How long `submitTx` and `submitTxSync` wait for a confirmation, ms. */
export const DEFAULT_SUBMIT_TIMEOUT = 30_000
/** Mean wait between two attempts to reconnect, ms. */
export const DEFAULT_RECONNECT_INTERVAL = 3_000
/** Share by which the wait varies to both sides, so that many clients do not come back at once. */
export const DEFAULT_RECONNECT_JITTER = 0.25
/** How long one attempt to connect may take, ms. */
export const DEFAULT_CONNECT_TIMEOUT = 10_000
/** How long a connection may be silent before it is probed and, if dead, replaced, ms. */
export const DEFAULT_LIVENESS_TIMEOUT = 45_000
/** How long one HTTP request may take over all, ms. */
export const DEFAULT_REQUEST_TIMEOUT = 30_000
/**
 * Least time between two checks of outputs that follow from transactions (option `verify` with `noSnapshotUtxo`), ms.
 */
export const DEFAULT_CHECK_INTERVAL = 1_000
/** Longest such time, ms: messages wait for the check. */
export const MAX_CHECK_INTERVAL = 60_000
/** How long the node's waiting routes are given: its own `--api-transaction-timeout`, ms. */
export const DEFAULT_NODE_WAIT_TIMEOUT = 300_000
/**
 * Most that a transaction may pay as its fee unless the caller allows more, lovelace: fees of real ledgers are below 2
 * ada.
 */
export const DEFAULT_MAX_FEE = 5_000_000n
/** Most lovelace that is added to an output whose lovelace the caller did not state, unless the caller allows more. */
export const DEFAULT_MAX_MIN_LOVELACE = 10_000_000n
/** Largest message or HTTP body that is accepted, bytes. */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 128 * 1024 * 1024

/** Maximum size of a metadata text or byte string, bytes (ledger: 64 bytes, not characters). */
export const METADATA_MAX_BYTES = 64
/** Largest value of a timer, ms: a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647
