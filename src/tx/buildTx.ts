import { parseAddress } from '../codec/address.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { bytesToHex } from '../codec/hex.js'
import { readTransaction, transactionId } from '../codec/transaction.js'
import { minLovelace } from '../codec/txOutput.js'
import type { Value } from '../codec/value.js'
import { addUnit, addValue, encodeValue, LOVELACE, valueFromAmounts } from '../codec/value.js'
import { described } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import {
  InsufficientFundsError,
  OutputBelowMinimumError,
  TransactionTooLargeError,
  UnspendableInputError
} from '../errors/tx.js'
import type { TxOutput, UTxO } from '../types/utxo.js'
import type { TransactionDraft } from './encodeTransaction.js'
import { encodeTransaction, signedSizeBytes } from './encodeTransaction.js'
import { inLedgerOrder, inputKey, largest } from './inputs.js'
import { makeChange } from './makeChange.js'
import type { ResolvedTxParameters } from './parameters.js'
import { referenceScriptFee } from './referenceScripts.js'

/** An unsigned transaction, ready for a wallet's `signTx`. */
export interface BuiltTransaction {
  /** Transaction as CBOR hex. */
  cborHex: string
  /** Transaction id: hex, 64 characters. Signing does not change it. */
  txId: string
  /** Lovelace. */
  fee: bigint
  /** Outputs that the transaction spends, in the ledger's order. */
  inputs: UTxO[]
  /** Outputs that the transaction creates, the change last. */
  outputs: TxOutput[]
}

/** A native script and the hashes of the keys that it names. */
export interface AttachedScript {
  readonly cbor: Uint8Array
  readonly keyHashes: readonly string[]
}

/** Parts of a transaction that a builder has collected, before inputs and fee are known. */
export interface TxPlan {
  readonly parameters: ResolvedTxParameters
  /** Outputs from which inputs are chosen as needed, by `txHash#index`. */
  readonly candidates: ReadonlyMap<string, UTxO>
  /** Outputs that are spent in any case, by `txHash#index`. */
  readonly chosen: ReadonlyMap<string, UTxO>
  readonly outputs: readonly TxOutput[]
  readonly mint: ReadonlyMap<string, bigint>
  /** Attached native scripts, by script hash. */
  readonly scripts: ReadonlyMap<string, AttachedScript>
  readonly signers: ReadonlySet<string>
  readonly changeAddress?: string | undefined
  readonly ttl?: bigint | undefined
  readonly validityStart?: bigint | undefined
  readonly networkId?: number | undefined
  readonly auxiliaryData?: Uint8Array | undefined
}

/** Inputs, fee and change that complete a plan. */
export interface BalancedPlan {
  readonly fee: bigint
  /** In the ledger's order. */
  readonly inputs: UTxO[]
  readonly change: TxOutput[]
}

/** Builds a transaction from a plan: chooses inputs, and computes fee and change. */
export function buildTx(plan: TxPlan): BuiltTransaction {
  plan.outputs.forEach((output, index) => assertOutput(output, index, plan.parameters))
  for (const unit of plan.mint.keys()) assertPolicy(unit, plan)
  const { fee, inputs, change } = balanceTx(plan)
  return writeTx(plan, { fee, inputs, outputs: [...plan.outputs, ...change] })
}

/** Encodes a transaction whose inputs, outputs and fee are final. @throws {@link TransactionTooLargeError} */
export function writeTx(
  plan: TxPlan,
  { fee, inputs, outputs }: { fee: bigint; inputs: UTxO[]; outputs: readonly TxOutput[] }
): BuiltTransaction {
  const bytes = encodeTransaction(draftOf(plan, inputs, outputs, fee))
  const sizeBytes = signedSizeBytes(bytes, signerCount(plan, inputs))
  const { maxTxSize } = plan.parameters
  if (sizeBytes > maxTxSize) throw new TransactionTooLargeError('The transaction', sizeBytes, maxTxSize)
  return { cborHex: bytesToHex(bytes), txId: transactionId(readTransaction(bytes)), fee, inputs, outputs: [...outputs] }
}

/**
 * Adds inputs and raises the fee until the inputs cover outputs, fee and change.
 *
 * @throws {@link InsufficientFundsError}
 */
export function balanceTx(plan: TxPlan): BalancedPlan {
  const pool = [...plan.candidates]
    .filter(([key, utxo]) => !plan.chosen.has(key) && isSpendable(utxo, plan))
    .map(([, utxo]) => utxo)
  const unspendable = [...plan.candidates.values()].filter((utxo) => !isSpendable(utxo, plan)).length
  const inputs = chosenInputs(plan)
  let fee = 0n
  const select = (missing: ReadonlyMap<string, bigint>, purpose: string): void => {
    const [unit] = missing.keys()
    const best = largest(pool, unit!)
    if (best < 0) throw insufficient(plan, { inputs: [...inputs, ...pool], fee, missing, purpose, unspendable })
    inputs.push(...pool.splice(best, 1))
  }
  for (;;) {
    const missing = missingOf(plan, inputs, fee)
    if (missing !== undefined || inputs.length === 0) {
      select(missing ?? new Map([[LOVELACE, 1n]]), 'outputs and fee')
      continue
    }
    const left = leftOver(plan, inputs, fee)
    const change = makeChange(left, changeAddressFor(plan, left), plan.parameters)
    if (change.outputs === null) {
      select(new Map([[LOVELACE, change.missingLovelace]]), 'the least lovelace of the change')
      continue
    }
    const needed = feeOf(plan, draftOf(plan, inputs, [...plan.outputs, ...change.outputs], fee), inputs)
    if (needed <= fee) return { fee, inputs: inLedgerOrder(inputs), change: change.outputs }
    fee = needed
  }
}

/** Returns the inputs that the plan spends in any case. @throws {@link UnspendableInputError} */
export function chosenInputs(plan: TxPlan): UTxO[] {
  const inputs = [...plan.chosen.values()]
  for (const utxo of inputs)
    if (!isSpendable(utxo, plan)) throw new UnspendableInputError(inputKey(utxo.input), utxo.output.address)
  return inputs
}

/** Checks an output. @throws {@link OutputBelowMinimumError} @throws {@link TransactionTooLargeError} */
export function assertOutput(
  output: TxOutput,
  index: number,
  { maxValueSize, coinsPerUtxoByte }: ResolvedTxParameters
): void {
  const writer = new CborWriter()
  encodeValue(writer, valueFromAmounts(output.amount))
  if (writer.length > maxValueSize)
    throw new TransactionTooLargeError(`The value of output ${index}`, writer.length, maxValueSize)
  const lovelace = BigInt(output.amount[0]!.quantity)
  const minimum = minLovelace(output, coinsPerUtxoByte)
  if (lovelace < minimum) throw new OutputBelowMinimumError(index, lovelace, minimum)
}

/** Checks that the script of a minted unit is attached. @throws {@link InvalidArgumentError} */
export function assertPolicy(unit: string, { scripts }: TxPlan): void {
  const policyId = unit.slice(0, 56)
  if (!scripts.has(policyId))
    throw new InvalidArgumentError('mint', `the script of policy ${policyId} through attachScript`, described('none'))
}

interface Shortage {
  readonly inputs: readonly UTxO[]
  readonly fee: bigint
  readonly missing: ReadonlyMap<string, bigint>
  readonly purpose: string
  readonly unspendable: number
}

/** Makes the error about insufficient funds, with the available and the missing amounts. */
function insufficient(plan: TxPlan, { inputs, fee, missing, purpose, unspendable }: Shortage): InsufficientFundsError {
  const available: Value = new Map()
  for (const { output } of inputs) addValue(available, valueFromAmounts(output.amount))
  const short = missingOf(plan, inputs, fee) ?? (inputs.length === 0 ? new Map<string, bigint>() : missing)
  return new InsufficientFundsError(short, { purpose, available, inputs: inputs.length, unspendable })
}

/** Returns the amounts that inputs and mint lack for outputs and fee, or undefined when they cover them. */
function missingOf(plan: TxPlan, inputs: readonly UTxO[], fee: bigint): Value | undefined {
  const missing = [...leftOver(plan, inputs, fee)]
    .filter(([, amount]) => amount < 0n)
    .map(([unit, amount]): [string, bigint] => [unit, -amount])
  return missing.length === 0 ? undefined : new Map(missing)
}

/** Returns the balance: inputs and mint minus outputs and fee. Missing amounts are negative. */
function leftOver({ mint, outputs }: TxPlan, inputs: readonly UTxO[], fee: bigint): Value {
  const left: Value = new Map(mint)
  for (const { output } of inputs) addValue(left, valueFromAmounts(output.amount))
  for (const { amount } of outputs) addValue(left, valueFromAmounts(amount), -1n)
  addUnit(left, LOVELACE, -fee)
  return left
}

function draftOf(plan: TxPlan, inputs: readonly UTxO[], outputs: readonly TxOutput[], fee: bigint): TransactionDraft {
  const { ttl, validityStart, mint, signers, networkId, auxiliaryData } = plan
  const nativeScripts = scriptsFor(plan, inputs).map(({ cbor }) => cbor)
  return {
    inputs: inputs.map(({ input }) => input),
    outputs,
    fee,
    ttl,
    validityStart,
    mint,
    requiredSigners: [...signers],
    networkId,
    auxiliaryData,
    nativeScripts
  }
}

function feeOf(plan: TxPlan, draft: TransactionDraft, inputs: readonly UTxO[]): bigint {
  const { minFeeA, minFeeB, minFeeRefScriptCostPerByte } = plan.parameters
  const sizeBytes = minFeeA === 0n ? 0 : signedSizeBytes(encodeTransaction(draft), signerCount(plan, inputs))
  return minFeeA * BigInt(sizeBytes) + minFeeB + referenceScriptFee(inputs, minFeeRefScriptCostPerByte)
}

/**
 * Returns the attached scripts that the inputs or the mint need. The ledger refuses a transaction with other scripts.
 */
function scriptsFor({ mint, scripts }: TxPlan, inputs: readonly UTxO[]): AttachedScript[] {
  const needed = new Set([...mint.keys()].map((unit) => unit.slice(0, 56)))
  for (const { output } of inputs) needed.add(parseAddress(output.address).payment?.hash ?? '')
  return [...scripts].filter(([hash]) => needed.has(hash)).map(([, script]) => script)
}

/**
 * Counts the different keys that may sign: those of inputs, required signers, and native scripts of the transaction.
 */
function signerCount(plan: TxPlan, inputs: readonly UTxO[]): number {
  const hashes = new Set(plan.signers)
  for (const { output } of inputs) {
    const { payment } = parseAddress(output.address)
    if (payment?.kind === 'key') hashes.add(payment.hash)
  }
  for (const { keyHashes } of scriptsFor(plan, inputs)) for (const hash of keyHashes) hashes.add(hash)
  return hashes.size
}

function isSpendable({ output }: UTxO, { scripts }: TxPlan): boolean {
  const { payment } = parseAddress(output.address)
  return payment !== undefined && (payment.kind === 'key' || scripts.has(payment.hash))
}

function changeAddressFor({ changeAddress }: TxPlan, left: ReadonlyMap<string, bigint>): string {
  if (changeAddress === undefined && left.size > 0)
    throw new InvalidArgumentError('changeTo', 'an address for what is left over', undefined)
  return changeAddress ?? ''
}
