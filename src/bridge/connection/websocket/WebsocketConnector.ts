import IsomorphicWebSocket from 'isomorphic-ws'
import type { OptionNames } from '../../../codec/options.js'
import { DEFAULT_CONNECT_TIMEOUT, DEFAULT_MAX_MESSAGE_BYTES } from '../../../constants.js'
import { BridgeOptionsError, MessageTooLargeError, NotConnectedError } from '../../../errors/bridge.js'
import { RuntimeUnsupportedError } from '../../../errors/input.js'
import { asksForHistory, checkNodeUrl, originOf, socketUrl } from '../nodeUrl.js'
import { checkOptions, numberOption } from '../checkOptions.js'
import type {
  Connector,
  ConnectorCapabilities,
  ConnectorChannel,
  ConnectorListener,
  ConnectorOpenOptions,
  ConnectorReply,
  ConnectorRequest
} from '../Connector.js'
import { closedError, preparationError, refusedUpgradeError, socketError } from '../socketErrors.js'
import { CLOSE_GRACE_MS, clampMs, startTimer } from '../../../net/timers.js'
import type { NodeSocketExtras, WebSocketConstructor } from '../../../net/webSocketTypes.js'
import { requestNode } from './requestNode.js'

/** Options of {@link WebsocketConnector}. */
export interface WebsocketConnectorOptions {
  /**
   * WebSocket URL of a node or hub, which may have a query of its own; or a function that returns it, called for every
   * attempt and request.
   */
  websocketUrl: string | (() => string | Promise<string>)
  /** Replay the node's stored messages on the first connect. @default false */
  history?: boolean
  /** Leave UTxOs out of snapshots; the cache then computes the outputs from their transactions. @default false */
  noSnapshotUtxo?: boolean
  /** Restricts snapshots to those with a transaction that pays to this address (bech32). */
  address?: string
  /** Allows a key over plain `ws://` to other hosts. @default false */
  allowInsecure?: boolean
  /**
   * Largest message and HTTP body, bytes. Runtimes with a built-in WebSocket only check it after arrival. @default 128
   * MiB
   */
  maxMessageBytes?: number
  /** Time limit of the WebSocket handshake, ms; the bridge applies its own limit in addition. @default 10000 */
  connectTimeout?: number
  /** WebSocket class that is used instead of `ws` in Node and the built-in one elsewhere. */
  webSocketImpl?: WebSocketConstructor
  /** Function that is used instead of the global `fetch`. */
  fetch?: typeof fetch
  /**
   * Restricts requests to those that the node's CORS allows: no headers, no DELETE. @default true in browsers, else
   * false
   */
  browser?: boolean
}

/** Names of {@link WebsocketConnectorOptions}. */
export const WEBSOCKET_OPTIONS: OptionNames<WebsocketConnectorOptions> = {
  websocketUrl: true,
  history: true,
  noSnapshotUtxo: true,
  address: true,
  allowInsecure: true,
  maxMessageBytes: true,
  connectTimeout: true,
  webSocketImpl: true,
  fetch: true,
  browser: true
}

const OPEN = 1

type SettledOptions = WebsocketConnectorOptions & { maxMessageBytes: number }

/**
 * Connects directly to a node, or to a hub with an API key in the URL.
 *
 * @example
 * ```ts no-run
 * import { LayerBridge, WebsocketConnector } from 'layer-sdk/bridge'
 * const bridge = new LayerBridge({ connector: new WebsocketConnector({ websocketUrl: 'ws://127.0.0.1:4001' }) })
 * ```
 */
export class WebsocketConnector implements Connector {
  /** Abilities: replay and all routes; filtered by address when the option `address` is set. */
  readonly capabilities: ConnectorCapabilities
  readonly #options: SettledOptions
  readonly #browser: boolean
  #origin: string | undefined
  readonly #onPlain: ((host: string) => void) | undefined

  /**
   * `onPlain` gets the host of each unencrypted connection to another machine, unless `allowInsecure` is given.
   * @throws {@link BridgeOptionsError} when `websocketUrl` is neither a text nor a function, or another option is not
   * of its type
   */
  constructor(options: WebsocketConnectorOptions, onPlain?: (host: string) => void) {
    this.#onPlain = onPlain
    const checkedOptions = checkOptions<WebsocketConnectorOptions>(options ?? {}, WEBSOCKET_OPTIONS)
    const kind = typeof checkedOptions.websocketUrl
    if (kind !== 'string' && kind !== 'function')
      throw new BridgeOptionsError('websocketUrl', 'a WebSocket URL', checkedOptions.websocketUrl)
    this.#options = {
      ...checkedOptions,
      maxMessageBytes: numberOption(checkedOptions, 'maxMessageBytes', DEFAULT_MAX_MESSAGE_BYTES)
    }
    this.#browser = checkedOptions.browser ?? ('document' in globalThis || 'importScripts' in globalThis)
    this.capabilities = { history: true, allRoutes: true, partial: checkedOptions.address !== undefined }
  }

  /** Scheme, host and port of the last attempt. */
  get origin(): string | undefined {
    return this.#origin
  }

  /**
   * Starts one attempt to connect; its outcome comes through the listener. @throws no error: failures go to
   * `listener.onClose`
   */
  open(listener: ConnectorListener, options: ConnectorOpenOptions): ConnectorChannel {
    let socket: Required<Omit<ConnectorChannel, 'resync'>> | null = null
    let closed = false
    const start = async (): Promise<void> => {
      this.#origin = undefined
      const url = await this.#url()
      this.#origin = originOf(url)
      if (closed) return
      const { history, noSnapshotUtxo, address } = this.#options
      const target = socketUrl(url, {
        history: options.history ?? history,
        noSnapshotUtxo: options.noSnapshotUtxo ?? noSnapshotUtxo,
        address: options.unfiltered === true ? undefined : address
      })
      socket = openSocket(target, listener, this.#options)
    }
    start().catch((error: unknown) => {
      if (!closed) listener.onClose(preparationError(error))
    })
    return {
      send(text) {
        if (socket === null) throw new NotConnectedError('Sending')
        socket.send(text)
      },
      ping: () => socket?.ping() ?? false,
      pause: () => socket?.pause() ?? false,
      resume: () => socket?.resume(),
      async close(graceful) {
        closed = true
        await socket?.close(graceful)
      }
    }
  }

  /**
   * Sends one request to the HTTP address that belongs to the URL.
   * @throws {@link UnsupportedByConnectorError}, {@link BridgeRequestError}, {@link BridgeOptionsError}, as rejections
   */
  async request(request: ConnectorRequest): Promise<ConnectorReply> {
    return requestNode(await this.#url(), request, {
      browser: this.#browser,
      fetch: this.#options.fetch,
      maxMessageBytes: this.#options.maxMessageBytes
    })
  }

  async #url(): Promise<string> {
    const { websocketUrl, allowInsecure } = this.#options
    return checkNodeUrl(
      typeof websocketUrl === 'function' ? await websocketUrl() : websocketUrl,
      allowInsecure ?? false,
      this.#onPlain
    )
  }
}

function openSocket(
  url: string,
  listener: ConnectorListener,
  options: SettledOptions
): Required<Omit<ConnectorChannel, 'resync'>> {
  const maxBytes = options.maxMessageBytes
  const socket = createSocket(url, options)
  const extras = socket as unknown as NodeSocketExtras
  let opened = false
  let failure: Error | undefined
  const finish = (error: Error, terminate: boolean): void => {
    detach(socket)
    if (terminate) end(socket)
    listener.onClose(error)
  }
  socket.binaryType = 'arraybuffer'
  socket.onopen = () => {
    opened = true
    listener.onOpen({ replay: asksForHistory(url) })
  }
  socket.onmessage = (event: { data: unknown }) => {
    // `ws` enforces the limit while the message arrives; the built-in ones cannot.
    if (typeof event.data === 'string' && event.data.length > maxBytes)
      return finish(new MessageTooLargeError('A message of the node', maxBytes), true)
    listener.onMessage(typeof event.data === 'string' ? event.data : new Uint8Array(event.data as ArrayBuffer))
  }
  socket.onclose = (event) => finish(failure ?? closedError(event.code, opened), false)
  socket.onerror = (event) => {
    const error = socketError((event as { error?: unknown }).error, maxBytes)
    // A failed attempt ends here: some runtimes never fire `close` after it.
    if (!opened || (error as { fatal?: boolean }).fatal === true) finish(error, true)
    else failure = error
  }
  extras.on?.('ping', () => listener.onActivity())
  extras.on?.('pong', () => listener.onActivity())
  extras.on?.('unexpected-response', ((request: { destroy(): void }, response: { statusCode?: number }) => {
    request.destroy()
    finish(refusedUpgradeError(response.statusCode ?? 0), true)
  }) as (...args: never[]) => void)
  return {
    send(text) {
      if (socket.readyState !== OPEN) throw new NotConnectedError('Sending')
      socket.send(text)
    },
    ping() {
      if (extras.ping === undefined || socket.readyState !== OPEN) return false
      extras.ping()
      return true
    },
    pause() {
      if (extras.pause === undefined || socket.readyState !== OPEN) return false
      extras.pause()
      return true
    },
    resume: () => extras.resume?.(),
    close: (graceful) => closeSocket(socket, graceful)
  }
}

function createSocket(url: string, options: SettledOptions): WebSocket {
  const Implementation = options.webSocketImpl ?? (IsomorphicWebSocket as unknown as WebSocketConstructor | null)
  if (typeof Implementation !== 'function') throw new RuntimeUnsupportedError('WebSocket', 'the option webSocketImpl')
  // Only `ws` accepts options; it needs them: no compression memory, a cap, no redirect that would carry a key away.
  if (!('terminate' in Implementation.prototype)) return new Implementation(url) as WebSocket
  const handshakeTimeout = clampMs(options.connectTimeout ?? DEFAULT_CONNECT_TIMEOUT)
  // It accepts 31 bits, as timers do, and 0 for no cap.
  const maxPayload = clampMs(options.maxMessageBytes)
  const limits = { perMessageDeflate: false, maxPayload, followRedirects: false, handshakeTimeout }
  return new Implementation(url, [], limits) as WebSocket
}

// An error listener stays: `ws` emits one when a connecting socket is ended, and without a listener that throws.
function detach(socket: WebSocket): void {
  socket.onopen = socket.onmessage = socket.onclose = null
  socket.onerror = () => undefined
}

function end(socket: WebSocket): void {
  const { terminate } = socket as unknown as NodeSocketExtras
  if (terminate === undefined) socket.close()
  else terminate.call(socket)
}

function closeSocket(socket: WebSocket, graceful: boolean): Promise<void> {
  const open = socket.readyState === OPEN
  detach(socket)
  if (!graceful || !open) {
    end(socket)
    return Promise.resolve()
  }
  return new Promise((resolve) => {
    const stop = startTimer(CLOSE_GRACE_MS, () => {
      end(socket)
      resolve()
    })
    socket.onclose = () => {
      stop()
      resolve()
    }
    socket.close(1000)
  })
}
