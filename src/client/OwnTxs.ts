import { isLayerError } from '../errors/base.js'
import { NotConnectedError } from '../errors/bridge.js'
import { LedgerError } from '../errors/client.js'
import type { SubmitError } from '../errors/operation.js'
import type { TxState } from '../bridge/inner.js'
import type { ConfirmedEnd } from './certainFate.js'
import type { NewTx, OwnTx, OwnTxsContext, OwnTxState, TxExpiry } from './ownTx.js'
import { ownRefusalOf } from './ownTx.js'
import type { PendingTx } from './PendingView.js'
import { refOf } from './PendingView.js'
import { RefusedTxs } from './RefusedTxs.js'
import type { SettledTx } from './types.js'
import { UncertainTxs } from './UncertainTxs.js'
import { WaitableState } from './WaitableState.js'

/** Time for which a transaction without an upper bound of validity is followed before it counts as uncertain, ms. */
const WATCH_UNBOUNDED_MS = 3_600_000
/**
 * Time after the end of its validity for which a transaction is followed by messages alone, ms; then the node is asked.
 */
const BOUND_GRACE_MS = 2_000

/** The client's transactions whose end is not known yet: reserves, sends and follows each of them. */
export class OwnTxs {
  readonly #context: OwnTxsContext
  readonly #txs = new Map<string, OwnTx>()
  readonly #uncertain: UncertainTxs
  readonly #refused = new RefusedTxs()

  constructor(context: OwnTxsContext) {
    this.#context = context
    this.#uncertain = new UncertainTxs(context, (ownTx, settled) => this.#settle(ownTx, settled))
  }

  /** Returns a transaction that is not settled. `txId`: hex, 64 characters, lower case. */
  get(txId: string): OwnTx | undefined {
    return this.#txs.get(txId)
  }

  /** Number of transactions that are not settled. */
  get size(): number {
    return this.#txs.size
  }

  /**
   * Reserves a transaction's inputs and offers its outputs for spending. Listeners are not called, so that a caller
   * that reserves several transactions announces them once.
   *
   * @param expiry - null: it has no upper bound of validity
   */
  add(built: NewTx, expiry: TxExpiry | null): OwnTx {
    this.#context.forget(built.txId)
    this.#refused.remove(built.txId)
    const ownTx = this.#create(built, this.#context.view.reserve(built), expiry)
    this.#txs.set(built.txId, ownTx)
    return ownTx
  }

  /**
   * Watches an earlier attempt, which a newer one excludes by spending the same input. Its inputs are not reserved; it
   * may still be confirmed.
   */
  recall(built: NewTx, expiry: TxExpiry | null): OwnTx {
    const ownTx = this.#create(built, this.#context.view.describe(built), expiry)
    ownTx.progress.set({ state: 'superseded' })
    this.#refused.add(ownTx)
    return ownTx
  }

  #create(built: NewTx, pending: PendingTx, expiry: TxExpiry | null): OwnTx {
    const { bridge } = this.#context
    const confirmedInputs = built.spent ?? built.inputs.map(refOf).filter((ref) => bridge.isUnspent(ref) === true)
    return {
      pending,
      parents: pending.parents.flatMap(({ txId }) => this.#txs.get(txId) ?? []),
      cborHex: built.cborHex,
      fee: built.fee,
      expirySlot: expiry?.slot ?? null,
      expiresAt: expiry?.at ?? null,
      confirmedInputs,
      progress: new WaitableState<OwnTxState>({ state: 'reserved' }),
      fate: 'open',
      sentOver: 0,
      isReported: false,
      refusedAncestor: null,
      isOrphaned: false
    }
  }

  /** Abandons a transaction that was not sent, with those built on it: none of them can have been sent either. */
  abandon(ownTx: OwnTx): void {
    this.rollBack(ownTx)
    this.#context.changed()
  }

  /** Abandons a transaction of which no listener has been told yet; listeners are not called. */
  rollBack(ownTx: OwnTx): void {
    const { view } = this.#context
    for (const pending of [ownTx.pending, ...view.descendantsOf(ownTx.pending)]) {
      const each = this.#txs.get(pending.txId)
      view.remove(pending)
      // An equal payment, which has the same id, may have replaced it.
      if (each?.pending !== pending) continue
      this.#txs.delete(pending.txId)
      each.progress.set({ state: 'abandoned' })
    }
  }

  /**
   * Waits until all transactions that it builds on have been sent. @returns false when that will never be, so that it
   * has to be built again
   */
  async parentsSent(ownTx: OwnTx): Promise<boolean> {
    for (const { txId } of ownTx.pending.parents) {
      const parent = this.#txs.get(txId)
      if (parent !== undefined && !(await handedOver(parent))) return false
    }
    return !ownTx.isOrphaned && this.#txs.get(ownTx.pending.txId) === ownTx
  }

  /** Sends a signed transaction and follows it to its end. */
  send(ownTx: OwnTx, cborHex: string): void {
    const { txId } = ownTx.pending
    ownTx.sentOver = this.#context.connections
    const leftMs =
      ownTx.expiresAt === null ? WATCH_UNBOUNDED_MS : Math.max(ownTx.expiresAt - Date.now(), 0) + BOUND_GRACE_MS
    ownTx.progress.set({ state: 'handedOver' })
    this.#context.bridge
      .submitTxSync({ type: 'Witnessed Tx ConwayEra', description: '', cborHex, txId }, { timeout: leftMs })
      .catch((error: Error) => this.#onCallFailed(ownTx, error))
  }

  /**
   * Follows a transaction that an earlier process sent and the node holds, by the head's state, until its end is known.
   */
  watch(ownTx: OwnTx): void {
    ownTx.sentOver = this.#context.connections
    this.#onUnknown(ownTx, new Error('an earlier process sent it'))
  }

  /** Settles a transaction that the head's state or history shows as confirmed. */
  confirm(ownTx: OwnTx, end: ConfirmedEnd): void {
    this.#settle(ownTx, end)
  }

  /** Applies a transaction's state that the bridge announces; the transaction may be another client's. */
  onTxState(txId: string, tx: TxState): void {
    const ownTx = this.#txs.get(txId)
    if (tx.state === 'confirmed') {
      const { exact, verified, snapshot } = tx
      const later = snapshot?.snapshot.number ?? this.#context.bridge.lastSnapshotNumber
      const snapshotNumber = exact ? tx.snapshotNumber : later
      const end: ConfirmedEnd = { txId, outcome: 'confirmed', snapshotNumber, exact, verified }
      return ownTx === undefined ? this.revise(end) : this.#settle(ownTx, end)
    }
    if (ownTx === undefined) return
    if (tx.state === 'refused') this.#fail(ownTx, tx.error)
    else if (tx.state === 'unknown') this.#onUnknown(ownTx, tx.error)
    else ownTx.progress.set(tx)
  }

  /** Settles a refused transaction as confirmed after all, so that its caller receives a correction. */
  revise(end: ConfirmedEnd): void {
    const ownTx = this.#refused.remove(end.txId)
    if (ownTx === undefined) return
    this.#context.remember(end)
    this.#markConfirmed(ownTx, end)
    this.#context.changed()
  }

  /** Returns a refused transaction that may still be confirmed. */
  refused(txId: string): OwnTx | undefined {
    return this.#refused.get(txId)
  }

  /**
   * Returns refused transactions that may still be confirmed although their callers received the refusal: new payments
   * have to exclude them by spending one of their inputs.
   */
  *reported(): Generator<OwnTx> {
    for (const ownTx of this.#refused.all()) if (ownTx.isReported) yield ownTx
  }

  /** Removes a transaction that a new attempt replaces: frees its inputs, and watches it like a refused one. */
  supersede(ownTx: OwnTx): void {
    const { txId } = ownTx.pending
    if (this.#txs.get(txId) !== ownTx) return
    this.#txs.delete(txId)
    this.#uncertain.delete(ownTx)
    for (const pending of this.#context.view.descendantsOf(ownTx.pending)) pending.offered = false
    this.#context.view.remove(ownTx.pending)
    this.#refused.add(ownTx)
    ownTx.progress.set({ state: 'superseded' })
    this.#context.changed()
  }

  /** Looks at transactions of uncertain outcome again: the head's state may decide them by now. */
  async review(): Promise<void> {
    await this.#uncertain.review()
  }

  // The call ends without a state of the transaction: the time was up, or it was not sent.
  #onCallFailed(ownTx: OwnTx, error: Error): void {
    if (!isLayerError(error, 'BRIDGE_SUBMIT'))
      return this.#settle(ownTx, { txId: ownTx.pending.txId, outcome: 'rejected', error })
    if (error.tag === 'NotConnected') this.#dropUnsent(ownTx)
    else if (error.tag === 'Timeout') this.#onUnknown(ownTx, error)
  }

  #fail(ownTx: OwnTx, error: SubmitError): void {
    const undecided = ownTx.pending.parents.flatMap(({ txId: parent }) => this.#txs.get(parent) ?? [])
    if (undecided.length === 0) return this.#refuse(ownTx, error)
    // The node answers a parent before its child, but the bridge may still be checking the state for the parent's
    // refusal, which would be the cause of this one.
    ownTx.pending.offered = false
    void Promise.all(undecided.map(answered)).then(() => this.#refuse(ownTx, error))
  }

  #refuse(ownTx: OwnTx, error: SubmitError): void {
    const reason = ownRefusalOf(ownTx, error, this.#context.bridge.headStatus)
    // Its descendants will be refused by the node as well: each waits for its own verdict and then names this one as
    // the cause.
    for (const pending of this.#context.view.descendantsOf(ownTx.pending)) {
      pending.offered = false
      const child = this.#txs.get(pending.txId)
      if (child !== undefined && reason instanceof LedgerError) child.refusedAncestor ??= reason
    }
    if (this.#txs.get(ownTx.pending.txId) === ownTx) this.#refused.add(ownTx)
    this.#settle(ownTx, { txId: ownTx.pending.txId, outcome: 'rejected', error: reason })
  }

  // Descendants that were sent will be refused; the others are built again.
  #dropUnsent(ownTx: OwnTx): void {
    ownTx.isOrphaned = true
    for (const pending of this.#context.view.descendantsOf(ownTx.pending)) {
      pending.offered = false
      const child = this.#txs.get(pending.txId)
      if (child !== undefined) child.isOrphaned = true
    }
    this.#settle(ownTx, { txId: ownTx.pending.txId, outcome: 'rejected', error: new NotConnectedError('The payment') })
  }

  #onUnknown(ownTx: OwnTx, error: Error): void {
    if (this.#txs.get(ownTx.pending.txId) !== ownTx || ownTx.progress.now.state === 'unknown') return
    ownTx.progress.set({ state: 'unknown', error, isReviewed: false })
    for (const pending of [ownTx.pending, ...this.#context.view.descendantsOf(ownTx.pending)]) pending.offered = false
    this.#context.changed()
    // At its bound the head's state decides most transactions; only the undecided ones are reported as unknown.
    void this.#uncertain.add(ownTx).then(() => {
      if (ownTx.progress.now.state === 'unknown') ownTx.progress.set({ state: 'unknown', error, isReviewed: true })
    })
  }

  #settle(ownTx: OwnTx, settled: SettledTx): void {
    if (this.#txs.get(ownTx.pending.txId) !== ownTx) return
    this.#txs.delete(ownTx.pending.txId)
    this.#uncertain.delete(ownTx)
    const { view } = this.#context
    const descendants = view.descendantsOf(ownTx.pending)
    view.remove(ownTx.pending)
    // Outputs that an uncertain ancestor held back can be built on again.
    if (settled.outcome === 'confirmed') for (const pending of descendants) pending.offered ||= this.#canOffer(pending)
    if (settled.outcome === 'confirmed') this.#markConfirmed(ownTx, settled)
    else ownTx.progress.set({ state: 'settled', end: settled })
    this.#context.remember(settled)
    this.#context.changed()
  }

  // Its parents are confirmed too: a chain must not keep all transactions before it.
  #markConfirmed(ownTx: OwnTx, end: ConfirmedEnd): void {
    ownTx.fate = end
    ownTx.parents = []
    ownTx.progress.set({ state: 'settled', end })
  }

  #canOffer(pending: PendingTx): boolean {
    const ownTx = this.#txs.get(pending.txId)
    return (
      ownTx !== undefined &&
      !this.#uncertain.has(ownTx) &&
      ownTx.refusedAncestor === null &&
      pending.parents.every(({ txId, offered }) => offered || !this.#txs.has(txId))
    )
  }
}

/** Resolves with true once a transaction has been given to the bridge, or with false once it is abandoned. */
export async function handedOver({ progress }: OwnTx): Promise<boolean> {
  return (await progress.untilNot('reserved')).state !== 'abandoned'
}

/** Resolves with the first answer about a transaction: it is valid, it has ended, or its outcome is unknown. */
async function answered({ progress }: OwnTx): Promise<void> {
  await progress.untilAny(['valid', 'unknown', 'superseded', 'abandoned', 'settled'])
}
