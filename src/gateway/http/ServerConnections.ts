import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { limitedAddress } from '../access/addressOfClient.js'
import { Connections } from '../access/Connections.js'
import type { GatewayLimits } from '../limits.js'

/**
 * Number of TCP connections beyond the limits that are still accepted: their clients learn that there are too many, and
 * health probes are answered.
 */
const SPARE = 32

/**
 * The TCP connections of a server, counted from when they open; those beyond the limits and the spare ones are closed
 * at once.
 */
export class ServerConnections {
  /** All of them, those without a request and those of WebSockets among them. */
  readonly all: Set<Socket> = new Set()
  readonly #ends = new WeakMap<Socket, () => void>()
  readonly #spare = new WeakSet<Socket>()

  constructor(
    server: Server,
    { limits, trustProxy }: { readonly limits: GatewayLimits; readonly trustProxy: boolean }
  ) {
    // Behind a proxy all come from its address: there the sessions are counted alone.
    const perAddress = trustProxy ? Infinity : limits.connectionsPerIp
    const byAddress = new Connections(Infinity, () => perAddress + SPARE)
    server.on('connection', (socket) => {
      const address = limitedAddress(socket.remoteAddress ?? '')
      const end = this.all.size < limits.connections + SPARE ? byAddress.open(address) : null
      if (end === null) return void socket.destroy()
      if (this.all.size >= limits.connections || byAddress.countOf(address) > perAddress) this.#spare.add(socket)
      this.all.add(socket)
      this.#ends.set(socket, end)
      socket.once('close', () => {
        end()
        this.all.delete(socket)
      })
    })
  }

  /** Returns true for a connection beyond the limits, which is closed after its next answer. */
  isSpare(socket: Socket): boolean {
    return this.#spare.has(socket)
  }

  /** Stops counting a connection for its IP address, because it counts for its token subject from then on. */
  leaveAddress(socket: Socket): void {
    this.#ends.get(socket)?.()
  }
}
