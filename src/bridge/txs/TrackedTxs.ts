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

/** The transactions that a tracker follows, and the steps of their states: each is stored, passed on and announced. */
export class TrackedTxs {
  /** Transactions with a waiting caller, by id. */
  readonly pending: Map<string, TxEntry> = new Map()
  /** Transactions without one. */
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

  /** A call follows a transaction that is confirmed already: its state is repeated. */
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

  /** A call follows a transaction that is valid already: its state is repeated. */
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

  /** The node's ledger holds none of them any more. */
  withdrawValid(): void {
    for (const entry of this.entries()) {
      const { current } = entry
      if (current.state === 'valid') entry.current = { state: 'sent' }
      else if (current.state === 'unknown') entry.current = { ...current, wasValid: false }
    }
  }

  /** Messages about all of them may have been missed. */
  markUncertain(): void {
    for (const entry of this.entries()) entry.uncertain = true
  }

  /** Settles the listeners; returns a function that announces it, if there is anything to announce. */
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

  /** Refused, or of unknown outcome, as the refusal's tag says; it is watched on. */
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
