import type { Connector, ConnectorChannel } from '../../bridge/index.js'
import { withTimeLimit } from '../../net/abort.js'
import { now, sleep } from '../../net/timers.js'
import { answerLine, eventLine, frameLine } from './format.js'
import { withoutSecrets, withoutSecretTexts } from './withoutSecrets.js'

/** Routes whose answers are recorded. In all versions of the node they only read. */
const READS = ['/head', '/snapshot', '/snapshot/utxo', '/snapshot/last-seen', '/commits', '/protocol-parameters']
/**
 * Messages after which the routes are requested again, because their answers may have changed. Payments are left out:
 * they would cause too many requests.
 */
const CHANGES =
  /"tag":\s*"(Greetings|HeadIs\w+|ReadyToFanout|HeadPartiallyFannedOut|Commit\w+|Deposit\w+|Decommit\w+|SnapshotSideLoaded)"/
/** Wait before the next connection, ms. */
const RETRY_MS = 1_000
const PING_MS = 15_000
/** A connection without traffic for this long is replaced, ms. */
const SILENCE_MS = 45_000
const REQUEST_MS = 30_000
/** Interval between two checks for a change, ms. */
const POLL_MS = 100

/** Options of a {@link Recorder}. */
export interface RecorderOptions {
  /** Connection to the node. The recorder sends no input over it. */
  readonly connector: Connector
  /** True to request and record the node's stored messages first. */
  readonly history: boolean
  /** Writes one line of the recording. */
  readonly write: (line: string) => void
  /** Tag of the message that ends the recording; null when no message does. */
  readonly until: string | null
  /** Limit of the first connection, ms. */
  readonly connectTimeoutMs: number
}

/** Reason for the end of a recording: `stopped` by the user, its `time` limit, or the message `until`. */
export type EndReason = 'stopped' | 'time' | 'until'

/**
 * Records every message of a node and its answers on the routes that only read. It sends no input. A lost connection is
 * recorded and opened again.
 */
export class Recorder {
  readonly #options: RecorderOptions
  readonly #startedMs = now()
  readonly #over = new AbortController()
  #frames = 0
  #answers = 0
  #reconnects = 0
  /** Number of changes so far; `#shown` is that number when the routes were last read. */
  #changes = 0
  #shown = 0
  #failure: Error | null = null
  #endReason: EndReason = 'stopped'

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  get counts(): { readonly frames: number; readonly answers: number; readonly reconnects: number } {
    return { frames: this.#frames, answers: this.#answers, reconnects: this.#reconnects }
  }

  /** Ends the recording. */
  end(reason: EndReason): void {
    if (this.#over.signal.aborted) return
    this.#endReason = reason
    this.#over.abort()
  }

  /** Records, and resolves with the reason of the end. @throws the error of a failed first connection or of `write` */
  async run(): Promise<EndReason> {
    const reading = this.#readRoutes()
    for (let isFirst = true; !this.#over.signal.aborted; isFirst = false) {
      const failure = await this.#connection(isFirst)
      if (isFirst && failure !== null && this.#frames === 0) this.#fail(failure)
      if (this.#over.signal.aborted) break
      this.#reconnects++
      await this.#pause(RETRY_MS)
    }
    await reading
    if (this.#failure !== null) throw this.#failure
    // The state at the end.
    await this.#readAll()
    this.#write(eventLine(this.#at(), 'end', { reason: this.#endReason }))
    if (this.#failure !== null) throw this.#failure
    return this.#endReason
  }

  /** Records one connection; resolves with the error that ended it, or with null when the recording has ended. */
  #connection(isFirst: boolean): Promise<Error | null> {
    const { connector, history, connectTimeoutMs } = this.#options
    return new Promise((resolve) => {
      let lastMs = now()
      const timer = setInterval(() => {
        if (now() - lastMs > SILENCE_MS) finish(new Error('no traffic'))
        else channel.ping?.()
      }, PING_MS)
      const limit = setTimeout(() => finish(new Error(`no connection within ${connectTimeoutMs} ms`)), connectTimeoutMs)
      let isDone = false
      const finish = (error: Error | null): void => {
        if (isDone) return
        isDone = true
        clearInterval(timer)
        clearTimeout(limit)
        if (error !== null) this.#write(eventLine(this.#at(), 'close', { reason: reasonOf(error) }))
        void channel.close(error === null).then(() => resolve(error))
      }
      const channel: ConnectorChannel = connector.open(
        {
          onOpen: () => {
            clearTimeout(limit)
            lastMs = now()
            this.#write(eventLine(this.#at(), 'open', { history: history && isFirst }))
          },
          onMessage: (message) => {
            lastMs = now()
            if (!isDone) this.#onMessage(message)
          },
          onInvalid: (error) => this.#write(eventLine(this.#at(), 'invalid', { reason: reasonOf(error) })),
          onActivity: () => void (lastMs = now()),
          onClose: finish
        },
        { history: history && isFirst }
      )
      this.#over.signal.addEventListener('abort', () => finish(null), { once: true })
      if (this.#over.signal.aborted) finish(null)
    })
  }

  #onMessage(message: unknown): void {
    this.#frames++
    if (typeof message !== 'string') {
      const length = message instanceof Uint8Array ? message.length : 0
      return this.#write(eventLine(this.#at(), 'bytes', { length }))
    }
    this.#write(frameLine(this.#at(), withoutSecrets(message)))
    if (CHANGES.test(message.slice(0, 400)) || CHANGES.test(message.slice(-400))) this.#changes++
    if (this.#options.until !== null && tagOf(message) === this.#options.until) this.end('until')
  }

  /** Reads the routes after each change, and never twice at the same time. */
  async #readRoutes(): Promise<void> {
    while (!this.#over.signal.aborted) {
      if (this.#shown < this.#changes) await this.#readAll(this.#over.signal)
      await this.#pause(POLL_MS)
    }
  }

  async #readAll(signal?: AbortSignal): Promise<void> {
    if (this.#frames === 0) return
    this.#shown = this.#changes
    for (const path of READS) {
      if (signal?.aborted === true) return
      try {
        const { status, text } = await withTimeLimit(
          { signal, timeoutMs: REQUEST_MS, onTimeout: () => new Error('no answer in time') },
          (inner) => this.#options.connector.request({ method: 'GET', path, signal: inner })
        )
        this.#answers++
        this.#write(answerLine(this.#at(), path, status, withoutSecrets(text)))
      } catch (error) {
        if (signal === undefined || !signal.aborted)
          this.#write(eventLine(this.#at(), 'noAnswer', { get: path, reason: reasonOf(error) }))
      }
    }
  }

  /** Resolves after a time, or at once when the recording is over. */
  #pause(ms: number): Promise<void> {
    return sleep(ms, this.#over.signal).catch(() => undefined)
  }

  #write(line: string): void {
    if (this.#failure !== null) return
    try {
      this.#options.write(line)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.end('stopped')
  }

  #at(): number {
    return Math.round(now() - this.#startedMs)
  }
}

/** Returns the tag of a message; null for a message without one. */
function tagOf(text: string): string | null {
  if (!text.includes('"tag"')) return null
  try {
    const { tag } = JSON.parse(text) as { tag?: unknown }
    return typeof tag === 'string' ? tag : null
  } catch {
    return null
  }
}

const reasonOf = (error: unknown): string =>
  withoutSecretTexts(String((error as Error | null)?.message ?? error).split('\n')[0]!).slice(0, 300)
