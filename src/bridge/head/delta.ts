import { hexToBytes } from '../../codec/hex.js'
import { readTransaction } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import type { Snapshot, SnapshotDelta, TransactionJson, TxOutJson, UTxOObject } from '../protocol/types.js'
import { outputToJson, toInputKey } from '../protocol/utxoJson.js'
import type { OutputSet } from './outputSet.js'
import type { UtxoChange } from './UtxoIndex.js'

/** Effect of a transaction on the outputs of the head. */
export interface TxEffect {
  /** Keys of the outputs it spends. */
  readonly spent: readonly string[]
  /** The outputs it makes, by key. */
  readonly made: ReadonlyMap<string, TxOutJson>
}

const CBOR_FALSE = 0xf4

/**
 * Returns the effect of a transaction, from its CBOR. Null when it is unknown, because the transaction came by id
 * alone, cannot be read, or failed its scripts (then it spends its collateral). The outputs are decoded only with
 * `wantOutputs`.
 */
export function txEffect({ txId, cborHex }: TransactionJson, wantOutputs = true): TxEffect | null {
  if (cborHex === undefined) return null
  try {
    const spans = readTransaction(hexToBytes(cborHex, 'The transaction'))
    if (spans.isValid !== null && spans.bytes[spans.isValid.start] === CBOR_FALSE) return null
    const body = decodeTransactionBody(spans)
    const made = new Map<string, TxOutJson>()
    if (wantOutputs)
      body.outputs.forEach((output, index) => made.set(toInputKey({ txHash: txId, index }), outputToJson(output)))
    return { spent: body.inputs.map(toInputKey), made }
  } catch {
    return null
  }
}

/** Age of a snapshot compared with a state whose number is not known. */
export type SnapshotAge = 'older' | 'newer' | 'unclear'

/**
 * Compares a snapshot with a state whose number is not known, as after Greetings, which has the present state while
 * earlier messages are still queued. Outputs that a snapshot spends are in the state before it and never after; outputs
 * that it commits are in the state after it, until they are spent too.
 *
 * @param adds - true when the snapshot has outputs that the state has not
 */
export function ageOf(snapshot: Snapshot, adds: boolean, has: (key: string) => boolean): SnapshotAge {
  const spent = spentBefore(snapshot)
  if (spent === null) return 'unclear'
  if (spent.length > 0) return spent.some(has) ? 'newer' : 'older'
  const commit = Object.keys(snapshot.utxoToCommit ?? {})
  // The outputs of a commit come together: where none is there, they are still to come, or spent already.
  if (commit.length > 0) return commit.some(has) ? 'older' : 'unclear'
  // A snapshot that only withdraws adds no output to those right before it.
  return adds ? 'older' : 'newer'
}

/** Returns the keys that the transactions of a snapshot spend and that were there before it; null when unknown. */
function spentBefore(snapshot: Snapshot): string[] | null {
  const within = new Set(snapshot.confirmed.map(({ txId }) => txId))
  const spent: string[] = []
  for (const transaction of snapshot.confirmed) {
    const effect = txEffect(transaction, false)
    if (effect === null) return null
    for (const key of effect.spent) if (!within.has(key.slice(0, key.indexOf('#')))) spent.push(key)
  }
  return spent
}

/** State before a snapshot. */
export interface PriorState {
  has(key: string): boolean
  /** Keys that a decommit spends, by its transaction's id. */
  spentByDecommit(txId: string): readonly string[] | undefined
  /** Outputs of a commit that is given up unless the snapshot still has it. */
  readonly givenUp: UTxOObject | null
}

/** Returns the change that a snapshot's transactions, commits and decommits make; null when unknown. */
export function snapshotChange(
  { confirmed, utxoToCommit, utxoToDecommit }: Snapshot,
  before: PriorState
): UtxoChange | null {
  const added = new Map<string, TxOutJson>()
  const removed = new Set<string>()
  const spend = (key: string): boolean => {
    if (added.delete(key)) return true
    const isPresent = before.has(key) && !removed.has(key)
    if (isPresent) removed.add(key)
    return isPresent
  }
  for (const transaction of confirmed) {
    const effect = txEffect(transaction)
    if (effect === null || !effect.spent.every(spend)) return null
    for (const [key, output] of effect.made) added.set(key, output)
  }
  for (const key in utxoToCommit) if (!before.has(key)) added.set(key, utxoToCommit[key]!)
  for (const key in before.givenUp) if (!Object.hasOwn(utxoToCommit ?? {}, key)) spend(key)
  for (const key in utxoToDecommit) {
    const spent = before.spentByDecommit(key.slice(0, key.indexOf('#')))
    if (spent === undefined) return null
    for (const input of spent) spend(input)
    spend(key)
  }
  return { added: [...added.keys()], outputs: [...added.values()], removed: [...removed] }
}

/** Returns the change that a gateway's delta states; null where the delta does not fit the present outputs. */
export function changeOfDelta({ spent, made, count }: SnapshotDelta, outputs: OutputSet): UtxoChange | null {
  const added = Object.keys(made)
  const follows =
    new Set(spent).size === spent.length &&
    spent.every((key) => outputs.has(key)) &&
    !added.some((key) => outputs.has(key))
  if (!follows || outputs.size - spent.length + added.length !== count) return null
  return { added, outputs: added.map((key) => made[key]!), removed: spent }
}
