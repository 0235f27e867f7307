import { bytesToHex } from '../../codec/hex.js'
import { readTransaction, transactionId } from '../../codec/transaction.js'
import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { TransactionTooLargeError } from '../../errors/tx.js'
import type { Blueprint } from '../blueprint.js'
import { assertDeposit, FREE } from '../blueprint.js'
import type { TxPlan } from '../buildTx.js'
import { assertOutput } from '../buildTx.js'
import { toUtxos } from '../chaining.js'
import { inLedgerOrder } from '../inputs.js'
import type { ScriptPlan } from './balanceScriptTx.js'
import { balanceScriptTx, chosenScriptInputs, writeScriptBlueprint } from './balanceScriptTx.js'
import { assertPolicies } from './buildScriptTx.js'
import { resolveScripts } from './resolveScripts.js'
import type { RecordedScripts } from './ScriptPart.js'

/** Makes the blueprint of a deposit with Plutus scripts. See `TxBuilder.scriptBlueprint`. */
export function buildScriptBlueprint(plan: TxPlan, { parts: recorded }: RecordedScripts): Blueprint {
  plan.outputs.forEach((output, index) => assertOutput(output, index, plan.parameters))
  const free: TxPlan = { ...plan, parameters: { ...plan.parameters, ...FREE } }
  const parts = resolveScripts(free, recorded)
  assertPolicies(free, parts)
  const all: ScriptPlan = { plan: free, parts, parameters: null }
  // Without outputs the node deposits all inputs, so that there is no change.
  const isWhole = plan.outputs.length === 0
  const balanced = isWhole ? null : balanceScriptTx(all, new Map())
  const inputs = balanced?.inputs ?? inLedgerOrder(chosenScriptInputs(all))
  const change = balanced?.outputs.slice(plan.outputs.length) ?? []
  if (inputs.length === 0)
    throw new InvalidArgumentError('spendScript', 'outputs to deposit, or pay()', described('none'))
  if (change.length > 1)
    throw new InvalidArgumentError('changeTo', 'change that fits one output: spend fewer assets', change)
  const bytes = writeScriptBlueprint(all, inputs)
  const { maxTxSize } = plan.parameters
  if (bytes.length > maxTxSize) throw new TransactionTooLargeError('The blueprint', bytes.length, maxTxSize)
  const txId = transactionId(readTransaction(bytes))
  const outputs = [...plan.outputs]
  assertDeposit(isWhole ? inputs : toUtxos({ txId, outputs }), plan)
  return {
    cborHex: bytesToHex(bytes),
    description: '',
    txId,
    utxo: [...inputs, ...parts.references],
    outputs,
    ...(change.length === 0 ? {} : { changeAddress: change[0]!.address })
  }
}
