import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** Answers one request on its bare socket; `text` is the request as it came. */
export type RawAnswer = (socket: Socket, text: string) => void

/**
 * The HTTP side of a node, as raw sockets: it answers with whatever bytes a test likes. `fetch` is the real one, sent
 * here instead of to the node, while `answer` is set.
 */
export class FaultyHttp {
  answer: RawAnswer | null = null
  /** First line and headers of each request, in order. */
  readonly requests: string[] = []
  readonly bodies: string[] = []
  readonly #server = createServer((socket) => this.#serve(socket))
  readonly #sockets = new Set<Socket>()
  origin = ''

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  readonly fetch: typeof fetch = (target, init) =>
    fetch(this.answer === null ? target : String(target).replace(/^http:\/\/[^/]+/, this.origin), init)

  /** How many requests had this method and path. */
  count(route: string): number {
    return this.requests.filter((text) => text.startsWith(`${route} HTTP/`) || text.startsWith(`${route}?`)).length
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => undefined)
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end < 0 || text.length < end + 4 + length) return
      const request = text
      text = ''
      this.requests.push(request.slice(0, end))
      this.bodies.push(request.slice(end + 4))
      this.answer?.(socket, request)
    })
  }
}

/** An answer with a body; `headers` are lines of their own, Content-Length included where it is wanted. */
export function rawReply(
  status: string,
  body: string | Buffer,
  headers: readonly string[] = [`Content-Length: ${Buffer.byteLength(body)}`]
): RawAnswer {
  return (socket) => {
    socket.write(
      ['HTTP/1.1 ' + status, 'Content-Type: application/json', 'Connection: close', ...headers, '', ''].join('\r\n')
    )
    socket.end(body)
  }
}
