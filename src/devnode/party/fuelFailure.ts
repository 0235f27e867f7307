import { LOVELACE } from '../../codec/value.js'
import type { BaseLedger } from '../chain/baseLedger.js'
import * as show from '../rules/failures.js'
import type { LedgerEntry } from '../rules/utxoSet.js'
import type { JsonText } from '../json/jsonText.js'
import { failedToPost, withoutFuel } from '../wire/json/messages.js'

/** Fee of a step of a head, lovelace: what operators saw for a step of a fanout. */
const FEE_LOVELACE = 2_200_000n

/**
 * Returns the error of a node whose wallet cannot pay for a transaction; null when it can. The node uses its largest
 * output for the fee and as collateral (Wallet.hs, findUTxOToPayFees), so no other output counts.
 */
export function fuelFailure(base: BaseLedger, address: string, failingTx: JsonText): JsonText | null {
  const lovelaceOf = ({ value }: LedgerEntry): bigint => value.get(LOVELACE) ?? 0n
  const [largest] = base
    .entries(({ output }) => output.address === address)
    .sort((a, b) => (lovelaceOf(a) < lovelaceOf(b) ? 1 : -1))
  if (largest === undefined) return withoutFuel('NoFuelUTXOFound', failingTx)
  if (lovelaceOf(largest) < FEE_LOVELACE) return withoutFuel('NotEnoughFuel', failingTx)
  const hasTokens = [...largest.value.keys()].some((unit) => unit !== LOVELACE)
  const failure = show.utxoFailure(`CollateralContainsNonADA (${show.showValue(largest.value)})`)
  return hasTokens ? failedToPost(show.validationError([failure]), failingTx) : null
}
