import { stringifyJson } from '../../codec/json.js'
import { holdsOutputsOf } from '../core/HeadFollower.js'
import { compareIds } from '../core/logIds.js'
import { oldestUsableBase, recordsAfter } from '../core/readLog.js'
import type { OnUnreadable } from '../core/readLog.js'
import { now, sleep, startTimer } from '../../net/timers.js'
import type { StopTimer } from '../../net/timers.js'
import type { GatewayLimits } from '../limits.js'
import type { GatewayLog, LoggedRecord } from '../log/GatewayLog.js'
import { readOutRecord } from '../log/readRecords.js'
import type { Metrics } from '../Metrics.js'
import type { Logger } from '../../types/logger.js'
import type { HeadStreams, LoggedOutRecord } from '../records.js'
import { COMMANDS_KEPT } from '../records.js'
import type { Troubles } from '../Troubles.js'
import type { Client } from './Client.js'
import { CommandEnds } from './CommandEnds.js'
import { Fanout } from './Fanout.js'
import { HeadView } from './HeadView.js'
import { NodeRule } from './NodeRule.js'
import { Replies } from './Replies.js'
import { Submissions } from './Submissions.js'
import type { UnsentFrames } from './UnsentFrames.js'

/** Interval of the attempts to read the log, ms. */
const RETRY_MS = 500
/** Progress is reported this often at most, ms. */
const PROGRESS_MS = 5_000
const SLOW_CHECK_MS = 250

/** Dependencies of the edge of one head. */
export interface HeadEdgeContext {
  readonly path: string
  readonly log: GatewayLog
  readonly streams: HeadStreams
  readonly limits: GatewayLimits
  readonly metrics: Metrics
  /** Frames that wait for the clients of all heads. */
  readonly unsent: UnsentFrames<Client>
  readonly troubles: Troubles
  /** Receives the reports about the node. @default no reports */
  readonly logger?: Logger
  readonly onUnreadable: OnUnreadable
}

/** The edge of one head: its clients, and the log that they are served from. */
export class HeadEdge {
  readonly context: HeadEdgeContext
  readonly view: HeadView = new HeadView()
  readonly fanout: Fanout
  readonly submissions: Submissions
  readonly replies: Replies
  readonly rule: NodeRule
  readonly #over = new AbortController()
  #following: Promise<void> = Promise.resolve()
  #stopProgress: StopTimer = () => undefined
  #stopSlowCheck: StopTimer = () => undefined
  #reading = false
  /** True after a record that cannot be applied to the state: clients are served again after the next whole state. */
  #isBehind = false
  /**
   * Time that the newest record needed from the core to this process, ms; measured by two clocks where they run on two
   * machines.
   */
  logDelayMs = 0
  /** Time that the newest snapshot needed from the core to the sockets, ms. */
  lagMs = 0
  /** Time since which the node or the log cannot be reached, monotonic ms; null while both can. */
  #staleSince: number | null = null

  constructor(context: HeadEdgeContext) {
    this.context = context
    const { log, streams, limits, metrics, unsent, onUnreadable } = context
    this.rule = new NodeRule(`head ${context.path}`, context.logger)
    const ends = new CommandEnds()
    this.fanout = new Fanout(this.view, limits, metrics, unsent)
    this.submissions = new Submissions({
      log,
      streams,
      timeoutMs: limits.verdictTimeout,
      max: limits.submissions,
      holds: (txId) => holdsOutputsOf(txId, this.view.head.utxo),
      ends
    })
    this.replies = new Replies(log, streams, { ends, onUnreadable })
  }

  /** True while the log can be read and followed. */
  get reading(): boolean {
    return this.#reading && !this.#isBehind
  }

  /** True while commands can reach the node. */
  get available(): boolean {
    return this.reading && this.view.head.connected
  }

  /** Age of the state while the node cannot be reached, whole seconds; 0: it is current. */
  get ageSeconds(): number {
    return this.#staleSince === null ? 0 : Math.ceil((now() - this.#staleSince) / 1000)
  }

  /** True while the state of the head is known and can be served. */
  get ready(): boolean {
    return this.reading && this.view.head.greetings !== null
  }

  /** Reasons why the clients are not served, one phrase each; empty while they are. */
  get reasons(): readonly string[] {
    const { troubles } = this.context
    if (this.#isBehind) return ['a record of the log cannot be followed: the state is read anew']
    if (!this.#reading) return [troubles.reasonOf('log') ?? 'the log has not been read yet']
    if (this.view.head.greetings === null || !this.view.head.connected)
      return [troubles.reasonOf('node') ?? 'no core is connected to the node']
    return []
  }

  start(): void {
    this.#following = this.#follow()
    this.replies.start(this.#over.signal)
    this.#progressLater()
    this.#checkSlowLater()
  }

  /** Adds a client that has been admitted, and welcomes it. */
  join(client: Client): void {
    this.fanout.add(client)
    this.fanout.welcome(client)
  }

  async stop(): Promise<void> {
    this.#over.abort()
    this.#stopProgress()
    this.#stopSlowCheck()
    this.submissions.close('the gateway is stopping')
    await this.#following
  }

  /**
   * Reads the log until the edge stops: from a base record (whole state) on, and again from one when records are
   * missing.
   */
  async #follow(): Promise<void> {
    const { log, streams, troubles } = this.context
    const { signal } = this.#over
    let last: string | null = null
    let epoch: string | null = null
    const onRecord = ({ id, record }: LoggedRecord): void => {
      // A state that a record was applied to in part is not continued.
      last = null
      this.#apply(id, this.#readRecord(id, record))
      last = id
    }
    while (!signal.aborted) {
      try {
        const part = await log.read(streams.out, last, 1)
        const isSame = epoch === part.epoch && last !== null && reaches(part.oldest, part.newest, last)
        if (!isSame) last = await this.#restart(epoch !== null)
        epoch = part.epoch
        this.#reading = true
        troubles.end('log')
        await log.tail(streams.out, last, onRecord, signal)
      } catch (error) {
        // The log is gone for now, or has lost records: the next attempt shows which.
        if (!signal.aborted) troubles.begin('log', error)
      }
      this.#reading = false
      this.#noteStale()
      if (!signal.aborted) await sleep(RETRY_MS, signal).catch(() => undefined)
    }
  }

  /**
   * Loads a base record (whole state) and applies the records after it. `again`: clients hold a state from which the
   * new one may not follow, so they receive it as a whole.
   */
  async #restart(again: boolean): Promise<string | null> {
    const { log, streams, onUnreadable } = this.context
    const base = await oldestUsableBase(log, streams, onUnreadable)
    this.#isBehind = false
    if (base === null) {
      // Emptied: no core has written yet, so none accepts commands.
      this.view.head.connected = false
      return null
    }
    // The records after the base are read before any client sees it: no client receives a snapshot that is outdated.
    let last = base.after
    this.view.load(base)
    let isBaseOver = false
    const passBase = (): void => {
      // A payment may be under way whose records have been dropped.
      if (!isBaseOver) this.submissions.noteSent(base.commands?.txIds ?? [])
      isBaseOver = true
    }
    for await (const { id, record } of recordsAfter(log, streams.out, null)) {
      // Verdicts before the base too: a client may wait for one.
      const isBefore = compareIds(id, base.after) <= 0
      if (!isBefore) passBase()
      const out = isBefore ? readOutRecord(record) : this.#readRecord(id, record)
      if (out !== null) this.submissions.apply(id, out)
      if (isBefore) continue
      if (out !== null && !this.#isPassedOver(out)) this.view.apply(out)
      last = id
    }
    passBase()
    this.#followRule()
    if (again) this.fanout.resyncAll('resync')
    else this.fanout.welcomeAll()
    return last
  }

  /** Reads a record, and requests a whole state if the record cannot be applied to the present one. */
  #readRecord(id: string, text: string): LoggedOutRecord | null {
    const out = readOutRecord(text)
    if (out?.kind === 'reset') this.#isBehind = false
    // Applied to another state than the one before it, a snapshot would give wrong balances: no state is served then.
    if (!this.#isBehind && (out === null || !this.view.follows(out))) {
      this.#isBehind = true
      this.context.onUnreadable(this.context.streams.out, id)
      this.#askForState(id)
    }
    return out
  }

  #isPassedOver({ kind }: LoggedOutRecord): boolean {
    return this.#isBehind && kind === 'snapshot'
  }

  /** Requests the whole state from the core; the log keeps only one of the requests of all edges. */
  #askForState(id: string): void {
    const { log, streams } = this.context
    log
      .append(streams.in, stringifyJson({ kind: 'renew' }), { once: `renew ${id}`, keep: COMMANDS_KEPT })
      .catch(() => undefined)
  }

  #apply(id: string, record: LoggedOutRecord | null): void {
    if (record === null) return
    const { at } = record
    if (at !== undefined) this.logDelayMs = Math.max(0, Date.now() - at)
    // Before the fan-out: a client that waits for a verdict receives it with the snapshot.
    this.submissions.apply(id, record)
    if (this.#isPassedOver(record)) return
    this.fanout.apply(record)
    this.#followRule()
    if (at !== undefined && record.kind === 'snapshot') this.lagMs = Math.max(0, Date.now() - at)
    this.#noteStale()
  }

  #followRule(): void {
    this.rule.follow(this.view.head.greetings?.['hydraNodeVersion'])
  }

  #noteStale(): void {
    if (this.available) this.#staleSince = null
    else this.#staleSince ??= now()
  }

  #progressLater(): void {
    this.#stopProgress = startTimer(PROGRESS_MS, () => {
      this.fanout.progress()
      this.#progressLater()
    })
  }

  #checkSlowLater(): void {
    this.#stopSlowCheck = startTimer(SLOW_CHECK_MS, () => {
      this.fanout.checkSlow()
      this.#checkSlowLater()
    })
  }
}

/**
 * Returns true when a stream has all records after an id: it still has the id, or the record after it, and is not
 * behind it.
 */
function reaches(oldest: string | null, newest: string | null, id: string): boolean {
  return oldest !== null && newest !== null && compareIds(newest, id) >= 0 && compareIds(oldest, id) <= 0
}
