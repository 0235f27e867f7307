import { GatewayFencedError, GatewayLogError } from '../../errors/gateway.js'
import { byType } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { MAX_ONCE_KEYS, MAX_STREAM_BYTES, ONCE_KEPT_MS } from './bounds.js'
import type { AppendOptions, GatewayLease, GatewayLog, LoggedRecord, LogPart } from './GatewayLog.js'
import { loadRedis, RedisConnection } from './RedisConnection.js'
import { APPEND, LEASE, READ, RELEASE, RENEW } from './redisScripts.js'

/** Options of {@link redisLog}. */
export interface RedisLogOptions {
  /** URL of the server: `redis://`, or `rediss://` for TLS, with user and password where the server requires them. */
  readonly url: string
  /** Text before a colon with which all keys begin, so that several logs can share one server. @default 'layer-sdk' */
  readonly prefix?: string
}

/** Records that a tail reads at once. */
const TAIL_BATCH = 256
/** Time that a tail waits for records before it checks that the stream has not been replaced, ms. */
const TAIL_WAIT_MS = 2_000

/** A record as Redis returns it, with the id of the record before it. */
interface ReadRecord extends LoggedRecord {
  readonly previous: string
}

interface ReadPart extends LogPart {
  readonly records: readonly ReadRecord[]
}

/**
 * Creates a log in Redis (tested with version 7), which any number of processes share: all with the same `url` and
 * `prefix`. It needs the package `redis`. Each record is appended atomically, by a script on the server, so all
 * processes see the records in the same order. If Redis was emptied or fell back to an older copy, the gateway detects
 * it: the epoch has changed, or the newest id is older than records that were read.
 *
 * @example
 * ```ts no-run
 * import { createGateway, redisLog } from 'layer-sdk/gateway'
 * const log = redisLog({ url: 'redis://127.0.0.1:6379', prefix: 'games' })
 * const gateway = await createGateway({ heads: [{ path: '/' }], log, role: 'edge' }) // a core runs elsewhere
 * ```
 * @throws {@link InvalidArgumentError} on a URL that does not begin with `redis://` or `rediss://`
 */
export function redisLog({ url, prefix = 'layer-sdk' }: RedisLogOptions): GatewayLog {
  // The error names the type alone: a URL may hold a password.
  if (typeof url !== 'string' || !/^rediss?:\/\/./.test(url))
    throw new InvalidArgumentError('url', 'a URL beginning with redis:// or rediss://', byType(url))
  const main = new RedisConnection(url)
  const tails = new Set<RedisConnection>()
  /** The newest lease of this process by name, with the epoch that its fence was given out in. */
  const heldLeases = new Map<string, { readonly fence: number; readonly epoch: string }>()
  let isClosed = false
  const keyOf = (kind: string, name: string): string => `${prefix}:${kind}:${name}`

  const read = async (
    connection: RedisConnection,
    stream: string,
    after: string | null,
    limit: number
  ): Promise<ReadPart> => {
    const keys = [keyOf('stream', stream), keyOf('meta', stream), `${prefix}:epoch`]
    const [epoch, oldest, newest, records] = (await connection.script(READ, keys, [
      after ?? '',
      limit,
      crypto.randomUUID()
    ])) as [string, string, string, unknown]
    return { records: readRecords(records), oldest: oldest || null, newest: newest || null, epoch }
  }

  return {
    async open() {
      await loadRedis()
    },
    async append(stream, record, options = {}) {
      const { lease = '', number } = options.fence ?? {}
      const keys = [
        ...['stream', 'meta', 'once', 'onceAges'].map((kind) => keyOf(kind, stream)),
        keyOf('fence', lease),
        `${prefix}:epoch`
      ]
      const heldLease = heldLeases.get(lease)
      const args = [
        ...appendArguments(record, options),
        heldLease !== undefined && heldLease.fence === number ? heldLease.epoch : ''
      ]
      const [outcome, id] = (await main.script(APPEND, keys, args)) as [string, string]
      if (outcome === 'fenced') throw new GatewayFencedError(options.fence!.number, stream)
      return { id, first: outcome === 'first' }
    },
    async read(stream, after, limit): Promise<LogPart> {
      const { records, ...rest } = await read(main, stream, after, limit)
      return { ...rest, records: records.map(toLogged) }
    },
    async tail(stream, after, onRecord, signal) {
      if (isClosed) throw new GatewayLogError('The log has been closed.')
      const connection = new RedisConnection(url)
      tails.add(connection)
      const end = (): void => connection.close()
      signal.addEventListener('abort', end, { once: true })
      try {
        const next = (at: string | null, limit: number): Promise<ReadPart> => read(connection, stream, at, limit)
        const wait = async (at: string): Promise<readonly ReadRecord[]> => {
          const args = [
            'XREAD',
            'COUNT',
            String(TAIL_BATCH),
            'BLOCK',
            String(TAIL_WAIT_MS),
            'STREAMS',
            keyOf('stream', stream),
            at
          ]
          const reply = (await connection.command(args, TAIL_WAIT_MS)) as [[string, unknown]] | null
          return reply === null ? [] : readRecords(reply[0][1])
        }
        await follow({ after, next, wait, onRecord, signal })
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        signal.removeEventListener('abort', end)
        tails.delete(connection)
        connection.close()
      }
    },
    async lease(name, ttlMs): Promise<GatewayLease | null> {
      const key = keyOf('lease', name)
      const holder = crypto.randomUUID()
      const keys = [key, keyOf('fence', name), `${prefix}:epoch`]
      const [fence, epoch] = (await main.script(LEASE, keys, [holder, ttlMs, crypto.randomUUID()])) as [number, string]
      if (fence === 0) return null
      heldLeases.set(name, { fence, epoch })
      return {
        fence,
        renew: async () => (await main.script(RENEW, [key], [holder, ttlMs])) === 1,
        async release() {
          await main.script(RELEASE, [key], [holder])
        }
      }
    },
    async close() {
      isClosed = true
      main.close()
      for (const connection of tails) connection.close()
    }
  }
}

function appendArguments(record: string, { fence, once, keep }: AppendOptions): (string | number)[] {
  const kept = [keep?.records ?? -1, keep?.ms ?? -1, keep?.bytes ?? MAX_STREAM_BYTES]
  return [record, fence?.number ?? '', once === undefined ? '0' : '1', once ?? '', ONCE_KEPT_MS, MAX_ONCE_KEYS, ...kept]
}

interface Followed {
  readonly after: string | null
  next(after: string | null, limit: number): Promise<ReadPart>
  /** Resolves with the records after an id as soon as there are some; with none after a while. */
  wait(after: string): Promise<readonly ReadRecord[]>
  onRecord(logged: LoggedRecord): void
  readonly signal: AbortSignal
}

/**
 * Passes records to `onRecord`, one after another. Each record names the one before it, so a missing one is noticed.
 */
async function follow({ after, next, wait, onRecord, signal }: Followed): Promise<void> {
  let at = after
  let epoch: string | null = null
  const handOver = (records: readonly ReadRecord[]): void => {
    for (const record of records) {
      if (signal.aborted) return
      if (at !== null && record.previous !== at) throw missing(at)
      at = record.id
      onRecord(toLogged(record))
    }
  }
  while (!signal.aborted) {
    const part = await next(at, TAIL_BATCH)
    epoch ??= part.epoch
    // The stream was emptied, or is behind the records that were read: the id is gone, or not there yet.
    if (part.epoch !== epoch || (part.records.length === 0 && at !== null && part.newest !== at))
      throw missing(at ?? 'the beginning')
    handOver(part.records)
    if (part.records.length === TAIL_BATCH) continue
    for (let records = await wait(at ?? '0'); records.length > 0 && !signal.aborted; records = await wait(at ?? '0'))
      handOver(records)
  }
}

function missing(after: string): GatewayLogError {
  return new GatewayLogError('Records of the log are missing.', { expected: `the one after ${after}` })
}

function readRecords(reply: unknown): ReadRecord[] {
  return (reply as [string, string[]][]).map(([id, [, record, , previous]]) => ({
    id,
    record: record!,
    previous: previous!
  }))
}

function toLogged({ id, record }: ReadRecord): LoggedRecord {
  return { id, record }
}
