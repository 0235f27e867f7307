import type { PaymentBuilder } from '../tx/inner.js'
import type { ClientContext } from './ClientContext.js'

/** Validity interval of a transaction, in slots. Each payment has its own, so that no two are the same transaction. */
export interface Validity {
  /** Lower bound; undefined where slots are not known. */
  readonly from: number | undefined
  readonly until: number
  /** True when `until` is the requested time. False: slots are not known, and `until` is never reached. */
  readonly expires: boolean
}

/**
 * First slot of the upper bounds that are never reached, and number of slots to choose from: at one second each some 95
 * years after slot 0, and below 2^32, which is all that older wallets read. The ledger computes the time of a slot only
 * for transactions with redeemers (Babbage UTXO, validateOutsideForecast): these have none.
 */
const NEVER_SLOT = 3_000_000_000
const NEVER_SLOTS = 1_000_000_000

/**
 * Share of the present slot below which lower bounds are chosen: well behind the ledger's slot, which lags behind the
 * clock.
 */
const MAX_LOWER_BOUND_SHARE = 0.9

/**
 * Returns the validity of a payment: an upper bound at a time, ms since the Unix epoch, and a random lower bound in the
 * past, which always holds. It makes otherwise equal payments of two clients different transactions. As one
 * transaction, the ledger would accept them once, and both clients would see their payment confirmed. Where slots are
 * not known, only the upper bound is random, decades ahead: such payments differ, and never expire.
 */
export function validityUntil(context: ClientContext, expiresAt: number): Validity {
  const until = context.ledger.slotAt(expiresAt)
  const current = context.ledger.slotAt(Date.now())
  if (until === null || current === null || until < 0)
    return { from: undefined, until: NEVER_SLOT + randomBelow(NEVER_SLOTS), expires: false }
  return { from: randomBelow(MAX_LOWER_BOUND_SHARE * Math.max(0, current)), until, expires: true }
}

/** Sets the bounds on the builder, and returns it. */
export function withValidity(builder: PaymentBuilder, { from, until }: Validity): PaymentBuilder {
  return (from === undefined ? builder : builder.validFrom(from)).validUntil(until)
}

const randomBelow = (limit: number): number => Math.floor(Math.random() * limit)
