/** A signed transaction that is about to be sent. */
export interface UnsentTx {
  /** Id that the caller gave to the payment; null without one. */
  readonly id: string | null
  /** Hex, 64 characters. */
  readonly txId: string
  /** The signed transaction: CBOR hex. `submit()` of it again is safe: its inputs can be spent once. */
  readonly cborHex: string
  /** When it can no longer be confirmed, ms since the Unix epoch; null where it carries no bound. */
  readonly expiresAt: number | null
}

/**
 * Keeps a transaction before it is sent, e.g. in a database of your own. It is awaited; when it throws or rejects, the
 * transaction is not sent and the action rejects with that error.
 */
export type BeforeSend = (tx: UnsentTx) => void | Promise<void>

/** Options of every action that is done once for an id. */
export interface OnceOptions {
  /**
   * Name of the payment, of 1 to 128 characters: the same id with the same arguments is paid once, and again returns the
   * first one's result. With the client's option `journal` also after a restart. @default none: each call pays
   */
  id?: string | undefined
  /** Called with each signed transaction before it is sent, and awaited: a throw sends nothing. @default not called */
  onBeforeSend?: BeforeSend | undefined
}
