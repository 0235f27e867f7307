import { parseJson, stringifyJson } from '../../codec/json.js'
import type { TransactionJson } from '../../bridge/protocol/types.js'
import { getOwn, isRecord } from '../../bridge/protocol/wireRecord.js'
import { sleep } from '../../net/timers.js'
import type { GatewayLease, GatewayLog } from '../log/GatewayLog.js'
import type { GatewayLogger } from '../options.js'
import type { HeadStreams, InRecord, OutRecord } from '../records.js'
import { HeadFollower, holdsOutputsOf } from './HeadFollower.js'
import { OutWriter } from './OutWriter.js'
import { takeOver } from './readLog.js'
import type { TakenOver } from './readLog.js'
import { Upstream } from './Upstream.js'

/** How long a lease holds without being renewed, ms. */
const LEASE_MS = 10_000
const RENEW_MS = 3_000
/** Between two attempts to take the lease, ms. */
const RETRY_MS = 1_000
const REPLY_KEEP = { records: 100, ms: 60_000 }

/** What a core needs. */
export interface CoreContext {
  readonly log: GatewayLog
  readonly streams: HeadStreams
  readonly upstream: string
  readonly logger: GatewayLogger
  /** Name of the head in reports. */
  readonly name: string
}

/** Holds the lease and the connection to the node of one head, for as long as it can; waits for the lease otherwise. */
export class Core {
  readonly #context: CoreContext
  readonly #over = new AbortController()
  #running: Promise<void> = Promise.resolve()
  /** Whether this process holds the lease. */
  active = false

  constructor(context: CoreContext) {
    this.#context = context
  }

  /** Name of the head. */
  get name(): string {
    return this.#context.name
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Ends the connection and gives the lease up. */
  async stop(): Promise<void> {
    this.#over.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { log, streams, logger, name } = this.#context
    const { signal } = this.#over
    while (!signal.aborted) {
      const lease = await log.lease(streams.lease, LEASE_MS).catch(() => null)
      if (lease !== null) {
        this.active = true
        logger.info(`core of ${name}: lease ${lease.fence} taken`)
        await this.#reign(lease).catch(() => undefined)
        this.active = false
        await lease.release().catch(() => undefined)
        logger.info(`core of ${name}: lease ${lease.fence} ended`)
      }
      if (!signal.aborted) await sleep(RETRY_MS, signal).catch(() => undefined)
    }
  }

  /** From the lease to its loss: the upstream, the commands of the edges, and the records. */
  async #reign(lease: GatewayLease): Promise<void> {
    const { log, streams } = this.#context
    const reign = new AbortController()
    const signal = AbortSignal.any([this.#over.signal, reign.signal])
    const taken = await takeOver(log, streams)
    // Stopped meanwhile: a signal tells those that listen later nothing.
    if (signal.aborted) return
    const writer = new OutWriter({
      log,
      streams,
      fence: { lease: streams.lease, number: lease.fence },
      head: taken.head,
      sinceBase: taken.sinceBase,
      onFailed: () => reign.abort()
    })
    const reigning = new Reign(this.#context, taken, writer)
    const lost = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    const renewing = renewWhile(lease, signal).finally(() => reign.abort())
    const reading = reigning.follow(signal).finally(() => reign.abort())
    try {
      await lost
    } finally {
      await reigning.stop()
      await Promise.allSettled([renewing, reading, writer.idle()])
    }
  }
}

async function renewWhile(lease: GatewayLease, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(RENEW_MS, signal)
    if (!(await lease.renew())) return
  }
}

/** One core's time with the lease. */
class Reign {
  readonly #context: CoreContext
  readonly #taken: TakenOver
  readonly #writer: OutWriter
  readonly #upstream: Upstream
  readonly #follower: HeadFollower
  #ready = false
  #pending: Set<string>

  constructor(context: CoreContext, taken: TakenOver, writer: OutWriter) {
    this.#context = context
    this.#taken = taken
    this.#writer = writer
    this.#pending = new Set(taken.pending)
    const emit = (record: OutRecord): void => writer.emit(record)
    this.#follower = new HeadFollower({
      head: taken.head,
      emit,
      get: (path) => this.#upstream.request('GET', path),
      onReady: () => this.#onReady(),
      onFailed: () => this.#upstream.restart()
    })
    this.#upstream = new Upstream(context.upstream, {
      onOpen: () => this.#follower.begin(),
      onMessage: (message) => this.#follower.take(message),
      onLost: () => this.#onLost()
    })
    // What the log says of a connection was that of another core.
    if (taken.head.connected) emit({ kind: 'upstream', connected: false })
    this.#upstream.start()
  }

  /** Takes the commands of the edges until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { log, streams } = this.#context
    const { lastCommand } = this.#taken
    const after = lastCommand ?? (this.#taken.head.greetings === null ? null : (await log.read(streams.in, null, 1)).newest)
    await log.tail(streams.in, after, ({ id, record }) => this.#take(id, parseJson(record) as InRecord), signal)
  }

  async stop(): Promise<void> {
    await this.#upstream.stop()
  }

  #onReady(): void {
    if (!this.#ready) {
      this.#ready = true
      this.#context.logger.info(`core of ${this.#context.name}: connected to the node`)
      this.#writer.emit({ kind: 'upstream', connected: true })
    }
    // What an earlier core sent is judged once by the state; nothing is sent again.
    const { head } = this.#taken
    const reason = 'the connection to the node was lost'
    for (const txId of [...this.#pending, ...this.#writer.unsettled]) {
      const outcome = holdsOutputsOf(txId, head.utxo) ? 'confirmed' : 'unknown'
      // What this core has sent may still come: the edges wait for it.
      if (outcome === 'confirmed' || this.#pending.has(txId)) this.#writer.emit({ kind: 'verdict', txId, outcome, message: null, reason })
    }
    this.#pending = new Set()
  }

  #onLost(): void {
    if (!this.#ready) return
    this.#ready = false
    this.#context.logger.warn(`core of ${this.#context.name}: the connection to the node is lost`)
    this.#writer.emit({ kind: 'upstream', connected: false })
  }

  #take(id: string, record: InRecord): void {
    if (record.kind === 'request') {
      void this.#answer(id, record)
      return
    }
    const { input, txId } = record
    const isNewTx = getOwn(input, 'tag') === 'NewTx'
    const settling = isNewTx ? txId : null
    if (!this.#ready) {
      if (settling !== null) this.#writer.emit({ kind: 'verdict', txId: settling, outcome: 'refused', message: null, reason: 'the node is not connected' })
      return
    }
    const transaction = getOwn(input, 'transaction') ?? getOwn(input, 'decommitTx')
    if (isRecord(transaction)) this.#follower.audiences.note(transaction as unknown as TransactionJson, this.#taken.head.utxo)
    // Marked before it is sent: a successor never sends it again.
    this.#writer.emit({ kind: 'sending', command: id, txId: settling }, () => {
      if (this.#upstream.send(stringifyJson(input)) || settling === null) return
      this.#writer.emit({ kind: 'verdict', txId: settling, outcome: 'refused', message: null, reason: 'the node is not connected' })
    })
  }

  async #answer(id: string, { ref, method, path, body }: InRecord & { kind: 'request' }): Promise<void> {
    const { log, streams } = this.#context
    if (method === 'POST') await new Promise<void>((resolve) => this.#writer.emit({ kind: 'sending', command: id, txId: null }, resolve))
    const reply = await this.#upstream.request(method, path, body).catch(() => ({ status: 0, text: '' }))
    const record = stringifyJson({ kind: 'reply', ref, status: reply.status, text: reply.text })
    await log.append(streams.reply, record, { keep: REPLY_KEEP }).catch(() => undefined)
  }
}
