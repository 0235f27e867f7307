import type { PlutusLanguage } from '../../codec/costModels.js'
import { redeemerName } from '../../codec/redeemer.js'
import { scriptRefHash } from '../../codec/scriptHash.js'
import { ScriptInputError } from '../../errors/scripts.js'
import { refOf } from '../PendingView.js'
import type { HeadParameters } from './headParameters.js'
import type { TxWithOutputs, NeededScript } from './resolveTx.js'

/** Execution units of all scripts of a transaction together. */
export interface TotalUnits {
  /** Units of memory. */
  readonly mem: bigint
  /** Execution steps (CPU). */
  readonly cpu: bigint
}

/**
 * Checks the scripts, redeemers and datums of a transaction, before any script runs. All outputs that it names have to
 * be known.
 *
 * @returns the spends, mints and withdrawals that Plutus scripts have to approve
 * @throws {@link ScriptInputError} naming the redeemer, the input and the script
 */
export function checkScripts(tx: TxWithOutputs): NeededScript[] {
  const redeemers = new Set(tx.witnesses.redeemers.map(redeemerName))
  const plutus = tx.needs.filter((need) => {
    const language = tx.scripts.get(need.scriptHash)
    if (language === undefined) throw missingScript(tx, need)
    if (language === 'native') return false
    checkNeed(tx, need, language, redeemers)
    return true
  })
  checkUnused(tx, new Set(plutus.map(({ redeemer }) => redeemer)))
  return plutus
}

function checkNeed(
  tx: TxWithOutputs,
  need: NeededScript,
  language: PlutusLanguage,
  redeemers: ReadonlySet<string>
): void {
  if (!redeemers.has(need.redeemer))
    throw new ScriptInputError('redeemer-missing', 'A script of the transaction has no redeemer.', need, {
      expected: `a redeemer ${need.redeemer}`,
      got: redeemers.size === 0 ? 'none' : [...redeemers].join(', ')
    })
  if (need.utxo === undefined) return
  const { inlineDatum, datumHash } = need.utxo.output
  if (inlineDatum !== undefined) return
  if (datumHash !== undefined && !tx.witnesses.datums.has(datumHash))
    throw new ScriptInputError('datum-missing', 'The datum of an output is missing in the transaction.', need, {
      expected: `the datum with the hash ${datumHash} in the witness set`,
      got: tx.witnesses.datums.size === 0 ? 'no datum' : [...tx.witnesses.datums].join(', ')
    })
  // PlutusV3 spends outputs without a datum (CIP-69).
  if (datumHash === undefined && language !== 'PlutusV3')
    throw new ScriptInputError('datum-missing', `An output has no datum: no ${language} script can spend it.`, need, {
      expected: 'an output with a datum, or a PlutusV3 script',
      got: 'an output without a datum'
    })
}

function missingScript(tx: TxWithOutputs, need: NeededScript): ScriptInputError {
  const carried = tx.referenceInputs.map((input) => {
    const utxo = tx.outputs.get(`${input.txHash}#${input.index}`)
    if (utxo === undefined) return `${input.txHash}#${input.index}, which is not known`
    const { scriptRef } = utxo.output
    return `${refOf(utxo)} with ${scriptRef === undefined ? 'no script' : scriptRefHash(scriptRef)}`
  })
  const attached = [...tx.witnesses.scripts.keys()]
  return new ScriptInputError('script-missing', 'The transaction has no such script.', need, {
    expected: `script ${need.scriptHash} in the witness set or in an output that it refers to`,
    got: `${attached.length === 0 ? 'no script' : attached.join(', ')} in the witness set; ${
      carried.length === 0 ? 'no reference input' : `reference inputs ${carried.join(', ')}`
    }`
  })
}

/**
 * Checks that each redeemer for a spend, mint or withdrawal belongs to a Plutus script; redeemers of certificates,
 * votes and proposals are left to the evaluator.
 */
function checkUnused(tx: TxWithOutputs, used: ReadonlySet<string>): void {
  for (const redeemer of tx.witnesses.redeemers) {
    const name = redeemerName(redeemer)
    if (used.has(name) || !['spend', 'mint', 'reward'].includes(redeemer.tag)) continue
    const input = redeemer.tag === 'spend' ? tx.inputs[redeemer.index] : undefined
    const ref = input === undefined ? null : `${input.txHash}#${input.index}`
    if (ref !== null && !tx.outputs.has(ref)) continue
    throw new ScriptInputError(
      'redeemer-unused',
      'A redeemer belongs to no Plutus script.',
      { redeemer: name, input: ref },
      {
        expected: used.size === 0 ? 'no redeemer' : `redeemers ${[...used].join(', ')}`,
        got: ref === null ? `redeemer ${name}` : `redeemer ${name} for an input without a Plutus script`
      }
    )
  }
}

/** Checks that the head has cost models for the languages of the needed scripts. @throws {@link ScriptInputError} */
export function checkLanguages(
  tx: TxWithOutputs,
  needs: readonly NeededScript[],
  { costModels }: HeadParameters
): void {
  for (const need of needs) {
    const language = tx.scripts.get(need.scriptHash) as PlutusLanguage
    if (costModels[language].length > 0) continue
    throw new ScriptInputError('cost-model-missing', `The head runs no ${language} scripts.`, need, {
      expected: `costModels.${language} in the head's protocol parameters`,
      got: 'none'
    })
  }
}

/** Adds up execution units. */
export function totalOf(units: readonly TotalUnits[]): TotalUnits {
  return units.reduce((sum, { mem, cpu }) => ({ mem: sum.mem + mem, cpu: sum.cpu + cpu }), { mem: 0n, cpu: 0n })
}

/** Returns the execution units that the scripts of a transaction may use together. @throws {@link ProtocolError} */
export const mostUnits = ({ number }: HeadParameters): TotalUnits => ({
  mem: BigInt(number('maxTxExecutionUnits.memory')),
  cpu: BigInt(number('maxTxExecutionUnits.steps'))
})

/** Checks the execution units of all scripts together against the maximum. @throws {@link ScriptInputError} */
export function checkUnits(used: TotalUnits, most: TotalUnits, positions: readonly NeededScript[]): void {
  if (used.mem <= most.mem && used.cpu <= most.cpu) return
  const position = positions.length === 1 ? positions[0]! : {}
  throw new ScriptInputError('too-many-units', 'The scripts of the transaction use too many units.', position, {
    expected: `at most ${most.mem} units of memory and ${most.cpu} steps`,
    got: `${used.mem} units of memory and ${used.cpu} steps${
      positions.length <= 1
        ? ''
        : ` of ${positions.map(({ redeemer, scriptHash }) => `${redeemer} (${scriptHash})`).join(', ')}`
    }`
  })
}
