import { concatBytes } from '../../codec/bytes.js'
import { hexToBytes } from '../../codec/hex.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { TxInput } from '../../types/utxo.js'
import { contextError } from '../rules/collectErrors.js'
import type { ScriptOutcome, Units } from '../rules/evaluatorOutcome.js'
import { showPurposeIndex, showScriptHash } from '../rules/failures.js'
import { languageViews } from '../rules/languageViews.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import { prepareTx } from '../rules/preparedTx.js'
import { compareInputs, plutusOf, resolveTx } from '../rules/resolvedScripts.js'
import type { TxWithScripts } from '../rules/resolvedScripts.js'
import type { ScriptRunner } from '../rules/ScriptRunner.js'
import { NO_EVALUATOR } from '../rules/scriptVerdict.js'
import type { Redeemer } from '../rules/txScripts.js'
import { redeemerKey } from '../rules/txScripts.js'
import type { LedgerEntry } from '../rules/utxoSet.js'
import { entryRefOf } from '../rules/utxoSet.js'
import type { LedgerParameters } from '../rules/LedgerParameters.js'
import type { DraftBlueprint } from './assembleDraft.js'
import { encodeRedeemers } from './assembleDraft.js'
import type { DraftError } from './draftError.js'
import { failedDraft, failedInDraft } from './draftError.js'

/** Redeemers with the units that their scripts use, or the node's error. */
export type Estimate =
  { readonly redeemers: readonly Redeemer[]; readonly error?: never } | { readonly error: DraftError }

/** A transaction whose scripts are to run, and all that they can see. */
export interface EstimateRequest {
  readonly cbor: Uint8Array
  /** Outputs that the request states, and the fuel: the node looks up no others on its chain. */
  readonly outputs: readonly LedgerEntry[]
  readonly parameters: LedgerParameters
  readonly scripts: ScriptRunner | null
}

/**
 * Returns the redeemers with indices that point to the same inputs after the node's fuel (fee input) was added;
 * only redeemers that spend an input are changed.
 *
 * @see Hydra.Chain.Direct.Wallet, adjustRedeemerIndices
 */
export function reindexed({ tx }: DraftBlueprint, inputs: readonly TxInput[]): Redeemer[] {
  const before = [...tx.inputs].sort(compareInputs).map(entryRefOf)
  const after = new Map(inputs.map((input, index) => [entryRefOf(input), index]))
  const moved = [...tx.scripts.redeemers.values()].map((redeemer) => {
    const ref = redeemer.tag === 'spend' ? before[redeemer.index] : undefined
    return ref === undefined ? redeemer : { ...redeemer, index: after.get(ref) ?? redeemer.index }
  })
  return moved.sort((a, b) => (a.tag === b.tag ? a.index - b.index : 0))
}

/**
 * Returns the hash over redeemers, datums and cost models; null where a transaction has none of them. Languages are
 * those of all scripts that the blueprint carries or refers to, needed or not; scripts that spent outputs carry do not
 * count.
 *
 * @see Hydra.Chain.Direct.Wallet, coverFee_ and computeScriptIntegrityHash
 */
export function draftScriptDataHash(
  { tx }: DraftBlueprint,
  redeemers: readonly Redeemer[],
  { referenced, parameters }: { readonly referenced: readonly LedgerEntry[]; readonly parameters: LedgerParameters }
): Uint8Array | null {
  const carried = referenced.flatMap(({ script }) => plutusOf(script?.script) ?? [])
  const languages = new Set([...tx.scripts.plutus.values(), ...carried].map(({ language }) => language))
  const { datumsCbor } = tx.scripts
  if (redeemers.length === 0 && languages.size === 0 && datumsCbor === undefined) return null
  const views = hexToBytes(languageViews(languages, parameters.costModels))
  return blake2b256(concatBytes(encodeRedeemers(redeemers), hexToBytes(datumsCbor ?? ''), views))
}

/**
 * Returns the units of the scripts of a transaction. The node runs them before it drafts and answers with the failure
 * of the first redeemer that has one.
 *
 * @see Hydra.Chain.Direct.Wallet, estimateScriptsCost
 */
export async function estimateUnits({ cbor, outputs, parameters, scripts }: EstimateRequest): Promise<Estimate> {
  const tx = prepareTx(cbor, { verified: true })
  const view = new Map(outputs.map((entry) => [entry.ref, entry]))
  const utxo = { get: (ref: string): LedgerEntry | undefined => view.get(ref) }
  const resolved = resolveTx(tx, utxo)
  const early = failureBeforeRun(resolved, { parameters, utxo })
  if (early !== null) return early
  if (scripts === null) return failedDraft(NO_EVALUATOR)
  const { spent, referenced, collateral } = resolved
  const outcome = await scripts.evaluate(cbor, [...new Set([...spent, ...referenced, ...collateral])], parameters)
  return ofOutcome(outcome, tx)
}

/** @see cardano-ledger Alonzo/Plutus/Evaluate.hs, evalTxExUnitsWithLogs: its checks before it runs a script. */
function failureBeforeRun(
  resolved: TxWithScripts,
  {
    parameters,
    utxo
  }: { readonly parameters: LedgerParameters; readonly utxo: { get(ref: string): LedgerEntry | undefined } }
): { error: DraftError } | null {
  const { tx, needs, provided } = resolved
  for (const redeemer of tx.scripts.redeemers.values()) {
    const pointer = showPurposeIndex(redeemer)
    const need = needs.find((each) => redeemerKey(each) === redeemerKey(redeemer))
    if (need === undefined) return failedInDraft(pointer, `RedeemerPointsToUnknownScriptHash (${pointer})`, tx)
    const script = plutusOf(provided.get(need.hash))
    if (script === null) return failedInDraft(pointer, `Missing script witness for ${showScriptHash(need.hash)}`, tx)
    const { language } = script
    if (parameters.costModels[language].length === 0)
      return failedInDraft(pointer, `NoCostModelInLedgerState ${language}`, tx)
    const reason = contextError(language, resolved, { parameters, utxo })
    if (reason !== null) return failedInDraft(pointer, `ContextError (${reason})`, tx)
  }
  return null
}

function ofOutcome(outcome: ScriptOutcome, tx: PreparedTx): Estimate {
  const { redeemers } = tx.scripts
  if (outcome.kind === 'broken') return brokenEvaluator(outcome.message)
  if (outcome.kind === 'passed') {
    const { units } = outcome
    const settled = [...redeemers].map(([key, redeemer]) => withUnits(redeemer, units.get(key)))
    if (settled.some((each) => each === null)) {
      const got = [...units.keys()].join(', ') || 'none'
      return brokenEvaluator(`expected units of ${[...redeemers.keys()].join(', ')}, got those of ${got}`)
    }
    return { redeemers: settled.filter((each) => each !== null) }
  }
  const failed = redeemers.get(outcome.redeemer ?? '') ?? [...redeemers.values()][0]!
  const units = `WrapExUnits {unWrapExUnits = ExUnits' {exUnitsMem' = ${failed.mem}, exUnitsSteps' = ${failed.cpu}}}`
  const logs = outcome.logs.map((log) => JSON.stringify(log)).join(',')
  const reason = `ValidationFailure (${units}) (CekError An error has occurred:\n${outcome.message}) [${logs}]`
  return failedInDraft(showPurposeIndex(failed), reason, tx)
}

const withUnits = (redeemer: Redeemer, units: Units | undefined): Redeemer | null =>
  units === undefined ? null : { ...redeemer, mem: units.mem, cpu: units.cpu }

const brokenEvaluator = (message: string): { error: DraftError } =>
  failedDraft(`DevNodeEvaluatorFailure ${JSON.stringify(message)}`)
