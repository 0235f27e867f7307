/** A signed transaction of an entry. */
export interface JournalTx {
  /** Hex, 64 characters, lower case. */
  readonly txId: string
  /** The signed transaction, as it is sent: CBOR hex. */
  readonly cborHex: string
  /** Fee, lovelace in decimal. */
  readonly fee: string
  /** First slot at which it can no longer be confirmed; null: it carries no bound. */
  readonly expirySlot: number | null
  /** The same as a time, ms since the Unix epoch. */
  readonly expiresAt: number | null
  /** Its inputs that were confirmed outputs when it was built, `txHash#index`. */
  readonly spent: readonly string[]
}

/** How a transaction of an entry was confirmed. */
export interface JournalEnd {
  /** Hex, 64 characters, lower case. */
  readonly txId: string
  /** Fee, lovelace in decimal. */
  readonly fee: string
  /** Number of the snapshot that holds it, or of a later one. */
  readonly snapshotNumber: number
  /** True when it is the number of the very snapshot that confirmed it. */
  readonly exact: boolean
  /** True when outputs that all parties have signed show it (option `verify`). */
  readonly verified: boolean
}

/** One transaction of an entry, in all its attempts: a payment has one, payments of a list as many as they need. */
export interface JournalPart {
  /** Number of payments that it makes. */
  readonly count: number
  /**
   * Attempts, oldest first: at most one of them can be confirmed. Empty before the first is signed, and once the part
   * is confirmed.
   */
  readonly txs: readonly JournalTx[]
  /** Null until it is confirmed. */
  readonly end: JournalEnd | null
}

/** Actions that a journal keeps. */
export type JournalAction = 'pay' | 'payMany' | 'submit' | 'deposit' | 'withdraw'

/**
 * State of an entry: `open` until it is `confirmed`, or `failed`: its caller received an error. What failed is not
 * sent again by itself; the same id makes another attempt.
 */
export type JournalState = 'open' | 'confirmed' | 'failed'

/** Entry of a journal about one id: a document of JSON values, without secrets. */
export interface JournalEntry {
  /** Version of the document's form. */
  readonly version: 1
  /** Id that the caller gave: 1 to 128 characters. */
  readonly id: string
  /** The action. */
  readonly action: JournalAction
  /** BLAKE2b-256 of the arguments: hex, 64 characters. */
  readonly argsHash: string
  /** The arguments, as far as building again needs them. */
  readonly args: unknown
  /** Head that it was signed for: hex, 56 characters. */
  readonly headId: string
  /** Network of the wallet. */
  readonly network: 'mainnet' | 'testnet'
  /** Address of the wallet that the change comes back to: bech32; null without a wallet. */
  readonly wallet: string | null
  /** State. */
  readonly state: JournalState
  /** The last step, e.g. `signed`, `recorded` or `confirmed`. */
  readonly step: string
  /** Its transactions. */
  readonly parts: readonly JournalPart[]
  /** The result of a deposit or a withdrawal; null before. */
  readonly result: unknown
  /** ms since the Unix epoch. */
  readonly createdAt: number
  /** ms since the Unix epoch. */
  readonly updatedAt: number
}

/**
 * Keeps entries beyond the life of the process. `memoryJournal`, `fileJournal`, `indexedDbJournal` and `redisJournal`
 * of `layer-sdk/journal` are journals; a table of your own database is one too.
 *
 * @example
 * ```ts no-run
 * import type { Journal } from 'layer-sdk/client'
 *
 * const journal: Journal = {
 *   put: (entry) => table.upsert(entry.id, JSON.stringify(entry)),
 *   all: async function* () {
 *     for await (const row of table.rowsByCreation()) yield JSON.parse(row.json)
 *   }
 * }
 * ```
 */
export interface Journal {
  /**
   * Stores an entry in place of an earlier one with the same id, and resolves once it is durable. Where it rejects, the
   * transaction is not sent.
   */
  put(entry: JournalEntry): Promise<void>
  /** Yields the newest entry of each id, in the order in which the ids were first stored. */
  all(): AsyncIterable<JournalEntry>
  /** Forgets an id: a later call with it is a new one. */
  delete?(id: string): Promise<void>
  /** Releases files, connections and locks; the next call opens them again. The client's `disconnect()` calls it. */
  close?(): Promise<void>
}
