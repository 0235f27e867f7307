import { CborWriter } from '../../codec/cbor/writer.js'
import { hexToBytes } from '../../codec/hex.js'
import { redeemerName } from '../../codec/redeemer.js'
import type { RedeemerTag } from '../../codec/redeemer.js'
import { evaluatorError, readScriptUnits } from '../../codec/scriptUnits.js'
import { encodeTxOutput } from '../../codec/txOutput.js'
import { UnsupportedInHeadError } from '../../errors/client.js'
import { EvaluatorMissingError } from '../../errors/scripts.js'
import type { ScriptEvaluationRequest, ScriptEvaluator, ScriptUnits } from '../../types/scriptEvaluator.js'
import type { TxInput, UTxO } from '../../types/utxo.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'
import type { AnyTransaction } from '../types.js'
import { checkLanguages, checkScripts, checkUnits, mostUnits, totalOf } from './checkScripts.js'
import type { HeadParameters } from './headParameters.js'
import { loadHeadParameters } from './headParameters.js'
import type { EvaluatedRedeemer, Evaluation } from './evaluation.js'
import { leastFee } from './leastFee.js'
import { requireInputs } from './requireInputs.js'
import type { TxWithOutputs, NeededScript } from './resolveTx.js'
import { resolveOutputs, transactionSpans } from './resolveTx.js'

/** Evaluates a transaction's scripts in a head that is ready. See {@link evaluate}. */
export async function evaluateScripts(
  context: ClientContext,
  transaction: AnyTransaction,
  evaluator: ScriptEvaluator | null,
  more: readonly UTxO[],
  deadline: Deadline
): Promise<Evaluation> {
  const spans = transactionSpans(transaction)
  const parameters = await deadline.race(loadHeadParameters(context), "the head's parameters")
  const tx = resolveOutputs(context, spans, more)
  requireInputs(tx)
  const needs = checkScripts(tx)
  if (tx.witnesses.redeemers.length === 0) return evaluationOf(tx, [], needs, parameters)
  checkLanguages(tx, needs, parameters)
  if (evaluator === null) throw new EvaluatorMissingError(needs)
  const request = requestOf(context, tx, parameters)
  const answer = await deadline.race(run(evaluator, request, needs), 'the script evaluator')
  const units = readScriptUnits(answer, tx.witnesses.redeemers.map(redeemerName))
  checkUnits(totalOf(units), request.maxExUnits, needs)
  return evaluationOf(tx, units, needs, parameters)
}

function requestOf(context: ClientContext, tx: TxWithOutputs, parameters: HeadParameters): ScriptEvaluationRequest {
  const slots = context.ledger.slotConfig
  if (slots === null)
    throw new UnsupportedInHeadError(
      'evaluate',
      'a connected node from 1.3 on, or the option network of createHeadClient: scripts see the time by the slots'
    )
  const inputs = new Map(
    [...tx.inputs, ...tx.referenceInputs, ...tx.body.collateral].map((each) => [nameOf(each), each])
  )
  return {
    tx: tx.spans.bytes.slice(),
    resolved: [...inputs].map(([name, { txHash, index }]) => [
      new CborWriter().array(2).bytes(hexToBytes(txHash)).uint(index).toBytes(),
      encodeTxOutput(tx.outputs.get(name)!.output)
    ]),
    costModels: parameters.costModels,
    slot: { zeroTimeMs: slots.zeroTime, zeroSlot: slots.zeroSlot, slotLengthMs: slots.slotLength },
    protocolVersion: parameters.protocolVersion.major,
    maxExUnits: mostUnits(parameters)
  }
}

const nameOf = ({ txHash, index }: TxInput): string => `${txHash}#${index}`

/** Runs the evaluator. @throws {@link ScriptFailedError}, {@link EvaluatorFailedError} */
async function run(
  evaluator: ScriptEvaluator,
  request: ScriptEvaluationRequest,
  needs: readonly NeededScript[]
): Promise<unknown> {
  try {
    return await evaluator(request)
  } catch (error) {
    throw evaluatorError(error, needs)
  }
}

function evaluationOf(
  tx: TxWithOutputs,
  units: readonly ScriptUnits[],
  needs: readonly NeededScript[],
  parameters: HeadParameters
): Evaluation {
  const redeemers = units.map(({ tag, index, mem, cpu, logs = [] }): EvaluatedRedeemer => {
    const need = needs.find((each) => each.tag === tag && each.index === index)
    const [input, scriptHash] = [need?.input ?? null, need?.scriptHash ?? null]
    return { tag: tag as RedeemerTag, index, mem, cpu, input, scriptHash, traces: logs }
  })
  return { redeemers, units: totalOf(units), fee: leastFee(tx, units, parameters) }
}
