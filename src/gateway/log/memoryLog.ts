import { GatewayFencedError, GatewayLogError } from '../../errors/gateway.js'
import { nextTask } from '../../net/nextTask.js'
import { now } from '../../net/timers.js'
import { byteLengthOf, MAX_ONCE_KEYS, MAX_STREAM_BYTES, ONCE_KEPT_MS } from './bounds.js'
import type { AppendOptions, GatewayLease, GatewayLog, LoggedRecord, LogPart, LogRetention } from './GatewayLog.js'

/** Records that a tail hands over before other tasks run. */
const TAIL_BATCH = 256

interface Kept extends LoggedRecord {
  readonly at: number
  readonly bytes: number
}

/** A stream in memory. Ids are consecutive numbers, so the place of a record follows from its id. */
class Stream {
  #records: Kept[] = []
  /** Records before this place have been dropped. */
  #start = 0
  #dropped = 0
  #bytes = 0
  readonly #once = new Map<string, { readonly id: string; readonly at: number }>()
  /** Wakes the tails that wait for the next record. */
  readonly #waiting = new Set<() => void>()

  /** Id of the oldest record; while there is none, that of the next one. */
  get first(): number {
    return this.#dropped + 1
  }

  /** Id of the newest record; 0 before the first. */
  get last(): number {
    return this.#dropped + this.#records.length - this.#start
  }

  append(record: string, { once, keep }: AppendOptions): { id: string; first: boolean } {
    const at = now()
    const existingId = once === undefined ? undefined : this.#knownOnce(once, at)
    if (existingId !== undefined) return { id: existingId, first: false }
    const bytes = byteLengthOf(record)
    const id = String(this.last + 1)
    this.#records.push({ id, record, at, bytes })
    this.#bytes += bytes
    if (once !== undefined) this.#once.set(once, { id, at })
    this.#trim(keep, at)
    for (const wake of [...this.#waiting]) wake()
    return { id, first: true }
  }

  /** Returns at most `limit` records after an id. */
  after(id: number, limit: number): LoggedRecord[] {
    const from = this.#start + Math.max(0, id - this.#dropped)
    return this.#records.slice(from, from + limit).map(({ id: each, record }) => ({ id: each, record }))
  }

  /** Resolves with the next record, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      if (signal.aborted) return resolve()
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  #knownOnce(key: string, at: number): string | undefined {
    for (const [oldest, entry] of this.#once) {
      if (this.#once.size < MAX_ONCE_KEYS && at - entry.at < ONCE_KEPT_MS) break
      this.#once.delete(oldest)
    }
    return this.#once.get(key)?.id
  }

  #trim(keep: LogRetention | undefined, at: number): void {
    const maxBytes = keep?.bytes ?? MAX_STREAM_BYTES
    const isTooOld = ({ at: since }: Kept): boolean =>
      keep !== undefined &&
      this.#records.length - this.#start > keep.records &&
      (keep.ms === undefined || at - since >= keep.ms)
    // The newest stays, whatever its size.
    while (this.#start < this.#records.length - 1) {
      const oldest = this.#records[this.#start]!
      if (this.#bytes <= maxBytes && !isTooOld(oldest)) break
      this.#bytes -= oldest.bytes
      this.#records[this.#start++] = undefined as never
      this.#dropped++
    }
    // Moving the rest costs its length, so it is done when as much has been dropped.
    if (this.#start > this.#records.length / 2) {
      this.#records = this.#records.slice(this.#start)
      this.#start = 0
    }
  }
}

/**
 * Creates a log in the memory of this process. Other processes cannot read it, so the `role` of the gateway has to be
 * `both` (core and edge in one process). Its records are lost when the process ends.
 *
 * @example
 * ```ts no-run
 * import { createGateway, memoryLog } from 'layer-sdk/gateway'
 * const gateway = await createGateway({ heads: [{ path: '/', upstream: 'ws://127.0.0.1:4001' }], log: memoryLog() })
 * ```
 */
export function memoryLog(): GatewayLog {
  const epoch = crypto.randomUUID()
  const streams = new Map<string, Stream>()
  const leases = new Map<string, { fence: number; endsAt: number }>()
  const over = new AbortController()

  const open = (): void => {
    if (over.signal.aborted) throw new GatewayLogError('The log has been closed.')
  }
  const streamOf = (name: string): Stream => {
    open()
    const existing = streams.get(name)
    if (existing !== undefined) return existing
    const stream = new Stream()
    streams.set(name, stream)
    return stream
  }

  return {
    async append(name, record, options = {}) {
      const stream = streamOf(name)
      const { fence } = options
      const current = fence === undefined ? undefined : (leases.get(fence.lease)?.fence ?? 0)
      if (fence !== undefined && fence.number !== current) throw new GatewayFencedError(fence.number, name)
      return stream.append(record, options)
    },
    async read(name, after, limit): Promise<LogPart> {
      const stream = streamOf(name)
      const { first, last } = stream
      const isEmpty = first > last
      return {
        records: stream.after(after === null ? 0 : Number(after), limit),
        oldest: isEmpty ? null : String(first),
        newest: isEmpty ? null : String(last),
        epoch
      }
    },
    async tail(name, after, onRecord, signal) {
      const stream = streamOf(name)
      const ends = AbortSignal.any([signal, over.signal])
      for (let at = after === null ? stream.first - 1 : Number(after); !ends.aborted;) {
        if (at < stream.first - 1 || at > stream.last)
          throw new GatewayLogError('Records of the log are missing.', { got: `none after ${at}` })
        const records = stream.after(at, TAIL_BATCH)
        for (const logged of records) {
          if (ends.aborted) break
          onRecord(logged)
          at = Number(logged.id)
        }
        if (records.length < TAIL_BATCH) await stream.next(ends)
        else await new Promise<void>((resolve) => nextTask(resolve))
      }
      if (!signal.aborted) open()
    },
    async lease(name, ttlMs): Promise<GatewayLease | null> {
      open()
      const lastLease = leases.get(name)
      if (lastLease !== undefined && lastLease.endsAt > now()) return null
      const fence = (lastLease?.fence ?? 0) + 1
      const lease = { fence, endsAt: now() + ttlMs }
      leases.set(name, lease)
      const isMine = (): boolean => leases.get(name) === lease && lease.endsAt > now()
      return {
        fence,
        async renew() {
          open()
          if (!isMine()) return false
          lease.endsAt = now() + ttlMs
          return true
        },
        async release() {
          if (isMine()) lease.endsAt = 0
        }
      }
    },
    async close() {
      over.abort()
    }
  }
}
