import type { AgendaTask } from '../chain/Agenda.js'
import { currentSlot } from '../chain/chainTime.js'
import { onBaseTx } from '../deposits/submitBaseTx.js'
import { EMPTY_VIEW } from '../rules/utxoSet.js'
import { contestationPeriodOf } from '../head/types.js'
import type { NodeContext } from './NodeContext.js'

/** Does what was on the agenda. */
export function runTask(task: AgendaTask, context: NodeContext): void {
  const { runtime, options, network } = context
  switch (task.do) {
    case 'settle':
      return runtime.settle(task.post)
    case 'seeBaseTx':
      return onBaseTx(task.tx, context)
    case 'retryTx':
      return runtime.retryTx(task.tx, task.retriesLeft)
    case 'commitOthers':
      for (const party of task.parties) network.onChain({ type: 'CommitSeen', party, utxo: EMPTY_VIEW })
      return
    case 'contest':
      return contest(context)
    case 'seeChain':
      return runtime.dispatch(task.event)
    case 'lateDecommit':
      return runtime.lateDecommit(task.tx)
    case 'sync':
      return runtime.dispatch({
        type: 'SyncChanged',
        synced: true,
        driftSeconds: 0,
        slot: currentSlot(context),
        timeMs: options.clock.now()
      })
  }
}

/** A party contests with its latest snapshot: the deadline moves by a contestation period. */
export function contest({ runtime, network, options }: Pick<NodeContext, 'runtime' | 'network' | 'options'>): void {
  const { head } = runtime.state
  if (head.status !== 'Closed') return
  const deadlineMs = head.deadlineMs + contestationPeriodOf(head.head, options.timings.contestationPeriodMs)
  network.onChain({ type: 'ContestSeen', deadlineMs, snapshotNumber: head.confirmed?.snapshot.number ?? 0 })
}
