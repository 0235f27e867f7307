import { LOVELACE } from '../codec/value.js'
import { isLayerError } from '../errors/base.js'
import type { BuiltTransaction } from '../tx/inner.js'
import type { UTxO } from '../types/utxo.js'
import type { Wallet } from '../types/wallet.js'
import type { ClientContext } from './ClientContext.js'
import type { Deadline } from './deadline.js'
import { MAX_DEPTH } from './limits.js'
import type { OwnTx } from './ownTx.js'
import { refOf } from './PendingView.js'
import type { PendingView, Spendable } from './PendingView.js'
import { FIRST_POOLS, poolsOf, shortageOf, tooLargeOf } from './selection.js'
import type { Validity } from './validity.js'
import { validityUntil } from './validity.js'

/** A transaction to be built from the wallet's outputs. */
export interface ReservationPlan {
  readonly action: string
  readonly wallet: Wallet
  readonly addresses: readonly string[]
  /** Units besides lovelace that it pays. */
  readonly units: readonly string[]
  /** Number of inputs that the head's parameters leave room for. @default as many as 16 KB hold */
  readonly mostInputs?: number
  /**
   * Builds the transaction; called in the same synchronous step in which its inputs are reserved.
   * @param required - outputs that it has to spend, so that it excludes an earlier attempt
   */
  build(pool: readonly UTxO[], required: readonly UTxO[], validity: Validity): BuiltTransaction
  /** True when `build` chooses its inputs itself: it receives all outputs. @default it receives as few as suffice */
  readonly isSweep?: boolean
  /** Called in that same step, once its inputs are reserved. */
  onReserved?(ownTx: OwnTx): void
}

/** Outputs that a transaction has to spend. */
interface Demanded {
  /** Outputs that exclude an earlier attempt: without them it is not built. */
  readonly required: readonly UTxO[]
  /** Outputs that exclude a payment whose caller received its refusal, where that is possible. */
  readonly preferred: readonly UTxO[]
}

/**
 * Reason why no transaction was reserved. `wait`: a transaction in flight has to settle first; `gone`: an output that
 * was required is spent.
 */
type NotReserved = 'wait' | 'gone'

/** Maximum number of refused payments that one transaction excludes: each costs an input. */
const MAX_EXCLUDED = 10

/**
 * Builds plans one after another in one synchronous step and reserves their inputs, so that parallel calls never share
 * an input.
 * @throws the errors of building; no output is reserved then
 */
export function reserveTxs(
  context: ClientContext,
  plans: readonly ReservationPlan[],
  required: readonly UTxO[] = []
): OwnTx[] | NotReserved {
  const reserved: OwnTx[] = []
  // Without a word to anybody: a waiter that heard of it would try again at once, and so on for ever.
  const rollBack = (): void => {
    for (const ownTx of reserved.reverse()) context.txs.rollBack(ownTx)
  }
  try {
    for (const plan of plans) {
      const reservation = reserveTx(context, plan, required)
      if (typeof reservation === 'string') {
        rollBack()
        return reservation
      }
      reserved.push(reservation)
    }
  } catch (error) {
    rollBack()
    throw error
  }
  context.changes.announce()
  return reserved
}

/**
 * Reserves plans, waiting where transactions in flight hold outputs back. @returns null when an output that was
 * required is spent
 */
export async function reserveWhenPossible(
  context: ClientContext,
  plans: readonly ReservationPlan[],
  deadline: Deadline,
  required: readonly UTxO[] = []
): Promise<OwnTx[] | null> {
  for (;;) {
    await context.connection.ready(plans[0]!.action, deadline)
    const reserved = reserveTxs(context, plans, required)
    if (reserved === 'gone') return null
    if (reserved !== 'wait') return reserved
    await deadline.race(context.changes.next(), 'outputs that transactions in flight hold back')
  }
}

/** Reserves plans that have no earlier attempts, so that no inputs are required. */
export async function reserveFirst(
  context: ClientContext,
  plans: readonly ReservationPlan[],
  deadline: Deadline
): Promise<OwnTx[]> {
  return (await reserveWhenPossible(context, plans, deadline))!
}

function reserveTx(context: ClientContext, plan: ReservationPlan, required: readonly UTxO[]): OwnTx | NotReserved {
  const { bridge, view } = context
  const preferred = toExclude(context, plan)
  if (required.length + preferred.length === 0) {
    const ownTx = reserveFromLargest(context, plan)
    if (ownTx !== null) return ownTx
  }
  const spendable = view.spendable(plan.addresses)
  if (spendable === null) return 'wait'
  if (required.some((utxo) => bridge.isUnspent(refOf(utxo)) !== true)) return 'gone'
  // Another payment has reserved one of them meanwhile: only once that is decided it is known whether the first attempt
  // is excluded.
  if (required.some((utxo) => view.reservedBy(refOf(utxo)) !== undefined)) return 'wait'
  const linkable = spendable.filter(({ depth }) => depth < MAX_DEPTH)
  // No outputs to choose from yet: building could only fail.
  if (linkable.length === 0 && required.length === 0 && isHeldBack(view, spendable)) return 'wait'
  try {
    return addBuilt(context, plan, (validity) => buildFrom(plan, linkable, { required, preferred }, validity))
  } catch (error) {
    if (isLayerError(error, 'TX_INSUFFICIENT_FUNDS') && isHeldBack(view, spendable)) return 'wait'
    throw error
  }
}

/** Builds a transaction with its bounds of validity, and reserves its inputs. */
function addBuilt(
  context: ClientContext,
  plan: ReservationPlan,
  build: (validity: Validity) => BuiltTransaction
): OwnTx {
  const expiresAt = Date.now() + context.settings.expiresInMs
  const validity = validityUntil(context, expiresAt)
  const ownTx = context.txs.add(build(validity), validity.expires ? { slot: validity.until, at: expiresAt } : null)
  plan.onReserved?.(ownTx)
  return ownTx
}

/**
 * Reserves a payment from the wallet's largest confirmed outputs, at a cost that does not grow with the number of its
 * outputs. @returns null when they do not suffice: then all outputs are considered
 */
function reserveFromLargest(context: ClientContext, plan: ReservationPlan): OwnTx | null {
  if (plan.isSweep === true) return null
  const { addresses, units, mostInputs = Infinity } = plan
  for (const { count, pick } of units.length === 0 ? FIRST_POOLS : FIRST_POOLS.slice(1)) {
    const largest = context.view.largest(addresses, [LOVELACE, ...units], Math.min(count, mostInputs))
    if (largest === null) return null
    const pool = pick(largest.utxos)
    try {
      if (pool.length > 0) return addBuilt(context, plan, (validity) => plan.build(pool, [], validity))
    } catch (error) {
      if (!needsOthers(error)) throw error
    }
    if (largest.isAll && largest.utxos.length <= 1) return null
  }
  return null
}

/** True for an error of building from one pool of outputs that another pool may avoid. */
function needsOthers(error: unknown): boolean {
  return (
    isLayerError(error, 'TX_INSUFFICIENT_FUNDS') ||
    isLayerError(error, 'TX_TOO_LARGE') ||
    isLayerError(error, 'CLIENT_LAST_COLLATERAL')
  )
}

/** True when outputs are held back that may be free once the transactions in flight have settled. */
function isHeldBack(view: PendingView, spendable: readonly Spendable[]): boolean {
  if (spendable.some(({ depth }) => depth >= MAX_DEPTH) || view.isHolding) return true
  for (const { offered } of view.pending) if (!offered) return true
  return false
}

/**
 * Returns one free input of each refused payment that may still be confirmed: once it is spent, that payment can never
 * be.
 */
function toExclude(context: ClientContext, { addresses }: ReservationPlan): UTxO[] {
  const found: UTxO[] = []
  for (const { pending } of context.txs.reported()) {
    if (found.length >= MAX_EXCLUDED) break
    const { inputs } = pending
    const isExcluded = inputs.some((utxo) => context.view.reservedBy(refOf(utxo)) !== undefined || found.includes(utxo))
    const free = inputs.find(
      (utxo) => addresses.includes(utxo.output.address) && context.bridge.isUnspent(refOf(utxo)) === true
    )
    if (!isExcluded && free !== undefined) found.push(free)
  }
  return found
}

/** Builds from the first pool that suffices. */
function buildFrom(
  plan: ReservationPlan,
  linkable: readonly Spendable[],
  { required, preferred }: Demanded,
  validity: Validity
): BuiltTransaction {
  if (preferred.length > 0) {
    const spent = new Map([...required, ...preferred].map((utxo) => [refOf(utxo), utxo]))
    try {
      return buildFromPools(plan, linkable, [...spent.values()], validity)
    } catch {
      // Without them, then: the refused payment stays as it is.
    }
  }
  return buildFromPools(plan, linkable, required, validity)
}

function buildFromPools(
  plan: ReservationPlan,
  linkable: readonly Spendable[],
  spent: readonly UTxO[],
  validity: Validity
): BuiltTransaction {
  const { units, mostInputs } = plan
  const all = linkable.map(({ utxo }) => utxo)
  // Confirmed outputs first: chains stay short. In the middle of a chain there are none.
  const confirmed = linkable.filter(({ depth }) => depth === 0).map(({ utxo }) => utxo)
  const pools = plan.isSweep === true ? [all] : poolsOf(confirmed, all, units, mostInputs)
  let failure: unknown
  for (const [index, pool] of pools.entries()) {
    if (pool.length === 0 && spent.length === 0 && index < pools.length - 1) continue
    try {
      return plan.build(pool, spent, validity)
    } catch (error) {
      // A later pool has more outputs, or larger ones.
      if (!needsOthers(error)) throw error
      failure = error
    }
  }
  if (!isLayerError(failure, 'TX_TOO_LARGE') || plan.isSweep === true) throw shortageOf(failure, all, units, mostInputs)
  throw tooLargeOf(failure, all, units, (pool) => {
    try {
      plan.build(pool, spent, validity)
    } catch (error) {
      return !isLayerError(error, 'TX_INSUFFICIENT_FUNDS')
    }
    return true
  })
}
