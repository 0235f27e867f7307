import type { AgendaTask } from './AgendaTask.js'
import { currentSlot } from '../chain/chainTime.js'
import { onBaseTx } from '../deposits/submitBaseTx.js'
import { EMPTY_VIEW } from '../rules/utxoSet.js'
import { contestationPeriodOf } from '../head/types.js'
import { settleChainTx } from './chainTxs.js'
import { contestOnChain } from './headSteps.js'
import type { Party } from './Party.js'

/** Time between two checks whether the commitment of a contest is known, ms. */
const CONTEST_RETRY_MS = 25

/** Runs a task of a party's agenda. */
export function runTask(task: AgendaTask, party: Party): void {
  const { runtime, chain, head } = party
  switch (task.do) {
    case 'settle':
      return settleChainTx(task.post, party)
    case 'seeBaseTx':
      return onBaseTx(task.tx, party)
    case 'retryTx':
      return runtime.retryTx(task.tx, task.retriesLeft)
    case 'commitOthers':
      for (const vkey of task.parties) head.network.onChain({ type: 'CommitSeen', party: vkey, utxo: EMPTY_VIEW })
      return
    case 'contest':
      return runContest(party)
    case 'seeChain':
      return runtime.dispatch(task.event)
    case 'lateDecommit':
      return runtime.lateDecommit(task.tx)
    case 'sync':
      return runtime.dispatch({
        type: 'SyncChanged',
        synced: true,
        driftSeconds: 0,
        slot: currentSlot(chain),
        timeMs: chain.clock.now()
      })
  }
}

/** Makes a party contest with its latest snapshot, which moves the deadline by a contestation period. */
export function runContest(party: Party): void {
  const { runtime, chain, agenda } = party
  const { network } = party.head
  const { head } = runtime.state
  if (head.status !== 'Closed') return
  const deadlineMs = head.deadlineMs + contestationPeriodOf(head.head, chain.options.timings.contestationPeriodMs)
  if (!contestOnChain(deadlineMs, party)) return agenda.add(CONTEST_RETRY_MS, { do: 'contest' })
  network.onChain({ type: 'ContestSeen', deadlineMs, snapshotNumber: head.confirmed?.snapshot.number ?? 0 })
}
