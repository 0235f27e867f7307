import { stringifyJson } from '../../codec/json.js'
import { now, sleep, startTimer } from '../../net/timers.js'
import type { OnUnreadable } from '../core/readLog.js'
import type { GatewayLog, LoggedRecord } from '../log/GatewayLog.js'
import { readReplyRecord } from '../log/readRecords.js'
import type { HeadStreams } from '../records.js'
import { COMMANDS_KEPT } from '../records.js'
import type { CommandEnd, CommandEnds } from './CommandEnds.js'
import { isUncertain } from './Submissions.js'

/** An answer of the node; status 0: none came. */
export interface NodeReply {
  readonly status: number
  readonly text: string
  /** True when no request was sent to the node. */
  readonly isUnsent?: true
}

/** The last answer to a route that is read. */
export interface CachedReply extends NodeReply {
  /** Age, whole seconds; 0: current. */
  readonly ageSeconds: number
}

const TIMEOUT_MS = 30_000
const RETRY_MS = 500
/** Time for which clients share the answer to a read, ms: many of them then cost the node one request. */
const FRESH_MS = 500

/** Dependencies of {@link Replies} besides the log. */
export interface RepliesContext {
  readonly ends: CommandEnds
  readonly onUnreadable: OnUnreadable
}

/** Sends requests to the node's HTTP interface: they go through the log, and the core carries them out. */
export class Replies {
  readonly #log: GatewayLog
  readonly #streams: HeadStreams
  readonly #ends: CommandEnds
  readonly #onUnreadable: OnUnreadable
  readonly #waiting = new Map<string, (reply: NodeReply) => void>()
  readonly #cache = new Map<string, { readonly reply: NodeReply; readonly at: number }>()
  readonly #reads = new Map<string, Promise<NodeReply>>()

  /** `onUnreadable`: receives the answers that cannot be read. */
  constructor(log: GatewayLog, streams: HeadStreams, { ends, onUnreadable }: RepliesContext) {
    this.#log = log
    this.#streams = streams
    this.#ends = ends
    this.#onUnreadable = onUnreadable
  }

  start(signal: AbortSignal): void {
    void this.#follow(signal)
  }

  /** Asks the node. Resolves with status 0 when no answer comes. @throws {@link GatewayLogError} */
  async request(method: 'GET' | 'POST', path: string, body?: string): Promise<NodeReply> {
    const ref = crypto.randomUUID()
    let stopWatching = (): void => undefined
    const reply = new Promise<NodeReply>((resolve) => {
      const stopTimer = startTimer(TIMEOUT_MS, () => this.#settle(ref, { status: 0, text: '' }))
      this.#waiting.set(ref, (value) => {
        stopTimer()
        stopWatching()
        resolve(value)
      })
    })
    try {
      const { id } = await this.#log.append(
        this.#streams.in,
        stringifyJson({ kind: 'request', ref, method, path, body }),
        { keep: COMMANDS_KEPT }
      )
      if (this.#waiting.has(ref)) stopWatching = this.#ends.watch(id, (end) => this.#end(ref, end))
    } catch (error) {
      // The core may have it: then its reply comes.
      if (isUncertain(error)) return reply
      this.#settle(ref, { status: 0, text: '' })
      throw error
    }
    return reply
  }

  /**
   * Reads a route of the node. Clients that ask at the same time share one request; while the node cannot be asked, its
   * last answer is returned, with its age.
   */
  async read(path: string, available: boolean): Promise<CachedReply | null> {
    const cached = this.#cache.get(path)
    const ageMs = cached === undefined ? Infinity : now() - cached.at
    if (cached !== undefined && (ageMs < FRESH_MS || !available))
      return { ...cached.reply, ageSeconds: available ? 0 : Math.ceil(ageMs / 1000) }
    if (!available) return null
    const reading = this.#reads.get(path) ?? this.#startRead(path)
    const reply = await reading
    if (reply.status !== 0) return { ...reply, ageSeconds: 0 }
    return cached === undefined ? null : { ...cached.reply, ageSeconds: Math.ceil(ageMs / 1000) }
  }

  #startRead(path: string): Promise<NodeReply> {
    const reading = this.request('GET', path)
      .then((reply) => {
        if (reply.status === 200) this.#cache.set(path, { reply, at: now() })
        return reply
      })
      .catch(() => ({ status: 0, text: '' }))
      .finally(() => this.#reads.delete(path))
    this.#reads.set(path, reading)
    return reading
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        // Answers to those who ask from now on.
        const { newest } = await this.#log.read(this.#streams.reply, null, 1)
        await this.#log.tail(this.#streams.reply, newest, (logged) => this.#receive(logged), signal)
      } catch {
        /* the log is gone for now: who waits gets no answer */
      }
      if (!signal.aborted) await sleep(RETRY_MS, signal).catch(() => undefined)
    }
    for (const ref of [...this.#waiting.keys()]) this.#settle(ref, { status: 0, text: '' })
  }

  #receive({ id, record }: LoggedRecord): void {
    const reply = readReplyRecord(record)
    if (reply === null) return this.#onUnreadable(this.#streams.reply, id)
    this.#settle(reply.ref, { status: reply.status, text: reply.text })
  }

  /** Settles a request that the core has not sent to the node; one that it has sent gets a reply. */
  #end(ref: string, { outcome }: CommandEnd): void {
    if (outcome !== 'sent')
      this.#settle(ref, { status: 0, text: '', ...(outcome === 'refused' ? { isUnsent: true } : {}) })
  }

  #settle(ref: string, reply: NodeReply): void {
    const resolve = this.#waiting.get(ref)
    this.#waiting.delete(ref)
    resolve?.(reply)
  }
}
