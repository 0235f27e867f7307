import { readTransaction } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import type { TxInput } from '../../types/utxo.js'
import type { BaseChain, RedeemerUnits } from './BaseChain.js'
import { countRedeemers } from './baseHistory.js'
import type { LedgerEntry } from './utxoSet.js'
import { refOf } from './utxoSet.js'

/** Why scripts could not be run. */
export class EvaluationFailure extends Error {
  readonly reason: 'overlap' | 'context' | 'scripts'
  /** Outputs that overlap. */
  readonly inputs: readonly TxInput[]

  constructor(reason: EvaluationFailure['reason'], message: string, inputs: readonly TxInput[] = []) {
    super(message)
    this.reason = reason
    this.inputs = inputs
  }
}

const NO_EVALUATOR = 'The local head node has no script evaluator: give it one with the option scriptEvaluator.'

/**
 * What each redeemer of a transaction takes; nothing for a transaction without scripts. `additional` are outputs that are not on the ledger yet.
 *
 * @throws {@link EvaluationFailure} @throws {@link InvalidCborError} (as rejections)
 */
export async function evaluateTx(bytes: Uint8Array, additional: readonly LedgerEntry[], chain: BaseChain): Promise<readonly RedeemerUnits[]> {
  const spans = readTransaction(bytes)
  const body = decodeTransactionBody(spans)
  const overlap = additional.filter(({ ref }) => chain.get(ref) !== undefined)
  if (overlap.length > 0) {
    const message = 'Some user-provided additional UTxO entries overlap with those that exist on-chain.'
    throw new EvaluationFailure(
      'overlap',
      message,
      overlap.map(({ input }) => input)
    )
  }
  if (countRedeemers(bytes, readWitnessEntries(spans).get(WITNESS_KEY.REDEEMERS)) === 0) return []
  const { evaluate } = chain
  if (evaluate === null) throw new EvaluationFailure('context', NO_EVALUATOR)
  const more = new Map(additional.map((entry) => [entry.ref, entry]))
  const resolved = [...body.inputs, ...body.referenceInputs, ...body.collateral].map((input) => {
    const ref = refOf(input)
    const entry = more.get(ref) ?? chain.get(ref)
    if (entry === undefined) throw new EvaluationFailure('context', `Unknown transaction input (missing from UTxO set): ${ref}`)
    return entry
  })
  try {
    return await evaluate(bytes, resolved)
  } catch (error) {
    throw new EvaluationFailure('scripts', (error as Error).message)
  }
}
