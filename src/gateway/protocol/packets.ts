import { parseJsonWithin } from '../../codec/json.js'
import { isRecord } from '../../codec/record.js'
import type { SocketIoPacket } from '../../bridge/inner.js'
import { CONNECT, DISCONNECT, EVENT_PACKET, PacketListeners, readPacket } from '../../bridge/inner.js'
import { ProtocolError } from '../../errors/bridge.js'
import { JSON_BOUNDS, MAX_NAMESPACES, MAX_REFUSED_JOINS } from '../limits.js'
import { EVENT } from './headPath.js'

export { Encoder as PacketEncoder } from '../../bridge/inner.js'

const WHAT = 'A packet of a client'
const MAX_CONNECTS = MAX_NAMESPACES + MAX_REFUSED_JOINS

/**
 * Reads packets of clients, within bounds and with exact integers. Throws on any other text: the server then ends that
 * connection alone.
 */
export class PacketDecoder extends PacketListeners {
  #connects = 0

  /** @throws {@link ProtocolError} {@link InvalidJsonError} */
  add(frame: unknown): void {
    const packet = readPacket(frame, WHAT, (text) => parseJsonWithin(text, { what: 'A packet', ...JSON_BOUNDS }))
    checkPacket(packet)
    if (packet.type === CONNECT && ++this.#connects > MAX_CONNECTS) throw refused(`at most ${MAX_CONNECTS} joins`)
    this.decoded(packet)
  }
}

function checkPacket({ type, data, id }: SocketIoPacket): void {
  switch (type) {
    case CONNECT:
      if (id !== undefined || !(data === undefined || isRecord(data))) throw refused('an object to join with')
      return
    case DISCONNECT:
      if (data !== undefined || id !== undefined) throw refused('DISCONNECT without data')
      return
    case EVENT_PACKET:
      if (!Array.isArray(data) || data.length !== 2 || data[0] !== EVENT)
        throw refused(`the event ${EVENT} with one value`)
      return
    default:
      throw refused('a packet that clients send')
  }
}

function refused(expected: string): ProtocolError {
  return new ProtocolError(WHAT, { expected })
}
