import { messageTextOf, openChannel } from './openChannel.js'
import { gatherFacts, toConnector } from '../gather/gatherFacts.js'
import { diagnose } from '../judge/diagnose.js'
import type { Connector } from '../../bridge/inner.js'
import { AlertBook } from './AlertBook.js'
import { closeConditions } from './closeConditions.js'
import { Conditions } from './Conditions.js'
import type { HeadRecord } from './HeadRecord.js'
import { nodeConditions } from './nodeConditions.js'
import { NodeWatch } from './NodeWatch.js'
import type { SnapshotClaim } from './NodeWatch.js'
import type { ReadRule } from './rules.js'
import type { AlertSink, AlertState, WatchedHead, WatchTime } from './types.js'
import { WatchMemory } from './WatchMemory.js'

/** Checked arguments of a watch. */
export interface RunWatchArgs {
  readonly heads: readonly WatchedHead[]
  readonly rules: readonly ReadRule[]
  readonly sink: AlertSink
  readonly state: AlertState
  readonly intervalMs: number
  readonly signal: AbortSignal
  readonly time: WatchTime
}

/** Time between two checks of all rules, which is also the longest time until a change is saved, ms. */
const TICK_MS = 1_000
/** Wait before a lost connection is opened again, ms. */
const RETRY_MS = 1_000

/** Watches until the signal ends it. @throws the error of the state */
export async function runWatch(args: RunWatchArgs): Promise<void> {
  const memory = await WatchMemory.open(args.state)
  const controller = new AbortController()
  const stop = (): void => controller.abort(args.signal.reason)
  if (args.signal.aborted) stop()
  args.signal.addEventListener('abort', stop, { once: true })
  let failure: { readonly error: unknown } | null = null
  const fail = (error: unknown): void => {
    if (!controller.signal.aborted) failure = { error }
    controller.abort(error)
  }
  const watch = new Watch(args, memory, controller.signal, fail)
  try {
    await Promise.all([watch.tick(), ...watch.nodes.map((node) => watch.follow(node))].map((each) => each.catch(fail)))
  } finally {
    args.signal.removeEventListener('abort', stop)
  }
  if (failure !== null) throw (failure as { error: unknown }).error
  await memory.save()
}

/** A watched node and its connection. */
interface Followed {
  readonly given: WatchedHead
  readonly connector: Connector
  readonly watch: NodeWatch
  /** True once the history of this connection was read. */
  isLive: boolean
}

class Watch {
  readonly nodes: readonly Followed[]
  readonly #args: RunWatchArgs
  readonly #memory: WatchMemory
  readonly #book: AlertBook
  readonly #conditions: Conditions
  readonly #heads = new Map<string, HeadRecord>()
  readonly #signal: AbortSignal
  readonly #fail: (error: unknown) => void
  /**
   * Difference of the base ledger's time from the local one, ms. At most 0, because only a local clock that is ahead
   * does harm.
   */
  #behindMs = 0

  constructor(args: RunWatchArgs, memory: WatchMemory, signal: AbortSignal, fail: (error: unknown) => void) {
    this.#args = args
    this.#memory = memory
    this.#signal = signal
    this.#fail = fail
    this.#book = new AlertBook(memory, args.sink, args.time, signal)
    this.#conditions = new Conditions(this.#book, args.time)
    const now = (): number => args.time.now()
    const context = {
      memory,
      heads: this.#heads,
      events: new Set(args.rules.filter(({ kind }) => kind === 'event').map(({ on }) => on)),
      now,
      latest: () => now() + this.#behindMs
    }
    this.nodes = args.heads.map((given, i) => {
      const connector = toConnector(given.node, `heads[${i}].node`)
      const name = connector.origin ?? (typeof given.node === 'string' ? hostOf(given.node) : `node ${i + 1}`)
      return { given, connector, watch: new NodeWatch(name, context, given.parties !== undefined), isLive: false }
    })
  }

  /** Checks all rules every second, and saves the changes. */
  async tick(): Promise<void> {
    for (const stop = this.#signal; !stop.aborted; await this.#pause(TICK_MS)) {
      this.#judge()
      await this.#book.flush()
      await this.#memory.save()
    }
  }

  /** Follows a node, and reconnects when the connection is lost. */
  async follow(node: Followed): Promise<void> {
    const { time } = this.#args
    const reading = this.#read(node)
    while (!this.#signal.aborted) {
      try {
        await this.#session(node)
      } catch {
        if (this.#signal.aborted) break
      }
      node.isLive = false
      node.watch.lostSince ??= time.monotonic()
      await this.#pause(RETRY_MS)
    }
    await reading
  }

  /** Reads one connection: its history, then the live messages. Rejects when it ends. */
  async #session(node: Followed): Promise<void> {
    node.watch.restart()
    let checks: Promise<void> = Promise.resolve()
    await openChannel(
      node.connector,
      { history: node.connector.capabilities.history, noSnapshotUtxo: node.given.parties === undefined },
      this.#signal,
      (message) => {
        const text = messageTextOf(message)
        const effect = node.watch.receive(text, !node.isLive)
        if (!node.isLive && text.includes('"headStatus"')) {
          node.isLive = true
          node.watch.lostSince = null
        }
        if (typeof effect === 'object') checks = checks.then(() => this.#verify(node, effect)).catch(this.#fail)
        if (effect !== false && node.isLive) this.#judgeNow()
      }
    )
  }

  #judgeNow(): void {
    this.#judge()
    void this.#book.flush().catch((error: unknown) => {
      if (!this.#signal.aborted) this.#fail(error)
    })
  }

  async #verify({ given, watch }: Followed, { headId, number, message }: SnapshotClaim): Promise<void> {
    const { verifySnapshot } = await import('../../verify/verifySnapshot.js')
    const { snapshot, signatures } = message as { snapshot?: unknown; signatures?: { multiSignature?: unknown } }
    const list = signatures?.multiSignature
    const verdict = await verifySnapshot({
      snapshot: snapshot as never,
      signatures: (Array.isArray(list) ? list : []) as string[],
      parties: given.parties!,
      nodeVersion: watch.nodeVersion
    })
    if (verdict.ok) watch.noteSnapshot(headId, number)
    // A rule that is not known proves neither.
    if (!verdict.ok && verdict.reason === 'unknown-rule') return
    watch.forged = verdict.ok ? null : { number, reason: verdict.reason }
    this.#judgeNow()
  }

  /** Reads the routes of a node at intervals, as the doctor does. */
  async #read(node: Followed): Promise<void> {
    const { intervalMs, time } = this.#args
    for (; !this.#signal.aborted; await this.#pause(intervalMs)) {
      if (!node.isLive) {
        // Before the history was read the facts would say that there is none.
        await this.#pause(Math.min(intervalMs, TICK_MS))
        continue
      }
      try {
        await this.#readOnce(node)
        if (node.isLive) node.watch.lostSince = null
      } catch {
        if (!this.#signal.aborted) node.watch.lostSince ??= time.monotonic()
      }
    }
  }

  async #readOnce({ given, connector, watch }: Followed): Promise<void> {
    const { time } = this.#args
    const { provider = null, fuelAddress = null, metricsUrl = null, baseTime } = given
    if (baseTime !== undefined) this.#behindMs = Math.min(0, (await baseTime(this.#signal)) - time.now())
    const facts = await gatherFacts(
      {
        head: connector,
        peers: [],
        provider,
        fuelAddress,
        metricsUrl,
        patienceMs: 0,
        signal: this.#signal,
        history: watch.history
      },
      time
    )
    const { findings } = await diagnose(facts, { signal: this.#signal })
    watch.applyFacts(facts, findings)
  }

  #judge(): void {
    const { rules, time } = this.#args
    const now = time.now()
    for (const rule of rules) {
      for (const { watch, isLive } of this.nodes) {
        const isAboutReading = rule.on === 'connection-lost'
        const holding = isLive || isAboutReading ? nodeConditions(rule, watch, now) : null
        if (holding !== null) this.#conditions.set(rule, { owner: watch.name, headId: watch.headId }, holding)
      }
    }
    if (this.nodes.some(({ isLive }) => isLive)) this.#judgeHeads(now)
    this.#book.repeat()
  }

  #judgeHeads(now: number): void {
    const { rules } = this.#args
    for (const [headId, record] of this.#heads) {
      if (this.#memory.ended.has(headId)) continue
      const found = closeConditions(record, this.#memory.newest.get(headId), now)
      for (const rule of rules.filter(({ kind }) => kind === 'builtin')) {
        const holding = Object.hasOwn(found, rule.on) ? (found[rule.on as keyof typeof found] ?? null) : null
        if (holding !== null) this.#conditions.set(rule, { owner: headId, headId }, holding)
        // An ended head has no further state: its alerts end with it.
        if (holding !== null && record.isFinal) this.#conditions.set(rule, { owner: headId, headId }, [])
      }
      if (!record.isFinal) continue
      this.#memory.end(headId)
      this.#heads.delete(headId)
    }
  }

  async #pause(ms: number): Promise<void> {
    await this.#args.time.sleep(ms, this.#signal).catch(() => undefined)
  }
}

/** Returns scheme, host and port of a URL, since its path and query may contain a key. */
function hostOf(url: string): string {
  return URL.canParse(url) ? `${new URL(url).protocol}//${new URL(url).host}` : 'node'
}
