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

const CONNECT = 0
const DISCONNECT = 1
const EVENT = 2
const ACK = 3
// Events that the client emits itself: a gateway must not be able to emit them.
const RESERVED: ReadonlySet<unknown> = /* @__PURE__ */ new Set(['connect', 'connect_error', 'disconnect', 'disconnecting', 'newListener', 'removeListener'])

/** Writes packets with bigints as bare integers; socket.io's own encoder would refuse them. */
export class Encoder {
  encode({ type, nsp, id, data }: SocketIoPacket): string[] {
    return [`${type}${nsp !== '' && nsp !== '/' ? `${nsp},` : ''}${id ?? ''}${data === undefined || data === null ? '' : stringifyJson(data)}`]
  }
}

/**
 * Reads packets without rounding integers beyond 2^53, as socket.io's own decoder would. Only packets that the client can take are
 * passed on: it handles them in a callback of its own, where whatever it throws ends the process.
 */
export class Decoder {
  readonly #onInvalid: (error: Error) => void
  readonly #namespace: () => string | undefined
  readonly #listeners = new Map<string, Set<(packet: SocketIoPacket) => void>>()
  #joined = false

  /** `namespace`: the only one that is joined, known by the time a packet arrives. */
  constructor(onInvalid: (error: Error) => void, namespace: () => string | undefined) {
    this.#onInvalid = onInvalid
    this.#namespace = namespace
  }

  on(event: string, listener: (packet: SocketIoPacket) => void): this {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener))
    return this
  }

  off(event: string, listener: (packet: SocketIoPacket) => void): this {
    this.#listeners.get(event)?.delete(listener)
    return this
  }

  /** Takes one frame. One that cannot be used is reported and skipped: thrown, it would cost the connection. */
  add(frame: unknown): void {
    let packet: SocketIoPacket
    try {
      packet = checkPacket(readPacket(frame), this.#namespace(), this.#joined)
    } catch (error) {
      return this.#onInvalid(error as Error)
    }
    if (packet.type === CONNECT) this.#joined = packet.data !== undefined
    for (const listener of [...(this.#listeners.get('decoded') ?? [])]) listener(packet)
  }

  /** Nothing is kept between frames. */
  destroy(): void {
    this.#listeners.clear()
  }
}

function readPacket(frame: unknown): SocketIoPacket {
  const parts = typeof frame === 'string' ? /^([0-4])(?:(\/[^,]{0,1024})(?:,|$))?(\d{0,15})/.exec(frame) : null
  if (parts === null) throw new ProtocolError('A frame of the gateway', { expected: 'a text packet of socket.io' })
  const [head, type, nsp = '/', id = ''] = parts
  const rest = (frame as string).slice(head.length)
  const packet: SocketIoPacket = { type: Number(type), nsp }
  if (id !== '') packet.id = Number(id)
  if (rest !== '') packet.data = parseJson(rest, 'A packet of the gateway')
  return packet
}

/** The packet as the client may have it. @throws {@link ProtocolError} for one that is out of place */
function checkPacket(packet: SocketIoPacket, namespace: string | undefined, joined: boolean): SocketIoPacket {
  const { type, nsp, data } = packet
  if (nsp !== namespace) throw invalid('the namespace that was joined')
  if (type === DISCONNECT && data === undefined) return packet
  if (type === EVENT || type === ACK) {
    if (!joined) throw invalid('the answer to CONNECT first')
    if (!Array.isArray(data)) throw invalid('a list of arguments')
    if (type === EVENT && (typeof data[0] !== 'string' || RESERVED.has(data[0]))) throw invalid('the name of an event')
    return packet
  }
  if (joined || type === DISCONNECT) throw invalid('an event')
  // What answers CONNECT is reduced to the one field that the client is to see: without a `sid` it fails the attempt.
  const { sid, message } = (data ?? {}) as Record<string, unknown>
  if (type === CONNECT) return { type, nsp, ...(typeof sid === 'string' && sid !== '' ? { data: { sid } } : {}) }
  return { type, nsp, data: { message: typeof message === 'string' ? message : '' } }
}

function invalid(expected: string): ProtocolError {
  return new ProtocolError('A packet of the gateway', { expected })
}
