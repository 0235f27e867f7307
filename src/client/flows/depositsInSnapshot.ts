import { isLayerError } from '../../errors/base.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'

/** Deposits that a signed snapshot brings into the head. */
export interface DepositsInSnapshot {
  readonly ids: ReadonlySet<string>
  readonly snapshotNumber: number
}

const NONE: DepositsInSnapshot = { ids: new Set(), snapshotNumber: 0 }

/**
 * Returns those of `ids` that the newest signed snapshot of an open head brings into it. Recovering one of them would
 * block the head; once the head is closed, they can be recovered.
 */
export async function depositsInSnapshot(
  context: ClientContext,
  ids: readonly string[],
  deadline: Deadline
): Promise<DepositsInSnapshot> {
  const { bridge } = context
  if (ids.length === 0 || bridge.headStatus !== 'Open') return NONE
  const confirmed = await deadline.race(bridge.confirmedSnapshot().catch(nullIfUnsupported), 'the newest snapshot')
  if (confirmed?.tag !== 'ConfirmedSnapshot') return NONE
  const { number: snapshotNumber, utxoToCommit, depositTxId } = confirmed.snapshot
  const keys = Object.keys(utxoToCommit ?? {})
  if (keys.length === 0) return NONE
  if (typeof depositTxId === 'string') return { ids: new Set(ids.filter((id) => id === depositTxId)), snapshotNumber }
  const outputs = await deadline.race(recordedOutputs(context, ids), "the deposit's outputs")
  // Before 2.4 a snapshot names no deposit, and a node may have no history: the only one on its way is the one.
  const isArriving = keys.some((key) => bridge.isArriving(key))
  const isNamed = (id: string): boolean =>
    outputs.get(id)?.some((key) => keys.includes(key)) ?? (isArriving && ids.length === 1)
  return { ids: new Set(ids.filter(isNamed)), snapshotNumber }
}

/** Returns the references of the outputs of deposits, by deposit id, from the node's messages. */
async function recordedOutputs(
  { bridge }: ClientContext,
  ids: readonly string[]
): Promise<ReadonlyMap<string, readonly string[]>> {
  const messages = (await bridge.messagesAbout(ids).catch(nullIfUnsupported)) ?? []
  return new Map(
    messages.flatMap((message) =>
      message.tag === 'CommitRecorded' && message.utxoToCommit !== undefined
        ? [[message.pendingDeposit, Object.keys(message.utxoToCommit)] as const]
        : []
    )
  )
}

function nullIfUnsupported(error: unknown): null {
  if (isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_CONNECTOR') || isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_NODE'))
    return null
  throw error
}
