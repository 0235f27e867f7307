import { parseJson } from '../../codec/json.js'
import { BridgeRequestError } from '../../errors/operation.js'
import { withTimeLimit } from '../../net/abort.js'
import { redact } from '../../net/redact.js'
import type { Connector } from '../../bridge/inner.js'
import type { Reading } from '../facts/HeadFacts.js'

/** Time limit of a request, ms. */
export const REQUEST_MS = 10_000

/** Clock that gathering uses; a test replaces it. */
export interface GatherTime {
  /** ms since the epoch. */
  now(): number
  /** Waits ms; rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** RouteBody of a route: its parsed body, or `absent` for 404. */
export type RouteBody = { readonly body: unknown } | 'absent'

/** Reads the routes of one node; never sends an input. */
export class NodeReader {
  readonly #connector: Connector
  readonly #signal: AbortSignal
  readonly #fallbackName: string

  constructor(connector: Connector, fallbackName: string, signal: AbortSignal) {
    this.#connector = connector
    this.#fallbackName = fallbackName
    this.#signal = signal
  }

  /** Name of the node: scheme, host and port of its URL. */
  get name(): string {
    return this.#connector.origin ?? this.#fallbackName
  }

  get connector(): Connector {
    return this.#connector
  }

  /** Signal for one piece of work. It follows the caller's, so that many pieces add no listeners to the caller's. */
  get signal(): AbortSignal {
    return typeof AbortSignal.any === 'function' ? AbortSignal.any([this.#signal]) : this.#signal
  }

  /** Reads a route. @throws {@link BridgeRequestError} on a refusal, or the error of the request */
  async get(path: string): Promise<RouteBody> {
    const text = await this.text(path)
    return text === null ? 'absent' : { body: parseJson(text, `GET ${path}`) }
  }

  /** Reads the text of a route; null for 404. @throws as {@link NodeReader.get} */
  async text(path: string): Promise<string | null> {
    const { status, text } = await withTimeLimit(
      {
        signal: this.signal,
        timeoutMs: REQUEST_MS,
        onTimeout: () =>
          new BridgeRequestError(`GET ${path}`, { status: 0, reason: `no answer within ${REQUEST_MS} ms` })
      },
      (signal) => this.#connector.request({ method: 'GET', path, signal })
    )
    if (status === 404) return null
    if (status < 200 || status > 299)
      throw new BridgeRequestError(`GET ${path}`, { status, reason: redact(text).slice(0, 200) })
    return text
  }

  /**
   * Calls `read`, and returns its value, or the reason in one line why it failed. @throws the reason of the caller's
   * signal
   */
  async attempt<T>(read: () => Promise<T>): Promise<Reading<T>> {
    try {
      return { value: await read() }
    } catch (error) {
      this.#signal.throwIfAborted()
      return { unread: reasonOf(error) }
    }
  }
}

/** Returns the first sentence of an error and the value that was received, without secrets. */
export function reasonOf(error: unknown): string {
  const [first = 'unknown', ...lines] = String((error as Error | null)?.message ?? error).split('\n')
  const got = lines.find((line) => line.startsWith('- Got '))?.slice('- Got '.length)
  return redact(got === undefined ? first : `${first.replace(/\.$/, '')} (${got})`).slice(0, 200)
}
