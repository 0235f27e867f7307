import { RuntimeUnsupportedError } from '../../errors/input.js'
import type { ProviderRequestDetails } from '../../errors/provider.js'
import {
  ProviderAuthError,
  ProviderHttpError,
  ProviderNetworkError,
  ProviderResponseError
} from '../../errors/provider.js'
import type { NodeSocketExtras, WebSocketConstructor, WebSocketLike } from '../../net/webSocketTypes.js'
import { ResponseReader } from '../shared/ResponseReader.js'

interface SocketRequest {
  id: number
  details: ProviderRequestDetails
  text: string
  signal: AbortSignal
}

interface Pending extends SocketRequest {
  resolve: (message: Record<string, unknown>) => void
  reject: (error: unknown) => void
}

interface SocketOptions {
  url: string
  headers: Record<string, string>
  label: string
  redact: (text: string) => string
  maxBytes: number
  webSocketImpl: WebSocketConstructor | undefined
}

/** How long an unused connection is kept for the next call, ms; a finished script ends no later. */
const LINGER_MS = 50

/** One WebSocket for any number of concurrent requests: opened by the first, closed soon after the last. */
export class RpcSocket {
  readonly #options: SocketOptions
  readonly #pending = new Map<number, Pending>()
  /** Requests that were sent and aborted: their responses may still arrive. */
  readonly #aborted = new Set<unknown>()
  #socket: WebSocketLike | null = null
  #isOpen = false
  #isOpening = false
  #linger: ReturnType<typeof setTimeout> | undefined

  constructor(options: SocketOptions) {
    this.#options = options
  }

  /** Sends a request and resolves with the message that has its id. */
  request(request: SocketRequest): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      request.signal.throwIfAborted()
      const { id, signal } = request
      const stop = (): void => {
        this.#aborted.add(id)
        pending.reject(signal.reason)
      }
      const settled = (): void => {
        signal.removeEventListener('abort', stop)
        this.#pending.delete(id)
        if (this.#pending.size === 0) this.#linger = setTimeout(() => this.#drop(), this.#isOpen ? LINGER_MS : 0)
      }
      const pending: Pending = {
        ...request,
        resolve: (message) => (settled(), resolve(message)),
        reject: (error) => (settled(), reject(error as Error))
      }
      signal.addEventListener('abort', stop)
      clearTimeout(this.#linger)
      this.#pending.set(id, pending)
      if (this.#isOpen) this.#send(pending)
      else if (!this.#socket && !this.#isOpening) void this.#open()
    })
  }

  async #open(): Promise<void> {
    this.#isOpening = true
    const { url, headers, webSocketImpl, maxBytes } = this.#options
    try {
      // Lazy: over HTTP no WebSocket package is loaded.
      const Socket =
        webSocketImpl ?? ((await import('isomorphic-ws')).default as unknown as WebSocketConstructor | null)
      if (!Socket)
        throw new RuntimeUnsupportedError(
          'WebSocket',
          'a WebSocket class in the option webSocketImpl, or an http: endpoint'
        )
      // The third argument is for `ws`; the runtimes' own classes ignore it.
      const socket = new Socket(url, [], {
        headers,
        maxPayload: maxBytes,
        perMessageDeflate: false,
        followRedirects: false
      })
      this.#socket = socket
      // Each handler checks that its socket is still the current one: a replaced one must not touch its successor.
      socket.onopen = () => {
        if (this.#socket !== socket) return
        this.#isOpen = true
        for (const pending of this.#pending.values()) this.#send(pending)
      }
      socket.onmessage = (event: { data: unknown }) => this.#socket === socket && this.#receive(event.data)
      socket.onerror = (event: SocketError) =>
        this.#socket === socket && this.#fail((details) => toError(event, details, maxBytes))
      socket.onclose = () => this.#socket === socket && this.#fail((details) => toError({}, details, maxBytes))
    } catch (error) {
      this.#fail((details) => (error instanceof RuntimeUnsupportedError ? error : toError({}, details, maxBytes)))
    }
    this.#isOpening = false
    if (this.#pending.size === 0 && !this.#isOpen) this.#drop()
  }

  #send(pending: Pending): void {
    try {
      this.#socket!.send(pending.text)
    } catch {
      pending.reject(new ProviderNetworkError(pending.details, 'a connection that takes no message'))
    }
  }

  #receive(data: unknown): void {
    const read = new ResponseReader(this.#options.label, this.#options.redact)
    try {
      const holds = typeof data === 'string' && data.length <= this.#options.maxBytes
      const message = read.object(
        read.parse(read.check(holds, '', `a text of at most ${this.#options.maxBytes} bytes`, data) as string),
        ''
      )
      const pending = this.#pending.get(message['id'] as number)
      if (pending) return pending.resolve(message)
      read.check(this.#aborted.delete(message['id']), 'id', 'the id of a request', message['id'])
    } catch (error) {
      this.#fail(() => error)
    }
  }

  /** Ends every pending request, and the connection with them. */
  #fail(makeError: (details: ProviderRequestDetails) => unknown): void {
    const pendings = [...this.#pending.values()]
    this.#drop()
    for (const pending of pendings) pending.reject(makeError(pending.details))
  }

  #drop(): void {
    clearTimeout(this.#linger)
    const socket: (WebSocketLike & NodeSocketExtras) | null = this.#socket
    const isUnresponsive = this.#aborted.size > 0
    this.#socket = null
    this.#isOpen = false
    this.#aborted.clear()
    // Closing a `ws` that is still connecting makes it emit an error, so a handler stays.
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.onerror = () => undefined
    // A server that leaves responses out may leave out the closing handshake too, for which `ws` waits 30 s.
    if (isUnresponsive && socket.terminate) socket.terminate()
    else socket.close()
  }
}

/** Cause of a failure as `ws` reports it; the runtimes' own classes report none. */
interface SocketError {
  message?: string
  error?: { code?: string }
}

function toError({ message, error }: SocketError, details: ProviderRequestDetails, maxBytes: number): Error {
  const status = Number(/response: (\d{3})/.exec(message ?? '')?.[1])
  if (status === 401 || status === 403) return new ProviderAuthError(status, details, `status ${status}`)
  if (status) return new ProviderHttpError(status, details, 'no upgrade to a WebSocket')
  if (error?.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
    return new ProviderResponseError(details.url, '', `at most ${maxBytes} bytes`, 'more')
  return new ProviderNetworkError(details, error?.code ?? 'a closed connection')
}
