/** Callbacks that the caller gave to the client. */
export interface CallbackOptions {
  /** Receives the first failure of a `connect()` that goes on trying. */
  readonly onConnectError: (error: Error) => void
  /** Receives the error of a callback that threw, with the callback's name. */
  readonly onHandlerError: (error: unknown, callback: string) => void
}

/** Calls the caller's callbacks: an error of theirs never reaches the client's own code. */
export class CallerCallbacks {
  readonly #options: CallbackOptions

  constructor(options: CallbackOptions) {
    this.#options = options
  }

  /** Reports that the first attempt of a `connect()` has failed while the client goes on trying. */
  connectFailed(error: Error): void {
    this.invokeSafely('onConnectError', () => this.#options.onConnectError(error))
  }

  /** Calls a callback; an error of it goes to `onHandlerError`. */
  invokeSafely(name: string, callback: () => unknown): void {
    const { onHandlerError } = this.#options
    try {
      const result: unknown = callback()
      if (result instanceof Promise) result.catch((error: unknown) => onHandlerError(error, name))
    } catch (error) {
      try {
        onHandlerError(error, name)
      } catch {
        /* An error of the error's handler has nowhere to go. */
      }
    }
  }
}
