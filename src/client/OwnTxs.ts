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
    this.#uncertain = new UncertainTxs(context, (own, settled) => this.#settle(own, settled))
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
    const own = this.#create(built, this.#context.view.reserve(built), expiry)
    this.#txs.set(built.txId, own)
    return own
  }

  /**
   * Watches an earlier attempt, which a newer one excludes by spending the same input. Its inputs are not reserved; it
   * may still be confirmed.
   */
  recall(built: NewTx, expiry: TxExpiry | null): OwnTx {
    const own = this.#create(built, this.#context.view.describe(built), expiry)
    own.progress.set({ state: 'superseded' })
    this.#refused.add(own)
    return own
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
  abandon(own: OwnTx): void {
    this.rollBack(own)
    this.#context.changed()
  }

  /** Abandons a transaction of which no listener has been told yet; listeners are not called. */
  rollBack(own: OwnTx): void {
    const { view } = this.#context
    for (const pending of [own.pending, ...view.descendantsOf(own.pending)]) {
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
  async parentsSent(own: OwnTx): Promise<boolean> {
    for (const { txId } of own.pending.parents) {
      const parent = this.#txs.get(txId)
      if (parent !== undefined && !(await handedOver(parent))) return false
    }
    return !own.isOrphaned && this.#txs.get(own.pending.txId) === own
  }

  /** Sends a signed transaction and follows it to its end. */
  send(own: OwnTx, cborHex: string): void {
    const { txId } = own.pending
    own.sentOver = this.#context.connections
    const leftMs =
      own.expiresAt === null ? WATCH_UNBOUNDED_MS : Math.max(own.expiresAt - Date.now(), 0) + BOUND_GRACE_MS
    own.progress.set({ state: 'handedOver' })
    this.#context.bridge
      .submitTxSync({ type: 'Witnessed Tx ConwayEra', description: '', cborHex, txId }, { timeout: leftMs })
      .catch((error: Error) => this.#onCallFailed(own, error))
  }

  /**
   * Follows a transaction that an earlier process sent and the node holds, by the head's state, until its end is known.
   */
  watch(own: OwnTx): void {
    own.sentOver = this.#context.connections
    this.#onUnknown(own, new Error('an earlier process sent it'))
  }

  /** Settles a transaction that the head's state or history shows as confirmed. */
  confirm(own: OwnTx, end: ConfirmedEnd): void {
    this.#settle(own, end)
  }

  /** Applies a transaction's state that the bridge announces; the transaction may be another client's. */
  onTxState(txId: string, tx: TxState): void {
    const own = this.#txs.get(txId)
    if (tx.state === 'confirmed') {
      const { exact, verified, snapshot } = tx
      const later = snapshot?.snapshot.number ?? this.#context.bridge.lastSnapshotNumber
      const snapshotNumber = exact ? tx.snapshotNumber : later
      const end: ConfirmedEnd = { txId, outcome: 'confirmed', snapshotNumber, exact, verified }
      return own === undefined ? this.revise(end) : this.#settle(own, end)
    }
    if (own === undefined) return
    if (tx.state === 'refused') this.#fail(own, tx.error)
    else if (tx.state === 'unknown') this.#onUnknown(own, tx.error)
    else own.progress.set(tx)
  }

  /** Settles a refused transaction as confirmed after all, so that its caller receives a correction. */
  revise(end: ConfirmedEnd): void {
    const own = this.#refused.remove(end.txId)
    if (own === undefined) return
    this.#context.remember(end)
    this.#markConfirmed(own, end)
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
    for (const own of this.#refused.all()) if (own.isReported) yield own
  }

  /** Removes a transaction that a new attempt replaces: frees its inputs, and watches it like a refused one. */
  supersede(own: OwnTx): void {
    const { txId } = own.pending
    if (this.#txs.get(txId) !== own) return
    this.#txs.delete(txId)
    this.#uncertain.delete(own)
    for (const pending of this.#context.view.descendantsOf(own.pending)) pending.offered = false
    this.#context.view.remove(own.pending)
    this.#refused.add(own)
    own.progress.set({ state: 'superseded' })
    this.#context.changed()
  }

  /** Looks at transactions of uncertain outcome again: the head's state may decide them by now. */
  async review(): Promise<void> {
    await this.#uncertain.review()
  }

  // The call ends without a state of the transaction: the time was up, or it was not sent.
  #onCallFailed(own: OwnTx, error: Error): void {
    if (!isLayerError(error, 'BRIDGE_SUBMIT'))
      return this.#settle(own, { txId: own.pending.txId, outcome: 'rejected', error })
    if (error.tag === 'NotConnected') this.#dropUnsent(own)
    else if (error.tag === 'Timeout') this.#onUnknown(own, error)
  }

  #fail(own: OwnTx, error: SubmitError): void {
    const undecided = own.pending.parents.flatMap(({ txId: parent }) => this.#txs.get(parent) ?? [])
    if (undecided.length === 0) return this.#refuse(own, error)
    // The node answers a parent before its child, but the bridge may still be checking the state for the parent's
    // refusal, which would be the cause of this one.
    own.pending.offered = false
    void Promise.all(undecided.map(answered)).then(() => this.#refuse(own, error))
  }

  #refuse(own: OwnTx, error: SubmitError): void {
    const reason = ownRefusalOf(own, error, this.#context.bridge.headStatus)
    // Its descendants will be refused by the node as well: each waits for its own verdict and then names this one as
    // the cause.
    for (const pending of this.#context.view.descendantsOf(own.pending)) {
      pending.offered = false
      const child = this.#txs.get(pending.txId)
      if (child !== undefined && reason instanceof LedgerError) child.refusedAncestor ??= reason
    }
    if (this.#txs.get(own.pending.txId) === own) this.#refused.add(own)
    this.#settle(own, { txId: own.pending.txId, outcome: 'rejected', error: reason })
  }

  // Descendants that were sent will be refused; the others are built again.
  #dropUnsent(own: OwnTx): void {
    own.isOrphaned = true
    for (const pending of this.#context.view.descendantsOf(own.pending)) {
      pending.offered = false
      const child = this.#txs.get(pending.txId)
      if (child !== undefined) child.isOrphaned = true
    }
    this.#settle(own, { txId: own.pending.txId, outcome: 'rejected', error: new NotConnectedError('The payment') })
  }

  #onUnknown(own: OwnTx, error: Error): void {
    if (this.#txs.get(own.pending.txId) !== own || own.progress.now.state === 'unknown') return
    own.progress.set({ state: 'unknown', error, isReviewed: false })
    for (const pending of [own.pending, ...this.#context.view.descendantsOf(own.pending)]) pending.offered = false
    this.#context.changed()
    // At its bound the head's state decides most transactions; only the undecided ones are reported as unknown.
    void this.#uncertain.add(own).then(() => {
      if (own.progress.now.state === 'unknown') own.progress.set({ state: 'unknown', error, isReviewed: true })
    })
  }

  #settle(own: OwnTx, settled: SettledTx): void {
    if (this.#txs.get(own.pending.txId) !== own) return
    this.#txs.delete(own.pending.txId)
    this.#uncertain.delete(own)
    const { view } = this.#context
    const descendants = view.descendantsOf(own.pending)
    view.remove(own.pending)
    // Outputs that an uncertain ancestor held back can be built on again.
    if (settled.outcome === 'confirmed') for (const pending of descendants) pending.offered ||= this.#canOffer(pending)
    if (settled.outcome === 'confirmed') this.#markConfirmed(own, settled)
    else own.progress.set({ state: 'settled', end: settled })
    this.#context.remember(settled)
    this.#context.changed()
  }

  // Its parents are confirmed too: a chain must not keep all transactions before it.
  #markConfirmed(own: OwnTx, end: ConfirmedEnd): void {
    own.fate = end
    own.parents = []
    own.progress.set({ state: 'settled', end })
  }

  #canOffer(pending: PendingTx): boolean {
    const own = this.#txs.get(pending.txId)
    return (
      own !== undefined &&
      !this.#uncertain.has(own) &&
      own.refusedAncestor === null &&
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
