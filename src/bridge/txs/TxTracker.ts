import { SubmitError } from '../../errors/operation.js'
import { now } from '../../net/timers.js'
import type { LayerPayload, SnapshotConfirmedPayload } from '../protocol/messages.js'
import type { UTxOObject } from '../protocol/types.js'
import { isUnconfirmed, reconcile } from './reconcile.js'
import type { HeadEvidence } from './reconcile.js'
import { SnapshotPosition } from './SnapshotPosition.js'
import { TrackedTxs } from './TrackedTxs.js'
import type { TrackedTx, TxEntry, TxListener, TxRefusal } from './TxEntry.js'
import { provenIds } from './txRefs.js'
import type { TxRefs } from './txRefs.js'
import { isAccepted, TxChanges } from './TxState.js'
import { TxVerdicts } from './TxVerdicts.js'
import type { TrackerContext } from './TxVerdicts.js'

export type { TrackerContext } from './TxVerdicts.js'

/** A transaction to be followed until it is confirmed or refused. */
export interface FollowedTx extends TxRefs {
  /**
   * Its bytes: CBOR hex. A refusal of other bytes with the same id does not count. @default not known: every refusal of
   * its id counts
   */
  readonly cborHex?: string | undefined
  /**
   * Minimum time for which the transaction is watched for a late confirmation, ms. @default ten minutes after the last
   * listener has left
   */
  readonly watchMs?: number | undefined
}

/**
 * Follows submitted transactions by id, also across reconnects. Each listener is settled once; no transaction is ever
 * resent.
 */
export class TxTracker {
  /** Announces each state of each transaction; drops none. */
  readonly changes: TxChanges = new TxChanges()
  readonly #context: TrackerContext
  readonly #txs: TrackedTxs
  readonly #position = new SnapshotPosition()
  readonly #verdicts: TxVerdicts
  readonly #isUnspent = (ref: string): boolean => this.#context.cache.has(ref)

  constructor(context: TrackerContext) {
    this.#context = context
    this.#txs = new TrackedTxs(context.emitter, this.changes, () => this.#context.verifier != null)
    this.#verdicts = new TxVerdicts(context, this.#txs, this.#position)
  }

  /** Number of transactions with a waiting caller. */
  get pending(): number {
    return this.#txs.pending.size
  }

  /** Returns true when a transaction is pending or confirmed, so that it can be followed without being sent. */
  knows(txId: string): boolean {
    return this.#txs.pending.has(txId) || this.#txs.settled.confirmed.has(txId)
  }

  /** Returns the state of a transaction according to the messages. */
  lookUp(txId: string): TrackedTx {
    const snapshotNumber = this.#txs.settled.confirmed.get(txId)
    if (snapshotNumber !== undefined) return { state: 'confirmed', snapshotNumber }
    const entry = this.#txs.find(txId)
    if (entry === undefined) return { state: 'unknown' }
    // A state that is ahead of the messages may show the effect of messages still to come.
    const { number } = this.#position
    const isAhead = number === null || this.#context.cache.number > number
    return {
      state: 'open',
      isValid: isAccepted(entry.current),
      missed: entry.uncertain || !entry.unconfirmedAtStart || isAhead || !this.#verdicts.isCurrent()
    }
  }

  /** True when the head's state has to decide any transaction, settled ones included. */
  get uncertain(): boolean {
    for (const { uncertain, refusal } of this.#txs.entries()) if (uncertain || refusal !== null) return true
    return false
  }

  /** Transactions whose refusal has to be reconciled with the head's state. */
  refused(): ReadonlySet<TxEntry> {
    return new Set([...this.#txs.pending.values()].filter(({ refusal }) => refusal !== null))
  }

  /**
   * Follows a transaction and sends it, unless it is on its way already. `send` runs after the registration, because a
   * verdict can arrive in the same tick. If `send` throws, the transaction is not followed.
   * @returns a function that stops listening
   */
  follow(tx: FollowedTx, listener: TxListener, send: () => void): () => void {
    const { txId } = tx
    const number = this.#txs.settled.confirmed.get(txId)
    if (number !== undefined) {
      this.#txs.repeatConfirmed(txId, number, listener)
      return () => undefined
    }
    const running = this.#txs.pending.get(txId)
    if (running !== undefined) {
      running.listeners.add(listener)
      if (running.current.state === 'valid' && !running.uncertain) this.#txs.repeatValid(txId, listener)
      return () => this.#txs.removeListener(running, listener)
    }
    const earlierEntry = this.#txs.settled.watched.get(txId)
    const entry = this.#register(tx, listener, earlierEntry)
    if (
      earlierEntry !== undefined &&
      isAccepted(earlierEntry.current) &&
      earlierEntry.headId === this.#position.headId
    ) {
      // The node has it: a repeated call reconciles without sending it.
      entry.current = { state: 'valid' }
      this.#context.reconcile()
      if (!earlierEntry.uncertain) this.#txs.repeatValid(txId, listener)
      return () => this.#txs.removeListener(entry, listener)
    }
    try {
      send()
    } catch (error) {
      this.#txs.pending.delete(txId)
      if (earlierEntry !== undefined) this.#txs.settled.watched.set(txId, earlierEntry)
      throw error
    }
    // The verdict may have come within send().
    if (this.#txs.pending.get(txId) === entry) this.#txs.markSent(entry)
    return () => this.#txs.removeListener(entry, listener)
  }

  /** Ends a listener whose timeout has passed; the transaction is still watched. */
  timedOut(txId: string, listener: TxListener, timeoutMs: number): void {
    this.#endWait(txId, listener, { tag: 'Timeout', when: `within ${timeoutMs} ms` })
  }

  /** Ends a listener whose caller's signal was aborted; the transaction is still watched. */
  aborted(txId: string, listener: TxListener, cause: unknown): void {
    this.#endWait(txId, listener, { tag: 'Aborted', when: 'before the signal ended the wait', cause })
  }

  #endWait(
    txId: string,
    listener: TxListener,
    { tag, when, cause }: { tag: 'Timeout' | 'Aborted'; when: string; cause?: unknown }
  ): void {
    const entry = this.#txs.pending.get(txId)
    if (entry?.listeners.has(listener) !== true) return
    const { refusal, current } = entry
    const wasValid = isAccepted(current)
    entry.callerNotified = true
    const verdict =
      refusal === null
        ? 'no verdict'
        : `refused (${refusal.reason}), and the head's state, which decides whether that counts, did not arrive`
    this.#txs.removeListener(entry, listener)
    if (entry.listeners.size === 0) this.#context.emitter.emit('onTxProgress', { txId, state: 'timedOut' })
    const reason = wasValid ? `valid, but not confirmed ${when}` : `${verdict} ${when}`
    listener({ state: 'unknown', error: new SubmitError(txId, tag, reason, [], cause), wasValid })
  }

  /** Notes that messages were or may have been missed. */
  markGap(): void {
    this.#position.forget()
    this.#txs.markUncertain()
  }

  /** Notes that the state is known up to this snapshot, so that a gap after it means missed messages. */
  startAt(number: number): void {
    this.#position.startAt(number)
    if (number >= 0) this.#verdicts.confirmByOutputs(number, null)
  }

  /** Marks a transaction as uncertain, because a request with it was cut off and may have reached the node. */
  markUncertain(txId: string): void {
    const entry = this.#txs.pending.get(txId)
    if (entry !== undefined) entry.uncertain = true
  }

  /** Settles all listeners with 'Disconnected'. `forget`: stops watching for late confirmations too. */
  disconnect(forget: boolean): void {
    for (const entry of [...this.#txs.pending.values()])
      this.#txs.fail(entry, { tag: 'Disconnected', reason: 'the connection ended before a verdict came' })
    if (!forget) return
    this.#txs.settled.watched.clear()
    this.#verdicts.enter(null)
  }

  /** Applies a message. */
  onPayload(payload: LayerPayload): void {
    this.#verdicts.onPayload(payload)
  }

  /** See {@link TxVerdicts.onRefusal}. */
  onRefusal(txId: string, refusal: TxRefusal, localUtxo: UTxOObject = {}): void {
    this.#verdicts.onRefusal(txId, refusal, localUtxo)
  }

  /** Decides uncertain or refused transactions by the head's state; returns those that only the history can decide. */
  reconcile(state: HeadEvidence): TxEntry[] {
    const undecided: TxEntry[] = []
    const context = { lastNumber: this.#position.number, find: (txId: string) => this.#txs.find(txId) }
    for (const entry of [...this.#txs.entries()]) {
      const { refs, refusal, listeners } = entry
      if (!entry.uncertain && refusal === null) continue
      const outcome = reconcile(entry, state, context)
      if (outcome === 'confirmed') this.confirm(refs.txId, state.number ?? 0, state.record)
      else if (listeners.size === 0) continue
      else if (outcome === 'valid') this.markValid(refs.txId)
      else if (outcome === 'refused') this.#txs.fail(entry, refusal!)
      else if (outcome === 'undecided') undecided.push(entry)
    }
    return undecided
  }

  /** Marks a transaction as confirmed: it is in snapshot `number` or an earlier one. */
  confirm(txId: string, number: number, snapshot: SnapshotConfirmedPayload | null): void {
    const exact = snapshot !== null && provenIds(snapshot.snapshot.confirmed).includes(txId)
    this.#txs.confirm(txId, { number, snapshot, exact })?.()
  }

  /**
   * Marks a transaction as applied by the node; also a settled one, so that submitting it again does not send it again.
   */
  markValid(txId: string): void {
    this.#txs.markValid(txId)
  }

  /**
   * Returns true when a copy of a transaction with other witnesses was refused: a refusal that quotes no transaction is
   * then no proof.
   */
  wasCopyRefused(txId: string): boolean {
    return this.#txs.pending.get(txId)?.copyRefused === true
  }

  /** Settles a transaction that the node refused according to its history. */
  reject(txId: string, reason: string): void {
    const entry = this.#txs.pending.get(txId)
    if (entry !== undefined) this.#txs.fail(entry, entry.refusal ?? { tag: 'TxInvalid', reason })
  }

  /**
   * Settles a transaction that the state did not decide and the history does not name. `isComplete`: true when the
   * history goes back to the beginning.
   */
  giveUp(txId: string, isComplete = false): void {
    const entry = this.#txs.pending.get(txId)
    if (entry === undefined) return
    const { refusal, uncertain } = entry
    // Sent once, no message missed, and no snapshot has ever held it.
    if (refusal !== null && isComplete && !uncertain) return this.#txs.fail(entry, refusal)
    const cause =
      refusal === null
        ? 'messages about it may have been missed'
        : `the node refused it, or a copy of it (${refusal.reason})`
    this.#txs.fail(entry, {
      tag: 'Disconnected',
      reason: `${cause}, and neither the head's state nor its history shows the outcome`
    })
  }

  #register(
    { cborHex, watchMs = 0, ...refs }: FollowedTx,
    listener: TxListener,
    earlierEntry: TxEntry | undefined
  ): TxEntry {
    const { txId } = refs
    const entry: TxEntry = {
      refs,
      headId: this.#position.headId,
      listeners: new Set([listener]),
      cborHex: cborHex ?? null,
      copyRefused: false,
      watchUntil: now() + watchMs,
      current: { state: 'sent' },
      uncertain: earlierEntry !== undefined,
      refusal: null,
      callerNotified: false,
      lastListenerLeftAt: 0,
      unconfirmedAtStart:
        earlierEntry?.unconfirmedAtStart ??
        (this.#verdicts.isCurrent() && isUnconfirmed(refs, this.#isUnspent, (id) => this.#txs.find(id)))
    }
    this.#txs.pending.set(txId, entry)
    this.#txs.settled.watched.delete(txId)
    return entry
  }
}
