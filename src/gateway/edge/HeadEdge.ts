import { parseJson } from '../../codec/json.js'
import { GatewayLogError } from '../../errors/gateway.js'
import { holdsOutputsOf } from '../core/HeadFollower.js'
import { compareIds, oldestUsableBase, recordsAfter } from '../core/readLog.js'
import { now, sleep, startTimer } from '../../net/timers.js'
import type { StopTimer } from '../../net/timers.js'
import type { GatewayLimits } from '../limits.js'
import type { GatewayLog } from '../log/GatewayLog.js'
import type { Metrics } from '../Metrics.js'
import type { HeadStreams, LoggedOutRecord, OutRecord } from '../records.js'
import type { Client } from './Client.js'
import { Fanout } from './Fanout.js'
import { HeadView } from './HeadView.js'
import { Replies } from './Replies.js'
import { Submissions } from './Submissions.js'

/** Between two attempts to read the log, ms. */
const RETRY_MS = 500
/** Progress is reported this often at most, ms. */
const PROGRESS_MS = 5_000
const SLOW_CHECK_MS = 250

/** What the edge of one head needs. */
export interface HeadEdgeContext {
  readonly path: string
  readonly log: GatewayLog
  readonly streams: HeadStreams
  readonly limits: GatewayLimits
  readonly metrics: Metrics
}

/** The clients of one head, and the log that they are served from. */
export class HeadEdge {
  readonly context: HeadEdgeContext
  readonly view: HeadView = new HeadView()
  readonly fanout: Fanout
  readonly submissions: Submissions
  readonly replies: Replies
  readonly #over = new AbortController()
  #following: Promise<void> = Promise.resolve()
  #stopProgress: StopTimer = () => undefined
  #stopSlowCheck: StopTimer = () => undefined
  #reading = false
  /** How long the newest record took from the core to this process, ms; by two clocks where they are two machines. */
  logDelayMs = 0
  /** How long the newest snapshot took from the core until it was given to the sockets, ms. */
  lagMs = 0
  /** Since when the node or the log cannot be reached, monotonic ms. */
  #staleSince: number | null = null

  constructor(context: HeadEdgeContext) {
    this.context = context
    const { log, streams, limits, metrics } = context
    this.fanout = new Fanout(this.view, limits, metrics)
    this.submissions = new Submissions({
      log,
      streams,
      timeoutMs: limits.verdictTimeout,
      max: limits.submissions,
      holds: (txId) => holdsOutputsOf(txId, this.view.head.utxo)
    })
    this.replies = new Replies(log, streams)
  }

  /** Whether the log can be read. */
  get reading(): boolean {
    return this.#reading
  }

  /** Whether commands can reach the node now. */
  get available(): boolean {
    return this.#reading && this.view.head.connected
  }

  /** How old the state is while the node cannot be reached, whole seconds; 0: it is of this moment. */
  get ageSeconds(): number {
    return this.#staleSince === null ? 0 : Math.ceil((now() - this.#staleSince) / 1000)
  }

  /** Whether it knows the head's state. */
  get ready(): boolean {
    return this.#reading && this.view.head.greetings !== null
  }

  start(): void {
    this.#following = this.#follow()
    this.replies.start(this.#over.signal)
    this.#progressLater()
    this.#checkSlowLater()
  }

  /** Takes a client that may join. */
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

  /** Reads the log for as long as the edge lives: from the newest base on, and anew when records are missing. */
  async #follow(): Promise<void> {
    const { log, streams } = this.context
    const { signal } = this.#over
    let last: string | null = null
    let epoch: string | null = null
    while (!signal.aborted) {
      try {
        const part = await log.read(streams.out, last, 1)
        const isSame = epoch === part.epoch && last !== null && reaches(part.oldest, part.newest, last)
        if (!isSame) last = await this.#restart(epoch !== null)
        epoch = part.epoch
        this.#reading = true
        const onRecord = ({ id, record }: { id: string; record: string }): void => {
          const out = parseJson(record) as LoggedOutRecord
          last = null
          this.#check(out)
          last = id
          this.#take(id, out)
        }
        await log.tail(streams.out, last, onRecord, signal)
      } catch {
        // The log is gone for now, or has lost records: what follows decides.
      }
      this.#reading = false
      this.#noteStale()
      if (!signal.aborted) await sleep(RETRY_MS, signal).catch(() => undefined)
    }
  }

  /** Begins from a base. `again`: clients hold a state that is not known to lead on. */
  async #restart(again: boolean): Promise<string | null> {
    const { log, streams } = this.context
    const base = await oldestUsableBase(log, streams)
    if (base === null) {
      // Emptied: no core has written yet, so none takes commands.
      this.view.head.connected = false
      return null
    }
    // What followed the base is read before anybody sees it: nobody gets a snapshot that is old already.
    let last = base.after
    this.view.load(base)
    for await (const { id, record } of recordsAfter(log, streams.out, null)) {
      const out = parseJson(record) as OutRecord
      // Verdicts of before the base too: somebody may wait for one.
      if (compareIds(id, base.after) <= 0) {
        this.submissions.take(id, out)
        continue
      }
      this.#check(out)
      this.submissions.take(id, out)
      this.view.apply(out)
      last = id
    }
    if (again) this.fanout.resyncAll('resync')
    else this.fanout.welcomeAll()
    return last
  }

  /** Applied to another state than the one before it, a snapshot would give wrong balances: then nothing is served. */
  #check(record: OutRecord): void {
    if (!this.view.follows(record)) throw new GatewayLogError('A snapshot of the log does not follow the state.')
  }

  #take(id: string, record: LoggedOutRecord): void {
    const { at } = record
    if (at !== undefined) this.logDelayMs = Math.max(0, Date.now() - at)
    // Before the fan-out: who waits for a verdict gets it with the snapshot.
    this.submissions.take(id, record)
    this.fanout.take(record)
    if (at !== undefined && record.kind === 'snapshot') this.lagMs = Math.max(0, Date.now() - at)
    this.#noteStale()
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

/** Whether a stream has what follows an id: it still has the id, or what came right after, and is not behind it. */
function reaches(oldest: string | null, newest: string | null, id: string): boolean {
  return oldest !== null && newest !== null && compareIds(newest, id) >= 0 && compareIds(oldest, id) <= 0
}
