import { stringifyJson } from '../../../codec/json.js'
import { ProtocolError } from '../../../errors/bridge.js'

/** A packet of the socket.io protocol, revision 5. */
export interface SocketIoPacket {
  /** 0 CONNECT, 1 DISCONNECT, 2 EVENT, 3 ACK, 4 CONNECT_ERROR. */
  type: number
  nsp: string
  data?: unknown
  id?: number
}

export const CONNECT = 0
export const DISCONNECT = 1
export const EVENT_PACKET = 2
export const ACK = 3

/** Writes packets with bigints as bare integers; socket.io's own encoder would refuse them. */
export class Encoder {
  encode({ type, nsp, id, data }: SocketIoPacket): string[] {
    return [
      `${type}${nsp !== '' && nsp !== '/' ? `${nsp},` : ''}${id ?? ''}${data === undefined || data === null ? '' : stringifyJson(data)}`
    ]
  }
}

/** The listener methods that socket.io expects of a decoder. No state is kept between frames. */
export class PacketListeners {
  readonly #listeners = new Map<string, Set<(packet: SocketIoPacket) => void>>()

  on(event: string, listener: (packet: SocketIoPacket) => void): this {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener))
    return this
  }

  off(event: string, listener: (packet: SocketIoPacket) => void): this {
    this.#listeners.get(event)?.delete(listener)
    return this
  }

  /** As {@link off}: the client of socket.io calls one of them, the server the other. */
  removeListener(event: string, listener: (packet: SocketIoPacket) => void): this {
    return this.off(event, listener)
  }

  destroy(): void {
    this.#listeners.clear()
  }

  protected decoded(packet: SocketIoPacket): void {
    for (const listener of [...(this.#listeners.get('decoded') ?? [])]) listener(packet)
  }
}

/**
 * Reads one text frame; `parse` reads its JSON without rounding integers beyond 2^53. Namespaces are compared
 * literally, so one with a query or an escape matches none.
 *
 * @throws {@link ProtocolError} for an invalid frame, and the errors of `parse`
 */
export function readPacket(frame: unknown, what: string, parse: (text: string) => unknown): SocketIoPacket {
  const parts = typeof frame === 'string' ? /^([0-4])(?:(\/[^,]{0,1024})(?:,|$))?(\d{0,15})/.exec(frame) : null
  if (parts === null) throw new ProtocolError(what, { expected: 'a text packet of socket.io' })
  const [head, type, nsp = '/', id = ''] = parts
  const rest = (frame as string).slice(head.length)
  const packet: SocketIoPacket = { type: Number(type), nsp }
  if (id !== '') packet.id = Number(id)
  if (rest !== '') packet.data = parse(rest)
  return packet
}
