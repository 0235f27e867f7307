import { isLayerError } from '../errors/base.js'
import { now } from '../net/timers.js'
import type { Logger } from '../types/logger.js'

/** A part that a gateway depends on. */
export type Part = 'node' | 'log'

const SENTENCE: Readonly<Record<Part, string>> = { node: 'the node cannot be reached', log: 'the log cannot be used' }
const RECOVERED: Readonly<Record<Part, string>> = { node: 'the node answers again', log: 'the log can be used again' }

/** The same failure is reported once within this time, ms. */
const REPEAT_MS = 60_000

interface Trouble {
  readonly reason: string
  readonly error: unknown
  readonly isReported: boolean
}

/**
 * Reports the failures that keep one head from being served: the beginning of each, with its cause, and its end.
 */
export class Troubles {
  readonly #name: string
  readonly #logger: Logger
  readonly #current = new Map<Part, Trouble>()
  readonly #reported = new Map<Part, { readonly reason: string; readonly at: number }>()

  /** `name`: text with which the reports begin. */
  constructor(name: string, logger: Logger) {
    this.#name = name
    this.#logger = logger
  }

  /** Notes that a part has failed, and reports it unless the same failure was reported just before. */
  begin(part: Part, error: unknown): void {
    if (this.#current.has(part)) return
    const reason = `${SENTENCE[part]} (${causeOf(error)})`
    const reported = this.#reported.get(part)
    const isReported = reported?.reason !== reason || now() - reported.at >= REPEAT_MS
    this.#current.set(part, { reason, error, isReported })
    if (!isReported) return
    this.#reported.set(part, { reason, at: now() })
    this.#logger.warn(`${this.#name}: ${reason}`)
  }

  /** Notes that a part works, and reports it if its failure was reported. */
  end(part: Part): void {
    const ended = this.#current.get(part)
    this.#current.delete(part)
    if (ended?.isReported === true) this.#logger.info?.(`${this.#name}: ${RECOVERED[part]}`)
  }

  /** Notes that the state of a part is no longer known. */
  forget(part: Part): void {
    this.#current.delete(part)
  }

  /** Returns the reason why a part fails, in one phrase; null while it does not. */
  reasonOf(part: Part): string | null {
    return this.#current.get(part)?.reason ?? null
  }

  /** First error of the failures that persist; undefined where there is none. */
  get error(): unknown {
    for (const { error } of this.#current.values()) return error
    return undefined
  }
}

/** Returns the cause of a failure in a few words, without URL: `ECONNREFUSED`, or the first sentence of the error. */
export function causeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (!isLayerError(error))
    return typeof code === 'string'
      ? code
      : typeof message === 'string' && message !== ''
        ? firstSentence(message)
        : 'no cause is known'
  const got = /^- Got (.+)$/m.exec(error.message)?.[1]
  if (error.code === 'BRIDGE_CONNECT' && got !== undefined) return got
  return got === undefined ? firstSentence(error.message) : `${firstSentence(error.message)}: ${got}`
}

const MAX_CAUSE = 200

function firstSentence(message: string): string {
  return message
    .split('\n')[0]!
    .replace(/\w+:\/\/\S+/g, 'its URL')
    .replace(/\.$/, '')
    .slice(0, MAX_CAUSE)
}
