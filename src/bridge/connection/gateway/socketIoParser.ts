import { parseJson, stringifyJson } from '../../../codec/json.js'
import { ProtocolError } from '../../../errors/bridge.js'

/** A packet of the socket.io protocol, revision 5. */
export interface SocketIoPacket {
  /** 0 CONNECT, 1 DISCONNECT, 2 EVENT, 3 ACK, 4 CONNECT_ERROR. */
  type: number
  nsp: string
  data?: unknown
  id?: number
}

const EVENT = 2
const ACK = 3
// Names that mean something to the client itself: a gateway must not be able to raise them.
const RESERVED: ReadonlySet<unknown> = /* @__PURE__ */ new Set(['connect', 'connect_error', 'disconnect', 'disconnecting', 'newListener', 'removeListener'])

/** Writes packets with bigints as bare integers; socket.io's own encoder would refuse them. */
export class Encoder {
  encode({ type, nsp, id, data }: SocketIoPacket): string[] {
    return [`${type}${nsp !== '' && nsp !== '/' ? `${nsp},` : ''}${id ?? ''}${data === undefined || data === null ? '' : stringifyJson(data)}`]
  }
}

/** Reads packets without rounding integers beyond 2^53, as socket.io's own decoder would. */
export class Decoder {
  readonly #onInvalid: (error: Error) => void
  readonly #listeners = new Map<string, Set<(packet: SocketIoPacket) => void>>()

  constructor(onInvalid: (error: Error) => void) {
    this.#onInvalid = onInvalid
  }

  on(event: string, listener: (packet: SocketIoPacket) => void): this {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener))
    return this
  }

  off(event: string, listener: (packet: SocketIoPacket) => void): this {
    this.#listeners.get(event)?.delete(listener)
    return this
  }

  /** Takes one frame. One that cannot be read is reported and skipped: thrown, it would cost the connection. */
  add(frame: unknown): void {
    let packet: SocketIoPacket
    try { packet = readPacket(frame) } catch (error) { return this.#onInvalid(error as Error) }
    for (const listener of [...this.#listeners.get('decoded') ?? []]) listener(packet)
  }

  /** Nothing is kept between frames. */
  destroy(): void {
    this.#listeners.clear()
  }
}

function readPacket(frame: unknown): SocketIoPacket {
  const parts = typeof frame === 'string' ? /^([0-4])(?:(\/[^,]{0,1024}),)?(\d{0,15})/.exec(frame) : null
  if (parts === null) throw new ProtocolError('A frame of the gateway', { expected: 'a text packet of socket.io' })
  const [head, type, nsp = '/', id = ''] = parts
  const rest = (frame as string).slice(head.length)
  const packet: SocketIoPacket = { type: Number(type), nsp }
  if (id !== '') packet.id = Number(id)
  if (rest !== '') packet.data = parseJson(rest, 'A packet of the gateway')
  const { data } = packet
  if ((packet.type === EVENT && (!Array.isArray(data) || RESERVED.has(data[0]))) || (packet.type === ACK && !Array.isArray(data))) {
    throw new ProtocolError('A packet of the gateway', { expected: 'a list of arguments' })
  }
  return packet
}
