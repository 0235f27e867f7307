import type { PaymentBuilder } from '../tx/inner.js'
import type { ClientContext } from './ClientContext.js'

/** Slots between which a transaction can be confirmed; each payment's own, so that no two are the same transaction. */
export interface Validity {
  /** Undefined where slots are not known. */
  readonly from: number | undefined
  readonly until: number
  /** True when `until` is the requested time. False: slots are not known, and it never comes. */
  readonly expires: boolean
}

/**
 * Slots of an upper bound that never comes, and how many there are to choose from: at one second each some 95 years
 * after slot 0, and below 2^32, which is all that older wallets read. The ledger computes the time of a slot only for
 * transactions with redeemers (Babbage UTXO, validateOutsideForecast): these have none.
 */
const NEVER_SLOT = 3_000_000_000
const NEVER_SLOTS = 1_000_000_000

/** Lower bounds of validity stay well behind the ledger's slot, which lags behind the clock. */
const MAX_LOWER_BOUND_SHARE = 0.9

/**
 * An upper bound at a time, ms since the Unix epoch, and a lower bound at random in the past: it holds always, and
 * makes payments of two clients that agree in everything else two transactions. As one, the ledger would accept it
 * once, and both clients would see it confirmed. Where slots are not known, the upper bound alone is at random, decades
 * ahead: it makes such payments different, and expires none of them.
 */
export function validityUntil(context: ClientContext, expiresAt: number): Validity {
  const until = context.ledger.slotAt(expiresAt)
  const current = context.ledger.slotAt(Date.now())
  if (until === null || current === null || until < 0)
    return { from: undefined, until: NEVER_SLOT + randomBelow(NEVER_SLOTS), expires: false }
  return { from: randomBelow(MAX_LOWER_BOUND_SHARE * Math.max(0, current)), until, expires: true }
}

/** The builder with the bounds. */
export function withValidity(builder: PaymentBuilder, { from, until }: Validity): PaymentBuilder {
  return (from === undefined ? builder : builder.validFrom(from)).validUntil(until)
}

const randomBelow = (limit: number): number => Math.floor(Math.random() * limit)
