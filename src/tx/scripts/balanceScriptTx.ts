import { parseAddress } from '../../codec/address.js'
import type { PlutusLanguage } from '../../codec/costModels.js'
import { scriptRefHash } from '../../codec/scriptHash.js'
import { priceOfUnits } from '../../codec/unitPrice.js'
import type { Value } from '../../codec/value.js'
import { addUnit, addValue, LOVELACE, valueFromAmounts } from '../../codec/value.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { InsufficientFundsError, UnspendableInputError } from '../../errors/tx.js'
import type { TxOutput, UTxO } from '../../types/utxo.js'
import type { TxPlan } from '../buildTx.js'
import { signedSizeBytes } from '../encodeTransaction.js'
import { inLedgerOrder, inputKey, largest } from '../inputs.js'
import { makeChange } from '../makeChange.js'
import { referenceScriptFee } from '../referenceScripts.js'
import type { Collateral } from './chooseCollateral.js'
import { chooseCollateral } from './chooseCollateral.js'
import type { PlacedRedeemer, ScriptTransactionDraft } from './encodeScriptTx.js'
import { encodeScriptTx } from './encodeScriptTx.js'
import type { ResolvedParts, ScriptUse } from './resolveScripts.js'
import type { ScriptParameters } from './scriptParameters.js'

/** Execution units of a script: memory and CPU steps. */
export interface UnitCount {
  readonly mem: bigint
  readonly cpu: bigint
}

/** Transaction with scripts whose inputs, fee, change and collateral are final for the given units. */
export interface BalancedScriptTx {
  readonly bytes: Uint8Array
  /** Body without the script data hash, hex: the part of the transaction that scripts can see. */
  readonly seen: string
  readonly sizeBytes: number
  readonly fee: bigint
  /** In the ledger's order. */
  readonly inputs: UTxO[]
  readonly outputs: TxOutput[]
  readonly collateral: Collateral | null
  readonly redeemers: readonly PlacedRedeemer[]
}

/** Input of {@link balanceScriptTx}: the plan, its checked scripts, and the parameters for them. */
export interface ScriptPlan {
  readonly plan: TxPlan
  readonly parts: ResolvedParts
  /** Null when no Plutus script runs. */
  readonly parameters: ScriptParameters | null
}

const NO_UNITS: UnitCount = { mem: 0n, cpu: 0n }

/** Returns the key of a script use in a map of units. */
export const useKey = ({ tag, subject }: Pick<ScriptUse, 'tag' | 'subject'>): string => `${tag} ${subject}`

/**
 * Adds inputs and raises fee and collateral until the inputs cover outputs, fee and change. `units`: execution units of
 * each script use, by {@link useKey}.
 *
 * @throws {@link InsufficientFundsError}, {@link UnspendableInputError}, {@link InvalidArgumentError}
 */
export function balanceScriptTx(all: ScriptPlan, units: ReadonlyMap<string, UnitCount>): BalancedScriptTx {
  const { plan, parts } = all
  const inputs = chosenScriptInputs(all)
  const reserved = new Set([...inputs, ...parts.references].map(({ input }) => inputKey(input)))
  const spendable = [...plan.candidates].filter(([, utxo]) => isSpendable(utxo, all))
  const pool = spendable.filter(([key]) => !reserved.has(key)).map(([, utxo]) => utxo)
  const unspendable = plan.candidates.size - spendable.length
  let fee = 0n
  const add = (missing: ReadonlyMap<string, bigint>, purpose: string): void => {
    const [unit] = missing.keys()
    const best = largest(pool, unit!)
    if (best < 0) throw shortage(all, [...inputs, ...pool], { fee, missing, purpose, unspendable })
    inputs.push(...pool.splice(best, 1))
  }
  for (;;) {
    const left = leftOver(all, inputs, fee)
    const missing = new Map([...left].filter(([, amount]) => amount < 0n).map(([unit, amount]) => [unit, -amount]))
    if (missing.size > 0 || inputs.length === 0) {
      add(missing.size > 0 ? missing : new Map([[LOVELACE, 1n]]), 'outputs and fee')
      continue
    }
    const change = makeChange(left, changeAddressOf(plan, left), plan.parameters)
    if (change.outputs === null) {
      add(new Map([[LOVELACE, change.missingLovelace]]), 'the least lovelace of the change')
      continue
    }
    const draft = draftOf(all, units, { inputs, outputs: [...plan.outputs, ...change.outputs], fee, pool })
    const { bytes, seen } = encodeScriptTx(draft)
    const sizeBytes = signedSizeBytes(bytes, signerCount(all, inputs, draft.chosenCollateral))
    const needed = feeOf(all, sizeBytes, draft.redeemers, inputs)
    if (needed <= fee) {
      const { outputs, redeemers, chosenCollateral: collateral } = draft
      return { bytes, seen, sizeBytes, fee, inputs: inLedgerOrder(inputs), outputs, collateral, redeemers }
    }
    fee = needed
  }
}

/**
 * Encodes a blueprint: a transaction with only these inputs and the plan's outputs, to which the node adds the rest.
 */
export function writeScriptBlueprint(all: ScriptPlan, inputs: readonly UTxO[]): Uint8Array {
  return encodeScriptTx(draftOf(all, new Map(), { inputs, outputs: [...all.plan.outputs], fee: 0n, pool: [] })).bytes
}

/**
 * Returns the inputs that the plan spends in any case.
 *
 * @throws {@link UnspendableInputError} on an output that a script locks and for which no redeemer was given
 */
export function chosenScriptInputs(all: ScriptPlan): UTxO[] {
  const { plan, parts } = all
  const spent = new Map(parts.spent.map((utxo) => [inputKey(utxo.input), utxo]))
  const others = [...plan.chosen].filter(([key]) => !spent.has(key)).map(([, utxo]) => utxo)
  for (const utxo of others)
    if (!isSpendable(utxo, all)) throw new UnspendableInputError(inputKey(utxo.input), utxo.output.address)
  return [...others, ...spent.values()]
}

function isSpendable({ output }: UTxO, { plan, parts }: ScriptPlan): boolean {
  const { payment } = parseAddress(output.address)
  return (
    payment !== undefined &&
    (payment.kind === 'key' || plan.scripts.has(payment.hash) || parts.carriedNative.has(payment.hash))
  )
}

interface Shortage {
  readonly fee: bigint
  readonly missing: ReadonlyMap<string, bigint>
  readonly purpose: string
  readonly unspendable: number
}

function shortage(all: ScriptPlan, inputs: readonly UTxO[], { fee, missing, purpose, unspendable }: Shortage): Error {
  const available: Value = new Map()
  for (const { output } of inputs) addValue(available, valueFromAmounts(output.amount))
  const short = [...leftOver(all, inputs, fee)].filter(([, amount]) => amount < 0n)
  const whole = short.length === 0 ? missing : new Map(short.map(([unit, amount]) => [unit, -amount]))
  return new InsufficientFundsError(whole, { purpose, available, inputs: inputs.length, unspendable })
}

/** Returns the balance: inputs, mint and withdrawals minus outputs and fee. Missing amounts are negative. */
function leftOver({ plan, parts }: ScriptPlan, inputs: readonly UTxO[], fee: bigint): Value {
  const left: Value = new Map(plan.mint)
  addValue(left, parts.mint)
  for (const amount of parts.withdrawals.values()) addUnit(left, LOVELACE, amount)
  for (const { output } of inputs) addValue(left, valueFromAmounts(output.amount))
  for (const { amount } of plan.outputs) addValue(left, valueFromAmounts(amount), -1n)
  addUnit(left, LOVELACE, -fee)
  return left
}

interface Settled {
  readonly inputs: readonly UTxO[]
  readonly outputs: TxOutput[]
  readonly fee: bigint
  /** Candidates that are not spent. */
  readonly pool: readonly UTxO[]
}

type ScriptDraft = ScriptTransactionDraft & {
  readonly outputs: TxOutput[]
  readonly chosenCollateral: Collateral | null
}

function draftOf(
  { plan, parts, parameters }: ScriptPlan,
  units: ReadonlyMap<string, UnitCount>,
  { inputs, outputs, fee, pool }: Settled
): ScriptDraft {
  const mint: Value = new Map(plan.mint)
  addValue(mint, parts.mint)
  const sorted = inLedgerOrder(inputs)
  const redeemers = placeRedeemers(parts, sorted, mint, units)
  const collateral = parameters === null ? null : collateralFor(parts, parameters, { inputs, pool, fee, plan })
  const carried = new Set(
    [...inputs, ...parts.references].flatMap(({ output: { scriptRef } }) =>
      scriptRef === undefined ? [] : [scriptRefHash(scriptRef)]
    )
  )
  const needed = neededScripts(parts, inputs, mint)
  // The ledger refuses a script that an output carries as well, and one that decides on nothing.
  const isWitness = (hash: string): boolean => needed.has(hash) && !carried.has(hash)
  const running = new Set(parts.uses.map(({ scriptHash }) => parts.languages.get(scriptHash) as PlutusLanguage))
  return {
    inputs: sorted.map(({ input }) => input),
    outputs,
    fee,
    ttl: plan.ttl,
    validityStart: plan.validityStart,
    auxiliaryData: plan.auxiliaryData,
    mint,
    requiredSigners: [...plan.signers],
    networkId: plan.networkId,
    withdrawals: parts.withdrawals,
    chosenCollateral: collateral,
    collateral: (collateral?.inputs ?? []).map(({ input }) => input),
    collateralReturn: collateral?.change,
    totalCollateral: collateral?.total,
    referenceInputs: parts.references.map(({ input }) => input),
    nativeScripts: [...plan.scripts].filter(([hash]) => isWitness(hash)).map(([, { cbor }]) => cbor),
    plutusScripts: [...parts.scripts].filter(([hash]) => isWitness(hash)).map(([, script]) => script),
    datums: [...parts.datums.values()],
    redeemers,
    languages: running,
    costModels: parameters?.costModels ?? null
  }
}

/** Gives each redeemer its index: the position of its input, policy or reward account in the ledger's order. */
function placeRedeemers(
  { uses, withdrawals }: ResolvedParts,
  inputs: readonly UTxO[],
  mint: ReadonlyMap<string, bigint>,
  units: ReadonlyMap<string, UnitCount>
): PlacedRedeemer[] {
  const order = {
    spend: inputs.map(({ input }) => inputKey(input)),
    mint: [...new Set([...mint.keys()].map((unit) => unit.slice(0, 56)))].sort(),
    reward: [...withdrawals.keys()].sort()
  }
  const tags = ['spend', 'mint', 'reward']
  return uses
    .map((use) => {
      const { mem, cpu } = units.get(useKey(use)) ?? NO_UNITS
      return { tag: use.tag, index: order[use.tag].indexOf(use.subject), data: use.redeemer, mem, cpu }
    })
    .sort((a, b) => tags.indexOf(a.tag) - tags.indexOf(b.tag) || a.index - b.index)
}

function collateralFor(
  parts: ResolvedParts,
  { collateralPercentage, maxCollateralInputs }: ScriptParameters,
  { inputs, pool, fee, plan }: Pick<Settled, 'inputs' | 'pool' | 'fee'> & { readonly plan: TxPlan }
): Collateral {
  const needed = (fee * collateralPercentage + 99n) / 100n
  const limits = { needed, maxInputs: maxCollateralInputs, coinsPerUtxoByte: plan.parameters.coinsPerUtxoByte }
  return chooseCollateral(parts.collateral, [...inputs, ...pool], limits)
}

function neededScripts(parts: ResolvedParts, inputs: readonly UTxO[], mint: ReadonlyMap<string, bigint>): Set<string> {
  const needed = new Set(parts.uses.map(({ scriptHash }) => scriptHash))
  for (const unit of mint.keys()) needed.add(unit.slice(0, 56))
  for (const { output } of inputs) needed.add(parseAddress(output.address).payment?.hash ?? '')
  return needed
}

function feeOf(
  { plan, parts, parameters }: ScriptPlan,
  sizeBytes: number,
  redeemers: readonly PlacedRedeemer[],
  inputs: readonly UTxO[]
): bigint {
  const { minFeeA, minFeeB, minFeeRefScriptCostPerByte } = plan.parameters
  const units = parameters === null ? 0n : priceOfUnits(redeemers, parameters.priceMemory, parameters.priceSteps)
  const carried = referenceScriptFee([...inputs, ...parts.references], minFeeRefScriptCostPerByte)
  return minFeeA * BigInt(sizeBytes) + minFeeB + units + carried
}

/** Counts the different keys that may sign: those of inputs, collateral, required signers and native scripts. */
function signerCount({ plan, parts }: ScriptPlan, inputs: readonly UTxO[], collateral: Collateral | null): number {
  const hashes = new Set(plan.signers)
  for (const { output } of [...inputs, ...(collateral?.inputs ?? [])]) {
    const { payment } = parseAddress(output.address)
    if (payment?.kind === 'key') hashes.add(payment.hash)
  }
  for (const { keyHashes } of plan.scripts.values()) for (const hash of keyHashes) hashes.add(hash)
  for (const keyHashes of parts.carriedNative.values()) for (const hash of keyHashes) hashes.add(hash)
  return hashes.size
}

function changeAddressOf({ changeAddress }: TxPlan, left: ReadonlyMap<string, bigint>): string {
  if (changeAddress === undefined && left.size > 0)
    throw new InvalidArgumentError('changeTo', 'an address for what is left over', undefined)
  return changeAddress ?? ''
}
