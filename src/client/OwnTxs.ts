import { isLayerError } from '../errors/base.js'
import { NotConnectedError } from '../errors/bridge.js'
import { LedgerError } from '../errors/client.js'
import type { SubmitError } from '../errors/operation.js'
import type { SubmitTxResult } from '../bridge/txs/submitTx.js'
import type { UTxO } from '../types/utxo.js'
import { deferred } from './deferred.js'
import type { ConfirmedEnd } from './fate.js'
import type { OwnTx, OwnTxsContext } from './ownTx.js'
import { isVerifying, refusalOf } from './ownTx.js'
import type { PendingTx } from './PendingView.js'
import { refOf } from './PendingView.js'
import type { SettledTx } from './types.js'
import { UncertainTxs } from './UncertainTxs.js'

/** A bridge watches a transaction without a bound this long before it is treated as uncertain, ms. */
const WATCH_UNBOUNDED_MS = 3_600_000
/** After its bound a transaction is followed this long by messages alone, ms; then the node is asked. */
const BOUND_GRACE_MS = 2_000
/** Bounds what was refused and may be confirmed all the same. */
const MAX_REFUSED = 1_000
/**
 * A refused transaction can be confirmed for this long after its bound by the clock: the node's ledger lags behind, ms.
 */
const REVISION_MARGIN_MS = 600_000

/** The transactions of one client that are not settled, and how each of them ends. */
export class OwnTxs {
  readonly #context: OwnTxsContext
  readonly #txs = new Map<string, OwnTx>()
  readonly #uncertain: UncertainTxs
  /** Refused, or given up for another attempt, oldest first: until their bound, each may be confirmed all the same. */
  readonly #refused = new Map<string, OwnTx>()

  constructor(context: OwnTxsContext) {
    this.#context = context
    this.#uncertain = new UncertainTxs(context, (own, settled) => this.#settle(own, settled))
  }

  /** A transaction that is not settled. `txId`: hex, 64 characters, lower case. */
  get(txId: string): OwnTx | undefined {
    return this.#txs.get(txId)
  }

  /** How many transactions are not settled. */
  get size(): number {
    return this.#txs.size
  }

  /**
   * Reserves a transaction's inputs and offers its outputs; listeners are not called: whoever reserves several
   * announces them once.
   *
   * @param built - the transaction: `txId`, `cborHex`, `fee` (lovelace), `inputs`, `outputs`
   * @param expiry - first `slot` at which it can no longer be confirmed, and the time `at` which that comes (ms since
   * the Unix epoch); null: never
   */
  add(
    built: { txId: string; cborHex: string; fee: bigint; inputs: readonly UTxO[]; outputs: readonly UTxO['output'][] },
    expiry: { slot: number; at: number } | null
  ): OwnTx {
    const { bridge, view } = this.#context
    this.#context.forget(built.txId)
    this.#refused.delete(built.txId)
    const confirmedInputs = built.inputs.map(refOf).filter((ref) => bridge.isUnspent(ref) === true)
    const pending = view.reserve(built)
    const own: OwnTx = {
      pending,
      parents: pending.parents.flatMap(({ txId }) => this.#txs.get(txId) ?? []),
      cborHex: built.cborHex,
      fee: built.fee,
      expirySlot: expiry?.slot ?? null,
      expiresAt: expiry?.at ?? null,
      confirmedInputs,
      sent: deferred(),
      submitted: deferred(),
      valid: deferred(),
      answered: deferred(),
      uncertain: deferred(),
      end: deferred(),
      revised: deferred(),
      isRefused: false,
      isDead: false,
      confirmed: null,
      sentOver: 0,
      isReported: false,
      isUncertain: false,
      refusedAncestor: null,
      isOrphaned: false
    }
    this.#txs.set(built.txId, own)
    return own
  }

  /** Takes a transaction back that was not sent, with those built on it: none of them can have been sent either. */
  abandon(own: OwnTx): void {
    this.rollBack(own)
    this.#context.changed()
  }

  /** {@link abandon} of what nobody has been told of. */
  rollBack(own: OwnTx): void {
    const { view } = this.#context
    for (const pending of [own.pending, ...view.descendantsOf(own.pending)]) {
      const each = this.#txs.get(pending.txId)
      view.remove(pending)
      // An equal payment may have taken its place, and with it its id.
      if (each?.pending !== pending) continue
      this.#txs.delete(pending.txId)
      each.sent.resolve(false)
    }
  }

  /**
   * Waits until everything it builds on has been sent. @returns false when that will never be: it has to be built anew
   */
  async parentsSent(own: OwnTx): Promise<boolean> {
    for (const { txId } of own.pending.parents) {
      const parent = this.#txs.get(txId)
      if (parent !== undefined && !(await parent.sent.promise)) return false
    }
    return !own.isOrphaned && this.#txs.get(own.pending.txId) === own
  }

  /** Sends it and follows it to its end. */
  send(own: OwnTx, cborHex: string): void {
    const { txId } = own.pending
    own.sentOver = this.#context.connections
    const leftMs =
      own.expiresAt === null ? WATCH_UNBOUNDED_MS : Math.max(own.expiresAt - Date.now(), 0) + BOUND_GRACE_MS
    const verdict = this.#context.bridge.submitTxSync(
      { type: 'Witnessed Tx ConwayEra', description: '', cborHex, txId },
      { timeout: leftMs }
    )
    own.sent.resolve(true)
    verdict.then(
      (result) => this.#confirm(own, result),
      (error: Error) => this.#fail(own, error)
    )
  }

  /** A transaction has left for the node. */
  onSubmitted(txId: string): void {
    this.#txs.get(txId)?.submitted.resolve()
  }

  /** The node has taken a transaction. */
  onValid(txId: string): void {
    const own = this.#txs.get(txId)
    own?.valid.resolve()
    own?.answered.resolve()
  }

  /** A confirmation that came after the bridge had answered. */
  onLateConfirmation(txId: string, snapshotNumber: number): void {
    const own = this.#txs.get(txId)
    const verified = isVerifying(this.#context)
    if (own !== undefined) this.#settle(own, { txId, outcome: 'confirmed', snapshotNumber, exact: true, verified })
    else this.revise({ txId, outcome: 'confirmed', snapshotNumber, exact: true, verified })
  }

  /** A refused transaction is confirmed all the same: an answer that was given is corrected. */
  revise(end: ConfirmedEnd): void {
    const own = this.#refused.get(end.txId)
    if (own === undefined) return
    this.#refused.delete(end.txId)
    this.#context.remember(end)
    this.#markConfirmed(own, end)
    own.revised.resolve(end)
    this.#context.changed()
  }

  /** A refused transaction that may be confirmed all the same. */
  refused(txId: string): OwnTx | undefined {
    return this.#refused.get(txId)
  }

  /**
   * Refused transactions whose callers know it, and that may be confirmed all the same: what is paid now has to exclude
   * them.
   */
  *reported(): Generator<OwnTx> {
    for (const own of this.#refused.values()) if (own.isReported) yield own
  }

  /**
   * Takes a transaction out that another attempt is to exclude: its inputs are free, and it is watched like a refused
   * one.
   */
  supersede(own: OwnTx): void {
    const { txId } = own.pending
    if (this.#txs.get(txId) !== own) return
    this.#txs.delete(txId)
    this.#uncertain.delete(own)
    for (const pending of this.#context.view.descendantsOf(own.pending)) pending.offered = false
    this.#context.view.remove(own.pending)
    this.#watch(own)
    own.answered.resolve()
    this.#context.changed()
  }

  /** Looks at transactions of uncertain outcome again: the head's state may decide them by now. */
  async review(): Promise<void> {
    await this.#uncertain.review()
  }

  #confirm(own: OwnTx, { txId, result }: SubmitTxResult): void {
    const number = result?.snapshot.number ?? this.#context.bridge.lastSnapshotNumber
    const exact = result?.snapshot.confirmed.some((tx) => tx.txId === txId && tx.verified !== false) === true
    this.#settle(own, {
      txId,
      outcome: 'confirmed',
      snapshotNumber: number,
      exact,
      verified: isVerifying(this.#context)
    })
  }

  #fail(own: OwnTx, error: Error): void {
    const { txId } = own.pending
    if (!isLayerError(error, 'BRIDGE_SUBMIT')) return this.#settle(own, { txId, outcome: 'rejected', error })
    if (error.outcome === 'unknown') return this.#doubt(own, error)
    if (error.tag === 'NotConnected') return this.#dropUnsent(own)
    const undecided = own.pending.parents.flatMap(({ txId: parent }) => this.#txs.get(parent) ?? [])
    if (undecided.length === 0) return this.#refuse(own, error)
    // The node answers a parent before its child, but the bridge may still be asking the state about the parent's
    // refusal, which would be the cause of this one.
    own.pending.offered = false
    void Promise.all(undecided.map(({ answered }) => answered.promise)).then(() => this.#refuse(own, error))
  }

  #refuse(own: OwnTx, error: SubmitError): void {
    const reason = refusalOf(own, error, this.#context.bridge.headStatus)
    // Its descendants will be refused by the node as well: each waits for its own verdict and then names this one as
    // the cause.
    for (const pending of this.#context.view.descendantsOf(own.pending)) {
      pending.offered = false
      const child = this.#txs.get(pending.txId)
      if (child !== undefined && reason instanceof LedgerError) child.refusedAncestor ??= reason
    }
    own.isRefused = true
    if (this.#txs.get(own.pending.txId) === own) this.#watch(own)
    this.#settle(own, { txId: own.pending.txId, outcome: 'rejected', error: reason })
  }

  #watch(own: OwnTx): void {
    const { txId } = own.pending
    this.#refused.delete(txId)
    this.#refused.set(txId, own)
    for (const [each, { expiresAt }] of this.#refused) {
      const isOver = expiresAt !== null && Date.now() > expiresAt + REVISION_MARGIN_MS
      if (isOver || this.#refused.size > MAX_REFUSED) this.#refused.delete(each)
    }
  }

  // What builds on it and was sent will be refused; what was not is built anew.
  #dropUnsent(own: OwnTx): void {
    own.isOrphaned = true
    for (const pending of this.#context.view.descendantsOf(own.pending)) {
      pending.offered = false
      const child = this.#txs.get(pending.txId)
      if (child !== undefined) child.isOrphaned = true
    }
    this.#settle(own, { txId: own.pending.txId, outcome: 'rejected', error: new NotConnectedError('The payment') })
  }

  #doubt(own: OwnTx, error: Error): void {
    own.isUncertain = true
    own.answered.resolve()
    for (const pending of [own.pending, ...this.#context.view.descendantsOf(own.pending)]) pending.offered = false
    this.#context.changed()
    // At its bound the state decides most; only what it leaves open is reported as unknown.
    void this.#uncertain.add(own).then(() => own.uncertain.resolve(error))
  }

  #settle(own: OwnTx, settled: SettledTx): void {
    if (this.#txs.get(own.pending.txId) !== own) return
    this.#txs.delete(own.pending.txId)
    this.#uncertain.delete(own)
    const { view } = this.#context
    const descendants = view.descendantsOf(own.pending)
    view.remove(own.pending)
    // What an uncertain ancestor held back can be built on again.
    if (settled.outcome === 'confirmed') for (const pending of descendants) pending.offered ||= this.#canOffer(pending)
    if (settled.outcome === 'confirmed') this.#markConfirmed(own, settled)
    this.#context.remember(settled)
    own.end.resolve(settled)
    own.answered.resolve()
    this.#context.changed()
  }

  // What it builds on is confirmed too: a chain must not keep all that came before it.
  #markConfirmed(own: OwnTx, end: ConfirmedEnd): void {
    own.confirmed = end
    own.parents = []
    own.valid.resolve()
  }

  #canOffer(pending: PendingTx): boolean {
    const own = this.#txs.get(pending.txId)
    return (
      own !== undefined &&
      !own.isUncertain &&
      own.refusedAncestor === null &&
      pending.parents.every(({ txId, offered }) => offered || !this.#txs.has(txId))
    )
  }
}
