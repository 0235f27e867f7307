import type { WebSocketConstructor } from 'layer-sdk/bridge'
import { WebSocket } from 'ws'
import type { ClientOptions } from 'ws'

/** Counts what a bridge's own sockets send and receive, before and after everything the bridge does with it. */
export class WireTap {
  sockets = 0
  /** Texts of frames, in order. */
  readonly sent: string[] = []
  readonly received: string[] = []
  /** For the option `webSocketImpl`: `ws`, or one that can no more than the WebSocket of a browser. */
  readonly WebSocket: WebSocketConstructor

  constructor(plain = false) {
    const tap = this
    class Tapped extends WebSocket {
      constructor(url: string, protocols?: string[], options?: ClientOptions) {
        super(url, protocols, options)
        tap.sockets++
        this.on('message', (data) => tap.received.push(String(data)))
      }

      override send(data: string): void {
        tap.sent.push(data)
        super.send(data)
      }
    }
    this.WebSocket = (plain ? plainSocket(Tapped) : Tapped) as unknown as WebSocketConstructor
  }

  /** How many inputs with this tag have been sent. */
  inputs(tag: string): number {
    return this.sent.filter((text) => (JSON.parse(text) as { tag?: string }).tag === tag).length
  }

  /** How many messages with this tag have arrived. */
  messages(tag: string): number {
    return this.received.filter((text) => text.startsWith('{') && text.includes(`"tag":"${tag}"`)).length
  }
}

/**
 * A socket with nothing but the interface of browsers: no ping, no pong, no terminate, no status of a refused upgrade;
 * and, like the one built into Node 20 and 22, no `close` after a failed attempt.
 */
function plainSocket(
  Implementation: new (url: string, protocols: string[], options: ClientOptions) => WebSocket
): unknown {
  return class {
    onopen: ((event: object) => void) | null = null
    onmessage: ((event: { data: unknown }) => void) | null = null
    onclose: ((event: { code: number }) => void) | null = null
    onerror: ((event: object) => void) | null = null
    readonly #socket: WebSocket
    #opened = false

    constructor(url: string) {
      const socket = (this.#socket = new Implementation(url, [], { perMessageDeflate: false }))
      socket.binaryType = 'arraybuffer'
      socket.onopen = () => {
        this.#opened = true
        this.onopen?.({})
      }
      socket.onmessage = ({ data }) => this.onmessage?.({ data })
      socket.onclose = ({ code }) => {
        if (this.#opened) this.onclose?.({ code })
      }
      socket.onerror = () => this.onerror?.({})
    }

    get readyState(): number {
      return this.#socket.readyState
    }

    set binaryType(_type: string) {
      /* as it is */
    }

    send(text: string): void {
      this.#socket.send(text)
    }

    close(code?: number): void {
      this.#socket.close(code)
    }
  }
}
