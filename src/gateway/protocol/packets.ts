import { parseJsonWithin, stringifyJson } from '../../codec/json.js'
import { ProtocolError } from '../../errors/bridge.js'
import { JSON_BOUNDS, MAX_NAMESPACES, MAX_REFUSED_JOINS } from '../limits.js'
import { EVENT } from './headPath.js'

/** A packet of the socket.io protocol, revision 5. */
export interface Packet {
  type: number
  nsp: string
  data?: unknown
  id?: number
}

const CONNECT = 0
const DISCONNECT = 1
const EVENT_PACKET = 2
const MAX_CONNECTS = MAX_NAMESPACES + MAX_REFUSED_JOINS

/** Writes packets with bigints as bare integers. */
export class PacketEncoder {
  encode({ type, nsp, id, data }: Packet): string[] {
    return [`${type}${nsp !== '/' ? `${nsp},` : ''}${id ?? ''}${data === undefined || data === null ? '' : stringifyJson(data)}`]
  }
}

/**
 * Reads what clients send, within bounds and integers exact. Whatever is no packet of a client throws: the server then ends that connection
 * alone.
 */
export class PacketDecoder {
  readonly #listeners = new Map<string, Set<(packet: Packet) => void>>()
  #connects = 0

  on(event: string, listener: (packet: Packet) => void): this {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener))
    return this
  }

  removeListener(event: string, listener: (packet: Packet) => void): this {
    this.#listeners.get(event)?.delete(listener)
    return this
  }

  /** @throws {@link ProtocolError} {@link InvalidJsonError} */
  add(frame: unknown): void {
    const packet = readPacket(frame)
    if (packet.type === CONNECT && ++this.#connects > MAX_CONNECTS) throw refused(`at most ${MAX_CONNECTS} joins`)
    for (const listener of [...(this.#listeners.get('decoded') ?? [])]) listener(packet)
  }

  destroy(): void {
    this.#listeners.clear()
  }
}

function readPacket(frame: unknown): Packet {
  // Namespaces are matched as they are, so a query or an escape makes one that does not exist.
  const parts = typeof frame === 'string' ? /^([0-4])(?:(\/[^,]{0,256})(?:,|$))?(\d{0,15})/.exec(frame) : null
  if (parts === null) throw refused('a text packet of socket.io')
  const [head, type, nsp = '/', id = ''] = parts
  const rest = (frame as string).slice(head.length)
  const packet: Packet = { type: Number(type), nsp }
  if (id !== '') packet.id = Number(id)
  if (rest !== '') packet.data = parseJsonWithin(rest, { what: 'A packet', ...JSON_BOUNDS })
  checkPacket(packet)
  return packet
}

function checkPacket({ type, data, id }: Packet): void {
  switch (type) {
    case CONNECT:
      if (id !== undefined || !(data === undefined || (typeof data === 'object' && data !== null && !Array.isArray(data))))
        throw refused('an object to join with')
      return
    case DISCONNECT:
      if (data !== undefined || id !== undefined) throw refused('nothing besides DISCONNECT')
      return
    case EVENT_PACKET:
      if (!Array.isArray(data) || data.length !== 2 || data[0] !== EVENT) throw refused(`the event ${EVENT} with one value`)
      return
    default:
      throw refused('a packet that clients send')
  }
}

function refused(expected: string): ProtocolError {
  return new ProtocolError('A packet of a client', { expected })
}
