import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as a server saw it. */
export interface Seen {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
}

/** Answers in place of the server, or hands on with false. */
export type Fault = (response: ServerResponse, seen: Seen, count: number) => boolean | void

export type Respond = (response: ServerResponse, seen: Seen) => void

/** An HTTP server on loopback that keeps what it was asked, and can be told to misbehave. */
export class HttpTestServer {
  readonly seen: Seen[] = []
  readonly server: Server
  /** What went wrong inside; a test that passes leaves it empty. */
  readonly failures: unknown[] = []
  fault: Fault | null = null
  origin = ''

  constructor(respond: Respond) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const url = new URL(request.url!, 'http://x')
        const seen = {
          method: request.method!,
          path: decodeURI(url.pathname),
          query: url.searchParams,
          headers: request.headers,
          body: Buffer.concat(chunks)
        }
        this.seen.push(seen)
        try {
          // A fault that answers returns nothing, or anything but false.
          if (this.fault && this.fault(response, seen, this.seen.length) !== false) return
          respond(response, seen)
        } catch (error) {
          this.failures.push(error)
          response.writeHead(599).end(String(error))
        }
      })
    })
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    return this
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
