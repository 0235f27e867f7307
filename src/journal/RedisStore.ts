import { isLayerError } from '../errors/base.js'
import { JournalAccessError, JournalLockedError } from '../errors/journal.js'
import { loadPackage } from '../net/loadPackage.js'
import { sleep } from '../net/timers.js'
import { describeHolder, hasEnded, isThisProcess, parseHolder, thisProcess } from './host.js'
import { LOCK, PUT, READ_ENTRIES, RENEW_LOCK, UNLOCK } from './redisScripts.js'

/** The part of a Redis client that is used. */
interface Client {
  connect(): Promise<unknown>
  sendCommand(args: readonly string[]): Promise<unknown>
  on(event: 'error', listener: () => void): unknown
  destroy(): void
}

/** Time after which a lock that its process neither renews nor releases expires, ms. */
const LOCK_MS = 6_000
const RENEW_MS = 2_000
/** Interval between two checks of a lock whose holder may have ended, ms. */
const LOOK_MS = 250
/** Time limit of a connection and of an answer, ms. */
const DEADLINE_MS = 5_000
/** Entries that are read at once. */
const PAGE = 500

const SINCE = 'another process, since this one stood still'

/** Name in a variable, not in the `import()`: a page's bundler would look for a package that no page can load. */
const PACKAGE: string = 'redis'

const loadRedis = (): Promise<typeof import('redis')> =>
  loadPackage(
    PACKAGE,
    () => import(/* @vite-ignore */ /* webpackIgnore: true */ PACKAGE) as Promise<typeof import('redis')>
  )

/** An open journal in Redis: one connection, and a lock that is renewed. */
export class RedisStore {
  readonly #client: Client
  readonly #journal: string
  readonly #keys: readonly string[]
  /** Text by which this store holds the lock. */
  readonly own: string
  readonly #timer: ReturnType<typeof setInterval>

  private constructor(client: Client, journal: string, keys: readonly string[], lockText: string) {
    this.#client = client
    this.#journal = journal
    this.#keys = keys
    this.own = lockText
    this.#timer = setInterval(() => void this.#renew(), RENEW_MS)
    ;(this.#timer as { unref?: () => void }).unref?.()
  }

  /**
   * Connects and acquires the lock. `before`: text of the lock that the caller held when it read the entries; null: it
   * has not read them. If another process has held the lock since, the entries that the caller has read are out of
   * date, and this rejects.
   *
   * @throws {@link JournalAccessError}, {@link JournalLockedError}
   */
  static async open(url: string, journal: string, keys: readonly string[], before: string | null): Promise<RedisStore> {
    const redis = await loadRedis()
    const client = redis.createClient({
      url,
      RESP: 2,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: false, connectTimeout: DEADLINE_MS }
    } as never) as unknown as Client
    // Without a listener it would end the process; the command that fails says the same.
    client.on('error', () => undefined)
    try {
      await limited(client.connect())
      const lockText = before ?? JSON.stringify(await thisProcess())
      const store = new RedisStore(client, journal, keys, lockText)
      try {
        await store.#lock(before !== null)
        return store
      } catch (error) {
        clearInterval(store.#timer)
        throw error
      }
    } catch (error) {
      destroy(client)
      throw isLayerError(error) ? error : new JournalAccessError(journal, 'opened', harmless(error))
    }
  }

  /** Writes entries; an empty text removes the entry. @throws {@link JournalAccessError}, {@link JournalLockedError} */
  async put(changes: readonly { readonly id: string; readonly text: string }[]): Promise<void> {
    const written = await this.#run('written', PUT, [String(LOCK_MS), ...changes.flatMap(({ id, text }) => [id, text])])
    if (written !== 1) throw new JournalLockedError(this.#journal, SINCE)
  }

  /** Yields all entries, in their order. @throws {@link JournalAccessError} */
  async *texts(): AsyncGenerator<string> {
    for (let first = 0; ; first += PAGE) {
      const page = (await this.#script('read', READ_ENTRIES, [String(first), String(first + PAGE - 1)])) as (
        string | null
      )[]
      for (const text of page) if (text !== null) yield text
      if (page.length < PAGE) return
    }
  }

  /** Releases the lock and ends the connection. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#run('closed', UNLOCK, []).catch(() => undefined)
    destroy(this.#client)
  }

  async #lock(again: boolean): Promise<void> {
    let leftMs = Infinity
    let ended = ''
    for (;;) {
      const answer = await this.#run('opened', LOCK, [String(LOCK_MS), ended, again ? '1' : ''])
      const [got, held, ttlMs] = answer as [number, string, number]
      if (got === 1) return
      if (got === 2) throw new JournalLockedError(this.#journal, SINCE)
      const holder = parseHolder(held)
      const isRenewed = ttlMs > leftMs
      if (isRenewed || (holder !== null && (await isThisProcess(holder))))
        throw new JournalLockedError(this.#journal, holder === null ? 'another process' : describeHolder(holder))
      // The lock of a process of this host that has ended is replaced at once; any other ends by itself, unless its
      // holder renews it.
      ended = holder !== null && (await hasEnded(holder)) ? held : ''
      leftMs = ttlMs
      if (ended === '') await sleep(LOOK_MS)
    }
  }

  async #renew(): Promise<void> {
    // A lock that is lost shows when something is written.
    await this.#run('renewed', RENEW_LOCK, [String(LOCK_MS)]).catch(() => undefined)
  }

  #run(doing: string, text: string, args: readonly string[]): Promise<unknown> {
    return this.#script(doing, text, [this.own, ...args])
  }

  async #script(doing: string, text: string, args: readonly string[]): Promise<unknown> {
    try {
      return await limited(this.#client.sendCommand(['EVAL', text, String(this.#keys.length), ...this.#keys, ...args]))
    } catch (error) {
      throw new JournalAccessError(this.#journal, doing, harmless(error))
    }
  }
}

/** Code and first words of an error; the error itself may name the URL with its password. */
function harmless(error: unknown): { code?: string; message: string } {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  // Answers of the server, e.g. `OOM command not allowed`, name no URL.
  const answer = /^[A-Z]+ .*/.exec(String(message))?.[0] ?? 'no answer of Redis'
  return { message: answer, ...(typeof code === 'string' ? { code } : {}) }
}

/** Returns the result of a promise, or rejects after the time limit. */
function limited<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), DEADLINE_MS)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

function destroy(client: Client): void {
  try {
    client.destroy()
  } catch {
    /* it has ended already */
  }
}
