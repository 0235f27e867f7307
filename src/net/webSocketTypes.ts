/** The part of a WebSocket that is used. */
export interface WebSocketLike {
  /** State, as the browsers number it: status 1 while it is open. */
  readonly readyState: number
  /** Type in which binary messages are delivered. */
  binaryType: string
  /** Called when the connection is open. */
  onopen: ((event: never) => void) | null
  /** Called for each message. */
  onmessage: ((event: never) => void) | null
  /** Called when the connection failed. */
  onerror: ((event: never) => void) | null
  /** Called when the connection is over. */
  onclose: ((event: never) => void) | null
  /** Sends one text. */
  send(data: string): void
  /** Ends the connection. */
  close(): void
}

/** A WebSocket class: the runtime's own, or that of the package `ws`. */
export type WebSocketConstructor = new (url: string, protocols?: string[], options?: object) => WebSocketLike

/** Members of `ws` beyond the browsers' interface. */
export interface NodeSocketExtras {
  on?(event: string, listener: (...args: never[]) => void): unknown
  ping?(): void
  pause?(): void
  resume?(): void
  terminate?(): void
}
