import type { StepContext } from './StepContext.js'
import type { NodeState, OpenHead } from './types.js'

/** Number of the latest confirmed snapshot; 0 for the initial one. */
export function snapshotNumber(head: Pick<OpenHead, 'confirmed'>): number {
  return head.confirmed?.snapshot.number ?? 0
}

/**
 * Runs after every step of an open head: includes the next deposit, and requests a snapshot when there is content for
 * one.
 */
export function finishOpenStep(state: NodeState, step: StepContext): NodeState {
  if (state.head.status !== 'Open') return state
  const head = requestSnapshot(includeDeposit(validateDecommit(state.head, step), state), step)
  return head === state.head ? state : { ...state, head }
}

function validateDecommit(head: OpenHead, { actions }: StepContext): OpenHead {
  const [tx, ...waitingDecommits] = head.waitingDecommits
  if (tx === undefined || head.decommit !== null || head.validatingDecommit) return head
  actions.push({ do: 'validateDecommit', tx })
  return { ...head, waitingDecommits, validatingDecommit: true }
}

/** Includes the oldest active deposit: one at a time, and none while a decommit is in flight. */
function includeDeposit(head: OpenHead, { deposits }: NodeState): OpenHead {
  if (head.deposit !== null || head.decommit !== null || head.validatingDecommit) return head
  for (let i = deposits.length - 1; i >= 0; i--) {
    const { status, headId, txId, deposited } = deposits[i]!
    if (status === 'Active' && headId === head.head.headId)
      return { ...head, deposit: { txId, utxo: deposited, approved: false } }
  }
  return head
}

function requestSnapshot(head: OpenHead, { actions, faults }: StepContext): OpenHead {
  const { deposit, decommit, pendingTxs, signing } = head
  // A snapshot that carries a decommit carries no deposit (HeadLogic.hs, onOpenNetworkReqDec).
  const toCommit = decommit === null ? deposit : null
  const hasChanges =
    pendingTxs > 0 ||
    (toCommit !== null && !toCommit.approved) ||
    (decommit !== null && !decommit.approved && !decommit.stuck)
  // Increment and decrement of one version: the base ledger refuses the second (Head.hs, checkDecrement). The node
  // signs the decommit all the same (HeadLogic.hs, onOpenNetworkReqDec), unless it receives it after the increment.
  const waits = decommit !== null && !decommit.approved && deposit?.approved === true && !faults.racingDecommit
  if (signing || !hasChanges || waits) return head
  actions.push({
    do: 'sign',
    headId: head.head.headId,
    number: snapshotNumber(head) + 1,
    utxoToCommit: toCommit?.utxo ?? null,
    depositTxId: toCommit?.txId ?? null,
    utxoToDecommit: decommit?.utxo ?? null
  })
  return { ...head, signing: true }
}
