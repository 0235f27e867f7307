import type { Value } from '../../codec/value.js'
import { addValue, LOVELACE, valueFromAmounts } from '../../codec/value.js'
import type { Amount, TxOutput, UTxO } from '../../types/utxo.js'

/**
 * Amounts that one side of an offer gives and gets. They are netted: change that returns to the side does not count.
 */
export interface OfferTerms {
  /** Amounts that this side loses. */
  readonly gives: readonly Amount[]
  /** Amounts that this side gains. */
  readonly gets: readonly Amount[]
}

/** Address in an offer, and the amounts that it gives and gets. */
export interface OfferParty extends OfferTerms {
  /** Bech32, or base58 of a Byron address. */
  readonly address: string
}

/** Returns the terms of each address whose amounts change, in the order in which inputs and outputs name it. */
export function partiesOf(inputs: readonly UTxO[], outputs: readonly UTxO[]): OfferParty[] {
  const changes = new Map<string, Value>()
  const count = ({ address, amount }: TxOutput, sign: 1n | -1n): void => {
    const change = changes.get(address) ?? (new Map() as Value)
    changes.set(address, change)
    addValue(change, valueFromAmounts(amount), sign)
  }
  for (const { output } of inputs) count(output, -1n)
  for (const { output } of outputs) count(output, 1n)
  return [...changes].flatMap(([address, change]) => (change.size === 0 ? [] : [{ address, ...termsOf(change) }]))
}

/** Converts the change of a side's amounts to terms: negative amounts are given, positive ones received. */
export function termsOf(change: ReadonlyMap<string, bigint>): OfferTerms {
  const sorted = [...change].sort(([a], [b]) => (a === LOVELACE ? -1 : b === LOVELACE ? 1 : a < b ? -1 : 1))
  const amounts = (sign: 1n | -1n): Amount[] =>
    sorted.flatMap(([unit, quantity]) => (sign * quantity > 0n ? [{ unit, quantity: String(sign * quantity) }] : []))
  return { gives: amounts(-1n), gets: amounts(1n) }
}
