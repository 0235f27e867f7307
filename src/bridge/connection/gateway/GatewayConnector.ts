import type { ManagerOptions, Socket, SocketOptions } from 'socket.io-client'
import { parseJson } from '../../../codec/json.js'
import type { OptionNames } from '../../../codec/options.js'
import { DEFAULT_MAX_MESSAGE_BYTES } from '../../../constants.js'
import { byType } from '../../../errors/base.js'
import { BridgeConnectError, BridgeOptionsError, NotConnectedError } from '../../../errors/bridge.js'
import { UnsupportedByConnectorError } from '../../../errors/operation.js'
import { assertEncrypted, originOf } from '../nodeUrl.js'
import type {
  Connector,
  ConnectorCapabilities,
  ConnectorChannel,
  ConnectorListener,
  ConnectorOpenOptions,
  ConnectorReply,
  ConnectorRequest,
  SnapshotPosition
} from '../Connector.js'
import { checkOptions, numberOption } from '../checkOptions.js'
import { fetchText } from '../fetchText.js'
import { preparationError } from '../socketErrors.js'
import { createTransports } from './createTransports.js'
import type { TransportContext } from './createTransports.js'
import { checkExtension, extensionAuth } from './extension.js'
import type { GatewayExtension, GatewayExtensionOptions } from './extension.js'
import { Decoder } from './Decoder.js'
import { commitBody, deliver, refusal, unwrap } from './gatewayAnswers.js'
import { Encoder } from './packets.js'
import { toNodeReply } from './submitReply.js'
import { createSocketPool } from '../../../net/socketPool.js'
import { CLOSE_GRACE_MS, startTimer } from '../../../net/timers.js'

/** Options of {@link GatewayConnector}. */
export interface GatewayConnectorOptions extends GatewayExtensionOptions {
  /**
   * Options of the socket.io client. Its own reconnecting and buffering stay off: the bridge reconnects, and no packet
   * is buffered.
   */
  socketIoOptions?: {
    /** `token`: the bearer token (JWT), or a function that is called for every attempt and request. */
    auth?: { token?: string | (() => string | Promise<string>); [key: string]: unknown }
    /**
     * `'websocket'`, `'polling'` or both; the connection begins with the first one. Polling uses `fetch`, which ignores
     * `agent` and the TLS options. @default ['websocket']
     */
    transports?: string[]
    /** ms. */
    timeout?: number
    [option: string]: unknown
  }
  /** Name of the socket.io namespace and of its event. @default 'hydra' */
  namespace?: string
  /** Allows the token over plain `http://` to other hosts. @default false */
  allowInsecure?: boolean
  /**
   * Largest message and HTTP body, uncompressed, bytes. Runtimes with a built-in WebSocket only check messages after
   * arrival. @default 128 MiB
   */
  maxMessageBytes?: number
  /** Function that is used instead of the global `fetch`. */
  fetch?: typeof fetch
}

const OPTIONS: OptionNames<GatewayConnectorOptions> = {
  mode: true,
  addresses: true,
  tags: true,
  socketIoOptions: true,
  namespace: true,
  allowInsecure: true,
  maxMessageBytes: true,
  fetch: true
}
const TRANSPORTS = ['websocket', 'polling']

/** Routes of the node that a gateway serves, with their names there. */
const ROUTES: Readonly<Record<string, string>> = {
  'GET /protocol-parameters': 'protocol-parameters',
  'GET /snapshot/utxo': 'snapshot/utxo',
  'GET /head': 'head',
  'GET /history': 'history',
  'POST /commit': 'commit',
  'POST /cardano-transaction': 'cardano-transaction',
  'POST /transaction': 'submit-tx'
}
/** Further routes that a gateway serves if it supports the extension of `layer-sdk/gateway`. */
const EXTENDED_ROUTES: Readonly<Record<string, string>> = {
  'GET /snapshot': 'snapshot',
  'GET /snapshot/last-seen': 'snapshot/last-seen'
}

/**
 * Connects through a socket.io gateway. Operations that a gateway has no route for are refused with
 * `BRIDGE_UNSUPPORTED_BY_CONNECTOR`.
 *
 * @example
 * ```ts no-run
 * import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
 * const connector = new GatewayConnector('https://gateway.example/base', { socketIoOptions: { auth: { token: '<JWT>'
 * } } })
 * const bridge = new LayerBridge({ connector })
 * ```
 *
 * A gateway of `layer-sdk/gateway` can send only the outputs of given addresses, and after a reconnect only the changes
 * that the bridge has missed:
 *
 * @example
 * ```ts no-run
 * import { GatewayConnector } from 'layer-sdk/bridge'
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const connector = new GatewayConnector('https://gateway.example/games', { mode: 'address', addresses: [address] })
 * ```
 */
export class GatewayConnector implements Connector {
  /** Abilities: no replay, and only some of the routes; filtered by address in the mode `'address'`. */
  readonly capabilities: ConnectorCapabilities
  /** The addresses that are followed; undefined: all. */
  readonly addresses: readonly string[] | undefined
  readonly #extension: GatewayExtension
  readonly #url: string
  readonly #namespace: string
  readonly #options: GatewayConnectorOptions
  readonly #maxMessageBytes: number
  readonly #transports: readonly string[]
  /** Scheme, host and port of the gateway. */
  readonly origin: string

  /** @throws {@link BridgeOptionsError} when the URL or another option cannot be used */
  constructor(socketIoUrl: string, options?: GatewayConnectorOptions) {
    if (!/^(https?|wss?):\/\/[^/]/i.test(socketIoUrl))
      throw new BridgeOptionsError('socketIoUrl', 'a URL beginning with https://', byType(socketIoUrl))
    this.#url = socketIoUrl
    try {
      this.origin = originOf(socketIoUrl)
    } catch {
      throw new BridgeOptionsError('socketIoUrl', 'a URL beginning with https://', byType(socketIoUrl))
    }
    this.#options = checkOptions(options ?? {}, OPTIONS)
    const extension = (this.#extension = checkExtension(this.#options))
    this.addresses = extension.addresses
    this.capabilities = {
      history: false,
      allRoutes: false,
      partial: extension.mode === 'address',
      deltas: extension.isExtended,
      log: true
    }
    const transports: unknown = this.#options.socketIoOptions?.transports ?? ['websocket']
    if (
      !Array.isArray(transports) ||
      transports.length === 0 ||
      !transports.every((name) => TRANSPORTS.includes(name as string))
    ) {
      throw new BridgeOptionsError('socketIoOptions.transports', "an array of 'websocket' and 'polling'", transports)
    }
    this.#transports = transports as string[]
    this.#namespace = this.#options.namespace ?? 'hydra'
    this.#maxMessageBytes = numberOption(this.#options, 'maxMessageBytes', DEFAULT_MAX_MESSAGE_BYTES)
  }

  /**
   * Starts one attempt to connect; its outcome comes through the listener. @throws no error: failures go to
   * `listener.onClose`
   */
  open(listener: ConnectorListener, { since }: ConnectorOpenOptions = {}): ConnectorChannel {
    let socket: Socket | null = null
    let closed = false
    const pool = createSocketPool(/^(https|wss):/i.test(this.#url))
    const over = new AbortController()
    const release = (): void => {
      over.abort()
      pool?.destroy()
    }
    const finish = (error: Error): void => {
      if (closed) return
      end(false)
      listener.onClose(error)
    }
    const end = (graceful: boolean): void => {
      const wait = graceful && socket?.connected === true
      closed = true
      socket?.off()
      socket?.io.off()
      try {
        socket?.disconnect()
      } catch {
        /* the channel has ended either way */
      }
      if (wait) startTimer(CLOSE_GRACE_MS, release)
      else release()
    }
    const context = {
      signal: over.signal,
      fail: finish,
      onInvalid: (error: Error) => {
        if (!closed) listener.onInvalid(error)
      }
    }
    this.#connect(pool?.agent, since, context, () => (socket as { nsp?: string } | null)?.nsp)
      .then((made) => {
        socket = made
        if (closed) return end(false)
        made.on('connect', () => listener.onOpen())
        made.on(this.#namespace, (message: unknown) => deliver(message, listener))
        made.on('connect_error', (error: Error) => finish(refusal(error)))
        made.on('disconnect', (reason) =>
          finish(new BridgeConnectError('The connection to the gateway was closed.', { got: reason }))
        )
        made.io.on('ping', () => listener.onActivity())
        made.connect()
      })
      .catch((error: unknown) => finish(preparationError(error)))
    const emit = (event: Record<string, unknown>): void => {
      // socket.io would buffer packets that are sent while disconnected, and send it later.
      if (socket?.connected !== true) throw new NotConnectedError('Sending')
      socket.emit(this.#namespace, event)
    }
    return {
      send: (text) => emit({ command: 'send_command', data: parseJson(text) }),
      ...(this.#extension.isExtended ? { resync: () => emit({ command: 'resync' }) } : {}),
      close: async (graceful) => {
        end(graceful)
      }
    }
  }

  /**
   * Sends one request, to the gateway's route that corresponds to the node's route.
   * @throws {@link UnsupportedByConnectorError}, {@link BridgeRequestError}, as rejections
   */
  async request(request: ConnectorRequest): Promise<ConnectorReply> {
    const nodeRoute = `${request.method} ${request.path}`
    const [path, query] = nodeRoute.split('?', 2)
    const route = ROUTES[path!] ?? (this.#extension.isExtended ? EXTENDED_ROUTES[path!] : undefined)
    if (route === undefined) throw new UnsupportedByConnectorError(nodeRoute)
    const { url, token } = await this.#target()
    url.protocol = url.protocol.replace('ws', 'http')
    url.pathname += `/${route}`
    for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value)
    if (route.startsWith('snapshot') || route === 'history')
      for (const address of this.addresses ?? []) url.searchParams.append('address', address)
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    if (request.body !== undefined) headers['Content-Type'] = 'application/json'
    const wrapped = route === 'commit' ? { ...request, body: commitBody(request.body ?? '') } : request
    const reply = await fetchText(url.href, wrapped, headers, {
      fetch: this.#options.fetch,
      maxMessageBytes: this.#maxMessageBytes
    })
    const unwrapped = { ...reply, text: unwrap(reply.text) }
    return route === 'submit-tx' ? toNodeReply(unwrapped) : unwrapped
  }

  async #connect(
    agent: object | undefined,
    since: SnapshotPosition | undefined,
    context: Pick<TransportContext, 'signal' | 'fail' | 'onInvalid'>,
    namespace: () => string | undefined
  ): Promise<Socket> {
    const { url, token } = await this.#target()
    const { auth, ...rest } = this.#options.socketIoOptions ?? {}
    const { io, ...classes } = await import('socket.io-client')
    const transports = createTransports(classes, {
      ...context,
      maxMessageBytes: this.#maxMessageBytes,
      fetch: this.#options.fetch ?? globalThis.fetch
    })
    class LosslessDecoder extends Decoder {
      constructor() {
        super(context.onInvalid, namespace)
      }
    }
    const options: Partial<ManagerOptions & SocketOptions> = {
      ...(agent === undefined ? {} : { agent: agent as never }),
      ...rest,
      ...(auth === undefined && !this.#extension.isExtended
        ? {}
        : { auth: { ...auth, ...(token === undefined ? {} : { token }), ...extensionAuth(this.#extension, since) } }),
      transports: this.#transports.map((name) => transports[name]) as never,
      parser: { Encoder, Decoder: LosslessDecoder },
      forceNew: true,
      autoConnect: false,
      reconnection: false,
      retries: 0
    }
    return io(url.href, options)
  }

  /** Returns the URL with the namespace appended to its path, and the present token. */
  async #target(): Promise<{ url: URL; token: string | undefined }> {
    const url = new URL(this.#url)
    const tokenOption = this.#options.socketIoOptions?.auth?.token
    const token = typeof tokenOption === 'function' ? await tokenOption() : tokenOption
    if ((token !== undefined || url.password !== '') && this.#options.allowInsecure !== true) assertEncrypted(url)
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/${this.#namespace}`
    return { url, token }
  }
}
