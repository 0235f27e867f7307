import type { HeadInFlight } from '../bridge/inner.js'
import { TxExpiredError } from '../errors/client.js'
import { now } from '../net/timers.js'
import { fateByHistory, fateOf, isCertain } from './fate.js'
import type { CertainFate } from './certainFate.js'
import type { Fate } from './fate.js'
import { decodeLedgerError, inputsSpentError } from './ledgerError.js'
import type { OwnTx, OwnTxsContext } from './ownTx.js'
import { refOf } from './PendingView.js'
import type { SettledTx } from './types.js'

/**
 * Wait past the end of a transaction's validity when the node does not report its ledger's slot, which is that of the
 * newest block, ms. A block comes every 20 s on average; ten minutes without one have a chance of one in 10^13, and
 * nodes from 1.3 on report long silences as not in sync.
 */
const BLIND_MARGIN_MS = 600_000
/** Interval between two reviews (checks of all transactions of unknown outcome), ms. */
const REVIEW_MS = 5_000

/** Parts of the client that the reviews need. */
export type UncertainContext = Pick<OwnTxsContext, 'bridge' | 'slotAt' | 'subscribe' | 'history'>

/**
 * Sent transactions of unknown outcome: reviewed until the head's state, its history or their bound decides
 * each of them.
 */
export class UncertainTxs {
  readonly #context: UncertainContext
  readonly #settle: (ownTx: OwnTx, settled: SettledTx) => void
  readonly #txs = new Set<OwnTx>()
  #review: Promise<void> | null = null
  #nextReview: Promise<void> | null = null
  #stopReviews: (() => void) | null = null
  #node: { readonly at: number; readonly answer: Promise<HeadInFlight | null> } | null = null

  constructor(context: UncertainContext, settle: (ownTx: OwnTx, settled: SettledTx) => void) {
    this.#context = context
    this.#settle = settle
  }

  /** Adds a transaction, and resolves after a review of it. */
  async add(ownTx: OwnTx): Promise<void> {
    this.#txs.add(ownTx)
    this.#stopReviews ??= this.#startReviews()
    await this.review()
  }

  /** True while its outcome is unknown. */
  has(ownTx: OwnTx): boolean {
    return this.#txs.has(ownTx)
  }

  /** Removes a transaction that has settled. */
  delete(ownTx: OwnTx): void {
    this.#txs.delete(ownTx)
    if (this.#txs.size > 0) return
    this.#stopReviews?.()
    this.#stopReviews = null
  }

  // At each change of the head, and now and then besides: time passes without one.
  #startReviews(): () => void {
    let timer: unknown
    const stop = (): void => {
      clearInterval(timer as number)
      timer = undefined
    }
    const look = (): void => {
      // After disconnect() no timer runs on; the next connection is a change.
      if (/^(disconnected|failed)$/.test(this.#context.bridge.getSnapshot().state)) return stop()
      if (timer === undefined) {
        timer = setInterval(() => void this.review(), REVIEW_MS)
        ;(timer as { unref?: () => void }).unref?.()
      }
      void this.review()
    }
    const unsubscribe = this.#context.subscribe(look)
    look()
    return () => {
      unsubscribe()
      stop()
    }
  }

  /**
   * Checks all of them again, because the head's state may decide them by now. Only one review runs at a time; resolves
   * after a review that began after this call.
   */
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
    // Before the state: a confirmation in between shows there.
    const node = await this.#askNode(uncertain)
    for (const ownTx of uncertain) {
      const { state, ready } = this.#context.bridge.getSnapshot()
      if (state !== 'connected' || !ready || !this.#txs.has(ownTx)) continue
      const fate = fateOf(this.#context, ownTx)
      if (isCertain(fate)) this.#end(ownTx, fate)
      else await this.#decide(ownTx, fate, this.#isExpired(ownTx, node))
    }
  }

  async #decide(ownTx: OwnTx, fate: Fate, isExpired: boolean): Promise<void> {
    const { bridge, history } = this.#context
    const { txId, inputs } = ownTx.pending
    if (inputs.length > 0 && inputs.every((utxo) => bridge.isUnspent(refOf(utxo)) === true)) {
      if (!isExpired) return
      ownTx.fate = 'dead'
      return this.#settle(ownTx, { txId, outcome: 'rejected', error: new TxExpiredError(txId) })
    }
    // Its inputs wait for its parents: the history is read at its bound.
    if ((fate === 'open' && !isExpired) || !history.isDue(ownTx, isExpired)) return
    // Confirmed and spent on, or its inputs went elsewhere: the history knows.
    const found = await history.find(ownTx, isExpired)
    if (!this.#txs.has(ownTx) || found === null) return
    const decided = fateByHistory(this.#context, ownTx, { before: fate, found })
    if (isCertain(decided)) this.#end(ownTx, decided, found.status === 'invalid' ? found.reason : undefined)
    else if (isExpired) this.#settle(ownTx, { txId, outcome: 'unknown' })
  }

  #end(ownTx: OwnTx, fate: CertainFate, reason?: string): void {
    if (fate !== 'dead') return this.#settle(ownTx, fate)
    const { txId } = ownTx.pending
    ownTx.fate = 'dead'
    this.#settle(ownTx, {
      txId,
      outcome: 'rejected',
      error: reason === undefined ? inputsSpentError(txId) : decodeLedgerError(txId, reason)
    })
  }

  /**
   * Once one of them is past its validity by the clock, asks the node for the time of its ledger and the transactions
   * that it is signing: at most once per interval, however often the reviews run.
   */
  async #askNode(uncertain: readonly OwnTx[]): Promise<HeadInFlight | null> {
    if (!uncertain.some((ownTx) => this.#isPast(ownTx, Date.now()))) return null
    if (this.#node === null || now() - this.#node.at >= REVIEW_MS)
      this.#node = { at: now(), answer: this.#context.bridge.inFlight().catch(() => null) }
    return this.#node.answer
  }

  #isPast({ expirySlot }: OwnTx, timeMs: number): boolean {
    const slot = this.#context.slotAt(timeMs)
    return expirySlot !== null && slot !== null && slot >= expirySlot
  }

  /**
   * Returns true when a transaction can never be confirmed: the node's ledger is past its validity, so that the node
   * signs no new snapshot with it, and no snapshot with it waits for signatures of the other parties.
   */
  #isExpired(ownTx: OwnTx, node: HeadInFlight | null): boolean {
    if (node?.signing.includes(ownTx.pending.txId) === true) return false
    if (node?.slot != null) return ownTx.expirySlot !== null && node.slot >= ownTx.expirySlot
    return this.#context.bridge.getSnapshot().synced !== false && this.#isPast(ownTx, Date.now() - BLIND_MARGIN_MS)
  }
}
