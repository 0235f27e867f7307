import { EVENT } from '../protocol/headPath.js'
import { eventText } from '../protocol/clientCommand.js'

/** A packet of engine.io's message type, and the frame that carries it. */
export interface EncodedPacket {
  readonly text: string
  /** WebSocket frame, written once for all clients. */
  readonly frame: Buffer[]
  readonly bytes: number
}

/** One event for many clients: its packet and frame are written once for each namespace. */
export class Outgoing {
  readonly #event: string
  readonly #packets = new Map<string, EncodedPacket>()

  constructor(messageText: string, status: 'success' | 'fail' = 'success') {
    this.#event = eventText(status, messageText)
  }

  packet(namespace: string): EncodedPacket {
    let packet = this.#packets.get(namespace)
    if (packet === undefined) {
      const text = `2${namespace},["${EVENT}",${this.#event}]`
      const frame = textFrame(`4${text}`)
      packet = { text, frame: [frame], bytes: frame.length }
      this.#packets.set(namespace, packet)
    }
    return packet
  }
}

/** RFC 6455, 5.2: one final text frame, unmasked as those of servers are. */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const headerBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headerBytes + length)
  frame[0] = 0x81
  frame[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (headerBytes === 4) frame.writeUInt16BE(length, 2)
  else if (headerBytes === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, headerBytes)
  return frame
}
