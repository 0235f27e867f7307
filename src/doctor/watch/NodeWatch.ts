import { parseJson } from '../../codec/json.js'
import type { LayerPayload, LedgerEvent } from '../../bridge/inner.js'
import { decodePayload, getOwn, isRecord, LedgerDecoder, parseNodeTime } from '../../bridge/inner.js'
import { FundsLog } from '../facts/FundsLog.js'
import type { HeadFacts, HistoryFacts } from '../facts/HeadFacts.js'
import { depositsOf } from '../gather/readHeadHistory.js'
import type { Finding } from '../types.js'
import { HeadRecord } from './HeadRecord.js'
import { postedStep } from './postedStep.js'
import type { WatchMemory } from './WatchMemory.js'

/** Messages that every watch reads, besides the events that rules name; all others are skipped. */
const READ =
  /"tag":\s*"(Greetings|Head\w+|ReadyToFanout|SnapshotConfirmed|SnapshotSideLoaded|EventLogRotated|Commit\w+|Deposit\w+|Decommit\w+|PostTxOnChainFailed|SyncedStatusReport|NodeUnsynced)"/
/** Time after which a failed post that no result has followed is forgotten, ms. */
const POST_KEPT_MS = 3_600_000
/** Occurrences of an event that are kept for each rule. */
const MAX_EVENTS = 10_000

/** Parts of the whole watch that the watch of one node needs. */
export interface NodeWatchContext {
  readonly memory: WatchMemory
  readonly heads: Map<string, HeadRecord>
  /** Tags of the events that rules name. */
  readonly events: ReadonlySet<string>
  /** Returns the latest time that a message may have, ms since the epoch. */
  latest(): number
  /** Returns the present time, ms since the epoch. */
  now(): number
}

/** A snapshot whose signatures are to be checked. */
export interface SnapshotClaim {
  readonly headId: string
  readonly number: number
  readonly message: unknown
}

/** State of one node, from its messages and from the routes that are read at intervals. */
export class NodeWatch {
  readonly name: string
  /** Head of the newest message. */
  headId: string | null = null
  nodeVersion: string | undefined
  /** Time since which the node cannot be read, monotonic ms; null while it can. */
  lostSince: number | null = null
  /** Findings of the doctor about the last reading. */
  findings: readonly Finding[] = []
  /** Number of the newest confirmed snapshot while transactions wait; null: none wait. */
  waitingAt: number | null = null
  /** Fault that the last check of signatures found; null: they were valid, or none were checked. */
  forged: { readonly number: number; readonly reason: string } | null = null
  readonly #context: NodeWatchContext
  readonly #verifies: boolean
  readonly #posts = new Map<string, number>()
  readonly #events = new Map<string, number[]>()
  #funds = new FundsLog()
  #decoder = new LedgerDecoder()
  /** Time of the newest message that was read before this connection; undefined in the first run. */
  #pastUpTo: number | undefined
  #drift: number | null = null
  #decommitFinalizedAt: number | null = null

  constructor(name: string, context: NodeWatchContext, verifies: boolean) {
    this.name = name
    this.#context = context
    this.#verifies = verifies
  }

  /** Notes a new connection, whose history repeats all stored messages. */
  restart(): void {
    this.#funds = new FundsLog()
    this.#decoder = new LedgerDecoder()
    this.#posts.clear()
    this.#pastUpTo = this.#context.memory.readUpTo.get(this.name)
  }

  /**
   * Applies a message; `isPast` is true for those of the history, before Greetings. Returns the snapshot whose
   * signatures are to be checked, `true` where the message may change an alert, and `false` otherwise.
   */
  receive(text: string, isPast: boolean): SnapshotClaim | boolean {
    const tag = /"tag":\s*"(\w{1,64})"/.exec(text)?.[1]
    if (!READ.test(text) && !(tag !== undefined && this.#context.events.has(tag))) return false
    let payload: LayerPayload
    try {
      payload = decodePayload(text, this.#context.now())
    } catch {
      this.#funds.markGap()
      return false
    }
    const claim = this.#applyLedger(payload, text)
    this.#funds.apply(payload)
    this.#applyHead(payload, isPast)
    this.#applyPost(payload)
    this.#noteEvent(payload, isPast)
    return claim ?? true
  }

  /** Notes the number of a snapshot that was verified, or of any snapshot if those of the node are not verified. */
  noteSnapshot(headId: string, number: number): void {
    this.#context.memory.noteSnapshot(headId, number)
  }

  /** Facts from the messages, in the form in which the doctor reads them. */
  get history(): { readonly value: HistoryFacts } {
    return {
      value: {
        complete: this.#funds.complete,
        // Counted by `layer-sdk doctor`: a watch does not keep the size of each message.
        bytes: null,
        transactions: null,
        entered: Object.fromEntries([...this.#funds.entered].map(([unit, quantity]) => [unit, String(quantity)])),
        deposits: depositsOf(this.#funds),
        decommitFinalizedAt: this.#decommitFinalizedAt,
        maxDrift: this.#drift
      }
    }
  }

  /** Decommits that are under way, with the time of their first message. */
  get openDecommits(): readonly { readonly id: string; readonly since: number }[] {
    return this.#funds.decommits.flatMap(({ id, step, times }) =>
      step === 'requested' || step === 'approved' ? [{ id, since: times.requested ?? times.approved ?? 0 }] : []
    )
  }

  /** Kinds of the transactions that the node failed to post and that no result has followed. */
  get failedPosts(): readonly string[] {
    const since = this.#context.now() - POST_KEPT_MS
    return [...this.#posts].flatMap(([kind, at]) => (at > since ? [kind] : []))
  }

  /** Returns the number of new messages of a tag within a time, ms. */
  countEvents(tag: string, withinMs: number): number {
    const since = this.#context.now() - withinMs
    return (this.#events.get(tag) ?? []).filter((at) => at >= since).length
  }

  /** Applies facts that were read from the routes of the node. */
  applyFacts({ nodes: [own] }: HeadFacts, findings: readonly Finding[]): void {
    this.findings = findings
    if (own === undefined || !('value' in own.head)) return
    const { headId, contestationPeriod, unconfirmed } = own.head.value
    const number = 'value' in own.numbers ? own.numbers.value.last : null
    if (headId !== null) {
      this.headId = headId
      const record = this.#record(headId)
      if (contestationPeriod !== null) record.periodMs ??= contestationPeriod * 1_000
      if (number !== null && !this.#verifies) this.noteSnapshot(headId, number)
    }
    this.waitingAt = unconfirmed > 0 ? number : null
  }

  #record(headId: string): HeadRecord {
    const { heads } = this.#context
    const existing = heads.get(headId)
    if (existing !== undefined) return existing
    const record = new HeadRecord(headId)
    heads.set(headId, record)
    return record
  }

  #applyLedger(payload: LayerPayload, text: string): SnapshotClaim | null {
    if (payload.tag === 'SnapshotConfirmed' && this.#verifies) {
      this.#decoder.read(payload)
      const { headId, number } = payload.snapshot
      return { headId, number, message: parseJson(text) }
    }
    const event: LedgerEvent | null = this.#decoder.read(payload)
    if (event === null || event.kind === 'deposit' || event.kind === 'opened' || event.headId === null) return null
    if (!this.#verifies) this.noteSnapshot(event.headId, event.number)
    return null
  }

  #applyHead(payload: LayerPayload, isPast: boolean): void {
    if (payload.tag === 'Greetings') {
      this.nodeVersion = payload.layerNodeVersion
      this.headId = payload.layerHeadId ?? this.headId
      const period = payload.env?.contestationPeriod
      if (this.headId !== null && period !== undefined) this.#record(this.headId).periodMs ??= period * 1_000
    }
    if (payload.tag === 'DecommitFinalized') this.#decommitFinalizedAt = parseNodeTime(payload.timestamp)
    if (payload.tag === 'SyncedStatusReport' || payload.tag === 'NodeUnsynced')
      this.#drift = Math.max(this.#drift ?? 0, Number(payload.drift) || 0)
    const headId = getOwn(payload as never, 'headId')
    if (typeof headId !== 'string' || !isOwnHead(payload)) return
    this.headId = headId
    const record = this.#record(headId)
    if (payload.tag === 'HeadIsClosed' || payload.tag === 'HeadIsContested')
      record.applyClosing(payload, this.#context.latest())
    if (payload.tag === 'ReadyToFanout') record.isReady = true
    if (payload.tag !== 'HeadIsFinalized' && payload.tag !== 'HeadIsAborted') return
    record.isFinal = true
    // The first run tells nothing of heads that were over before it.
    if (isPast && !this.#context.memory.readUpTo.has(this.name)) this.#context.memory.end(headId)
  }

  /**
   * Notes a failed post, or the result that ends it. A failed increment is left out: every party posts it, and all but
   * one fail.
   */
  #applyPost(payload: LayerPayload): void {
    const step = postedStep(payload)
    if (step === null) return
    if (step.state === 'failed') this.#posts.set(step.kind, parseNodeTime(payload.timestamp) ?? this.#context.now())
    else for (const kind of step.kinds) this.#posts.delete(kind)
  }

  #noteEvent(payload: LayerPayload, isPast: boolean): void {
    const { memory, events, now } = this.#context
    const at = Math.min(parseNodeTime(payload.timestamp) ?? now(), now())
    const readUpTo = memory.readUpTo.get(this.name)
    // Stored messages are fresh where an earlier run has not read them; in the first run they are the past.
    const isFresh = !isPast || (this.#pastUpTo !== undefined && at > this.#pastUpTo)
    if (readUpTo === undefined ? !isPast : at > readUpTo) memory.readUpTo.set(this.name, at)
    if (!isFresh || !events.has(payload.tag)) return
    const times = this.#events.get(payload.tag) ?? []
    times.push(isPast ? now() : at)
    if (times.length > MAX_EVENTS) times.shift()
    this.#events.set(payload.tag, times)
  }
}

/** Returns true unless the message is about a head of others, as IgnoredHeadInitializing is. */
const isOwnHead = (payload: LayerPayload): boolean => isRecord(payload) && payload.tag !== 'IgnoredHeadInitializing'
