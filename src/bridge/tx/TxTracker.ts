import { SubmitError } from '../../errors/operation.js'
import type { SubmitErrorTag } from '../../errors/operation.js'
import { now } from '../connection/timers.js'
import type { LateConfirmation, TxProgress } from '../events.js'
import type { LayerPayload, SnapshotConfirmedPayload } from '../payload.js'
import type { TxShape } from './txShape.js'

/** What becomes known about a transaction while somebody waits for it. */
export type TxFact =
  | { readonly state: 'valid' }
  | { readonly state: 'confirmed'; readonly number: number; readonly snapshot: SnapshotConfirmedPayload | null }
  | { readonly state: 'failed'; readonly error: SubmitError }

/** Hears the facts about one transaction. After 'confirmed' or 'failed' it hears nothing more. */
export type TxListener = (fact: TxFact) => void

/** What the tracker needs of the bridge. */
export interface TrackerPorts {
  onProgress(progress: TxProgress): void
  onLateConfirmation(facts: LateConfirmation): void
  /** Whether the cache holds this output, `'txHash#index'`. */
  isUnspent(ref: string): boolean
  /** Messages were missed: pending transactions should be judged by the head's state. */
  reconcile(): void
  /** Words for a CommandFailed: the state, and the states that would allow the input. */
  explain(payload: LayerPayload): { reason: string; details: readonly string[] }
}

/** The state that transactions are judged by after a gap. */
export interface JudgedState {
  readonly hasHead: boolean
  /** Null where the source does not say. */
  readonly headId: string | null
  readonly number: number
  readonly confirmed: ReadonlySet<string>
  isUnspent(ref: string): boolean
  readonly record: SnapshotConfirmedPayload | null
}

interface Entry {
  readonly shape: TxShape
  readonly headId: string | null
  readonly listeners: Set<TxListener>
  valid: boolean
  /** Messages about it may have been missed, or it was sent a second time: a TxInvalid alone proves nothing. */
  doubtful: boolean
  /** Callers were told that it failed or that nobody knows. */
  told: boolean
  /** When the last listener left; kept a while for late confirmations. */
  leftAt: number
}

/** How long a transaction is watched after its callers have been answered, ms. */
const WATCH_MS = 600_000
/** Most transactions watched or remembered after their end. */
const MAX_WATCHED = 10_000
/** So many confirmed ones are remembered, for a caller who asks again. */
const MAX_REMEMBERED = 1_000

/** Follows transactions by id, independent of the socket's life. Each listener is settled once; nothing is ever resent. */
export class TxTracker {
  readonly #ports: TrackerPorts
  readonly #pending = new Map<string, Entry>()
  // Answered, in the order of their answers.
  readonly #watched = new Map<string, Entry>()
  readonly #confirmed = new Map<string, number>()
  #headId: string | null = null
  #lastNumber: number | null = null

  constructor(ports: TrackerPorts) {
    this.#ports = ports
  }

  /** How many transactions have somebody waiting. */
  get pending(): number {
    return this.#pending.size
  }

  /** Whether any transaction, answered ones included, may have been decided in a gap. */
  get doubtful(): boolean {
    for (const entry of this.#entries()) if (entry.doubtful) return true
    return false
  }

  /**
   * Follows a transaction and sends it, unless it is on its way already. `send` runs after the registration, for a verdict can arrive in
   * the same tick; when it throws, nothing is followed.
   * @returns a function that stops listening
   */
  follow(shape: TxShape, listener: TxListener, send: () => void): () => void {
    const { txId } = shape
    const number = this.#confirmed.get(txId)
    if (number !== undefined) {
      listener({ state: 'confirmed', number, snapshot: null })
      return () => undefined
    }
    const running = this.#pending.get(txId)
    if (running !== undefined) {
      running.listeners.add(listener)
      return () => this.#leave(running, listener)
    }
    const known = this.#watched.get(txId)
    const entry: Entry = { shape, headId: this.#headId, listeners: new Set([listener]), valid: false, doubtful: known !== undefined, told: false, leftAt: 0 }
    this.#pending.set(txId, entry)
    this.#watched.delete(txId)
    if (known?.valid === true && known.headId === this.#headId) {
      // The node has it; asking again is a question, not another submission.
      entry.valid = true
      this.#ports.reconcile()
      return () => this.#leave(entry, listener)
    }
    try { send() } catch (error) {
      this.#pending.delete(txId)
      if (known !== undefined) this.#watched.set(txId, known)
      throw error
    }
    // The verdict may have come within send().
    if (this.#pending.get(txId) === entry) this.#ports.onProgress({ txId, state: 'submitted' })
    return () => this.#leave(entry, listener)
  }

  /** A listener ran out of time: it is told so, the transaction is watched on. */
  timedOut(txId: string, listener: TxListener, timeoutMs: number): void {
    const entry = this.#pending.get(txId)
    if (entry?.listeners.has(listener) !== true) return
    entry.told = true
    this.#leave(entry, listener)
    if (entry.listeners.size === 0) this.#ports.onProgress({ txId, state: 'timedOut' })
    const reason = entry.valid ? `valid, but not confirmed within ${timeoutMs} ms` : `no verdict within ${timeoutMs} ms`
    listener({ state: 'failed', error: new SubmitError(txId, 'Timeout', reason) })
  }

  /** Messages were or may have been missed. */
  markGap(): void {
    this.#lastNumber = null
    for (const entry of this.#entries()) entry.doubtful = true
  }

  /** The state is known up to this snapshot: the next one that comes is the next one, or some were missed. */
  startAt(number: number): void {
    if (number >= 0) this.#lastNumber ??= number
  }

  /** A request about this transaction was cut off after it may have arrived. */
  markDoubtful(txId: string): void {
    const entry = this.#pending.get(txId)
    if (entry !== undefined) entry.doubtful = true
  }

  /** Answers everybody who waits with 'Disconnected'. `forget`: late confirmations are of no interest either. */
  disconnect(forget: boolean): void {
    for (const entry of [...this.#pending.values()]) this.#fail(entry, 'Disconnected', 'the connection ended before a verdict came')
    if (!forget) return
    this.#watched.clear()
    this.#enter(null)
  }

  /** Applies a message. `filtered`: gaps between snapshot numbers are normal. */
  onPayload(payload: LayerPayload, filtered: boolean): void {
    switch (payload.tag) {
      case 'Greetings':
        this.#enter(payload.layerHeadId ?? null)
        break
      case 'TxValid':
        this.#valid(payload.transactionId)
        break
      case 'TxInvalid':
        this.#invalid(payload.transaction.txId, payload.validationError.reason)
        break
      case 'SnapshotConfirmed':
        this.#snapshot(payload, filtered)
        break
      case 'CommandFailed':
      case 'RejectedInputBecauseUnsynced':
        if (payload.clientInput.tag === 'NewTx') this.#refuse(payload.clientInput.transaction.txId, payload)
        break
      case 'InvalidInput':
        // `input` is the text that was sent; it names the transaction.
        if (this.#pending.size > 0) this.#refuse(/"txId"\s*:\s*"([0-9a-fA-F]{64})"/.exec(payload.input)?.[1], payload)
        break
      default: // no word on a transaction
    }
  }

  /** Judges doubtful transactions by the head's state; returns those that it cannot decide. */
  judge(state: JudgedState): TxShape[] {
    const open: TxShape[] = []
    for (const entry of [...this.#entries()]) {
      const { txId, outputCount } = entry.shape
      if (!entry.doubtful) continue
      const outputs = Array.from({ length: outputCount }, (_, index) => `${txId}#${index}`)
      if (state.confirmed.has(txId) || outputs.some((ref) => state.isUnspent(ref))) this.confirm(txId, state.number, state.record)
      else if (entry.listeners.size > 0 && !this.#mayStillConfirm(entry, state)) open.push(entry.shape)
    }
    return open
  }

  /** The transaction is in snapshot `number` or an earlier one. */
  confirm(txId: string, number: number, snapshot: SnapshotConfirmedPayload | null): void {
    const entry = this.#pending.get(txId) ?? this.#watched.get(txId)
    if (entry === undefined) return
    this.#pending.delete(txId)
    this.#watched.delete(txId)
    bound(this.#confirmed.set(txId, number), MAX_REMEMBERED)
    this.#tell(entry, { state: 'confirmed', number, snapshot })
    this.#ports.onProgress({ txId, state: 'confirmed', snapshotNumber: number })
    if (entry.told && snapshot !== null) this.#ports.onLateConfirmation({ txId, snapshotNumber: number, snapshot })
  }

  /** The node refused the transaction, as far as its history says. */
  reject(txId: string, reason: string): void {
    const entry = this.#pending.get(txId)
    if (entry !== undefined) this.#fail(entry, 'TxInvalid', reason)
  }

  /** Nothing can tell what became of the transaction. */
  giveUp(txId: string): void {
    const entry = this.#pending.get(txId)
    if (entry !== undefined) this.#fail(entry, 'Disconnected', 'it was on its way when the connection dropped, and neither the head\'s state nor its history tells')
  }

  // Another head numbers its snapshots anew, and knows nothing of what an earlier one confirmed.
  #enter(headId: string | null): void {
    if (headId === this.#headId) return
    if (this.#headId !== null) this.#confirmed.clear()
    this.#headId = headId
    this.#lastNumber = null
  }

  #valid(txId: string): void {
    const entry = this.#pending.get(txId)
    if (entry === undefined || entry.valid) return
    entry.valid = true
    this.#ports.onProgress({ txId, state: 'valid' })
    for (const listener of [...entry.listeners]) listener({ state: 'valid' })
  }

  #invalid(txId: string, reason: string): void {
    const entry = this.#pending.get(txId)
    // Once valid, a TxInvalid is about another copy of it: the snapshot decides.
    if (entry === undefined || entry.valid) return
    // Spent inputs may have been spent by this very transaction.
    if (reason.includes('BadInputs')) {
      for (let index = 0; index < entry.shape.outputCount; index++) {
        if (this.#ports.isUnspent(`${txId}#${index}`)) return this.confirm(txId, this.#lastNumber ?? 0, null)
      }
      if (entry.doubtful) return this.#ports.reconcile()
    }
    this.#fail(entry, 'TxInvalid', reason)
  }

  #refuse(txId: string | undefined, payload: LayerPayload & { tag: 'CommandFailed' | 'RejectedInputBecauseUnsynced' | 'InvalidInput' }): void {
    const entry = txId === undefined ? undefined : this.#pending.get(txId)
    if (entry === undefined || entry.valid) return
    const { reason, details } = this.#ports.explain(payload)
    this.#fail(entry, payload.tag, reason, details)
  }

  #snapshot(payload: SnapshotConfirmedPayload, filtered: boolean): void {
    const { number, confirmed } = payload.snapshot
    this.#enter(payload.headId)
    const missed = this.#lastNumber !== null && number > this.#lastNumber + 1 && !filtered
    this.#lastNumber = Math.max(number, this.#lastNumber ?? 0)
    for (const { txId } of confirmed) this.confirm(txId, number, payload)
    this.#sweep()
    if (!missed || this.#pending.size === 0) return
    for (const entry of this.#entries()) entry.doubtful = true
    this.#ports.reconcile()
  }

  // Its inputs are all unspent, or come from others that are on their way: nothing has been decided.
  #mayStillConfirm(entry: Entry, state: JudgedState): boolean {
    if (!state.hasHead || (entry.headId !== null && state.headId !== null && entry.headId !== state.headId)) return false
    const { inputs } = entry.shape
    return inputs.length > 0 && inputs.every((ref) => state.isUnspent(ref) || this.#pending.has(ref.slice(0, 64)))
  }

  #fail(entry: Entry, tag: SubmitErrorTag, reason: string, details: readonly string[] = []): void {
    const { txId } = entry.shape
    entry.told = true
    this.#retire(entry)
    this.#tell(entry, { state: 'failed', error: new SubmitError(txId, tag, reason, details) })
    if (tag !== 'Disconnected') this.#ports.onProgress({ txId, state: 'invalid', reason })
  }

  #tell(entry: Entry, fact: TxFact): void {
    const listeners = [...entry.listeners]
    entry.listeners.clear()
    for (const listener of listeners) listener(fact)
  }

  #leave(entry: Entry, listener: TxListener): void {
    if (entry.listeners.delete(listener) && entry.listeners.size === 0) this.#retire(entry)
  }

  #retire(entry: Entry): void {
    this.#pending.delete(entry.shape.txId)
    entry.leftAt = now()
    bound(this.#watched.set(entry.shape.txId, entry), MAX_WATCHED)
  }

  #sweep(): void {
    for (const [txId, { leftAt }] of this.#watched) {
      if (now() - leftAt < WATCH_MS) break
      this.#watched.delete(txId)
    }
  }

  * #entries(): Generator<Entry> {
    yield* this.#pending.values()
    yield* this.#watched.values()
  }
}

function bound(map: Map<string, unknown>, most: number): void {
  if (map.size > most) map.delete(map.keys().next().value as string)
}
