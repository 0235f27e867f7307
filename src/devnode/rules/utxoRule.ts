import { parseAddress } from '../../codec/address.js'
import type { Value } from '../../codec/value.js'
import { addUnit, addValue, LOVELACE } from '../../codec/value.js'
import { collateralFailures } from './collateralRule.js'
import { collectErrors } from './collectErrors.js'
import * as show from './failures.js'
import { outputSizeFailures } from './outputSizeFailures.js'
import { minimumFee, totalExUnits } from './fees.js'
import type { TxWithScripts } from './resolvedScripts.js'
import { compareInputs } from './resolvedScripts.js'
import { entryRefOf } from './utxoSet.js'
import type { LedgerEnvironment } from './LedgerEnvironment.js'

/**
 * The rule UTXO, in its order, with the failures of UTXOS before it runs a script. Slots are linear time without an end
 * here, so no slot is outside the forecast: the rule extends its known slots linearly
 * (eras/alonzo/.../Rules/Utxo.hs:395).
 *
 * @see eras/babbage/impl/src/Cardano/Ledger/Babbage/Rules/Utxo.hs:357, babbageUtxoValidation
 */
export function utxoFailures(resolved: TxWithScripts, environment: LedgerEnvironment): string[] {
  return [
    ...disjointFailures(resolved, environment),
    ...intervalFailures(resolved, environment),
    ...(resolved.inputs.length === 0 ? ['InputSetEmptyUTxO'] : []),
    ...feeFailures(resolved, environment),
    ...collateralFailures(resolved, environment),
    ...inputFailures(resolved, environment),
    ...balanceFailures(resolved),
    ...outputFailures(resolved, environment),
    ...sizeFailures(resolved, environment),
    ...collectErrors(resolved, environment)
  ].map(show.utxoFailure)
}

/** Babbage Rules/Utxo.hs:215: at protocol versions 9 and 10 alone. */
function disjointFailures(
  { inputs, referenceInputs }: TxWithScripts,
  { parameters: { protocolVersion } }: LedgerEnvironment
): string[] {
  const spent = new Set(inputs.map(entryRefOf))
  const both = referenceInputs.filter((input) => spent.has(entryRefOf(input)))
  if (both.length === 0 || protocolVersion < 9 || protocolVersion >= 11) return []
  return [`BabbageNonDisjointRefInputs (${show.showNonEmpty(both.map(show.showTxIn))})`]
}

function intervalFailures({ tx: { validityStart, ttl } }: TxWithScripts, { slot }: LedgerEnvironment): string[] {
  const isOutside = (validityStart !== undefined && slot < validityStart) || (ttl !== undefined && slot >= ttl)
  return isOutside ? [`OutsideValidityIntervalUTxO ${show.showInterval(validityStart, ttl)} (SlotNo ${slot})`] : []
}

function feeFailures({ tx, referenceBytes }: TxWithScripts, { parameters }: LedgerEnvironment): string[] {
  const least = minimumFee(tx, referenceBytes, parameters)
  return tx.fee < least ? [`FeeTooSmallUTxO ${show.showMismatch(show.showCoin(tx.fee), show.showCoin(least))}`] : []
}

function inputFailures(
  { tx: { inputs, collateral, referenceInputs } }: TxWithScripts,
  { utxo }: LedgerEnvironment
): string[] {
  const bad = [...inputs, ...collateral, ...referenceInputs]
    .filter((input) => utxo.get(entryRefOf(input)) === undefined)
    .sort(compareInputs)
  return bad.length > 0 ? [`BadInputsUTxO ${show.showSet(new Set(bad.map(show.showTxIn)))}`] : []
}

/** Consumed = inputs + minted + withdrawn; produced = outputs + fee. Burning is minting a negative quantity. */
function balanceFailures({ tx, spent }: TxWithScripts): string[] {
  const consumed: Value = new Map()
  for (const { value } of spent) addValue(consumed, value)
  for (const { amount } of tx.withdrawals) addUnit(consumed, LOVELACE, amount)
  const produced: Value = new Map()
  for (const { value } of tx.outputs) addValue(produced, value)
  addUnit(produced, LOVELACE, tx.fee)
  for (const [unit, quantity] of tx.mint)
    addUnit(quantity > 0n ? consumed : produced, unit, quantity > 0n ? quantity : -quantity)
  const difference: Value = new Map(consumed)
  addValue(difference, produced, -1n)
  return difference.size === 0
    ? []
    : [`ValueNotConservedUTxO ${show.showMismatch(show.showValue(consumed), show.showValue(produced))}`]
}

/** All outputs, the collateral's return among them, and the networks of everything. */
function outputFailures({ tx, withdrawals }: TxWithScripts, environment: LedgerEnvironment): string[] {
  const outputs = tx.collateralReturn === null ? tx.outputs : [...tx.outputs, tx.collateralReturn]
  const sized = outputs.map(({ output, value }, i) => ({ output, value, sizes: tx.outputSizes[i]! }))
  const failures = outputSizeFailures(sized, environment.parameters)
  const elsewhere = outputs
    .map(({ output }) => output.address)
    .filter((address) => parseAddress(address).networkId !== environment.networkId)
    .map((address) => `Addr "${address}"`)
  const network = show.showNetwork(environment.networkId)
  if (elsewhere.length > 0) failures.push(`WrongNetwork ${network} ${show.showSet(elsewhere)}`)
  const accounts = withdrawals.filter(({ address }) => (address[0]! & 15) !== environment.networkId)
  if (accounts.length > 0) failures.push(`WrongNetworkWithdrawal ${network} ${show.showWithdrawals(accounts)}`)
  if (tx.networkId !== undefined && tx.networkId !== environment.networkId) {
    failures.push(`WrongNetworkInTxBody ${show.showMismatch(show.showNetwork(tx.networkId), network)}`)
  }
  return failures
}

/** Bytes, declared execution units, number of collateral inputs. */
function sizeFailures({ tx }: TxWithScripts, { parameters }: LedgerEnvironment): string[] {
  const { maxTxSize, maxTxExUnits, maxCollateralInputs } = parameters
  const failures: string[] = []
  if (tx.sizeBytes > maxTxSize)
    failures.push(`MaxTxSizeUTxO ${show.showMismatch(String(tx.sizeBytes), String(maxTxSize))}`)
  const units = totalExUnits(tx)
  if (units.mem > maxTxExUnits.mem || units.cpu > maxTxExUnits.cpu) {
    failures.push(`ExUnitsTooBigUTxO ${show.showMismatch(show.showExUnits(units), show.showExUnits(maxTxExUnits))}`)
  }
  if (tx.collateral.length > maxCollateralInputs) {
    failures.push(
      `TooManyCollateralInputs ${show.showMismatch(String(tx.collateral.length), String(maxCollateralInputs))}`
    )
  }
  return failures
}
