/** Abort signals of HTTP requests: those of callers end with `disconnect()`, the bridge's own with the connection. */
export class Lifetimes {
  #bridge = new AbortController()
  #session = new AbortController()

  /** Ends with `disconnect()`. */
  get bridge(): AbortSignal {
    return this.#bridge.signal
  }

  /** Ends with the connection. */
  get session(): AbortSignal {
    return this.#session.signal
  }

  /** Ends the requests of callers; later ones get a new signal. */
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
