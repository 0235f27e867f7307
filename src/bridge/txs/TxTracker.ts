import { SubmitError } from '../../errors/operation.js'
import type { BridgeContext } from '../BridgeContext.js'
import type { LayerPayload, SnapshotConfirmedPayload } from '../protocol/messages.js'
import { SettledTxs } from './SettledTxs.js'
import type { UTxOObject } from '../protocol/types.js'
import { provenIds } from './txRefs.js'
import { isInLedger, isUnconfirmed, reconcile } from './reconcile.js'
import type { HeadEvidence } from './reconcile.js'
import { now } from '../../net/timers.js'
import { refusedTx } from './refusedTx.js'
import type { TrackedTx, TxEntry, TxEvent, TxListener, TxRefusal } from './txEvents.js'
import { isSameTransaction } from './txRefs.js'
import type { TxRefs } from './txRefs.js'

/** What the tracker needs of the bridge. */
export type TrackerContext = Pick<BridgeContext, 'cache' | 'connector' | 'emitter' | 'head' | 'reconcile'>

/** A transaction to be followed. */
export interface FollowedTx extends TxRefs {
  /**
   * As it is sent: CBOR hex. A refusal of other bytes with the same id does not count. @default not known: every
   * refusal of its id counts
   */
  readonly cborHex?: string | undefined
  /**
   * A late confirmation is watched for this long at least, ms. @default ten minutes after the last listener has left
   */
  readonly watchMs?: number | undefined
}

/**
 * Follows transactions by id, independent of the socket's life. Each listener is settled once; nothing is ever resent.
 */
export class TxTracker {
  readonly #context: TrackerContext
  readonly #pending = new Map<string, TxEntry>()
  readonly #settled = new SettledTxs()
  #headId: string | null = null
  #lastNumber: number | null = null
  /** Whether the cache holds this output, `'txHash#index'`. */
  readonly #isUnspent = (ref: string): boolean => this.#context.cache.has(ref)

  constructor(context: TrackerContext) {
    this.#context = context
  }

  /** Number of transactions with a waiting caller. */
  get pending(): number {
    return this.#pending.size
  }

  /** Whether it can be followed without being sent: it is pending or confirmed. */
  knows(txId: string): boolean {
    return this.#pending.has(txId) || this.#settled.confirmed.has(txId)
  }

  /** Where a transaction stands, by the messages. */
  lookUp(txId: string): TrackedTx {
    const snapshotNumber = this.#settled.confirmed.get(txId)
    if (snapshotNumber !== undefined) return { state: 'confirmed', snapshotNumber }
    const entry = this.#find(txId)
    if (entry === undefined) return { state: 'unknown' }
    // A state that is ahead of the messages may hold what they are still to say.
    const isAhead = this.#lastNumber === null || this.#context.cache.number > this.#lastNumber
    return {
      state: 'open',
      isValid: entry.valid,
      missed: entry.uncertain || !entry.unconfirmedAtStart || isAhead || !this.#isCurrent()
    }
  }

  /** Whether the head's state has to decide any transaction, settled ones included. */
  get uncertain(): boolean {
    for (const { uncertain, refusal } of this.#entries()) if (uncertain || refusal !== null) return true
    return false
  }

  /** Transactions whose refusal has to be reconciled with the head's state. */
  refused(): ReadonlySet<TxEntry> {
    return new Set([...this.#pending.values()].filter(({ refusal }) => refusal !== null))
  }

  /**
   * Follows a transaction and sends it, unless it is on its way already. `send` runs after the registration, for a
   * verdict can arrive in the same tick; when it throws, nothing is followed.
   * @returns a function that stops listening
   */
  follow({ cborHex, watchMs = 0, ...refs }: FollowedTx, listener: TxListener, send: () => void): () => void {
    const { txId } = refs
    const number = this.#settled.confirmed.get(txId)
    if (number !== undefined) {
      listener({ state: 'confirmed', number, snapshot: null })
      return () => undefined
    }
    const running = this.#pending.get(txId)
    if (running !== undefined) {
      running.listeners.add(listener)
      if (running.valid && !running.uncertain) listener({ state: 'valid' })
      return () => this.#removeListener(running, listener)
    }
    const known = this.#settled.watched.get(txId)
    const entry: TxEntry = {
      refs,
      headId: this.#headId,
      listeners: new Set([listener]),
      cborHex: cborHex ?? null,
      copyRefused: false,
      watchUntil: now() + watchMs,
      valid: false,
      uncertain: known !== undefined,
      refusal: null,
      callerNotified: false,
      lastListenerLeftAt: 0,
      unconfirmedAtStart:
        known?.unconfirmedAtStart ?? (this.#isCurrent() && isUnconfirmed(refs, this.#isUnspent, (id) => this.#find(id)))
    }
    this.#pending.set(txId, entry)
    this.#settled.watched.delete(txId)
    if (known?.valid === true && known.headId === this.#headId) {
      // The node has it: a repeated call reconciles and sends nothing.
      entry.valid = true
      this.#context.reconcile()
      if (!known.uncertain) listener({ state: 'valid' })
      return () => this.#removeListener(entry, listener)
    }
    try {
      send()
    } catch (error) {
      this.#pending.delete(txId)
      if (known !== undefined) this.#settled.watched.set(txId, known)
      throw error
    }
    // The verdict may have come within send().
    if (this.#pending.get(txId) === entry) this.#context.emitter.emit('onTxProgress', { txId, state: 'submitted' })
    return () => this.#removeListener(entry, listener)
  }

  /** Ends a listener whose timeout has passed; the transaction is still watched. */
  timedOut(txId: string, listener: TxListener, timeoutMs: number): void {
    const entry = this.#pending.get(txId)
    if (entry?.listeners.has(listener) !== true) return
    entry.callerNotified = true
    const verdict =
      entry.refusal === null
        ? 'no verdict'
        : `refused (${entry.refusal.reason}), and the head's state, which decides whether that counts, did not arrive`
    this.#removeListener(entry, listener)
    if (entry.listeners.size === 0) this.#context.emitter.emit('onTxProgress', { txId, state: 'timedOut' })
    const reason = entry.valid ? `valid, but not confirmed within ${timeoutMs} ms` : `${verdict} within ${timeoutMs} ms`
    listener({ state: 'failed', error: new SubmitError(txId, 'Timeout', reason) })
  }

  /** Messages were or may have been missed. */
  markGap(): void {
    this.#lastNumber = null
    for (const entry of this.#entries()) entry.uncertain = true
  }

  /** The state is known up to this snapshot: the next one that comes is the next one, or some were missed. */
  startAt(number: number): void {
    if (number >= 0) this.#lastNumber ??= number
  }

  /** A request about this transaction was cut off after it may have arrived. */
  markUncertain(txId: string): void {
    const entry = this.#pending.get(txId)
    if (entry !== undefined) entry.uncertain = true
  }

  /** Settles all listeners with 'Disconnected'. `forget`: stops watching for late confirmations too. */
  disconnect(forget: boolean): void {
    for (const entry of [...this.#pending.values()])
      this.#fail(entry, { tag: 'Disconnected', reason: 'the connection ended before a verdict came' })
    if (!forget) return
    this.#settled.watched.clear()
    this.#enter(null)
  }

  /** Applies a message. */
  onPayload(payload: LayerPayload): void {
    switch (payload.tag) {
      case 'Greetings':
        this.#enter(payload.layerHeadId ?? null)
        break
      case 'HeadIsOpen':
        this.#enter(payload.headId)
        break
      case 'TxValid':
        if (!this.#isOfAnotherHead(payload.headId)) this.markValid(payload.transactionId)
        break
      case 'SnapshotConfirmed':
        this.#snapshot(payload)
        break
      case 'GatewaySnapshot':
        this.#enter(payload.headId)
        this.#lastNumber = payload.number
        this.#onMissedMessages()
        break
      case 'GatewayResumed':
        this.#enter(payload.headId)
        this.#lastNumber = payload.from
        break
      case 'GatewayProgress':
        if (this.#lastNumber !== null) this.#lastNumber = Math.max(payload.number, this.#lastNumber)
        break
      case 'SnapshotSideLoaded':
        // The node has dropped what was pending; to be confirmed it must be sent again.
        for (const entry of this.#entries()) entry.valid = false
        this.#onMissedMessages()
        break
      default: {
        if (this.#pending.size === 0) break
        const refused = refusedTx(payload, this.#context.head())
        if (refused !== undefined && this.#isAboutOurs(refused.txId, refused.refusal))
          this.onRefusal(refused.txId, refused.refusal, refused.localUtxo)
      }
    }
  }

  /** Decides by the head's state what is uncertain or refused; returns what only the history can decide. */
  reconcile(state: HeadEvidence): TxEntry[] {
    const undecided: TxEntry[] = []
    const context = { lastNumber: this.#lastNumber, find: (txId: string) => this.#find(txId) }
    for (const entry of [...this.#entries()]) {
      const { refs, refusal, listeners } = entry
      if (!entry.uncertain && refusal === null) continue
      const outcome = reconcile(entry, state, context)
      if (outcome === 'confirmed') this.confirm(refs.txId, state.number ?? 0, state.record)
      else if (listeners.size === 0) continue
      else if (outcome === 'valid') this.markValid(refs.txId)
      else if (outcome === 'refused') this.#fail(entry, refusal!)
      else if (outcome === 'undecided') undecided.push(entry)
    }
    return undecided
  }

  /** The transaction is in snapshot `number` or an earlier one. */
  confirm(txId: string, number: number, snapshot: SnapshotConfirmedPayload | null): void {
    this.#confirm(txId, number, snapshot)?.()
  }

  /** The node has applied it. Also for a settled transaction: submitted again, it need not be sent again. */
  markValid(txId: string): void {
    const entry = this.#find(txId)
    if (entry === undefined || entry.valid) return
    entry.valid = true
    entry.refusal = null
    this.#context.emitter.emit('onTxProgress', { txId, state: 'valid' })
    for (const listener of [...entry.listeners]) listener({ state: 'valid' })
  }

  /**
   * The node refused the transaction, or a copy of it, whatever its text and route. Callers get it when the state of
   * the head agrees: `localUtxo` and the cache where they are enough, else what the node serves.
   */
  onRefusal(txId: string, refusal: TxRefusal, localUtxo: UTxOObject = {}): void {
    const entry = this.#pending.get(txId)
    // Once valid, a refusal is about another copy of it: the snapshot decides.
    if (entry === undefined || entry.valid) return
    const { refs, refusal: first } = entry
    const isLocal = (ref: string): boolean => Object.hasOwn(localUtxo, ref)
    if (isInLedger(refs, this.#isUnspent)) return this.confirm(txId, this.#lastNumber ?? 0, null)
    if (isInLedger(refs, isLocal)) return this.markValid(txId)
    // Neither any snapshot nor the node has spent its inputs: the refusal is about the transaction itself.
    if (this.#isCurrent() && refs.inputs.length > 0 && refs.inputs.every((ref) => isLocal(ref) && this.#isUnspent(ref)))
      return this.#fail(entry, refusal)
    entry.refusal =
      first === null
        ? refusal
        : { ...first, checkedLocally: first.checkedLocally === true || refusal.checkedLocally === true }
    this.#context.reconcile()
  }

  /**
   * True when a copy of it with other witnesses was refused: a refusal that quotes no transaction proves nothing then.
   */
  wasCopyRefused(txId: string): boolean {
    return this.#pending.get(txId)?.copyRefused === true
  }

  /** The node refused the transaction, according to its history. */
  reject(txId: string, reason: string): void {
    const entry = this.#pending.get(txId)
    if (entry !== undefined) this.#fail(entry, entry.refusal ?? { tag: 'TxInvalid', reason })
  }

  /**
   * The state did not decide it, and the history does not name it. `isComplete`: the history goes back to the
   * beginning.
   */
  giveUp(txId: string, isComplete = false): void {
    const entry = this.#pending.get(txId)
    if (entry === undefined) return
    const { refusal, uncertain } = entry
    // Sent once, nothing missed, and no snapshot has ever held it.
    if (refusal !== null && isComplete && !uncertain) return this.#fail(entry, refusal)
    const what =
      refusal === null
        ? 'messages about it may have been missed'
        : `the node refused it, or a copy of it (${refusal.reason})`
    this.#fail(entry, {
      tag: 'Disconnected',
      reason: `${what}, and neither the head's state nor its history shows the outcome`
    })
  }

  // Another head numbers its snapshots from 0 and does not hold what an earlier one confirmed.
  #enter(headId: string | null): void {
    if (headId === this.#headId) return
    if (this.#headId !== null) this.#settled.confirmed.clear()
    this.#headId = headId
    this.#lastNumber = null
  }

  #snapshot(payload: SnapshotConfirmedPayload): void {
    const { delta, snapshot } = payload
    const { number, confirmed } = snapshot
    this.#enter(payload.headId)
    const last = this.#lastNumber
    // With an address filter, gaps between snapshot numbers are normal.
    const isNext = last === null || number <= last + 1 || this.#context.connector.capabilities.filtered
    const missed = !isNext || (last !== null && delta !== undefined && delta.from > last)
    this.#lastNumber = Math.max(number, last ?? 0)
    const txIds = new Set(provenIds(confirmed))
    // A snapshot that names it without its effect proves nothing, and a refusal alone does neither.
    for (const { txId, verified } of confirmed) if (verified === false) this.markUncertain(txId)
    // A delta may make up for several snapshots: what its transactions made is in the head.
    for (const key in delta?.made) txIds.add(key.slice(0, key.indexOf('#')))
    // All are settled before any is announced: a handler may call disconnect().
    const announcements = [...txIds].map((txId) => this.#confirm(txId, number, payload))
    for (const announce of announcements) announce?.()
    this.#settled.sweep()
    if (missed) this.#onMissedMessages()
  }

  // Settles the listeners; returns a function that emits the events, if there are any.
  #confirm(txId: string, number: number, snapshot: SnapshotConfirmedPayload | null): (() => void) | undefined {
    const entry = this.#find(txId)
    if (entry === undefined) return undefined
    this.#pending.delete(txId)
    this.#settled.remember(txId, number)
    this.#notify(entry, { state: 'confirmed', number, snapshot })
    return () => {
      this.#context.emitter.emit('onTxProgress', { txId, state: 'confirmed', snapshotNumber: number })
      if (entry.callerNotified && snapshot !== null)
        this.#context.emitter.emit('onLateConfirmation', { txId, snapshotNumber: number, snapshot })
    }
  }

  // Messages about any of them may have been missed, although the connection has not ended.
  #onMissedMessages(): void {
    if (this.#pending.size === 0) return
    for (const entry of this.#entries()) entry.uncertain = true
    this.#context.reconcile()
  }

  #fail(entry: TxEntry, { tag, reason, details, ambiguous }: TxRefusal): void {
    const { txId } = entry.refs
    entry.callerNotified = true
    this.#retire(entry)
    this.#notify(entry, { state: 'failed', error: new SubmitError(txId, tag, reason, details) })
    if (tag !== 'Disconnected' && ambiguous !== true)
      this.#context.emitter.emit('onTxProgress', { txId, state: 'invalid', reason })
  }

  #notify(entry: TxEntry, event: TxEvent): void {
    const listeners = [...entry.listeners]
    entry.listeners.clear()
    for (const listener of listeners) listener(event)
  }

  #removeListener(entry: TxEntry, listener: TxListener): void {
    if (entry.listeners.delete(listener) && entry.listeners.size === 0) this.#retire(entry)
  }

  #retire(entry: TxEntry): void {
    entry.refusal = null
    entry.cborHex = null
    this.#pending.delete(entry.refs.txId)
    this.#settled.watch(entry)
  }

  #isOfAnotherHead(headId: string | undefined): boolean {
    return headId !== undefined && this.#headId !== null && headId !== this.#headId
  }

  /** The id covers the body alone: somebody else's copy with other witnesses is refused, and ours confirmed. */
  #isAboutOurs(txId: string, { cborHex, headId }: TxRefusal): boolean {
    const entry = this.#pending.get(txId)
    if (entry === undefined || this.#isOfAnotherHead(headId)) return false
    if (cborHex === undefined || entry.cborHex === null || isSameTransaction(cborHex, entry.cborHex)) return true
    entry.copyRefused = true
    return false
  }

  /**
   * Whether what the cache holds is the state up to the last message: with an address filter of the node it is that of
   * one address alone.
   */
  #isCurrent(): boolean {
    const { filtered, deltas } = this.#context.connector.capabilities
    return this.#context.cache.current && (!filtered || deltas === true)
  }

  #find(txId: string): TxEntry | undefined {
    return this.#pending.get(txId) ?? this.#settled.watched.get(txId)
  }

  *#entries(): Generator<TxEntry> {
    yield* this.#pending.values()
    yield* this.#settled.watched.values()
  }
}
