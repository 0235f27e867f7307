/** The sockets of one channel, where the runtime lets them be followed. */
export interface SocketPool {
  /** Agent of Node, to be passed as the option `agent` where the sockets are opened. */
  readonly agent: object
  /** Ends them at once, those that are still to be opened too. */
  destroy(): void
}

interface NodeSocket {
  once(event: 'close', listener: () => void): unknown
  destroy(): void
}

interface NodeAgent {
  createConnection(...args: unknown[]): NodeSocket
}

/**
 * Creates a pool for one channel in Node; undefined elsewhere. It is needed because socket.io has no way to end a
 * socket whose other side is silent: a WebSocket is kept for 30 s for its close handshake, a poll for as long as the
 * system keeps it.
 */
export function createSocketPool(encrypted: boolean): SocketPool | undefined {
  const host = (globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } }).process
  const http = host?.getBuiltinModule?.(encrypted ? 'node:https' : 'node:http') as
    { Agent: new () => NodeAgent } | undefined
  if (http === undefined) return undefined
  const agent = new http.Agent()
  const sockets = new Set<NodeSocket>()
  let over = false
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (...args) => {
    const socket = connect(...args)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (over) socket.destroy()
    return socket
  }
  return {
    agent,
    destroy() {
      over = true
      for (const socket of sockets) socket.destroy()
    }
  }
}
