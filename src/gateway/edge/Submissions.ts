import { isLayerError } from '../../errors/base.js'
import { stringifyJson } from '../../codec/json.js'
import type { WireRecord } from '../../bridge/inner.js'
import { now, startTimer } from '../../net/timers.js'
import type { StopTimer } from '../../net/timers.js'
import { compareIds } from '../core/logIds.js'
import { CommandEnds } from './CommandEnds.js'
import type { GatewayLog } from '../log/GatewayLog.js'
import type { HeadStreams, OutRecord, SnapshotRecord } from '../records.js'
import { COMMANDS_KEPT } from '../records.js'

/** Verdict on a submission: its outcome. */
export type SubmissionVerdict =
  /** `record`: the snapshot that holds the transaction; null where only the outputs of the head show it. */
  | { readonly outcome: 'confirmed'; readonly record: SnapshotRecord | null }
  /** `message`: the node's refusal; null where the transaction was not sent to the node. */
  | { readonly outcome: 'refused'; readonly message: WireRecord | null; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

interface Settled {
  readonly verdict: SubmissionVerdict
  readonly at: number
  /** Id of the record of this verdict: a refused transaction that is submitted again gets a verdict with another id. */
  readonly id: string
}

interface InFlight {
  /** Settles when the command has been appended to the log, or could not be. */
  sent: Promise<void>
  readonly waiting: Set<(verdict: SubmissionVerdict) => void>
  readonly stopTimer: StopTimer
}

/** Bounds on the verdicts that are kept: their age, ms, and their number. */
const KEPT_MS = 600_000
const MAX_KEPT = 100_000
/** An id that the node has refused may be sent again after this time, ms. */
const REFUSED_MS = 5_000

/**
 * The submissions of one head. Each transaction is sent to the node once for all clients that submit it, and all of
 * them receive the same verdict (confirmed, refused or unknown).
 */
export class Submissions {
  readonly #log: GatewayLog
  readonly #streams: HeadStreams
  readonly #timeoutMs: number
  readonly #max: number
  readonly #holds: (txId: string) => boolean
  readonly #ends: CommandEnds
  readonly #settled = new Map<string, Settled>()
  readonly #inFlight = new Map<string, InFlight>()
  /** Transactions that any process has sent to the node and that have had no verdict since. */
  readonly #sending = new Set<string>()

  constructor(context: {
    readonly log: GatewayLog
    readonly streams: HeadStreams
    readonly timeoutMs: number
    readonly max: number
    readonly holds: (txId: string) => boolean
    readonly ends?: CommandEnds
  }) {
    this.#log = context.log
    this.#streams = context.streams
    this.#timeoutMs = context.timeoutMs
    this.#max = context.max
    this.#holds = context.holds
    this.#ends = context.ends ?? new CommandEnds()
  }

  get underWay(): number {
    return this.#inFlight.size
  }

  get isFull(): boolean {
    return this.#inFlight.size >= this.#max
  }

  /** Returns true when no process has sent a copy of a transaction, as far as the log has been read. */
  isNew(txId: string): boolean {
    return !this.#inFlight.has(txId) && !this.#sending.has(txId) && this.known(txId) === null
  }

  /** Returns the verdict on a transaction that is not to be submitted again; null where it may be. */
  known(txId: string): SubmissionVerdict | null {
    const settled = this.#settled.get(txId)
    if (settled === undefined || now() - settled.at > KEPT_MS) return null
    const { verdict, at } = settled
    const again = verdict.outcome === 'refused' && (verdict.message === null || now() - at >= REFUSED_MS)
    return again ? null : verdict
  }

  /**
   * Submits an input with a transaction; a transaction that is under way, here or in another process, is not sent
   * again. `sent` rejects when the log cannot be reached: the transaction was not sent then, and `verdict` stays open.
   * Where the log may have the command it resolves, and the verdict shows the outcome.
   */
  submit(
    txId: string,
    input: WireRecord
  ): { readonly sent: Promise<void>; readonly verdict: Promise<SubmissionVerdict> } {
    const knownVerdict = this.known(txId)
    if (knownVerdict !== null) return { sent: Promise.resolve(), verdict: Promise.resolve(knownVerdict) }
    const underWay = this.#inFlight.get(txId)
    // Before the append: the verdict can come in the same turn.
    const verdict = this.#wait(txId)
    if (underWay !== undefined) return { sent: underWay.sent, verdict }
    const sent = this.#append(txId, input)
    this.#inFlight.get(txId)!.sent = sent
    return { sent, verdict }
  }

  /**
   * Sends an input that has no verdict of its own. Resolves with null once it is at the node, else with the reason why
   * it may not be there. @throws {@link GatewayLogError}
   */
  async command(input: WireRecord, txId: string | null): Promise<string | null> {
    const record = stringifyJson({ kind: 'command', input, txId })
    const appended = await this.#log
      .append(this.#streams.in, record, { keep: COMMANDS_KEPT })
      .catch((error: unknown) => {
        if (!isUncertain(error)) throw error
        return null
      })
    if (appended === null) return 'the log has not answered; it may have reached the node'
    const { outcome, reason } = await this.#ends.wait(appended.id, this.#timeoutMs)
    if (outcome === 'sent') return null
    return outcome === 'refused' ? `${reason}; no message was sent` : `${reason}; it may have reached the node`
  }

  /** Applies a record of the core. */
  apply(id: string, record: OutRecord): void {
    this.#ends.apply(record)
    if (record.kind === 'snapshot')
      for (const { txId } of record.txs) this.#settle(txId, { outcome: 'confirmed', record }, id)
    if (record.kind === 'sending' && record.txId !== null) this.#noteSending(record.txId)
    if (record.kind !== 'verdict') return
    const { txId, outcome, message, reason } = record
    const earlier = this.#settled.get(txId)
    // A confirmation is final: a refusal of another copy does not change it. A client that sent a copy after ten
    // minutes receives it too.
    if (earlier?.verdict.outcome === 'confirmed') return this.#resolve(txId, earlier.verdict)
    // Read again: it does not concern a copy that was sent since.
    if (earlier !== undefined && compareIds(id, earlier.id) <= 0) return
    if (outcome === 'confirmed') this.#settle(txId, { outcome, record: null }, id)
    else if (outcome === 'refused') this.#settle(txId, { outcome, message, reason }, id)
    else this.#settle(txId, { outcome, reason }, id)
  }

  /** Notes transactions that were sent before the first record that is read. */
  noteSent(txIds: readonly string[]): void {
    for (const txId of txIds) this.#noteSending(txId)
  }

  /** Ends all waits as unknown, for this reason. */
  close(reason: string): void {
    this.#ends.close(reason)
    for (const txId of [...this.#inFlight.keys()]) this.#resolve(txId, { outcome: 'unknown', reason })
  }

  async #append(txId: string, input: WireRecord): Promise<void> {
    const earlier = this.#settled.get(txId)
    const once = earlier === undefined ? txId : `${txId}:${earlier.id}`
    try {
      const { first, id } = await this.#log.append(this.#streams.in, stringifyJson({ kind: 'command', input, txId }), {
        once,
        keep: COMMANDS_KEPT
      })
      // Another process sent it, perhaps before this one began: only the outputs show its outcome then.
      if (!first && this.#holds(txId)) this.#settle(txId, { outcome: 'confirmed', record: null }, id)
    } catch (error) {
      // The core may have it: the verdict shows it, or it stays unknown.
      if (isUncertain(error)) return
      this.#drop(txId)
      throw error
    }
  }

  #wait(txId: string): Promise<SubmissionVerdict> {
    return new Promise((resolve) => {
      const inFlight = this.#inFlight.get(txId)
      if (inFlight !== undefined) return void inFlight.waiting.add(resolve)
      const stopTimer = startTimer(this.#timeoutMs, () =>
        this.#resolve(txId, { outcome: 'unknown', reason: 'no verdict came in time' })
      )
      this.#inFlight.set(txId, { sent: Promise.resolve(), waiting: new Set([resolve]), stopTimer })
    })
  }

  #noteSending(txId: string): void {
    this.#sending.add(txId)
    if (this.#sending.size > MAX_KEPT) this.#sending.delete(this.#sending.values().next().value!)
  }

  #settle(txId: string, verdict: SubmissionVerdict, id: string): void {
    const at = now()
    if (verdict.outcome !== 'unknown') this.#sending.delete(txId)
    this.#settled.delete(txId)
    this.#settled.set(txId, { verdict, at, id })
    for (const [oldest, { at: settledAt }] of this.#settled) {
      if (this.#settled.size <= MAX_KEPT && at - settledAt <= KEPT_MS) break
      this.#settled.delete(oldest)
    }
    this.#resolve(txId, verdict)
  }

  #resolve(txId: string, verdict: SubmissionVerdict): void {
    const inFlight = this.#drop(txId)
    for (const resolve of inFlight?.waiting ?? []) resolve(verdict)
  }

  #drop(txId: string): InFlight | undefined {
    const inFlight = this.#inFlight.get(txId)
    inFlight?.stopTimer()
    this.#inFlight.delete(txId)
    return inFlight
  }
}

/** Returns true for an error after which the log may have the record nevertheless. */
export function isUncertain(error: unknown): boolean {
  return isLayerError(error, 'GATEWAY_LOG') && error.uncertain
}
