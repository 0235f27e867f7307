import { parseJson } from '../../../codec/json.js'
import { ProtocolError } from '../../../errors/bridge.js'
import type { SocketIoPacket } from './packets.js'
import { ACK, CONNECT, DISCONNECT, EVENT_PACKET, PacketListeners, readPacket } from './packets.js'

// Events that the client emits itself: a gateway must not be able to emit them.
const RESERVED: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  'connect',
  'connect_error',
  'disconnect',
  'disconnecting',
  'newListener',
  'removeListener'
])

/**
 * Decodes the packets of a gateway for the client of socket.io. Passes on only packets that the client can handle,
 * because it handles them in a callback of its own, where any error ends the process.
 */
export class Decoder extends PacketListeners {
  readonly #onInvalid: (error: Error) => void
  readonly #namespace: () => string | undefined
  #joined = false

  /** `namespace` returns the only namespace that is joined; it is known by the time a packet arrives. */
  constructor(onInvalid: (error: Error) => void, namespace: () => string | undefined) {
    super()
    this.#onInvalid = onInvalid
    this.#namespace = namespace
  }

  /**
   * Receives one frame. A frame that cannot be used is reported and skipped, because a thrown error would end the
   * connection.
   */
  add(frame: unknown): void {
    let packet: SocketIoPacket
    try {
      const read = readPacket(frame, 'A frame of the gateway', (text) => parseJson(text, 'A packet of the gateway'))
      packet = checkPacket(read, this.#namespace(), this.#joined)
    } catch (error) {
      return this.#onInvalid(error as Error)
    }
    if (packet.type === CONNECT) this.#joined = packet.data !== undefined
    this.decoded(packet)
  }
}

/**
 * Returns the packet in a form that the client can handle. @throws {@link ProtocolError} for one that is out of place
 */
function checkPacket(packet: SocketIoPacket, namespace: string | undefined, joined: boolean): SocketIoPacket {
  const { type, nsp, data } = packet
  if (nsp !== namespace) throw invalid('the namespace that was joined')
  if (type === DISCONNECT && data === undefined) return packet
  if (type === EVENT_PACKET || type === ACK) {
    if (!joined) throw invalid('the answer to CONNECT first')
    if (!Array.isArray(data)) throw invalid('a list of arguments')
    if (type === EVENT_PACKET && (typeof data[0] !== 'string' || RESERVED.has(data[0])))
      throw invalid('the name of an event')
    return packet
  }
  if (joined || type === DISCONNECT) throw invalid('an event')
  // The answer to CONNECT is reduced to the one field that the client is to see: without a `sid` it fails the attempt.
  const { sid, message } = (data ?? {}) as Record<string, unknown>
  if (type === CONNECT) return { type, nsp, ...(typeof sid === 'string' && sid !== '' ? { data: { sid } } : {}) }
  return { type, nsp, data: { message: typeof message === 'string' ? message : '' } }
}

function invalid(expected: string): ProtocolError {
  return new ProtocolError('A packet of the gateway', { expected })
}
