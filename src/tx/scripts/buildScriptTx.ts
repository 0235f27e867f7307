import { addressToString, parseAddress } from '../../codec/address.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import type { PlutusLanguage } from '../../codec/costModels.js'
import { redeemerName } from '../../codec/redeemer.js'
import { evaluatorError, readScriptUnits } from '../../codec/scriptUnits.js'
import { readTransaction, transactionId } from '../../codec/transaction.js'
import { encodeTxOutput } from '../../codec/txOutput.js'
import { NETWORK_ID, SLOT_CONFIG } from '../../constants.js'
import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { EvaluatorFailedError, EvaluatorMissingError, ScriptInputError } from '../../errors/scripts.js'
import type { ScriptPosition } from '../../errors/scripts.js'
import { TransactionTooLargeError } from '../../errors/tx.js'
import type { ScriptEvaluationRequest } from '../../types/scriptEvaluator.js'
import type { TxOutput, UTxO } from '../../types/utxo.js'
import type { BuiltTransaction, TxPlan } from '../buildTx.js'
import { assertOutput } from '../buildTx.js'
import type { BalancedScriptTx, ScriptPlan, UnitCount } from './balanceScriptTx.js'
import { balanceScriptTx, useKey } from './balanceScriptTx.js'
import type { PlacedRedeemer } from './encodeScriptTx.js'
import type { ResolvedParts, ScriptUse } from './resolveScripts.js'
import { resolveScripts } from './resolveScripts.js'
import type { BuildOptions, RecordedScripts } from './ScriptPart.js'
import type { ScriptParameters } from './scriptParameters.js'
import { readScriptParameters } from './scriptParameters.js'

/** Execution units that a built transaction allows one of its scripts. */
export interface BuiltRedeemer {
  /** Purpose of the script: spend an output, mint, or withdraw rewards. */
  tag: 'spend' | 'mint' | 'reward'
  /** Position of its input, policy or reward account in the ledger's order, from 0. */
  index: number
  /** Hash of the script: hex, 56 characters. */
  scriptHash: string
  /** Units of memory. */
  mem: bigint
  /** CPU steps. */
  cpu: bigint
}

/** An unsigned transaction with Plutus scripts, ready for a wallet's `signTx`. */
export interface BuiltScriptTransaction extends BuiltTransaction {
  /** Units of each script, in the ledger's order. */
  redeemers: BuiltRedeemer[]
  /** Outputs that it reads without spending them. */
  referenceInputs: UTxO[]
  /** Outputs from which the ledger collects `totalCollateral` when a script fails. */
  collateral: UTxO[]
  /** Output that returns the rest of the collateral; absent when there is no rest. */
  collateralReturn?: TxOutput
  /** Amount that the ledger collects when a script fails, lovelace. */
  totalCollateral: bigint
}

const OPTIONS: OptionNames<BuildOptions> = { evaluator: true, slots: true }
/**
 * Maximum number of rounds. A script may see the fee, which depends on its units, so both are repeated until stable.
 */
const MAX_ROUNDS = 10

/** Completes a transaction: evaluates scripts, computes fee, collateral and script data hash. See `TxBuilder.build`. */
export async function buildScriptTx(
  plan: TxPlan,
  { parts: recorded, given, defaults }: RecordedScripts,
  callOptions: BuildOptions
): Promise<BuiltScriptTransaction> {
  const options = { ...readOptions(defaults, OPTIONS), ...readOptions(callOptions, OPTIONS) }
  plan.outputs.forEach((output, index) => assertOutput(output, index, plan.parameters))
  const parts = resolveScripts(plan, recorded)
  assertPolicies(plan, parts)
  const parameters = parts.uses.length === 0 ? null : readScriptParameters(given)
  const all: ScriptPlan = { plan, parts, parameters }
  if (parameters === null) return resultOf(all, balanceScriptTx(all, new Map()))
  assertLanguages(parts, parameters)
  const evaluate = evaluatorFor(all, parameters, options)
  let units: ReadonlyMap<string, UnitCount> = new Map()
  let evaluated: string | null = null
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tx = balanceScriptTx(all, units)
    // Scripts do not see their units: what they saw has not changed.
    if (tx.seen === evaluated) return resultOf(all, tx)
    const used = await evaluate(tx)
    evaluated = tx.seen
    if ([...used].every(([key, each]) => isWithin(each, units.get(key)))) return resultOf(all, tx)
    units = new Map([...used].map(([key, each]) => [key, most(each, units.get(key))]))
  }
  throw new EvaluatorFailedError('units that settle', new Error(`other units in each of ${MAX_ROUNDS} rounds`))
}

const isWithin = (used: UnitCount, declared: UnitCount | undefined): boolean =>
  declared !== undefined && used.mem <= declared.mem && used.cpu <= declared.cpu

const most = (a: UnitCount, b: UnitCount | undefined): UnitCount =>
  b === undefined ? a : { mem: a.mem > b.mem ? a.mem : b.mem, cpu: a.cpu > b.cpu ? a.cpu : b.cpu }

/** Checks that the transaction has the script of each minted policy. @throws {@link InvalidArgumentError} */
export function assertPolicies(plan: TxPlan, parts: ResolvedParts): void {
  const knownPolicies = new Set(
    [...plan.scripts.keys(), ...parts.carriedNative.keys(), ...parts.mint.keys()].map(policyOf)
  )
  for (const policyId of new Set([...plan.mint.keys()].map(policyOf)))
    if (!knownPolicies.has(policyId))
      throw new InvalidArgumentError(
        'mint',
        `the script of policy ${policyId} through attachScript, readFrom or mintScript`,
        described('none')
      )
}

const policyOf = (unit: string): string => unit.slice(0, 56)

/** Checks that the ledger has a cost model for each script's language. @throws {@link ScriptInputError} */
function assertLanguages({ uses, languages }: ResolvedParts, { costModels }: ScriptParameters): void {
  for (const use of uses) {
    const language = languages.get(use.scriptHash) as PlutusLanguage
    if (costModels[language].length > 0) continue
    throw new ScriptInputError('cost-model-missing', `The ledger runs no ${language} scripts.`, positionOf(use), {
      expected: `costModels.${language} in the protocol parameters`,
      got: 'none'
    })
  }
}

const positionOf = ({ tag, subject, scriptHash }: ScriptUse): ScriptPosition => ({
  redeemer: null,
  input: tag === 'spend' ? subject : null,
  scriptHash
})

/** Returns a function that evaluates a balanced transaction, and resolves with the units by {@link useKey}. */
function evaluatorFor(
  all: ScriptPlan,
  parameters: ScriptParameters,
  { evaluator, slots }: BuildOptions
): (tx: BalancedScriptTx) => Promise<ReadonlyMap<string, UnitCount>> {
  const { uses } = all.parts
  if (evaluator === undefined) throw new EvaluatorMissingError(uses.map(positionOf))
  if (typeof evaluator !== 'function')
    throw new InvalidArgumentError('evaluator', 'a function such as scalusEvaluator() returns', evaluator)
  return async (tx) => {
    const placed = placedUses(all.parts, tx)
    const positions = placed.map(({ use, name }) => ({ ...positionOf(use), redeemer: name }))
    const request = requestOf(all, tx, parameters, slots ?? slotsOf(tx))
    let answer: unknown
    try {
      answer = await evaluator(request)
    } catch (error) {
      throw evaluatorError(error, positions)
    }
    const units = readScriptUnits(
      answer,
      placed.map(({ name }) => name)
    )
    assertTotal(units, parameters, positions)
    return new Map(units.map(({ mem, cpu }, index) => [useKey(placed[index]!.use), { mem, cpu }]))
  }
}

/** Returns the script uses in the order of the transaction's redeemers, with the redeemers' names. */
function placedUses({ uses }: ResolvedParts, { redeemers }: BalancedScriptTx): { use: ScriptUse; name: string }[] {
  const of = (redeemer: PlacedRedeemer): ScriptUse =>
    uses.find(({ tag, redeemer: data }) => tag === redeemer.tag && data === redeemer.data)!
  return redeemers.map((redeemer) => ({ use: of(redeemer), name: redeemerName(redeemer) }))
}

/** Checks the sum of all units against the ledger's limits. @throws {@link ScriptInputError} */
function assertTotal(
  units: readonly UnitCount[],
  { maxUnits }: ScriptParameters,
  positions: readonly ScriptPosition[]
): void {
  const mem = units.reduce((sum, each) => sum + each.mem, 0n)
  const cpu = units.reduce((sum, each) => sum + each.cpu, 0n)
  if (mem <= maxUnits.mem && cpu <= maxUnits.cpu) return
  const only = positions.length === 1 ? positions[0]! : {}
  throw new ScriptInputError('too-many-units', 'The scripts of the transaction use too many units.', only, {
    expected: `at most ${maxUnits.mem} units of memory and ${maxUnits.cpu} steps`,
    got: `${mem} units of memory and ${cpu} steps of ${positions
      .map(({ redeemer, scriptHash }) => `${redeemer} (${scriptHash})`)
      .join(', ')}`
  })
}

function requestOf(
  { parts }: ScriptPlan,
  { bytes, inputs, collateral }: BalancedScriptTx,
  { costModels, protocolVersion, maxUnits }: ScriptParameters,
  slots: NonNullable<BuildOptions['slots']>
): ScriptEvaluationRequest {
  const named = new Map(
    [...inputs, ...parts.references, ...(collateral?.inputs ?? [])].map(({ input, output }) => [
      `${input.txHash.toLowerCase()}#${input.index}`,
      [
        new CborWriter().array(2).bytes(hexToBytes(input.txHash)).uint(input.index).toBytes(),
        encodeTxOutput(output)
      ] as const
    ])
  )
  return {
    tx: bytes.slice(),
    resolved: [...named.values()],
    costModels,
    slot: { zeroTimeMs: slots.zeroTime, zeroSlot: slots.zeroSlot, slotLengthMs: slots.slotLength },
    protocolVersion,
    maxExUnits: maxUnits
  }
}

/** Returns the slots of mainnet. @throws {@link InvalidArgumentError} for a test network, because there are several */
function slotsOf({ inputs }: BalancedScriptTx): NonNullable<BuildOptions['slots']> {
  const { networkId, bytes } = parseAddress(inputs[0]!.output.address)
  if (networkId === NETWORK_ID.MAINNET) return SLOT_CONFIG.MAINNET
  throw new InvalidArgumentError(
    'slots',
    "the ledger's slots: SLOT_CONFIG.PREPROD, or getSlotConfig() of a head's provider; scripts see the time by them",
    addressToString(bytes)
  )
}

function resultOf({ plan, parts }: ScriptPlan, tx: BalancedScriptTx): BuiltScriptTransaction {
  const { bytes, sizeBytes, fee, inputs, outputs, collateral, redeemers } = tx
  const { maxTxSize } = plan.parameters
  if (sizeBytes > maxTxSize) throw new TransactionTooLargeError('The transaction', sizeBytes, maxTxSize)
  const placed = placedUses(parts, tx)
  return {
    cborHex: bytesToHex(bytes),
    txId: transactionId(readTransaction(bytes)),
    fee,
    inputs,
    outputs,
    redeemers: redeemers.map(({ tag, index, mem, cpu }, i) => ({
      tag,
      index,
      scriptHash: placed[i]!.use.scriptHash,
      mem,
      cpu
    })),
    referenceInputs: [...parts.references],
    collateral: [...(collateral?.inputs ?? [])],
    ...(collateral?.change === undefined ? {} : { collateralReturn: collateral.change }),
    totalCollateral: collateral?.total ?? 0n
  }
}
