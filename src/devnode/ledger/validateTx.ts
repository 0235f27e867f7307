import type { Credential } from '../../codec/address.js'
import { addressFromBytes, parseAddress } from '../../codec/address.js'
import { hexToBytes } from '../../codec/hex.js'
import type { NativeScript } from '../../codec/nativeScript.js'
import { evaluateNativeScript, nativeScriptFromBytes, nativeScriptHash } from '../../codec/nativeScript.js'
import { minLovelaceOfSize } from '../../codec/txOutput.js'
import type { Value } from '../../codec/value.js'
import { addUnit, addValue, LOVELACE } from '../../codec/value.js'
import * as show from './failures.js'
import type { PreparedTx } from './preparedTx.js'
import type { LedgerEntry, UtxoSet } from './utxoSet.js'
import { refOf } from './utxoSet.js'

/** The protocol parameters that the rules use. */
export interface LedgerParameters {
  /** Lovelace per byte. */
  readonly minFeeA: number
  /** Lovelace per transaction. */
  readonly minFeeB: number
  /** Bytes. */
  readonly maxTxSize: number
  /** Bytes. */
  readonly maxValueSize: number
  /** Lovelace per byte of an output. */
  readonly coinsPerUtxoByte: bigint
}

/** What a transaction is validated against. */
export interface LedgerEnvironment {
  readonly parameters: LedgerParameters
  readonly networkId: 0 | 1
  /** Slot of the base ledger. */
  readonly slot: bigint
  readonly utxo: Pick<UtxoSet, 'get'>
  /** Whether the ledger refuses a transaction whose inputs are all unknown as a probable duplicate, before any other rule (from node 2.1). */
  readonly duplicateCheck?: boolean
}

/** cardano-ledger-conway 1.20, Rules/Mempool.hs. */
const DUPLICATE = 'ConwayMempoolFailure "All inputs are spent. Transaction has probably already been included"'

/**
 * The rules of the Conway ledger that a head applies, Plutus aside. Returns every reason to refuse the transaction in the words
 * of the ledger's `show`, in the ledger's order: failures are stacked, so that LEDGER comes first, then UTXO as its rules stand, then UTXOW
 * backwards. None means that it is valid.
 */
export function validateTx(tx: PreparedTx, environment: LedgerEnvironment): string[] {
  const { utxo, duplicateCheck = false } = environment
  // Nothing else is checked then; a transaction without inputs is among them.
  if (duplicateCheck && !tx.inputs.some((input) => utxo.get(refOf(input)) !== undefined)) return [DUPLICATE]
  if (tx.unsupported !== null) return [`DevNodeUnsupported "${tx.unsupported}: the local head node does not run them"`]
  const failures: string[] = []
  const spent = entriesOf(tx.inputs, environment)
  validateRewards(tx, failures)
  validateInterval(tx, environment, failures)
  validateInputs(tx, environment, failures)
  validateBalance(tx, spent, failures)
  validateOutputs(tx, environment, failures)
  validateSize(tx, environment, failures)
  validateAuxiliaryData(tx, failures)
  validateWitnesses(tx, spent, environment, failures)
  return failures
}

function entriesOf(inputs: PreparedTx['inputs'], { utxo }: LedgerEnvironment): LedgerEntry[] {
  return inputs.map((input) => utxo.get(refOf(input))).filter((entry) => entry !== undefined)
}

function validateWitnesses(tx: PreparedTx, spent: readonly LedgerEntry[], environment: LedgerEnvironment, failures: string[]): void {
  const collateral = entriesOf(tx.collateral, environment)
  const keys = new Set(tx.requiredSigners)
  const scripts = new Set([...tx.mint.keys()].map((unit) => unit.slice(0, 56)))
  const need = ({ kind, hash }: Credential): unknown => (kind === 'key' ? keys : scripts).add(hash)
  for (const { payment, ref } of [...spent, ...collateral]) {
    if (payment !== null) need(payment)
    else failures.push(`DevNodeUnsupported "the Byron input ${ref}: the local head node cannot check its witness"`)
  }
  for (const { address } of tx.withdrawals) {
    const { stake } = addressFromBytes(address)
    if (stake !== undefined) need(stake)
  }
  const missing = [...keys].filter((hash) => !tx.signers.has(hash))
  if (missing.length > 0) {
    failures.push(show.utxowFailure(`MissingVKeyWitnessesUTXOW ${show.showSet(missing.map(show.showKeyHash))}`))
  }
  if (tx.wrongSignatures.length > 0) {
    failures.push(show.utxowFailure(`InvalidWitnessesUTXOW [${tx.wrongSignatures.map(show.showVKey).join(',')}]`))
  }
  validateScripts(tx, scripts, referenceScripts(tx, spent, environment), failures)
}

function validateScripts(tx: PreparedTx, needed: ReadonlySet<string>, references: ReadonlyMap<string, NativeScript>, failures: string[]): void {
  const interval = { start: tx.validityStart, end: tx.ttl }
  const known = (hash: string): NativeScript | undefined => tx.nativeScripts.get(hash) ?? references.get(hash)
  const failing = [...needed].filter((hash) => {
    const script = known(hash)
    return script !== undefined && !evaluateNativeScript(script, tx.signers, interval)
  })
  const missing = [...needed].filter((hash) => known(hash) === undefined)
  const extraneous = [...tx.nativeScripts.keys()].filter((hash) => !needed.has(hash) || references.has(hash))
  const report = (name: string, hashes: readonly string[]): void => {
    if (hashes.length > 0) failures.push(show.utxowFailure(`${name} ${show.showSet(hashes.map(show.showScriptHash))}`))
  }
  report('MissingScriptWitnessesUTXOW', missing)
  report('ExtraneousScriptWitnessesUTXOW', extraneous)
  report('ScriptWitnessNotValidatingUTXOW', failing)
}

/** Native scripts carried by the outputs that are spent or referred to. */
function referenceScripts(tx: PreparedTx, spent: readonly LedgerEntry[], environment: LedgerEnvironment): Map<string, NativeScript> {
  const scripts = new Map<string, NativeScript>()
  for (const { output } of [...spent, ...entriesOf(tx.referenceInputs, environment)]) {
    if (output.scriptRef?.language !== 'native') continue
    const cbor = hexToBytes(output.scriptRef.cborHex)
    scripts.set(nativeScriptHash(cbor), nativeScriptFromBytes(cbor))
  }
  return scripts
}

function validateAuxiliaryData({ auxiliaryData }: PreparedTx, failures: string[]): void {
  const { declared, actual, valid } = auxiliaryData
  const report = (reason: string): unknown => failures.push(show.utxowFailure(reason))
  if (declared !== undefined && actual === undefined) report(`MissingTxMetadata (TxAuxDataHash "${declared}")`)
  else if (declared === undefined && actual !== undefined) report(`MissingTxBodyMetadataHash (TxAuxDataHash "${actual}")`)
  else if (declared !== actual) report(`ConflictingMetadataHash ${show.showMismatch(`"${declared}"`, `"${actual}"`)}`)
  if (!valid) report('InvalidMetadata')
}

/** No reward account exists in a head, so only the withdrawal of nothing is balanced. */
function validateRewards({ withdrawals }: PreparedTx, failures: string[]): void {
  const notInRewards = withdrawals.filter(({ amount }) => amount !== 0n)
  if (notInRewards.length === 0) return
  failures.push(show.certsFailure(`WithdrawalsNotInRewardsCERTS ${show.showWithdrawals(notInRewards)}`))
}

function validateInterval({ inputs, referenceInputs, validityStart, ttl }: PreparedTx, { slot }: LedgerEnvironment, failures: string[]): void {
  const spent = new Set(inputs.map(refOf))
  const both = referenceInputs.filter((input) => spent.has(refOf(input)))
  if (both.length > 0) failures.push(show.utxoFailure(`BabbageNonDisjointRefInputs (${both.map(show.showTxIn).join(' :| ')})`))
  if ((validityStart !== undefined && slot < validityStart) || (ttl !== undefined && slot >= ttl)) {
    failures.push(show.utxoFailure(`OutsideValidityIntervalUTxO ${show.showInterval(validityStart, ttl)} (SlotNo ${slot})`))
  }
}

function validateInputs(tx: PreparedTx, { utxo, parameters }: LedgerEnvironment, failures: string[]): void {
  const { inputs, collateral, referenceInputs, fee, sizeBytes } = tx
  if (inputs.length === 0) failures.push(show.utxoFailure('InputSetEmptyUTxO'))
  const least = BigInt(parameters.minFeeA) * BigInt(sizeBytes) + BigInt(parameters.minFeeB)
  if (fee < least) failures.push(show.utxoFailure(`FeeTooSmallUTxO ${show.showMismatch(show.showCoin(fee), show.showCoin(least))}`))
  const bad = [...inputs, ...collateral, ...referenceInputs].filter((input) => utxo.get(refOf(input)) === undefined)
  if (bad.length > 0) failures.push(show.utxoFailure(`BadInputsUTxO ${show.showSet(new Set(bad.map(show.showTxIn)))}`))
}

function validateSize({ sizeBytes }: PreparedTx, { parameters: { maxTxSize } }: LedgerEnvironment, failures: string[]): void {
  if (sizeBytes > maxTxSize) failures.push(show.utxoFailure(`MaxTxSizeUTxO ${show.showMismatch(String(sizeBytes), String(maxTxSize))}`))
}

/** Consumed = inputs + minted + withdrawn; produced = outputs + fee. Burning is minting less than nothing. */
function validateBalance(tx: PreparedTx, spent: readonly LedgerEntry[], failures: string[]): void {
  const consumed: Value = new Map()
  for (const { value } of spent) addValue(consumed, value)
  for (const { amount } of tx.withdrawals) addUnit(consumed, LOVELACE, amount)
  const produced: Value = new Map()
  for (const { value } of tx.outputs) addValue(produced, value)
  addUnit(produced, LOVELACE, tx.fee)
  for (const [unit, quantity] of tx.mint) addUnit(quantity > 0n ? consumed : produced, unit, quantity > 0n ? quantity : -quantity)
  const difference: Value = new Map(consumed)
  addValue(difference, produced, -1n)
  if (difference.size === 0) return
  const mismatch = show.showMismatch(show.showValue(consumed), show.showValue(produced))
  failures.push(show.utxoFailure(`ValueNotConservedUTxO ${mismatch}`))
}

function validateOutputs(tx: PreparedTx, environment: LedgerEnvironment, failures: string[]): void {
  const { coinsPerUtxoByte, maxValueSize } = environment.parameters
  const small: string[] = []
  const big: string[] = []
  const elsewhere: string[] = []
  tx.outputs.forEach(({ output, value }, i) => {
    const sizes = tx.outputSizes[i]!
    const least = minLovelaceOfSize(sizes.output, coinsPerUtxoByte)
    const shown = `(Addr "${output.address}",${show.showValue(value)})`
    if ((value.get(LOVELACE) ?? 0n) < least) small.push(`(${shown},${show.showCoin(least)})`)
    if (sizes.value > maxValueSize) big.push(`(${sizes.value},${maxValueSize},${shown})`)
    if (parseAddress(output.address).networkId !== environment.networkId) elsewhere.push(`Addr "${output.address}"`)
  })
  if (small.length > 0) failures.push(show.utxoFailure(`BabbageOutputTooSmallUTxO [${small.join(',')}]`))
  if (big.length > 0) failures.push(show.utxoFailure(`OutputTooBigUTxO [${big.join(',')}]`))
  const network = show.showNetwork(environment.networkId)
  if (elsewhere.length > 0) failures.push(show.utxoFailure(`WrongNetwork ${network} ${show.showSet(elsewhere)}`))
  const accounts = tx.withdrawals.filter(({ address }) => (address[0]! & 15) !== environment.networkId)
  if (accounts.length > 0) failures.push(show.utxoFailure(`WrongNetworkWithdrawal ${network} ${show.showWithdrawals(accounts)}`))
  if (tx.networkId !== undefined && tx.networkId !== environment.networkId) {
    failures.push(show.utxoFailure(`WrongNetworkInTxBody ${show.showMismatch(show.showNetwork(tx.networkId), network)}`))
  }
}
