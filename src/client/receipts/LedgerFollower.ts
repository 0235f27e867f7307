import { LedgerDecoder } from '../../bridge/inner.js'
import type { LayerPayload, LedgerReading, LedgerReadingEnd } from '../../bridge/inner.js'
import { BridgeDisconnectedError, NotConnectedError } from '../../errors/bridge.js'
import { isLayerError } from '../../errors/base.js'
import { sleep } from '../../net/timers.js'
import type { ClientContext } from '../ClientContext.js'
import { deferred } from '../deferred.js'
import type { ReceiptReader } from './ReceiptReader.js'

/** Wait before the past is read again after a failure or a gap in the messages, ms. */
const RETRY_MS = 250
/** Maximum number of messages that are buffered while the past is read. */
const MAX_BUFFERED = 10_000
/** Time without a message after which a gateway is asked for news, ms. */
const POLL_MS = 5_000
/** Shortest time between two requests for pages, ms: gateways limit the requests of a client. */
const PAGE_MS = 200
/** Messages after which the log of a gateway has something new. */
const NEWS: ReadonlySet<string> = new Set([
  ...['SnapshotConfirmed', 'CommitFinalized', 'HeadIsOpen', 'SnapshotSideLoaded'],
  ...['GatewayProgress', 'GatewaySnapshot', 'GatewayResumed', 'Greetings']
])

/**
 * Feeds a reader with the ledger's events: reads the past, then follows new messages, and reads the past again when
 * some were missed.
 */
export class LedgerFollower {
  readonly #context: ClientContext
  readonly #reader: ReceiptReader
  readonly #over = new AbortController()
  #news = deferred<void>()
  #end: { readonly error: unknown } | null = null
  #isAtPresent = false

  constructor(context: ClientContext, reader: ReceiptReader) {
    this.#context = context
    this.#reader = reader
  }

  /** Follows until `stop()`, in the background. */
  start(): void {
    void this.#run().catch((error: unknown) => {
      this.#end = { error }
      this.#wake()
    })
  }

  stop(): void {
    this.#over.abort()
    this.#wake()
  }

  /** True once the past has been read to its end, with the messages that came meanwhile. */
  get isAtPresent(): boolean {
    return this.#isAtPresent
  }

  /** Resolves when the reader may have something new. @throws the error that ended the following */
  async more(): Promise<void> {
    if (this.#end === null) await this.#news.promise
    this.#assertGoing()
  }

  /** Throws the error that ended the following, but only once all receipts from before it have been read. */
  #assertGoing(): void {
    if (this.#end !== null && this.#reader.queue.size === 0) throw this.#end.error
  }

  #wake(): void {
    this.#news.resolve()
    this.#news = deferred()
  }

  async #run(): Promise<void> {
    const { signal } = this.#over
    const isLog = this.#context.bridge.readsLog
    let attempt = 0
    while (!signal.aborted) {
      await this.#connected()
      try {
        await (isLog ? this.#followLog() : this.#followNode())
        attempt = 0
      } catch (error) {
        if (signal.aborted) return
        if (!isTransient(error)) throw error
        if (attempt++ > 0 && this.#context.bridge.connected()) await this.#pause(Math.min(attempt, 20) * RETRY_MS)
      }
      if (this.#isConnecting) await this.#pause(RETRY_MS)
    }
  }

  /** Reads the log of a gateway from one place to the next, whenever there is something new. */
  async #followLog(): Promise<void> {
    const { bridge } = this.#context
    const decoder = new LedgerDecoder()
    let [place, position] = [null as string | null, this.#reader.from]
    let news = deferred<void>()
    const stop = bridge.observe({
      onMessage: ({ tag }) => (NEWS.has(tag) ? news.resolve() : undefined),
      onEnd: () => news.resolve()
    })
    try {
      this.#reader.restart()
      for (;;) {
        news = deferred()
        const from = position === null ? null : { headId: position.headId, number: position.snapshotNumber }
        const { end, place: next } = await this.#read({ from: { position: from, place }, decoder })
        if (end === 'full') return
        this.#reader.present()
        this.#isAtPresent = true
        this.#wake()
        ;[place, position] = [next, null]
        await Promise.race([news.promise, this.#pause(POLL_MS)])
        if (this.#over.signal.aborted) return
        // What comes in between is of the same page.
        if (this.#isConnecting) await this.#pause(PAGE_MS)
        await this.#connected()
      }
    } finally {
      stop()
    }
  }

  /** Reads the node's history, then its messages as they come, until one does not follow from those before it. */
  async #followNode(): Promise<void> {
    const { bridge, connection } = this.#context
    const reader = this.#reader
    const decoder = new LedgerDecoder()
    const { count } = connection
    const lost = deferred<void>()
    let waiting: LayerPayload[] | null = []
    const apply = (payload: LayerPayload): void => {
      const event = decoder.read(payload)
      if (event === null) return
      if (reader.misses(event)) return lost.resolve()
      reader.read(event)
      this.#wake()
      if (reader.queue.room() !== null) lost.resolve()
    }
    const stop = bridge.observe({
      onMessage: (payload) => {
        // A new connection may have missed messages; what came before the history was read is in it.
        if (connection.count !== count) return lost.resolve()
        if (waiting === null) guard(lost, () => apply(payload))
        else if (waiting.push(payload) > MAX_BUFFERED) lost.resolve()
      },
      onEnd: () => lost.resolve()
    })
    try {
      reader.restart()
      const { end } = await this.#read({ from: { position: null, place: null }, decoder })
      if (end === 'full') return void (await reader.queue.room())
      reader.present()
      for (const payload of waiting) apply(payload)
      waiting = null
      this.#isAtPresent = true
      this.#wake()
      await Promise.race([lost.promise, aborted(this.#over.signal)])
      await reader.queue.room()
    } finally {
      stop()
    }
  }

  #read({ from, decoder }: Pick<LedgerReading, 'from' | 'decoder'>): Promise<LedgerReadingEnd> {
    const reader = this.#reader
    return this.#context.bridge.readLedger({
      from,
      decoder,
      signal: this.#over.signal,
      onEvent: (event) => {
        reader.read(event)
        if (reader.queue.size > 0) this.#wake()
      },
      room: () => reader.queue.room()
    })
  }

  /** False once the client has disconnected: then the following ends at once. */
  get #isConnecting(): boolean {
    const { state } = this.#context.bridge.getSnapshot()
    return state === 'connected' || state === 'connecting' || state === 'reconnecting'
  }

  async #connected(): Promise<void> {
    const { bridge, changes } = this.#context
    for (;;) {
      const { state } = bridge.getSnapshot()
      if (state === 'connected' || this.#over.signal.aborted) return
      if (state === 'idle') throw new NotConnectedError('receipts')
      if (state !== 'connecting' && state !== 'reconnecting') throw new BridgeDisconnectedError('receipts')
      await changes.next(POLL_MS)
    }
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, this.#over.signal).catch(() => undefined)
  }
}

function guard(lost: { reject(error: unknown): void }, run: () => void): void {
  try {
    run()
  } catch (error) {
    lost.reject(error)
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** True for a failure that may pass: of the connection, or a temporary one of a server. */
function isTransient(error: unknown): boolean {
  if (isLayerError(error, 'BRIDGE_REQUEST')) return error.status === 0 || error.status === 429 || error.status >= 500
  return (
    isLayerError(error, 'BRIDGE_CONNECT') ||
    isLayerError(error, 'BRIDGE_CONNECT_TIMEOUT') ||
    isLayerError(error, 'BRIDGE_DISCONNECTED') ||
    isLayerError(error, 'BRIDGE_NOT_CONNECTED') ||
    isLayerError(error, 'BRIDGE_TIMEOUT')
  )
}
