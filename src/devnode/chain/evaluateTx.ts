import { readTransaction } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import type { TxInput } from '../../types/utxo.js'
import type { BaseChain } from './BaseChain.js'
import { countRedeemers } from './baseHistory.js'
import type { LedgerEntry } from '../rules/utxoSet.js'
import { entryKey } from '../rules/utxoContent.js'
import { entryRefOf } from '../rules/utxoSet.js'

/** Execution units that a redeemer uses. */
export interface RedeemerUnits {
  /** As clients name it: `spend`, `mint`, `publish`, `withdraw`, `vote` or `propose`. */
  readonly purpose: string
  readonly index: number
  readonly memory: bigint
  readonly cpu: bigint
}

/** Purposes whose names differ from the ledger's tags. */
const PURPOSES: Readonly<Record<string, string>> = { cert: 'publish', reward: 'withdraw' }

type EvaluationDetails = Partial<Pick<EvaluationFailure, 'inputs' | 'validator' | 'logs'>>

/** Error of an evaluation: scripts could not be run, or one of them failed. */
export class EvaluationFailure extends Error {
  readonly reason: 'overlap' | 'context' | 'scripts'
  /** Stated outputs that differ from those on the ledger under the same references. */
  readonly inputs: readonly TxInput[]
  /** The redeemer whose script failed; `logs` is the trace of the script. */
  readonly validator: { readonly purpose: string; readonly index: number }
  readonly logs: readonly string[]

  constructor(
    reason: EvaluationFailure['reason'],
    message: string,
    { inputs = [], validator = { purpose: 'spend', index: 0 }, logs = [] }: EvaluationDetails = {}
  ) {
    super(message)
    this.reason = reason
    this.inputs = inputs
    this.validator = validator
    this.logs = logs
  }
}

const NO_EVALUATOR = 'The local head node has no script evaluator: give it one with the option scriptEvaluator.'

/**
 * Returns the execution units of each redeemer of a transaction; none for one without scripts. `additional` are outputs
 * that are not on the ledger yet.
 *
 * @throws {@link EvaluationFailure} @throws {@link InvalidCborError} (as rejections)
 */
export async function evaluateTx(
  bytes: Uint8Array,
  additional: readonly LedgerEntry[],
  chain: BaseChain
): Promise<readonly RedeemerUnits[]> {
  const spans = readTransaction(bytes)
  const body = decodeTransactionBody(spans)
  // Outputs of the ledger may be stated again: builders state the outputs that they spend (Ogmios 6.6 refuses only
  // those that differ).
  const overlap = additional.filter((entry) => {
    const onChain = chain.get(entry.ref)
    return onChain !== undefined && entryKey(onChain) !== entryKey(entry)
  })
  if (overlap.length > 0) {
    const message = 'Some user-provided additional UTxO entries overlap with those that exist on-chain.'
    throw new EvaluationFailure('overlap', message, { inputs: overlap.map(({ input }) => input) })
  }
  if (countRedeemers(bytes, readWitnessEntries(spans).get(WITNESS_KEY.REDEEMERS)) === 0) return []
  const more = new Map(additional.map((entry) => [entry.ref, entry]))
  const resolved = [...body.inputs, ...body.referenceInputs, ...body.collateral].map((input) => {
    const ref = entryRefOf(input)
    const entry = chain.get(ref) ?? more.get(ref)
    if (entry === undefined)
      throw new EvaluationFailure('context', `Unknown transaction input (missing from UTxO set): ${ref}`)
    return entry
  })
  const outcome = await chain.evaluate(bytes, [...new Set(resolved)])
  if (outcome === undefined) throw new EvaluationFailure('context', NO_EVALUATOR)
  if (outcome.kind === 'broken')
    throw new EvaluationFailure('context', `The script evaluator failed: ${outcome.message}`)
  if (outcome.kind === 'failed') {
    const [tag = 'spend', index = '0'] = outcome.redeemer?.split('#') ?? []
    throw new EvaluationFailure('scripts', outcome.message, {
      validator: { purpose: PURPOSES[tag] ?? tag, index: Number(index) },
      logs: outcome.logs
    })
  }
  return [...outcome.units.values()].map(({ tag, index, mem, cpu }) => ({
    purpose: PURPOSES[tag] ?? tag,
    index,
    memory: mem,
    cpu
  }))
}
