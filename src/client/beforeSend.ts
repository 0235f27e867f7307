/** A signed transaction that is about to be sent. */
export interface UnsentTx {
  /** Id that the caller gave to the payment; null without one. */
  readonly id: string | null
  /** Hex, 64 characters. */
  readonly txId: string
  /**
   * The signed transaction: CBOR hex. Passing it to `submit()` again is safe, because its inputs can be spent only
   * once.
   */
  readonly cborHex: string
  /**
   * Time from which it can no longer be confirmed, ms since the Unix epoch; null where it has no upper bound of
   * validity.
   */
  readonly expiresAt: number | null
}

/**
 * Callback that stores a transaction before it is sent, e.g. in a database of your own. It is awaited; when it throws
 * or rejects, the transaction is not sent and the action rejects with that error.
 */
export type BeforeSend = (tx: UnsentTx) => void | Promise<void>

/** Options of every action that can have an id, under which it is done once. */
export interface OnceOptions {
  /**
   * Name of the payment, of 1 to 128 characters. Calls with the same id and arguments pay once: a later call returns
   * the first one's result, with the client's option `journal` also after a restart. @default none: each call pays
   */
  id?: string | undefined
  /**
   * Called with each signed transaction before it is sent, and awaited; when it throws, the transaction is not sent.
   * @default not called
   */
  onBeforeSend?: BeforeSend | undefined
}
