import { isLayerError } from '../errors/base.js'
import type { BuiltTransaction } from '../tx/buildTx.js'
import type { UTxO } from '../types/utxo.js'
import type { Wallet } from '../types/wallet.js'
import type { ClientContext } from './ClientContext.js'
import type { Deadline } from './deadline.js'
import { MAX_DEPTH } from './limits.js'
import type { OwnTx } from './ownTx.js'
import { refOf } from './PendingView.js'
import type { Spendable } from './PendingView.js'
import { largestOf } from './selection.js'
import type { Validity } from './validity.js'
import { validityUntil } from './validity.js'

/** A transaction to be built from the wallet's outputs. */
export interface TxPlan {
  readonly action: string
  readonly wallet: Wallet
  readonly addresses: readonly string[]
  /** Units besides lovelace that it pays. */
  readonly units: readonly string[]
  /**
   * Builds it; called in one synchronous step with the reservation of its inputs.
   * @param required - outputs that it has to spend, so that it excludes an earlier attempt
   */
  build(pool: readonly UTxO[], required: readonly UTxO[], validity: Validity): BuiltTransaction
  /** Called in that same step, once its inputs are reserved. */
  onReserved?(own: OwnTx): void
}

/**
 * Builds plans one after another in one synchronous step and reserves what they spend: parallel calls never share an input.
 * @returns null when something in flight has to settle first
 * @throws what building throws; nothing is reserved then
 */
export function reserveTxs(context: ClientContext, plans: readonly TxPlan[], required: readonly UTxO[] = []): OwnTx[] | null {
  const reserved: OwnTx[] = []
  // Without a word to anybody: a waiter that heard of it would try again at once, and so on for ever.
  const rollBack = (): void => {
    for (const own of reserved.reverse()) context.txs.rollBack(own)
  }
  try {
    for (const plan of plans) {
      const own = reserveTx(context, plan, required)
      if (own === null) {
        rollBack()
        return null
      }
      reserved.push(own)
    }
  } catch (error) {
    rollBack()
    throw error
  }
  context.changed()
  return reserved
}

/** Reserves plans, waiting where outputs are held back by what is in flight. */
export async function reserveWhenPossible(
  context: ClientContext,
  plans: readonly TxPlan[],
  deadline: Deadline,
  required: readonly UTxO[] = []
): Promise<OwnTx[]> {
  for (;;) {
    await context.ready(plans[0]!.action, deadline)
    const reserved = reserveTxs(context, plans, required)
    if (reserved !== null) return reserved
    await deadline.race(context.nextChange(), 'outputs that transactions in flight hold back')
  }
}

function reserveTx(context: ClientContext, plan: TxPlan, required: readonly UTxO[]): OwnTx | null {
  const spendable = context.view.spendable(plan.addresses)
  if (spendable === null) return null
  // Another payment has taken one of them meanwhile: only once that is decided it is known whether the first attempt is excluded.
  if (required.some((utxo) => context.view.reservedBy(refOf(utxo)) !== undefined)) return null
  const stillThere = required.filter((utxo) => context.bridge.isUnspent(refOf(utxo)) !== false)
  const linkable = spendable.filter(({ depth }) => depth < MAX_DEPTH)
  // Nothing to choose from yet: building could only fail.
  if (linkable.length === 0 && stillThere.length === 0 && context.isHeldBack(spendable)) return null
  const expiresAt = Date.now() + context.expiresInMs
  const validity = validityUntil(context, expiresAt)
  const build = (pool: readonly Spendable[]): BuiltTransaction =>
    plan.build(
      largestOf(
        pool.map(({ utxo }) => utxo),
        plan.units
      ),
      stillThere,
      validity
    )
  const confirmed = spendable.filter(({ depth }) => depth === 0)
  let built: BuiltTransaction | undefined
  try {
    // Confirmed outputs first: chains stay short. In the middle of a chain there are none.
    if (confirmed.length > 0 || stillThere.length > 0) built = build(confirmed)
  } catch (error) {
    if (!isLayerError(error, 'TX_INSUFFICIENT_FUNDS')) throw error
  }
  try {
    built ??= build(linkable)
  } catch (error) {
    if (isLayerError(error, 'TX_INSUFFICIENT_FUNDS') && context.isHeldBack(spendable)) return null
    throw error
  }
  const own = context.txs.add(built, validity.expires ? { slot: validity.until, at: expiresAt } : null)
  plan.onReserved?.(own)
  return own
}
