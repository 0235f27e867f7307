import type { HeadInFlight } from '../bridge/submissions/inFlight.js'
import { TxExpiredError } from '../errors/client.js'
import { decodeLedgerError } from './ledgerError.js'
import type { OwnTx, OwnTxsContext } from './ownTx.js'
import { refOf } from './PendingView.js'
import type { SettledTx } from './types.js'

/**
 * Where the node does not tell its ledger's slot, which is that of the newest block: wait this long past the bound, ms. A block comes every 20 s on
 * average; that none comes for ten minutes has a chance of one in 10^13, and nodes from 1.3 on report long silences as not in sync.
 */
const BLIND_MARGIN_MS = 600_000
/** Between two reviews, ms. */
const REVIEW_MS = 5_000

/** Sent transactions whose outcome nobody could say: reviewed until the head's state, its history or their bound decides each of them. */
export class UncertainTxs {
  readonly #context: Pick<OwnTxsContext, 'bridge' | 'slotAt' | 'subscribe'>
  readonly #settle: (own: OwnTx, settled: SettledTx) => void
  readonly #txs = new Set<OwnTx>()
  #review: Promise<void> | null = null
  #nextReview: Promise<void> | null = null
  #stopReviews: (() => void) | null = null

  constructor(context: Pick<OwnTxsContext, 'bridge' | 'slotAt' | 'subscribe'>, settle: (own: OwnTx, settled: SettledTx) => void) {
    this.#context = context
    this.#settle = settle
  }

  /** Takes a transaction in, and resolves after a review of it. */
  async add(own: OwnTx): Promise<void> {
    this.#txs.add(own)
    this.#stopReviews ??= this.#startReviews()
    await this.review()
  }

  /** A transaction has settled. */
  delete(own: OwnTx): void {
    this.#txs.delete(own)
    if (this.#txs.size > 0) return
    this.#stopReviews?.()
    this.#stopReviews = null
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

  /** Looks at all of them again: the head's state may decide them by now. One review at a time; resolves after one that has begun since the call. */
  review(): Promise<void> {
    if (this.#review === null) return this.#startReview()
    const startNext = (): Promise<void> => {
      this.#nextReview = null
      return this.#startReview()
    }
    return (this.#nextReview ??= this.#review.then(startNext, startNext))
  }

  #startReview(): Promise<void> {
    const review = this.#reviewAll([...this.#txs]).finally(() => {
      if (this.#review === review) this.#review = null
    })
    return (this.#review = review)
  }

  async #reviewAll(uncertain: readonly OwnTx[]): Promise<void> {
    const { bridge } = this.#context
    // Before the state: what is confirmed in between shows there.
    const node = uncertain.some((own) => this.#isPast(own, Date.now())) ? await bridge.inFlight().catch(() => null) : null
    for (const own of uncertain) {
      const { txId, outputs, inputs } = own.pending
      const { state, seeded } = bridge.getSnapshot()
      if (state !== 'connected' || !seeded || !this.#txs.has(own)) continue
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
      if (!this.#txs.has(own) || found === null) continue
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
}
