import type { createClient } from 'redis'
import { GatewayLogError } from '../../errors/gateway.js'
import { startTimer } from '../../net/timers.js'
import { loadPackage } from '../../net/loadPackage.js'

/** The part of a Redis client that is used. */
interface Client {
  connect(): Promise<unknown>
  sendCommand(args: readonly string[]): Promise<unknown>
  on(event: 'error', listener: () => void): unknown
  destroy(): void
}

/** Time limit of a connection and of an answer, ms. */
const DEADLINE_MS = 5_000

/**
 * One connection to Redis, which is opened when a command needs it, and again after it was lost. No command is queued
 * while there is none.
 */
export class RedisConnection {
  readonly #url: string
  #client: Promise<Client> | null = null
  #isClosed = false

  constructor(url: string) {
    this.#url = url
  }

  /**
   * Runs a command and resolves with its reply. `blockMs`: time that the server may wait before it answers.
   * @throws {@link GatewayLogError} as a rejection; the command may have been run. Its message never names credentials
   */
  async command(args: readonly string[], blockMs = 0): Promise<unknown> {
    const client = await this.#connected()
    try {
      return await withLimit(client.sendCommand(args), DEADLINE_MS + blockMs)
    } catch (error) {
      const reason = reasonOf(error)
      // An answer of the server leaves the connection as it is.
      const isAnswer = /^[A-Z]+ /.test(reason)
      if (!isAnswer) this.#drop(client)
      throw this.#lost(reason, !isAnswer)
    }
  }

  /** Runs a Lua script on the server. */
  script(text: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.command(['EVAL', text, String(keys.length), ...keys, ...args.map(String)])
  }

  /** Ends the connection; commands under way reject, and so do later ones. */
  close(): void {
    this.#isClosed = true
    const client = this.#client
    this.#client = null
    void client?.then(destroy, () => undefined)
  }

  #connected(): Promise<Client> {
    if (this.#isClosed) return Promise.reject(this.#lost('it was closed'))
    if (this.#client !== null) return this.#client
    const client = (this.#client = this.#connect())
    client.catch(() => {
      if (this.#client === client) this.#client = null
    })
    return client
  }

  async #connect(): Promise<Client> {
    const redis = await loadRedis()
    const options: Parameters<typeof createClient>[0] = {
      url: this.#url,
      RESP: 2,
      disableOfflineQueue: true,
      // The next command opens a lost connection again.
      socket: { reconnectStrategy: false, connectTimeout: DEADLINE_MS }
    }
    const client = redis.createClient(options as never) as unknown as Client
    // Without a listener it would end the process; the command that fails says the same.
    client.on('error', () => this.#drop(client))
    try {
      await withLimit(client.connect(), DEADLINE_MS)
    } catch (error) {
      destroy(client)
      throw this.#lost(reasonOf(error))
    }
    if (!this.#isClosed) return client
    destroy(client)
    throw this.#lost('it was closed')
  }

  #drop(client: Client): void {
    const current = this.#client
    void current?.then(
      (made) => {
        if (made === client && this.#client === current) this.#client = null
      },
      () => undefined
    )
    destroy(client)
  }

  #lost(reason: string, uncertain = false): GatewayLogError {
    return this.#isClosed
      ? new GatewayLogError('The log has been closed.', { uncertain })
      : new GatewayLogError('The log cannot be reached.', { expected: 'an answer of Redis', got: reason, uncertain })
  }
}

/** The package `redis`. @throws {@link PackageMissingError} when it is not installed */
export function loadRedis(): Promise<typeof import('redis')> {
  return loadPackage('redis', () => import('redis'))
}

function destroy(client: Client): void {
  try {
    client.destroy()
  } catch {
    /* it has ended already */
  }
}

/** Returns the text of an error without the error that caused it, which may name the URL. */
function reasonOf(error: unknown): string {
  const { code, message, name } = (error ?? {}) as { code?: unknown; message?: unknown; name?: unknown }
  if (typeof code === 'string') return code
  return (typeof message === 'string' && message !== '' ? message : String(name)).slice(0, 120)
}

/** Settles like a promise, or rejects after a time. */
function withLimit<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = startTimer(ms, () => reject(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })))
    promise.then(resolve, reject).finally(stop)
  })
}
