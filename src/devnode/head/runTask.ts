import type { AgendaTask } from '../Agenda.js'
import { currentSlot } from '../chainTime.js'
import { onBaseTx } from '../deposits/submitBaseTx.js'
import { EMPTY_VIEW } from '../ledger/utxoSet.js'
import type { NodeContext } from '../NodeContext.js'

/** Does what was on the agenda. */
export function runTask(task: AgendaTask, context: NodeContext): void {
  const { runtime, options } = context
  switch (task.do) {
    case 'settle':
      return runtime.settle(task.post)
    case 'seeBaseTx':
      return onBaseTx(task.tx, context)
    case 'retryTx':
      return runtime.retryTx(task.tx, task.retriesLeft)
    case 'commitOthers':
      for (const party of task.parties) runtime.dispatch({ type: 'CommitSeen', party, utxo: EMPTY_VIEW })
      return
    case 'sync':
      return runtime.dispatch({ type: 'SyncChanged', synced: true, driftSeconds: 0, slot: currentSlot(context), timeMs: options.clock.now() })
  }
}
