import { CborWriter } from '../../codec/cbor/writer.js'
import { hexToBytes } from '../../codec/hex.js'
import { encodeTxOutput } from '../../codec/txOutput.js'
import { UnsupportedInHeadError } from '../../errors/client.js'
import { EvaluatorFailedError, EvaluatorMissingError, ScriptFailedError } from '../../errors/scripts.js'
import type { ScriptEvaluationRequest, ScriptEvaluator, ScriptUnits } from '../../types/scriptEvaluator.js'
import type { TxInput, UTxO } from '../../types/utxo.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'
import type { AnyTransaction } from '../types.js'
import { checkLanguages, checkScripts, checkUnits, mostUnits, totalOf } from './checkScripts.js'
import type { HeadParameters } from './headParameters.js'
import { queryParameters } from './headParameters.js'
import type { EvaluatedRedeemer, Evaluation } from './evaluation.js'
import { leastFee } from './leastFee.js'
import { requireInputs } from './requireInputs.js'
import type { TxWithOutputs, NeededScript } from './resolveTx.js'
import { resolveOutputs, transactionSpans } from './resolveTx.js'
import { REDEEMER_TAGS, redeemerName } from './txScripts.js'
import type { RedeemerTag } from './txScripts.js'

/** Parameters by context: the head's own, requested once for each head and version of its node. */
const parametersOf = new WeakMap<ClientContext, { readonly key: string; readonly value: Promise<HeadParameters> }>()

/** Returns the head's parameters. @throws the errors of `bridge.getRawProtocolParameters()` */
function loadParameters(context: ClientContext): Promise<HeadParameters> {
  const { headId, nodeVersion } = context.bridge.getSnapshot()
  const key = `${headId}|${nodeVersion}`
  const known = parametersOf.get(context)
  if (known?.key === key) return known.value
  const entry = { key, value: queryParameters(context.bridge) }
  parametersOf.set(context, entry)
  entry.value.catch(() => {
    if (parametersOf.get(context) === entry) parametersOf.delete(context)
  })
  return entry.value
}

/** Evaluates a transaction's scripts in a head that is ready. See {@link evaluate}. */
export async function evaluateScripts(
  context: ClientContext,
  transaction: AnyTransaction,
  evaluator: ScriptEvaluator | null,
  more: readonly UTxO[],
  deadline: Deadline
): Promise<Evaluation> {
  const spans = transactionSpans(transaction)
  const parameters = await deadline.race(loadParameters(context), "the head's parameters")
  const tx = resolveOutputs(context, spans, more)
  requireInputs(tx)
  const needs = checkScripts(tx)
  if (tx.witnesses.redeemers.length === 0) return evaluationOf(tx, [], needs, parameters)
  checkLanguages(tx, needs, parameters)
  if (evaluator === null) throw new EvaluatorMissingError(needs)
  const request = requestOf(context, tx, parameters)
  const answer = await deadline.race(run(evaluator, request, needs), 'the script evaluator')
  const units = readUnits(answer, tx)
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

/** @throws {@link ScriptFailedError}, {@link EvaluatorFailedError} */
async function run(
  evaluator: ScriptEvaluator,
  request: ScriptEvaluationRequest,
  needs: readonly NeededScript[]
): Promise<unknown> {
  try {
    return await evaluator(request)
  } catch (error) {
    const { message, logs, redeemer } = (error ?? {}) as { message?: unknown; logs?: unknown; redeemer?: unknown }
    // A rejection with logs is a script's; any other is the evaluator's own (ScriptFailure).
    if (typeof message !== 'string' || !Array.isArray(logs))
      throw new EvaluatorFailedError('units of each redeemer, or the failure of a script', error)
    const name = isPointer(redeemer) ? redeemerName(redeemer) : null
    const named = needs.filter((need) => need.redeemer === name)
    throw new ScriptFailedError(named.length > 0 ? named : needs, message, logs.map(String), error)
  }
}

const isPointer = (value: unknown): value is { tag: RedeemerTag; index: number } =>
  typeof value === 'object' && value !== null && 'tag' in value && 'index' in value

/**
 * Reads an evaluator's answer, which is outside code: units once for each redeemer. @throws
 * {@link EvaluatorFailedError}
 */
function readUnits(answer: unknown, tx: TxWithOutputs): ScriptUnits[] {
  const names = new Set(tx.witnesses.redeemers.map(redeemerName))
  const expected = `units of ${[...names].join(', ')}: { tag, index, mem, cpu } once for each`
  const units = Array.isArray(answer) ? answer.map((each) => readUnit(each)) : [null]
  for (const unit of units)
    if (unit === null || !names.delete(redeemerName(unit as { tag: RedeemerTag; index: number })))
      throw new EvaluatorFailedError(expected, answer)
  if (names.size > 0) throw new EvaluatorFailedError(expected, new Error(`no units of ${[...names].join(', ')}`))
  return (units as ScriptUnits[]).sort(
    (a, b) =>
      REDEEMER_TAGS.indexOf(a.tag as RedeemerTag) - REDEEMER_TAGS.indexOf(b.tag as RedeemerTag) || a.index - b.index
  )
}

function readUnit(value: unknown): ScriptUnits | null {
  const { tag, index, mem, cpu, logs } = (value ?? {}) as Partial<Record<keyof ScriptUnits, unknown>>
  if (!REDEEMER_TAGS.some((each) => each === tag) || !Number.isSafeInteger(index)) return null
  if (!isCount(mem) || !isCount(cpu)) return null
  const traces = Array.isArray(logs) ? logs.map(String) : []
  return { tag: tag as RedeemerTag, index: index as number, mem: BigInt(mem), cpu: BigInt(cpu), logs: traces }
}

const isCount = (value: unknown): value is bigint | number =>
  (typeof value === 'bigint' || Number.isSafeInteger(value)) && (value as bigint | number) >= 0

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
