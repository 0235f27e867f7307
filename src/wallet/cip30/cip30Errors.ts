/** An error in the shape that CIP-30 gives it: a number in `code`, the reason in `info`. */
export class Cip30ApiError extends Error {
  /** Name of the class. */
  override readonly name = 'Cip30ApiError'
  /**
   * Error code. Depending on the method that rejects, it is one of APIError (-1 to -4), or of TxSignError,
   * DataSignError or TxSendError (1 to 3).
   */
  readonly code: number
  /** The reason. */
  readonly info: string
  constructor(code: number, info: string) {
    super(info)
    this.code = code
    this.info = info
  }
}

/** Error of a request for a page beyond the last one. */
export class Cip30PaginateError extends Error {
  /** Name of the class. */
  override readonly name = 'Cip30PaginateError'
  /** Number of pages there are. */
  readonly maxSize: number
  constructor(maxSize: number) {
    super(`There are ${maxSize} pages.`)
    this.maxSize = maxSize
  }
}
