import type { Fetch, NodeWebSocket } from 'socket.io-client'
import IsomorphicWebSocket from 'isomorphic-ws'
import { BridgeConnectError, MessageTooLargeError, ProtocolError } from '../../../errors/bridge.js'
import { isLayerError } from '../../../errors/base.js'
import { checkHandshake } from './checkHandshake.js'
import type { EngineIoPacket } from './checkHandshake.js'
import { readCapped } from '../fetchText.js'
import { closedError, gatewayStatusError, networkError, socketError } from '../socketErrors.js'
import { clampMs } from '../../../net/timers.js'

/** State that the transports of one channel share. */
export interface TransportContext {
  /** Aborted when the channel has ended: no packet is passed on or sent. */
  readonly signal: AbortSignal
  readonly maxMessageBytes: number
  readonly fetch: typeof fetch
  /** Ends the channel; later calls have no effect. */
  fail(error: Error): void
  /** Reports a violation of the protocol; the channel goes on unless {@link fail} is called too. */
  onInvalid(error: Error): void
}

/** The classes of engine.io-client that are guarded. */
export interface TransportClasses {
  readonly Fetch: typeof Fetch
  readonly NodeWebSocket: typeof NodeWebSocket
}

// Arguments with which engine.io-client calls a transport; its own types leave it open.
interface TransportOptions {
  readonly query?: { readonly sid?: string }
  readonly extraHeaders?: Readonly<Record<string, string>>
  readonly withCredentials?: boolean
  readonly tryAllTransports?: boolean
}

// Members of `ws` beyond the browsers' interface.
interface NodeSocket {
  on?(
    event: 'unexpected-response',
    listener: (request: { destroy(): void }, response: { statusCode?: number }) => void
  ): unknown
}

// Kept by the session, when `withCredentials` is given in Node.
interface CookieJar {
  appendCookies(headers: Headers): void
  parseCookies(values: string[]): void
}

/**
 * Returns the transports by name. The client of engine.io handles packets in callbacks of sockets and timers, where any
 * error that it throws ends the process. So each packet is checked before it gets there, and every entry point catches
 * errors that are thrown nevertheless.
 */
export function createTransports(classes: TransportClasses, context: TransportContext): Record<string, unknown> {
  return {
    websocket: createWebSocketTransport(classes.NodeWebSocket, context),
    polling: createPollingTransport(classes.Fetch, context)
  }
}

/**
 * Checks that a gateway's packets follow engine.io: exactly one open packet, before all others. A transport that is
 * only probed begins after it.
 */
class PacketGuard {
  readonly #context: TransportContext
  readonly #isCurrent: () => boolean
  readonly #triesAll: boolean
  /** True when the handshake has ended. */
  open: boolean

  /** `isCurrent`: true while the session uses this transport. One that is probed or was replaced may fail. */
  constructor(context: TransportContext, options: TransportOptions, isCurrent: () => boolean) {
    this.#context = context
    this.#isCurrent = isCurrent
    this.#triesAll = options.tryAllTransports === true
    this.open = options.query?.sid !== undefined
  }

  /** Runs a callback of the client; if it throws, the channel ends. */
  run(action: () => void): void {
    if (this.#context.signal.aborted) return
    try {
      action()
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** Hands a packet on, unless it ends the channel. */
  pass(packet: EngineIoPacket, receive: (packet: never) => void): void {
    this.run(() => {
      const checked = this.#check(packet)
      if (packet.type === 'close') this.#context.fail(closedError(undefined, this.open, 'gateway'))
      else receive(checked as never)
    })
  }

  /**
   * Handles the loss of the transport: ends the channel if the session uses this transport. The client is always
   * notified, because only then does it end its timers.
   */
  lost(error: Error, close: () => void): void {
    if (this.#isCurrent() && !(this.#triesAll && !this.open)) this.#context.fail(error)
    try {
      close()
    } catch {
      /* the client has ended it */
    }
  }

  #check(packet: EngineIoPacket): EngineIoPacket {
    const { type } = packet
    if (type === 'error') throw new ProtocolError('A packet of the gateway', { expected: 'a packet of engine.io' })
    if ((type === 'open') === this.open)
      throw new ProtocolError('A packet of the gateway', { expected: 'one open packet, before all others', got: type })
    if (this.open) return packet
    this.open = true
    return checkHandshake(packet)
  }

  /** Reports a packet that cannot be understood, and ends the channel. */
  #refuse(error: unknown): void {
    const { fail, onInvalid } = this.#context
    onInvalid(isLayerError(error) ? error : new ProtocolError('A packet of the gateway', { cause: error }))
    fail(new BridgeConnectError('The gateway does not follow the protocol of engine.io.', { cause: error }))
  }
}

function createWebSocketTransport(Base: typeof NodeWebSocket, context: TransportContext): unknown {
  const { maxMessageBytes, fail } = context
  return class GuardedWebSocket extends Base {
    readonly #guard: PacketGuard

    constructor(options: TransportOptions) {
      // Compression would turn a small frame into a large message; `ws` accepts 31 bits, as timers do.
      super({ ...options, perMessageDeflate: false, maxPayload: clampMs(maxMessageBytes) })
      this.#guard = new PacketGuard(context, options, () => isCurrent(this, this.socket))
    }

    override createSocket(
      uri: string,
      protocols: string | string[] | undefined,
      options: Record<string, unknown>
    ): unknown {
      const socket = createSocket(uri, protocols ?? [], {
        ...options,
        headers: headersWith(options['headers'] as HeadersInit | undefined, this.socket)
      }) as NodeSocket
      // Only `ws` knows the status of a refused upgrade; a redirect is one of them.
      socket.on?.('unexpected-response', (request, response) => {
        request.destroy()
        this.#guard.lost(gatewayStatusError(response.statusCode ?? 0), () =>
          super.onError('websocket error', undefined)
        )
      })
      return socket
    }

    protected override onData(data: never): void {
      // `ws` enforces the limit while the message arrives; the built-in ones cannot.
      if ((data as string).length > maxMessageBytes)
        return fail(new MessageTooLargeError('A message of the gateway', maxMessageBytes))
      this.#guard.run(() => super.onData(data))
    }

    protected override onPacket(packet: never): void {
      this.#guard.pass(packet, (checked) => super.onPacket(checked))
    }

    protected override onOpen(): void {
      this.#guard.run(() => super.onOpen())
    }

    protected override onError(reason: string, description: { error?: unknown } | undefined, details: unknown): this {
      this.#guard.lost(socketError(description?.error, maxMessageBytes, 'gateway'), () =>
        super.onError(reason, description, details)
      )
      return this
    }

    protected override onClose(details?: { description: string; context?: unknown }): void {
      const { code } = (details?.context ?? {}) as { code?: unknown }
      this.#guard.lost(closedError(typeof code === 'number' ? code : undefined, this.#guard.open, 'gateway'), () =>
        super.onClose(details)
      )
    }
  }
}

function createPollingTransport(Base: typeof Fetch, context: TransportContext): unknown {
  return class GuardedPolling extends Base {
    readonly #guard: PacketGuard
    readonly #options: TransportOptions

    constructor(options: TransportOptions) {
      super(options)
      this.#options = options
      this.#guard = new PacketGuard(context, options, () => isCurrent(this, this.socket))
    }

    override doPoll(): void {
      this.#request(undefined, (payload) => this.onData(payload))
    }

    override doWrite(payload: string, callback: () => void): void {
      this.#request(payload, callback)
    }

    override onPacket(packet: never): void {
      this.#guard.pass(packet, (checked) => super.onPacket(checked))
    }

    protected override onClose(details?: { description: string; context?: unknown }): void {
      this.#guard.lost(closedError(undefined, this.#guard.open, 'gateway'), () => super.onClose(details))
    }

    #request(payload: string | undefined, onAnswer: (payload: string) => void): void {
      if (context.signal.aborted) return
      requestPoll(this.uri(), payload, { ...context, options: this.#options, session: this.socket }).then(
        (answer) => this.#guard.run(() => onAnswer(answer)),
        (error: Error) => this.#guard.lost(error, () => this.onError('polling error', error))
      )
    }
  }
}

// Once the client itself closes the session, the end of its transport is no loss.
function isCurrent(transport: object, session: object): boolean {
  const { transport: current, readyState } = session as { transport?: object; readyState?: string }
  return current === transport && (readyState === 'opening' || readyState === 'open')
}

// The package's own `ws`, which engine.io-client may have another copy of; the built-in one elsewhere.
function createSocket(uri: string, protocols: string | string[], options: object): unknown {
  const Implementation = IsomorphicWebSocket as unknown as new (
    uri: string,
    protocols: string | string[],
    options?: object
  ) => object
  return 'terminate' in Implementation.prototype
    ? new Implementation(uri, protocols, options)
    : new Implementation(uri, protocols)
}

// With `withCredentials` a session in Node keeps its cookies; in browsers they are the browser's.
function headersWith(extraHeaders: HeadersInit | undefined, session: object): Record<string, string> {
  const headers = new Headers(extraHeaders)
  cookiesOf(session)?.appendCookies(headers)
  return Object.fromEntries(headers)
}

const cookiesOf = (session: object): CookieJar | undefined => (session as { _cookieJar?: CookieJar })._cookieJar

/** Sends one request of the polling transport. Follows no redirect, because headers and token would be sent along. */
async function requestPoll(
  url: string,
  body: string | undefined,
  settings: TransportContext & { options: TransportOptions; session: object }
): Promise<string> {
  const { fetch: run, signal, maxMessageBytes, options, session } = settings
  try {
    const headers = {
      ...headersWith(options.extraHeaders, session),
      ...(body === undefined ? {} : { 'content-type': 'text/plain;charset=UTF-8' }),
      // Browsers set both themselves. In Node a socket that is kept would outlive the channel.
      'accept-encoding': 'identity',
      connection: 'close'
    }
    const response = await run(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      redirect: 'manual',
      signal,
      credentials: options.withCredentials === true ? 'include' : 'omit',
      ...(body === undefined ? {} : { body })
    })
    cookiesOf(session)?.parseCookies(response.headers.getSetCookie())
    if (!response.ok) {
      void response.body?.cancel().catch(() => undefined)
      throw gatewayStatusError(response.status)
    }
    return await readCapped(response, 'a poll of the gateway', maxMessageBytes)
  } catch (error) {
    // The runtime's own error may repeat the URL or a header, so only the short code of its cause is kept.
    throw isLayerError(error)
      ? error
      : networkError((error as { cause?: unknown } | null | undefined)?.cause, 'gateway')
  }
}
