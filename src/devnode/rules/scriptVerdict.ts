import { showScriptHash, utxoFailure } from './failures.js'
import type { ScriptOutcome } from './evaluatorOutcome.js'
import type { TxWithScripts } from './resolvedScripts.js'
import { plutusNeeds } from './resolvedScripts.js'
import type { LedgerEnvironment } from './LedgerEnvironment.js'

/** The verdict on Plutus scripts without the option `scriptEvaluator`. */
export const NO_EVALUATOR =
  'DevNodeUnsupported "Plutus scripts: the local head node runs them with the option scriptEvaluator"'

/**
 * Returns the verdict on a transaction's scripts, which counts when every rule before them holds. A transaction that
 * declares its scripts failed is valid when they do fail.
 *
 * @see eras/babbage/impl/src/Cardano/Ledger/Babbage/Rules/Utxos.hs:130, expectScriptsToPass; :192,
 * babbageEvalScriptsTxInvalid
 */
export function scriptVerdict(resolved: TxWithScripts, { scripts = null, parameters }: LedgerEnvironment): string[] {
  const { isValid } = resolved.tx
  const needs = plutusNeeds(resolved)
  const passed = isValid ? [] : [utxoFailure('UtxosFailure (ValidationTagMismatch (IsValid False) PassedUnexpectedly)')]
  if (needs.length === 0) return passed
  if (scripts === null) return [NO_EVALUATOR]
  const outcome = withinBudget(
    scripts.outcomeOf(resolved) ?? { kind: 'broken', message: 'the scripts have not run' },
    resolved
  )
  if (outcome.kind === 'broken') return [`DevNodeEvaluatorFailure ${JSON.stringify(outcome.message)}`]
  if (outcome.kind === 'passed') return passed
  return isValid ? [failingScript(outcome, resolved, parameters.protocolVersion)] : []
}

/** Returns the outcome as failed where a script uses more units than its redeemer declares. */
function withinBudget(outcome: ScriptOutcome, resolved: TxWithScripts): ScriptOutcome {
  if (outcome.kind !== 'passed') return outcome
  const { redeemers } = resolved.tx.scripts
  const keys = new Set(plutusNeeds(resolved).map(({ key }) => key))
  if (outcome.units.size !== keys.size || [...keys].some((key) => !outcome.units.has(key))) {
    return {
      kind: 'broken',
      message: `expected units of ${[...keys].join(', ')}, got those of ${[...outcome.units.keys()].join(', ') || 'none'}`
    }
  }
  for (const [key, { mem, cpu }] of outcome.units) {
    const declared = redeemers.get(key)!
    if (mem <= declared.mem && cpu <= declared.cpu) continue
    const message = `The machine terminated part way through evaluation due to overspending the budget. The budget when the machine terminated was: ({cpu: ${declared.cpu - cpu} | mem: ${declared.mem - mem}})`
    return { kind: 'failed', redeemer: key, message, logs: [] }
  }
  return outcome
}

/**
 * Returns the failure of a script as a head shows it, on both ledgers.
 *
 * @see hydra-node/src/Hydra/Ledger/Cardano.hs:142; libs/cardano-ledger-core/.../Plutus/Evaluate.hs,
 * explainPlutusEvaluationError
 */
function failingScript(
  { redeemer, message, logs }: Extract<ScriptOutcome, { kind: 'failed' }>,
  resolved: TxWithScripts,
  version: number
): string {
  const needs = plutusNeeds(resolved)
  const { need, script } = needs.find(({ key }) => key === redeemer) ?? needs[0]!
  const lines = [
    '',
    `The ${script.language} script failed:`,
    'Base64-encoded script bytes:',
    `"${btoa(String.fromCharCode(...script.bytes.subarray(0, MAX_SHOWN_BYTES)))}"`,
    `The script hash is:${showScriptHash(need.hash)}`,
    `The plutus evaluation error is: ${message}`,
    `The protocol version is: Version ${version}`,
    ''
  ]
  return `Plutus validation failed: ${lines.join('\n')}Debug info: DebugFailure [${logs.map((log) => JSON.stringify(log)).join(',')}] (${message})`
}

/** Arguments of a call are bounded; no transaction is longer. */
const MAX_SHOWN_BYTES = 16_384
