import { SubmitError } from '../../errors/operation.js'
import type { BridgeEmitter } from '../delivery/events.js'
import type { SnapshotConfirmedPayload } from '../protocol/messages.js'
import { SettledTxs } from './SettledTxs.js'
import type { TxEntry, TxListener, TxRefusal } from './TxEntry.js'
import { isAccepted } from './TxState.js'
import type { TxChanges, TxState } from './TxState.js'

/** A snapshot that shows a transaction. */
export interface Confirmation {
  /** Its number, or that of a later one. */
  readonly number: number
  /** The message; null where the cache showed it. */
  readonly snapshot: SnapshotConfirmedPayload | null
  /** True when this very snapshot confirmed it. */
  readonly exact: boolean
}

/** The transactions that a tracker follows. Each change of a state is stored, passed to the callers, and announced. */
export class TrackedTxs {
  /** Transactions with a waiting caller, by id. */
  readonly pending: Map<string, TxEntry> = new Map()
  /** Transactions without a waiting caller. */
  readonly settled: SettledTxs = new SettledTxs()
  readonly #emitter: Pick<BridgeEmitter, 'emit'>
  readonly #changes: TxChanges
  readonly #isVerifying: () => boolean

  constructor(emitter: Pick<BridgeEmitter, 'emit'>, changes: TxChanges, isVerifying: () => boolean) {
    this.#emitter = emitter
    this.#changes = changes
    this.#isVerifying = isVerifying
  }

  find(txId: string): TxEntry | undefined {
    return this.pending.get(txId) ?? this.settled.watched.get(txId)
  }

  *entries(): Generator<TxEntry> {
    yield* this.pending.values()
    yield* this.settled.watched.values()
  }

  /** Reports to a new caller that its transaction is confirmed already. */
  repeatConfirmed(txId: string, snapshotNumber: number, listener: TxListener): void {
    const tx: TxState = {
      state: 'confirmed',
      snapshotNumber,
      exact: false,
      verified: this.#isVerifying(),
      snapshot: null
    }
    listener(tx)
    this.#changes.announce(txId, tx)
  }

  /** Reports to a new caller that its transaction is valid already. */
  repeatValid(txId: string, listener: TxListener): void {
    listener({ state: 'valid' })
    this.#changes.announce(txId, { state: 'valid' })
  }

  markSent({ refs: { txId }, current }: TxEntry): void {
    // After its verdict it is not announced any more.
    if (current.state === 'sent') this.#changes.announce(txId, current)
    this.#emitter.emit('onTxProgress', { txId, state: 'submitted' })
  }

  markValid(txId: string): void {
    const entry = this.find(txId)
    if (entry === undefined || isAccepted(entry.current)) return
    entry.current = { state: 'valid' }
    entry.refusal = null
    this.#changes.announce(txId, entry.current)
    this.#emitter.emit('onTxProgress', { txId, state: 'valid' })
    for (const listener of [...entry.listeners]) listener(entry.current)
  }

  /** Resets valid transactions to `sent`, because the node's ledger no longer holds them. */
  withdrawValid(): void {
    for (const entry of this.entries()) {
      const { current } = entry
      if (current.state === 'valid') entry.current = { state: 'sent' }
      else if (current.state === 'unknown') entry.current = { ...current, wasValid: false }
    }
  }

  /** Marks all transactions as uncertain, because messages about them may have been missed. */
  markUncertain(): void {
    for (const entry of this.entries()) entry.uncertain = true
  }

  /**
   * Settles the listeners of a confirmed transaction. Returns the function that announces it; undefined for an unknown
   * transaction.
   */
  confirm(txId: string, { number, snapshot, exact }: Confirmation): (() => void) | undefined {
    const entry = this.find(txId)
    if (entry === undefined) return undefined
    this.pending.delete(txId)
    this.settled.remember(txId, number)
    const tx: TxState = {
      state: 'confirmed',
      snapshotNumber: number,
      exact,
      verified: this.#isVerifying(),
      snapshot
    }
    entry.current = tx
    notify(entry, tx)
    return () => {
      this.#changes.announce(txId, tx)
      this.#emitter.emit('onTxProgress', { txId, state: 'confirmed', snapshotNumber: number })
      if (entry.callerNotified && snapshot !== null)
        this.#emitter.emit('onLateConfirmation', { txId, snapshotNumber: number, snapshot })
    }
  }

  /**
   * Settles a transaction as refused, or as of unknown outcome, by the tag of the refusal. It is still watched
   * afterwards.
   */
  fail(entry: TxEntry, { tag, reason, details, ambiguous }: TxRefusal): void {
    const { txId } = entry.refs
    const error = new SubmitError(txId, tag, reason, details)
    const tx: TxState =
      error.outcome === 'unknown'
        ? { state: 'unknown', error, wasValid: isAccepted(entry.current) }
        : { state: 'refused', error }
    entry.current = tx
    entry.callerNotified = true
    this.#retire(entry)
    notify(entry, tx)
    this.#changes.announce(txId, tx)
    if (tag !== 'Disconnected' && ambiguous !== true)
      this.#emitter.emit('onTxProgress', { txId, state: 'invalid', reason })
  }

  removeListener(entry: TxEntry, listener: TxListener): void {
    if (entry.listeners.delete(listener) && entry.listeners.size === 0) this.#retire(entry)
  }

  #retire(entry: TxEntry): void {
    entry.refusal = null
    entry.cborHex = null
    this.pending.delete(entry.refs.txId)
    this.settled.watch(entry)
  }
}

function notify(entry: TxEntry, tx: TxState): void {
  const listeners = [...entry.listeners]
  entry.listeners.clear()
  for (const listener of listeners) listener(tx)
}
