import { readOptions } from '../../codec/options.js'
import type { OptionNames } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ScriptEvaluator } from '../../types/scriptEvaluator.js'
import type { UTxO } from '../../types/utxo.js'
import { checkEvaluator } from '../checkEvaluator.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import type { ActionOptions } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import type { Evaluation } from '../scripts/evaluation.js'
import type { AnyTransaction } from '../types.js'

/** Options of {@link HeadClient.evaluate}. */
export interface EvaluateArgs extends ActionOptions {
  /** Runs the scripts: `scalusEvaluator()` of `layer-sdk/scalus`. @default the option of `createHeadClient` */
  evaluator?: ScriptEvaluator | undefined
  /** Outputs that the head does not hold yet, e.g. of a transaction that is not sent. @default none */
  utxos?: readonly UTxO[] | undefined
}

const OPTIONS: OptionNames<EvaluateArgs> = { evaluator: true, utxos: true, timeout: true, signal: true }

/**
 * Evaluates the scripts of a transaction, signed or not, with the head's own cost models, slots and outputs, those of
 * this client's transactions in flight included. The execution units that its redeemers declare are ignored. No
 * transaction is sent.
 *
 * @param transaction - CBOR hex, a built transaction or an envelope
 * @returns the units of each redeemer, with traces, and the fee that the head demands
 * @throws {@link ScriptInputError} when an input, script, redeemer, datum or cost model is missing, or when the units
 * exceed the head's; {@link ScriptFailedError}, {@link EvaluatorMissingError}, {@link EvaluatorFailedError};
 * {@link InvalidArgumentError}, {@link InvalidCborError}; {@link HeadStateError}, {@link NotConnectedError},
 * {@link ClientTimeoutError} (30 s)
 * @example
 * ```ts no-run
 * import { scalusEvaluator } from 'layer-sdk/scalus'
 *
 * const { redeemers, fee } = await head.evaluate(cborHex, { evaluator: scalusEvaluator() })
 * console.log(redeemers[0]?.mem, redeemers[0]?.cpu, fee) // e.g. 2102n 560212n 0n
 * ```
 */
export async function evaluate(
  head: HeadContext,
  transaction: AnyTransaction,
  options: EvaluateArgs = {}
): Promise<Evaluation> {
  const context = contextParts(head)
  const checked = readOptions(options ?? {}, OPTIONS, 'options')
  const { utxos = [] } = checked
  const evaluator = checkEvaluator(checked.evaluator) ?? context.settings.evaluator
  if (!Array.isArray(utxos)) throw new InvalidArgumentError('utxos', 'an array of outputs', utxos)
  return withDeadline('evaluate', checked, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    await context.connection.ready('evaluate', deadline)
    // Programs without scripts never load it.
    const { evaluateScripts } = await import('../scripts/evaluateScripts.js')
    return evaluateScripts(context, transaction, evaluator, utxos, deadline)
  })
}
