import type { LayerBridge } from '../bridge/LayerBridge.js'
import type { HeadInFlight } from '../bridge/submissions/inFlight.js'
import { isLayerError } from '../errors/base.js'
import { NotConnectedError } from '../errors/bridge.js'
import { HeadStateError, LedgerError, NodeUnsyncedError, TxExpiredError } from '../errors/client.js'
import type { SubmitError } from '../errors/operation.js'
import type { SubmitTxResult } from '../bridge/submissions/submitTx.js'
import type { UTxO } from '../types/utxo.js'
import { deferred } from './deferred.js'
import type { Deferred } from './deferred.js'
import { decodeLedgerError } from './ledgerError.js'
import type { PendingTx, PendingView } from './PendingView.js'
import { refOf } from './PendingView.js'
import type { SettledTx } from './types.js'

/** A transaction of this client from its reservation to its end. */
export interface OwnTx {
  /** Its inputs and outputs in the pending view. */
  readonly pending: PendingTx
  /** As it was built or given: CBOR hex. */
  readonly cborHex: string
  /** Lovelace. */
  readonly fee: bigint
  /** First slot at which it can no longer be confirmed; null: it carries no bound. */
  readonly expirySlot: number | null
  /** The same as a time, ms since the Unix epoch. */
  readonly expiresAt: number | null
  /** Inputs that were confirmed outputs when it was built, as `txHash#index`. */
  readonly confirmedInputs: readonly string[]
  /** True once it was sent; false when it never will be. */
  readonly sent: Deferred<boolean>
  /** It has left for the node. */
  readonly submitted: Deferred<void>
  /** The node has taken it. */
  readonly valid: Deferred<void>
  /** Nobody could say what became of it; it is watched on. */
  readonly uncertain: Deferred<Error>
  /** How it ended. */
  readonly end: Deferred<SettledTx>
  /** Whether nobody could say what became of it. */
  isUncertain: boolean
  /** An ancestor of it was refused. */
  refusedAncestor: LedgerError | null
  /** It, or an ancestor of it, was not sent after all, for the connection was gone: it can be built again without paying twice. */
  isOrphaned: boolean
}

/** What the transactions need of the client. */
export interface OwnTxsContext {
  /** Sends them, and knows the head's confirmed state. */
  readonly bridge: LayerBridge
  /** Where their inputs and outputs are kept. */
  readonly view: PendingView
  /** Slot of the head's ledger at a time, ms since the Unix epoch; null where it is not known. */
  slotAt(timeMs: number): number | null
  /** The pending view has changed. */
  changed(): void
  /** Calls `listener` after each change of the head's state. */
  subscribe(listener: () => void): () => void
  /** Keeps how a transaction ended. */
  remember(settled: SettledTx): void
  /** An earlier attempt with this id is not its end. */
  forget(txId: string): void
}

/** A bridge watches a transaction without a bound this long before it is treated as uncertain, ms. */
const WATCH_UNBOUNDED_MS = 3_600_000
/** After its bound a transaction is followed this long by messages alone, ms; then the node is asked. */
const BOUND_GRACE_MS = 2_000
/**
 * Where the node does not tell its ledger's slot, which is that of the newest block: wait this long past the bound, ms. A block comes every 20 s on
 * average; that none comes for ten minutes has a chance of one in 10^13, and nodes from 1.3 on report long silences as not in sync.
 */
const BLIND_MARGIN_MS = 600_000
/** Between two looks at uncertain transactions, ms. */
const REVIEW_MS = 5_000

/** The transactions of one client that are not settled, and how each of them ends. */
export class OwnTxs {
  readonly #context: OwnTxsContext
  readonly #txs = new Map<string, OwnTx>()
  #reviewing = false
  #stopReviews: (() => void) | null = null

  constructor(context: OwnTxsContext) {
    this.#context = context
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
   * Reserves a transaction's inputs and offers its outputs; listeners are not called: whoever reserves several announces them once.
   *
   * @param built - the transaction: `txId`, `cborHex`, `fee` (lovelace), `inputs`, `outputs`
   * @param expiry - first `slot` at which it can no longer be confirmed, and the time `at` which that comes (ms since the Unix epoch); null: never
   */
  add(
    built: { txId: string; cborHex: string; fee: bigint; inputs: readonly UTxO[]; outputs: readonly UTxO['output'][] },
    expiry: { slot: number; at: number } | null
  ): OwnTx {
    const { bridge, view } = this.#context
    this.#context.forget(built.txId)
    const confirmedInputs = built.inputs.map(refOf).filter((ref) => bridge.isUnspent(ref) === true)
    const own: OwnTx = {
      pending: view.reserve(built),
      cborHex: built.cborHex,
      fee: built.fee,
      expirySlot: expiry?.slot ?? null,
      expiresAt: expiry?.at ?? null,
      confirmedInputs,
      sent: deferred(),
      submitted: deferred(),
      valid: deferred(),
      uncertain: deferred(),
      end: deferred(),
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

  /** Waits until everything it builds on has been sent. @returns false when that will never be: it has to be built anew */
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
    const leftMs = own.expiresAt === null ? WATCH_UNBOUNDED_MS : Math.max(own.expiresAt - Date.now(), 0) + BOUND_GRACE_MS
    const verdict = this.#context.bridge.submitTxSync({ type: 'Witnessed Tx ConwayEra', description: '', cborHex, txId }, { timeout: leftMs })
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
    this.#txs.get(txId)?.valid.resolve()
  }

  /** A confirmation that came after the bridge had answered. */
  onLateConfirmation(txId: string, snapshotNumber: number): void {
    const own = this.#txs.get(txId)
    if (own !== undefined) this.#settle(own, { txId, outcome: 'confirmed', snapshotNumber, exact: true })
  }

  /** Looks at uncertain transactions again: the head's state may decide them by now. */
  async review(): Promise<void> {
    const uncertain = [...this.#txs.values()].filter(({ isUncertain }) => isUncertain)
    if (uncertain.length === 0) {
      this.#stopReviews?.()
      this.#stopReviews = null
      return
    }
    this.#stopReviews ??= this.#startReviews()
    if (this.#reviewing) return
    this.#reviewing = true
    await this.#review(uncertain).finally(() => {
      this.#reviewing = false
    })
  }

  // At each change of the head, and now and then besides: time passes without one.
  #startReviews(): () => void {
    const look = (): void => void this.review()
    const unsubscribe = this.#context.subscribe(look)
    const timer: unknown = setInterval(look, REVIEW_MS)
    ;(timer as { unref?: () => void }).unref?.()
    return () => {
      unsubscribe()
      clearInterval(timer as number)
    }
  }

  async #review(uncertain: readonly OwnTx[]): Promise<void> {
    const { bridge } = this.#context
    // Before the state: what is confirmed in between shows there.
    const node = uncertain.some((own) => this.#isPast(own, Date.now())) ? await bridge.inFlight().catch(() => null) : null
    for (const own of uncertain) {
      const { txId, outputs, inputs } = own.pending
      const { state, seeded } = bridge.getSnapshot()
      if (state !== 'connected' || !seeded || this.#txs.get(txId) !== own) continue
      if (outputs.some((utxo) => bridge.isUnspent(refOf(utxo)) === true)) {
        this.#settle(own, { txId, outcome: 'confirmed', snapshotNumber: bridge.lastSnapshotNumber, exact: false })
        continue
      }
      const isExpired = this.#isExpired(own, node)
      if (inputs.length > 0 && inputs.every((utxo) => bridge.isUnspent(refOf(utxo)) === true)) {
        if (isExpired) this.#settle(own, { txId, outcome: 'rejected', error: new TxExpiredError(txId) })
        continue
      }
      // Neither its outputs nor all of its inputs are there: confirmed and spent on, or its inputs went elsewhere. The history knows.
      const found = await bridge.findTransaction(txId).catch(() => null)
      if (this.#txs.get(txId) !== own || found === null) continue
      if (found.status === 'confirmed') this.#settle(own, { txId, outcome: 'confirmed', snapshotNumber: found.snapshotNumber, exact: found.exact })
      else if (found.status === 'invalid') this.#settle(own, { txId, outcome: 'rejected', error: decodeLedgerError(txId, found.reason) })
      else if (isExpired) this.#settle(own, { txId, outcome: 'unknown' })
    }
  }

  #isPast({ expirySlot }: OwnTx, timeMs: number): boolean {
    const slot = this.#context.slotAt(timeMs)
    return expirySlot !== null && slot !== null && slot >= expirySlot
  }

  /**
   * Whether it can never be confirmed: the node's ledger is past its bound, so that the node signs no snapshot with it any more, and it has signed none that
   * waits for the other parties.
   */
  #isExpired(own: OwnTx, node: HeadInFlight | null): boolean {
    if (node?.signing.includes(own.pending.txId) === true) return false
    if (node?.slot != null) return own.expirySlot !== null && node.slot >= own.expirySlot
    return this.#context.bridge.getSnapshot().chainSynced !== false && this.#isPast(own, Date.now() - BLIND_MARGIN_MS)
  }

  #confirm(own: OwnTx, { txId, result }: SubmitTxResult): void {
    const number = result?.snapshot.number ?? this.#context.bridge.lastSnapshotNumber
    const exact = result?.snapshot.confirmed.some((tx) => tx.txId === txId) === true
    this.#settle(own, { txId, outcome: 'confirmed', snapshotNumber: number, exact })
  }

  #fail(own: OwnTx, error: Error): void {
    const { txId } = own.pending
    if (!isLayerError(error, 'BRIDGE_SUBMIT')) return this.#settle(own, { txId, outcome: 'rejected', error })
    if (error.outcome === 'unknown') return this.#doubt(own, error)
    if (error.tag === 'NotConnected') return this.#dropUnsent(own)
    const reason = refusalOf(own, error, this.#context.bridge.headStatus)
    // Its descendants will be refused by the node as well: each waits for its own verdict and then names this one as the cause.
    for (const pending of this.#context.view.descendantsOf(own.pending)) {
      pending.offered = false
      const child = this.#txs.get(pending.txId)
      if (child !== undefined && reason instanceof LedgerError) child.refusedAncestor ??= reason
    }
    this.#settle(own, { txId, outcome: 'rejected', error: reason })
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
    for (const pending of [own.pending, ...this.#context.view.descendantsOf(own.pending)]) pending.offered = false
    this.#context.changed()
    // At its bound the state decides most; only what it leaves open is reported as unknown.
    void this.review().then(() => own.uncertain.resolve(error))
  }

  #settle(own: OwnTx, settled: SettledTx): void {
    if (this.#txs.get(own.pending.txId) !== own) return
    this.#txs.delete(own.pending.txId)
    const { view } = this.#context
    const descendants = view.descendantsOf(own.pending)
    view.remove(own.pending)
    // What an uncertain ancestor held back can be built on again.
    if (settled.outcome === 'confirmed') for (const pending of descendants) pending.offered ||= this.#canOffer(pending)
    if (settled.outcome === 'confirmed') own.valid.resolve()
    this.#context.remember(settled)
    own.end.resolve(settled)
    this.#context.changed()
  }

  #canOffer(pending: PendingTx): boolean {
    const own = this.#txs.get(pending.txId)
    return (
      own !== undefined && !own.isUncertain && own.refusedAncestor === null && pending.parents.every(({ txId, offered }) => offered || !this.#txs.has(txId))
    )
  }
}

function refusalOf(own: OwnTx, error: SubmitError, headStatus: string | null): Error {
  const { txId } = own.pending
  switch (error.tag) {
    case 'CommandFailed':
      return new HeadStateError('The payment', headStatus, ['Open'])
    case 'RejectedInputBecauseUnsynced':
      return new NodeUnsyncedError('The payment')
    case 'TxInvalid':
    case 'InvalidInput': {
      const ancestor = own.refusedAncestor
      return ancestor === null ? decodeLedgerError(txId, error.reason) : decodeLedgerError(txId, ancestor.nodeText, ancestor.ancestorTxId ?? ancestor.txId)
    }
    default:
      return error
  }
}
