import type { TransactionJson } from '../../bridge/inner.js'
import { getOwn, isRecord } from '../../bridge/inner.js'
import { stringifyJson } from '../../codec/json.js'
import { now, sleep } from '../../net/timers.js'
import type { LoggedRecord } from '../log/GatewayLog.js'
import { readInRecord } from '../log/readRecords.js'
import type { CommandRecord, InRecord, OutRecord, RequestRecord } from '../records.js'
import type { CoreContext } from './CoreContext.js'
import { HeadFollower, holdsOutputsOf } from './HeadFollower.js'
import { compareIds } from './logIds.js'
import type { OutWriter } from './OutWriter.js'
import type { CoreState } from './readLog.js'
import { Upstream } from './Upstream.js'

const REPLY_KEEP = { records: 100, ms: 60_000 }
/**
 * A command is sent within this time after the core has read it, or not at all, ms: its sender may have given it up.
 */
const SEND_WITHIN_MS = 10_000
/** Number of reads from the node after which one is recorded, so that the next core does not begin far back. */
const READS_PER_RECORD = 100
/** Shortest time between two whole states that are logged for edges, ms. */
const RENEW_AGAIN_MS = 500

const NOT_CONNECTED = 'the node is not connected'
const NO_RECORD = 'the command cannot be read'

/** Dependencies of an {@link ActiveCore}. */
export interface ActiveCoreContext extends Required<CoreContext> {
  readonly state: CoreState
  readonly writer: OutWriter
  /** Aborts when the core stops or loses the lease. */
  readonly signal: AbortSignal
  /** Returns true while the lease holds. */
  isHeld(): boolean
  /** Called when the lease may have expired. */
  onLeaseLost(): void
  /** Called when the core cannot continue. */
  onFailed(error: unknown): void
}

/** The work of one core while it holds the lease: follows the node, and sends it the commands of the edges. */
export class ActiveCore {
  readonly #context: ActiveCoreContext
  readonly #state: CoreState
  readonly #writer: OutWriter
  readonly #upstream: Upstream
  readonly #follower: HeadFollower
  /**
   * `open`: commands after the id `after` are sent to the node. Those up to it came while the node was away, so they
   * are refused.
   */
  #gate:
    | { readonly state: 'closed' }
    | { readonly state: 'opening' }
    | { readonly state: 'open'; readonly after: string | null } = { state: 'closed' }
  /** Transactions that earlier cores sent, until each has a verdict. */
  #pending: ReadonlySet<string>
  #wasReady = false
  #reads = 0
  #isRenewing = false

  constructor(context: ActiveCoreContext) {
    const { state, writer } = context
    this.#context = context
    this.#state = state
    this.#writer = writer
    this.#pending = new Set(state.commands.txIds)
    const emit = (record: OutRecord): void => writer.emit(record)
    this.#follower = new HeadFollower({
      head: state.head,
      emit,
      get: (path) => this.#upstream.request('GET', path),
      past: (position) => this.#upstream.past(position),
      onReady: () => void this.#onReady().catch(context.onFailed),
      onFailed: (error) => this.#upstream.restart(error)
    })
    this.#upstream = new Upstream(context.upstream, {
      onOpen: () => this.#follower.begin(),
      onMessage: (message) => this.#follower.receive(message),
      onLost: (error) => this.#onLost(error)
    })
    // A connection in the log was that of another core.
    if (state.head.connected) emit({ kind: 'upstream', connected: false })
    // The core before was about to send them: whether it did, only it knew.
    for (const command of state.commands.open)
      this.#end(command, 'unknown', 'the gateway lost its core while it sent this')
    this.#upstream.start()
  }

  /** Receives the commands of the edges until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { log, streams } = this.#context
    const { commands, isCommandLost } = this.#state
    const { oldest, newest } = await log.read(streams.in, null, 1)
    // In a log that does not state which commands were sent, the present ones are not sent.
    const isUnknown =
      newest !== null && (isCommandLost || (commands.last !== null && compareIds(commands.last, newest) > 0))
    const last = isUnknown ? newest : newest === null ? null : commands.last
    const isDropped = last !== null && oldest !== null && compareIds(oldest, last) > 0
    const onRecord = ({ id, record }: LoggedRecord): void => {
      if (last === null || compareIds(id, last) > 0) this.#handle(id, readInRecord(record))
    }
    await log.tail(streams.in, isDropped ? null : last, onRecord, signal)
  }

  async stop(): Promise<void> {
    await this.#upstream.stop()
  }

  async #onReady(): Promise<void> {
    if (this.#gate.state === 'closed') {
      const opening = (this.#gate = { state: 'opening' } as const)
      const { log, streams, logger, name, troubles } = this.#context
      // Commands that arrived while the node was away are answered, never sent: this core or another may have told
      // their senders so.
      const { newest } = await log.read(streams.in, null, 1)
      if (this.#gate !== opening) return
      this.#gate = { state: 'open', after: newest }
      troubles.end('node')
      if (!this.#wasReady) logger.info?.(`core of ${name}: connected to the node`)
      this.#wasReady = true
      this.#writer.emit({ kind: 'upstream', connected: true })
    }
    if (this.#gate.state === 'open') this.#judgeSent()
  }

  // The state gives the verdict on the transactions of an earlier core, once; none is sent again.
  #judgeSent(): void {
    const { head } = this.#state
    const reason = 'the connection to the node was lost'
    for (const txId of new Set([...this.#pending, ...this.#writer.unsettled])) {
      const outcome = holdsOutputsOf(txId, head.utxo) ? 'confirmed' : 'unknown'
      // Transactions of this core may still be confirmed: the edges wait for them.
      if (outcome === 'confirmed' || this.#pending.has(txId))
        this.#writer.emit({ kind: 'verdict', txId, outcome, message: null, reason })
    }
    this.#pending = new Set()
  }

  #onLost(error: unknown): void {
    this.#context.troubles.begin('node', error)
    const wasOpen = this.#gate.state === 'open'
    this.#gate = { state: 'closed' }
    if (wasOpen) this.#writer.emit({ kind: 'upstream', connected: false })
  }

  /**
   * Handles one record of `in`. Every command is answered by a record in `out`, so that the next core begins after it.
   */
  #handle(id: string, record: InRecord | null): void {
    // It stood still for longer than its lease: its successor answers.
    if (!this.#context.isHeld()) return this.#context.onLeaseLost()
    if (record === null) {
      this.#context.onUnreadable(this.#context.streams.in, id)
      return this.#end(id, 'refused', NO_RECORD)
    }
    if (record.kind === 'renew') {
      this.#end(id, 'sent', '')
      return this.#renewSoon()
    }
    const isOpen = this.#gate.state === 'open' && (this.#gate.after === null || compareIds(id, this.#gate.after) > 0)
    if (!isOpen) return this.#refuse(id, record)
    if (record.kind === 'command') this.#send(id, record)
    else if (record.method === 'GET') this.#read(id, record)
    else this.#post(id, record)
  }

  #send(id: string, record: CommandRecord): void {
    const { input } = record
    const readAt = now()
    const transaction = getOwn(input, 'transaction') ?? getOwn(input, 'decommitTx')
    if (isRecord(transaction))
      this.#follower.audiences.note(transaction as unknown as TransactionJson, this.#state.head.utxo)
    // Marked before it is sent: a successor never sends it again.
    this.#writer.emit({ kind: 'sending', command: id, txId: paymentOf(record) }, () => {
      const isSent = now() - readAt < SEND_WITHIN_MS && this.#upstream.send(stringifyJson(input))
      if (!isSent) this.#refuse(id, record)
      else if (paymentOf(record) === null) this.#end(id, 'sent', '')
    })
  }

  #read(id: string, request: RequestRecord): void {
    if (++this.#reads % READS_PER_RECORD === 0) this.#end(id, 'sent', '')
    void this.#answer(request)
  }

  #post(id: string, request: RequestRecord): void {
    const readAt = now()
    this.#writer.emit({ kind: 'sending', command: id, txId: null }, () => {
      if (now() - readAt >= SEND_WITHIN_MS) return this.#refuse(id, request)
      void this.#answer(request).then(() => this.#end(id, 'sent', ''))
    })
  }

  async #answer({ ref, method, path, body }: RequestRecord): Promise<void> {
    const { log, streams } = this.#context
    const reply = await this.#upstream.request(method, path, body).catch(() => ({ status: 0, text: '' }))
    const record = stringifyJson({ kind: 'reply', ref, status: reply.status, text: reply.text })
    await log.append(streams.reply, record, { keep: REPLY_KEEP }).catch(() => undefined)
  }

  #refuse(id: string, record: CommandRecord | RequestRecord): void {
    const txId = record.kind === 'command' ? paymentOf(record) : null
    if (txId === null) this.#end(id, 'refused', NOT_CONNECTED)
    else
      this.#writer.emit({
        kind: 'verdict',
        command: id,
        txId,
        outcome: 'refused',
        message: null,
        reason: NOT_CONNECTED
      })
  }

  #end(command: string, outcome: 'sent' | 'refused' | 'unknown', reason: string): void {
    this.#writer.emit({ kind: 'taken', command, outcome, reason })
  }

  #renewSoon(): void {
    if (this.#isRenewing) return
    this.#isRenewing = true
    const { signal } = this.#context
    sleep(RENEW_AGAIN_MS, signal).then(
      () => {
        this.#isRenewing = false
        this.#follower.renew()
      },
      () => undefined
    )
  }
}

/** Id of the transaction of a payment, which has a verdict; null for other commands. */
function paymentOf({ input, txId }: CommandRecord): string | null {
  return getOwn(input, 'tag') === 'NewTx' ? txId : null
}
