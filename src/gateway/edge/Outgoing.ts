import { EVENT } from '../protocol/headPath.js'

/** A packet of engine.io's message type, and the frame that carries it. */
export interface EncodedPacket {
  /** WebSocket frame, written once for all clients: in one part, or in a head and a tail that several events share. */
  readonly frame: Buffer[]
  /** Bytes of the packet. */
  readonly bytes: number
  /** Returns the packet as polling carries it, written for each client. */
  text(): string
}

/**
 * Ends of messages that finish with the outputs of the head, as a member of the message or of its snapshot. They end
 * the event and its packet too.
 */
export const TAIL_OF_MESSAGE = '}}]'
export const TAIL_OF_SNAPSHOT = '}}}]'

/** One event for many clients: packet and frame are written once for each Socket.IO namespace. */
export class Outgoing {
  readonly #head: string
  readonly #tail: Buffer | null
  // The event itself would stay in memory with it.
  readonly #key = {}
  readonly #packets = new Map<string, EncodedPacket>()

  /**
   * @param messageText - JSON of the message; with a `tail` all before it
   * @param tail - the rest of the packet, {@link TAIL_OF_MESSAGE} or {@link TAIL_OF_SNAPSHOT} included, in bytes that
   * many events share
   */
  constructor(messageText: string, status: 'success' | 'fail' = 'success', tail: Buffer | null = null) {
    this.#head = `{"status":"${status}","data":${messageText}`
    this.#tail = tail
  }

  /** Identity of the bytes in memory: events with the same tail share it, so the tail counts once. */
  get key(): object {
    return this.#tail ?? this.#key
  }

  packet(namespace: string): EncodedPacket {
    let packet = this.#packets.get(namespace)
    if (packet === undefined) {
      packet = encode(`2${namespace},["${EVENT}",${this.#head}${this.#tail === null ? '}' : ''}`, this.#tail)
      this.#packets.set(namespace, packet)
    }
    return packet
  }
}

function encode(head: string, tail: Buffer | null): EncodedPacket {
  const text = tail === null ? `${head}]` : head
  const tailBytes = tail?.length ?? 0
  let frame: Buffer[] | null = null
  return {
    bytes: Buffer.byteLength(text) + tailBytes,
    get frame() {
      return (frame ??= tail === null ? [textFrame(`4${text}`, 0)] : [textFrame(`4${text}`, tailBytes), tail])
    },
    text: () => (tail === null ? text : text + tail.toString())
  }
}

/** RFC 6455, 5.2: one final text frame, unmasked as those of servers are. `more`: bytes of it that follow apart. */
function textFrame(text: string, more: number): Buffer {
  const textBytes = Buffer.byteLength(text)
  const length = textBytes + more
  const headerBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headerBytes + textBytes)
  frame[0] = 0x81
  frame[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (headerBytes === 4) frame.writeUInt16BE(length, 2)
  else if (headerBytes === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, headerBytes)
  return frame
}
