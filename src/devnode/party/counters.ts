/** Counts of the inputs, requests and connections of a party so far. */
export interface Counters {
  /** Number of WebSocket connections, the closed ones included. */
  connections: number
  /** Inputs by tag, over WebSocket and HTTP; unparsable ones as `InvalidInput`. */
  readonly inputs: Record<string, number>
  /** HTTP requests by method and route, e.g. `POST /transaction`. */
  readonly requests: Record<string, number>
}

export function newCounters(): Counters {
  return { connections: 0, inputs: {}, requests: {} }
}

/** Counts an input. */
export function countInput({ inputs }: Counters, tag: string): void {
  inputs[tag] = (inputs[tag] ?? 0) + 1
}

/** Counts a request; ids in the path are left out. */
export function countRequest({ requests }: Counters, method: string, path: string): void {
  const route = `${method} ${path.split('?')[0]!.replace(/^\/commits\/.+/, '/commits/{txid}')}`
  requests[route] = (requests[route] ?? 0) + 1
}
