import { SubmitError } from '../../errors/operation.js'
import type { SubmitErrorTag } from '../../errors/operation.js'
import type { LateConfirmation, TxProgress } from '../events.js'
import type { LayerPayload, SnapshotConfirmedPayload } from '../payload.js'
import { AnsweredTxs } from './AnsweredTxs.js'
import { isInLedger, mayStillConfirm } from './judge.js'
import type { JudgedState } from './judge.js'
import type { TxEntry, TxFact, TxListener } from './txFacts.js'
import type { TxShape } from './txShape.js'

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

/** Follows transactions by id, independent of the socket's life. Each listener is settled once; nothing is ever resent. */
export class TxTracker {
  readonly #ports: TrackerPorts
  readonly #pending = new Map<string, TxEntry>()
  readonly #answered = new AnsweredTxs()
  #headId: string | null = null
  #lastNumber: number | null = null

  constructor(ports: TrackerPorts) {
    this.#ports = ports
  }

  /** How many transactions have somebody waiting. */
  get pending(): number {
    return this.#pending.size
  }

  /** Whether following it takes no sending: it is on its way, or confirmed. */
  knows(txId: string): boolean {
    return this.#pending.has(txId) || this.#answered.confirmed.has(txId)
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
    const number = this.#answered.confirmed.get(txId)
    if (number !== undefined) {
      listener({ state: 'confirmed', number, snapshot: null })
      return () => undefined
    }
    const running = this.#pending.get(txId)
    if (running !== undefined) {
      running.listeners.add(listener)
      return () => this.#leave(running, listener)
    }
    const known = this.#answered.watched.get(txId)
    const entry: TxEntry = { shape, headId: this.#headId, listeners: new Set([listener]), valid: false, doubtful: known !== undefined, told: false, leftAt: 0 }
    this.#pending.set(txId, entry)
    this.#answered.watched.delete(txId)
    if (known?.valid === true && known.headId === this.#headId) {
      // The node has it; asking again is a question, not another submission.
      entry.valid = true
      this.#ports.reconcile()
      return () => this.#leave(entry, listener)
    }
    try { send() } catch (error) {
      this.#pending.delete(txId)
      if (known !== undefined) this.#answered.watched.set(txId, known)
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

  /** A caller was told that it was refused, or nothing certain, by what the node answered to a request. */
  markTold(txId: string): void {
    const entry = this.#find(txId)
    if (entry !== undefined) entry.told = true
  }

  /** Answers everybody who waits with 'Disconnected'. `forget`: late confirmations are of no interest either. */
  disconnect(forget: boolean): void {
    for (const entry of [...this.#pending.values()]) this.#fail(entry, 'Disconnected', 'the connection ended before a verdict came')
    if (!forget) return
    this.#answered.watched.clear()
    this.#enter(null)
  }

  /** Applies a message. `filtered`: gaps between snapshot numbers are normal. */
  onPayload(payload: LayerPayload, filtered: boolean): void {
    switch (payload.tag) {
      case 'Greetings':
        this.#enter(payload.layerHeadId ?? null)
        break
      case 'HeadIsOpen':
        this.#enter(payload.headId)
        break
      case 'TxValid':
        this.#valid(payload.transactionId)
        break
      case 'TxInvalid':
        this.invalid(payload.transaction.txId, payload.validationError.reason)
        break
      case 'SnapshotConfirmed':
        this.#snapshot(payload, filtered)
        break
      case 'SnapshotSideLoaded':
        // The node has dropped what was pending; to be confirmed it must be sent again.
        for (const entry of this.#entries()) entry.valid = false
        this.#doubt()
        break
      case 'CommandFailed':
      case 'RejectedInputBecauseUnsynced':
        if (payload.clientInput.tag === 'NewTx') this.#refuse(payload.clientInput.transaction.txId, payload)
        break
      case 'InvalidInput':
        // `input` is the text that was sent; it names the transaction.
        if (this.#pending.size > 0) this.#refuse(/"txId"\s*:\s*"([^"]*)"/.exec(payload.input)?.[1], payload)
        break
      default: // no word on a transaction
    }
  }

  /** Judges doubtful transactions by the head's state; returns those that it cannot decide. */
  judge(state: JudgedState): TxShape[] {
    const open: TxShape[] = []
    for (const entry of [...this.#entries()]) {
      const { shape, headId, listeners } = entry
      if (!entry.doubtful) continue
      if (state.confirmed.has(shape.txId) || isInLedger(shape, state.isUnspent)) this.confirm(shape.txId, state.number, state.record)
      else if (listeners.size > 0 && !mayStillConfirm(shape, headId, state, (txId) => this.#find(txId) !== undefined)) open.push(shape)
    }
    return open
  }

  /** The transaction is in snapshot `number` or an earlier one. */
  confirm(txId: string, number: number, snapshot: SnapshotConfirmedPayload | null): void {
    this.#confirm(txId, number, snapshot)?.()
  }

  /** The node's ledger refused the transaction, or a copy of it. */
  invalid(txId: string, reason: string): void {
    const entry = this.#pending.get(txId)
    // Once valid, a TxInvalid is about another copy of it: the snapshot decides.
    if (entry === undefined || entry.valid) return
    // Spent inputs may have been spent by this very transaction.
    if (reason.includes('BadInputs')) {
      if (isInLedger(entry.shape, this.#ports.isUnspent)) return this.confirm(txId, this.#lastNumber ?? 0, null)
      if (entry.doubtful) return this.#ports.reconcile()
    }
    this.#fail(entry, 'TxInvalid', reason)
  }

  /** The node refused the transaction, as far as its history says. */
  reject(txId: string, reason: string): void {
    const entry = this.#pending.get(txId)
    if (entry !== undefined) this.#fail(entry, 'TxInvalid', reason)
  }

  /** Nothing can tell what became of the transaction. */
  giveUp(txId: string): void {
    const entry = this.#pending.get(txId)
    if (entry !== undefined) this.#fail(entry, 'Disconnected', 'messages about it may have been missed, and neither the head\'s state nor its history tells')
  }

  // Another head numbers its snapshots anew, and knows nothing of what an earlier one confirmed.
  #enter(headId: string | null): void {
    if (headId === this.#headId) return
    if (this.#headId !== null) this.#answered.confirmed.clear()
    this.#headId = headId
    this.#lastNumber = null
  }

  // Also one whose callers have been answered: asked for again, it need not be sent again.
  #valid(txId: string): void {
    const entry = this.#find(txId)
    if (entry === undefined || entry.valid) return
    entry.valid = true
    this.#ports.onProgress({ txId, state: 'valid' })
    for (const listener of [...entry.listeners]) listener({ state: 'valid' })
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
    // All are settled before any is announced: a handler may call disconnect().
    const announcements = confirmed.map(({ txId }) => this.#confirm(txId, number, payload))
    for (const announce of announcements) announce?.()
    this.#answered.sweep()
    if (missed) this.#doubt()
  }

  // Answers whoever waits; returns what announces it, if there is anything to announce.
  #confirm(txId: string, number: number, snapshot: SnapshotConfirmedPayload | null): (() => void) | undefined {
    const entry = this.#find(txId)
    if (entry === undefined) return undefined
    this.#pending.delete(txId)
    this.#answered.remember(txId, number)
    this.#tell(entry, { state: 'confirmed', number, snapshot })
    return () => {
      this.#ports.onProgress({ txId, state: 'confirmed', snapshotNumber: number })
      if (entry.told && snapshot !== null) this.#ports.onLateConfirmation({ txId, snapshotNumber: number, snapshot })
    }
  }

  // Messages about any of them may have been missed, while the connection lives on.
  #doubt(): void {
    if (this.#pending.size === 0) return
    for (const entry of this.#entries()) entry.doubtful = true
    this.#ports.reconcile()
  }

  #fail(entry: TxEntry, tag: SubmitErrorTag, reason: string, details: readonly string[] = []): void {
    const { txId } = entry.shape
    entry.told = true
    this.#retire(entry)
    this.#tell(entry, { state: 'failed', error: new SubmitError(txId, tag, reason, details) })
    if (tag !== 'Disconnected') this.#ports.onProgress({ txId, state: 'invalid', reason })
  }

  #tell(entry: TxEntry, fact: TxFact): void {
    const listeners = [...entry.listeners]
    entry.listeners.clear()
    for (const listener of listeners) listener(fact)
  }

  #leave(entry: TxEntry, listener: TxListener): void {
    if (entry.listeners.delete(listener) && entry.listeners.size === 0) this.#retire(entry)
  }

  #retire(entry: TxEntry): void {
    this.#pending.delete(entry.shape.txId)
    this.#answered.watch(entry)
  }

  #find(txId: string): TxEntry | undefined {
    return this.#pending.get(txId) ?? this.#answered.watched.get(txId)
  }

  * #entries(): Generator<TxEntry> {
    yield* this.#pending.values()
    yield* this.#answered.watched.values()
  }
}
