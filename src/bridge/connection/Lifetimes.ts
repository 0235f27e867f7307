/**
 * Abort signals of HTTP requests: `disconnect()` aborts the callers' requests, the end of a connection the bridge's
 * own.
 */
export class Lifetimes {
  #bridge = new AbortController()
  #session = new AbortController()

  /** Signal that `disconnect()` aborts. */
  get bridge(): AbortSignal {
    return this.#bridge.signal
  }

  /** Signal that is aborted when the connection ends. */
  get session(): AbortSignal {
    return this.#session.signal
  }

  /** Aborts the requests of callers; later requests get a new signal. */
  endBridge(): void {
    this.#bridge.abort()
    this.#bridge = new AbortController()
  }

  startSession(): void {
    this.#session = new AbortController()
  }

  endSession(): void {
    this.#session.abort()
  }
}
