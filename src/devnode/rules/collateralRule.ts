import type { Value } from '../../codec/value.js'
import { addValue, LOVELACE } from '../../codec/value.js'
import * as show from './failures.js'
import type { TxWithScripts } from './resolvedScripts.js'
import type { LedgerEnvironment } from './LedgerEnvironment.js'

/**
 * Failures of a transaction's collateral, in the ledger's order.
 *
 * @see eras/babbage/impl/src/Cardano/Ledger/Babbage/Rules/Utxo.hs:231, validateTotalCollateral
 */
export function collateralFailures({ tx, collateral }: TxWithScripts, { parameters }: LedgerEnvironment): string[] {
  if (tx.scripts.redeemers.size === 0) return []
  const failures: string[] = []
  const locked = collateral.filter(({ payment }) => payment?.kind === 'script')
  if (locked.length > 0)
    failures.push(
      `ScriptsNotPaidUTxO ${show.showSet(locked.map((each) => `(${show.showTxIn(each.input)},${show.showOutput(each)})`))}`
    )
  const collateralValue: Value = new Map()
  for (const { value } of collateral) addValue(collateralValue, value)
  const remaining: Value = new Map(collateralValue)
  if (tx.collateralReturn !== null) addValue(remaining, tx.collateralReturn.value, -1n)
  if (hasAssets(remaining)) {
    // Only the return has assets: then the ledger names those.
    const named =
      tx.collateralReturn !== null && !hasAssets(collateralValue) ? tx.collateralReturn.value : collateralValue
    failures.push(`CollateralContainsNonADA (${show.showValue(named)})`)
  }
  const balance = remaining.get(LOVELACE) ?? 0n
  const percents = BigInt(parameters.collateralPercentage) * tx.fee
  if (balance * 100n < percents) {
    failures.push(
      `InsufficientCollateral (DeltaCoin ${show.showSigned(balance)}) (${show.showCoin((percents + 99n) / 100n)})`
    )
  }
  if (tx.totalCollateral !== undefined && tx.totalCollateral !== balance) {
    failures.push(
      `IncorrectTotalCollateralField (DeltaCoin ${show.showSigned(balance)}) (${show.showCoin(tx.totalCollateral)})`
    )
  }
  if (collateral.length === 0) failures.push('NoCollateralInputs')
  return failures
}

function hasAssets(value: Value): boolean {
  return [...value].some(([unit, quantity]) => unit !== LOVELACE && quantity !== 0n)
}
