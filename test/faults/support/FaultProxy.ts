import { createServer, connect } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'

/** What the proxy does to the bytes that pass; change it at any time. */
export interface Toxics {
  /** Wait before each chunk goes on, ms. */
  latencyMs: number
  /** Share of the latency by which it varies to both sides. */
  jitter: number
  /** Largest piece that goes on at once, bytes; 0 is whole chunks. */
  sliceBytes: number
  /** Stops both directions and never closes: a half-open connection. */
  blackhole: boolean
  /** Accepts connections and then says nothing: no upstream is opened. */
  mute: boolean
  /** Resets every new connection. */
  refuse: boolean
  /** Resets a connection after this many bytes from the server; Infinity is never. */
  limitBytes: number
}

const HARMLESS: Toxics = {
  latencyMs: 0,
  jitter: 0,
  sliceBytes: 0,
  blackhole: false,
  mute: false,
  refuse: false,
  limitBytes: Infinity
}

interface Pair {
  readonly client: Socket
  readonly server: Socket | null
  fromServer: number
  isWebSocket: boolean
  stalled: boolean
}

/** Which proxy a socket belongs to, for whoever finds one left over. */
const owners = new WeakMap<object, string>()

/** What is known of a socket of any proxy; undefined for a socket of somebody else. */
export function ownerOf(socket: object): string | undefined {
  return owners.get(socket)
}

/**
 * Resets a socket. One that is shutting down cannot be: libuv refuses (EINVAL), and Node then keeps its handle for
 * ever.
 */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

/** A TCP proxy on loopback that can delay, slice, stall, cut and reset what it carries. */
export class FaultProxy {
  readonly toxics: Toxics = { ...HARMLESS }
  /** Connections accepted, and resets made, since the start. */
  readonly counters = { connections: 0, resets: 0 }
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  readonly #target: () => number
  #port = 0

  private constructor(target: () => number) {
    this.#target = target
    this.#server = createServer((client) => this.#accept(client))
  }

  /** Starts a proxy to a port on loopback; `target` is asked for every connection. */
  static async start(target: number | (() => number), port = 0): Promise<FaultProxy> {
    const proxy = new FaultProxy(typeof target === 'number' ? () => target : target)
    await proxy.listen(port)
    return proxy
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#pairs.size
  }

  /** Listens again after {@link stopListening}, on the same port unless another is given. */
  async listen(port: number = this.#port): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** New connections are refused by the system; those that are open are reset. */
  async stopListening(): Promise<void> {
    this.reset()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  /** Resets every open connection (RST, both sides). */
  reset(): void {
    for (const pair of this.#pairs) this.#reset(pair)
  }

  /** The WebSockets of now carry nothing more and never close; HTTP and new ones are as good as any. */
  stall(): void {
    for (const pair of this.#pairs) pair.stalled = pair.isWebSocket
  }

  /** Resets each connection once it has carried so many more bytes from the server. */
  cutAfter(bytes: number): void {
    for (const pair of this.#pairs) pair.fromServer = 0
    this.toxics.limitBytes = bytes
  }

  /** Back to carrying bytes as they are. */
  heal(): void {
    Object.assign(this.toxics, HARMLESS)
  }

  /** Ends the proxy and everything it carries. */
  async stop(): Promise<void> {
    this.reset()
    if (this.#server.listening) await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  #accept(client: Socket): void {
    this.counters.connections++
    client.on('error', () => {})
    if (this.toxics.refuse) {
      this.counters.resets++
      reset(client)
      return
    }
    const server = this.toxics.mute ? null : connect(this.#target(), '127.0.0.1')
    const pair: Pair = { client, server, fromServer: 0, isWebSocket: false, stalled: false }
    this.#pairs.add(pair)
    owners.set(client, `a proxy on port ${this.#port}: accepted from port ${client.remotePort ?? 0}`)
    if (server !== null) owners.set(server, `a proxy on port ${this.#port}: its connection to port ${this.#target()}`)
    client.on('close', () => this.#drop(pair))
    // Read, so that its end is seen.
    if (server === null) return void client.resume()
    // Slices would be joined again by Nagle's algorithm.
    client.setNoDelay(true)
    server.setNoDelay(true)
    server.on('error', () => client.destroy())
    server.on('close', () => client.end())
    this.#carry(pair, client, server, false)
    this.#carry(pair, server, client, true)
  }

  #carry(pair: Pair, from: Socket, to: Socket, isFromServer: boolean): void {
    let queue = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      if (this.toxics.blackhole || pair.stalled) return
      if (!isFromServer && chunk.includes('Upgrade: websocket')) pair.isWebSocket = true
      queue = queue.then(() => this.#pass(pair, chunk, to, isFromServer))
    })
    from.on('end', () => {
      if (!this.toxics.blackhole && !pair.stalled) queue = queue.then(() => void to.end())
    })
  }

  async #pass(pair: Pair, chunk: Buffer, to: Socket, isFromServer: boolean): Promise<void> {
    const { latencyMs, jitter, sliceBytes, limitBytes } = this.toxics
    if (latencyMs > 0)
      await new Promise((resolve) => setTimeout(resolve, latencyMs * (1 + jitter * (2 * Math.random() - 1))))
    const room = isFromServer ? limitBytes - pair.fromServer : Infinity
    const passed = chunk.subarray(0, Math.max(0, room))
    const size = sliceBytes > 0 ? sliceBytes : passed.length
    for (let at = 0; at < passed.length; at += size) {
      if (to.destroyed || this.toxics.blackhole || pair.stalled) return
      to.write(passed.subarray(at, at + size))
      // A turn of the loop between slices, so that they leave as frames of their own.
      if (sliceBytes > 0) await new Promise((resolve) => setImmediate(resolve))
    }
    if (isFromServer) pair.fromServer += passed.length
    if (room < chunk.length) this.#reset(pair)
  }

  #reset(pair: Pair): void {
    this.counters.resets++
    reset(pair.client)
    this.#drop(pair)
  }

  #drop(pair: Pair): void {
    this.#pairs.delete(pair)
    pair.server?.destroy()
  }
}
