/** A signed transaction that a journal entry keeps. */
export interface JournalTx {
  /** Hex, 64 characters, lower case. */
  readonly txId: string
  /** The signed transaction in the bytes that are sent: CBOR hex. */
  readonly cborHex: string
  /** Fee, lovelace in decimal. */
  readonly fee: string
  /** First slot at which it can no longer be confirmed; null when it has no bound. */
  readonly expirySlot: number | null
  /** `expirySlot` as a time, ms since the Unix epoch. */
  readonly expiresAt: number | null
  /**
   * Inputs that were confirmed outputs when the transaction was built, `txHash#index`; without those that were outputs
   * of transactions still pending then.
   */
  readonly spent: readonly string[]
}

/** Confirmation of a transaction of a journal entry. */
export interface JournalEnd {
  /** Hex, 64 characters, lower case. */
  readonly txId: string
  /** Fee, lovelace in decimal. */
  readonly fee: string
  /** Number of the snapshot that confirmed the transaction, or of a later one where that one was missed. */
  readonly snapshotNumber: number
  /**
   * True when `snapshotNumber` is that of the snapshot that confirmed the transaction; false when it may be a later
   * one's.
   */
  readonly exact: boolean
  /** True when a snapshot that all parties signed proves the confirmation (option `verify` of the head client). */
  readonly verified: boolean
}

/**
 * Part of an entry: one transaction with all attempts to send it. A payment has one part; `payMany` has as many as its
 * payments need.
 */
export interface JournalPart {
  /** Number of payments that the part makes; 1 for other actions. */
  readonly count: number
  /**
   * Attempts, oldest first: at most one of them can be confirmed. Empty before the first is signed, and again once the
   * part is confirmed, since the attempts are of no use then.
   */
  readonly txs: readonly JournalTx[]
  /** Confirmation of the part; null until it is confirmed. */
  readonly end: JournalEnd | null
}

/** Client actions that a journal records. */
export type JournalAction = 'pay' | 'payMany' | 'submit' | 'deposit' | 'withdraw'

/**
 * State of an entry: `open` until it is `confirmed`, or `failed` once its caller has received an error that decides it;
 * an unknown outcome leaves it `open`. A failed action is not repeated automatically; a call with the same id makes a
 * new attempt.
 */
export type JournalState = 'open' | 'confirmed' | 'failed'

/**
 * Entry of a journal: the record of one client action under its id. It consists of JSON values and contains no secrets.
 */
export interface JournalEntry {
  /** Version of the entry's format. */
  readonly version: 1
  /** Id that the caller gave: 1 to 128 characters. */
  readonly id: string
  /** Client action that the entry records. */
  readonly action: JournalAction
  /**
   * BLAKE2b-256 of action and arguments: hex, 64 characters. A call that reuses the id with other arguments has a
   * different hash and is rejected.
   */
  readonly argsHash: string
  /** Part of the arguments that is needed to build the transactions again. */
  readonly args: unknown
  /** Id of the head that its transactions belong to: hex, 56 characters. */
  readonly headId: string
  /** Network of the wallet. */
  readonly network: 'mainnet' | 'testnet'
  /** Address of the wallet that receives the change: bech32; null without a wallet. */
  readonly wallet: string | null
  /** State of the entry. */
  readonly state: JournalState
  /** Latest step of the action, e.g. `signed`: for display only. The client goes by `state`. */
  readonly step: string
  /** Transactions of the action, each with its attempts. */
  readonly parts: readonly JournalPart[]
  /** Result of a confirmed deposit or withdrawal; null until then, and for other actions. */
  readonly result: unknown
  /** ms since the Unix epoch. */
  readonly createdAt: number
  /** ms since the Unix epoch. */
  readonly updatedAt: number
}

/**
 * Storage of journal entries (records of client actions), from which the next client of the same wallet continues.
 * `memoryJournal`, `fileJournal`, `indexedDbJournal` and `redisJournal` of `layer-sdk/journal` implement it; implement
 * it over a table of your own database otherwise. One client at a time may use a
 * journal; the implementation has to prevent a second one.
 *
 * @example
 * ```ts no-run
 * import type { Journal } from 'layer-sdk/client'
 *
 * const journal: Journal = {
 *   // Resolves once the row is durable.
 *   put: (entry) => table.upsert(entry.id, JSON.stringify(entry)),
 *   all: async function* () {
 *     for await (const row of table.rowsByCreation()) yield JSON.parse(row.json)
 *   }
 * }
 * ```
 */
export interface Journal {
  /**
   * Stores an entry in place of an earlier one with the same id, and resolves once it is durable. If it rejects, the
   * transaction is not sent.
   */
  put(entry: JournalEntry): Promise<void>
  /** Yields the newest entry of each id, in the order in which the ids were first stored. */
  all(): AsyncIterable<JournalEntry>
  /**
   * Deletes the entry of an id, so that a later call with this id acts again: a payment is made a second time. For the
   * application; the client never calls it.
   */
  delete?(id: string): Promise<void>
  /** Releases files, connections and locks; the next call opens them again. The client's `disconnect()` calls it. */
  close?(): Promise<void>
}
