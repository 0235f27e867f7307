import type { PayloadOf } from '../protocol/messages.js'
import type { UTxOObject } from '../protocol/types.js'
import type { CacheOutcome } from './CacheOutcome.js'
import { changeOfDelta } from './delta.js'
import { outputSet } from './outputSet.js'
import type { UtxoChange, UtxoIndex } from './UtxoIndex.js'

/** Messages that a gateway sends instead of snapshots with all outputs. */
export type GatewayStep =
  | PayloadOf<'GatewaySnapshot'>
  | PayloadOf<'GatewayResumed'>
  | PayloadOf<'GatewayProgress'>
  | PayloadOf<'SnapshotConfirmed'>

/** Content of the cache to which a gateway's message is applied. */
export interface FollowedOutputs {
  readonly index: UtxoIndex
  /** Number of the snapshot that the index is of; -1 while there is none. */
  readonly number: number
  readonly version: number | undefined
  /** The snapshot before the connection dropped, whose outputs are still there; null when there is none. */
  readonly kept: { readonly number: number; readonly version: number | undefined } | null
}

/** The snapshot that a step leads to. */
export interface Advance {
  readonly change: UtxoChange | null
  readonly number: number
  readonly version: number | undefined
  readonly utxoToCommit: UTxOObject | null
  readonly depositTxId?: string | null | undefined
}

/** Returns the snapshot to which a message leads from the present content, or the outcome if it leads to none. */
export function gatewayStep(
  payload: GatewayStep,
  { index, number, version, kept }: FollowedOutputs
): Advance | Exclude<CacheOutcome, 'applied'> {
  if (payload.tag === 'GatewaySnapshot')
    return {
      change: index.diff(outputSet(payload.utxo)),
      number: payload.number,
      version: payload.version,
      utxoToCommit: payload.utxoToCommit ?? null,
      depositTxId: payload.depositTxId
    }
  if (payload.tag === 'GatewayResumed') {
    const { from } = payload
    if (kept?.number === from) return { change: null, number: from, version: kept.version, utxoToCommit: null }
    return number === from ? 'ignored' : 'outOfStep'
  }
  const { tag } = payload
  const delta = tag === 'GatewayProgress' ? payload : payload.delta!
  if (number < 0) return 'needsBaseline'
  if (delta.number <= number) return 'ignored'
  if (delta.from > number) return 'outOfStep'
  if (tag === 'GatewayProgress') return { change: null, number: delta.number, version, utxoToCommit: null }
  const { snapshot } = payload
  const change = delta.number === snapshot.number ? changeOfDelta(payload.delta!, index) : null
  return change === null ? 'outOfStep' : { ...snapshot, change, version: snapshot.version }
}
