import { currentSlot } from '../chain/chainTime.js'
import type { Agenda } from '../chain/Agenda.js'
import type { Chain } from '../chain/Chain.js'
import type { HeadMessage } from '../head/messages.js'
import type { HeadEvent, NodeState } from '../head/types.js'
import type { DevNodeFaults } from '../settings/faults.js'
import type { AgendaTask } from './AgendaTask.js'
import { openingMs } from './openAtStart.js'

/** A party that starts. */
interface StartingParty {
  readonly chain: Chain
  readonly faults: DevNodeFaults
  readonly agenda: Agenda<AgendaTask>
  readonly hub: { publish(output: HeadMessage): void }
  readonly runtime: { readonly state: NodeState; noticeStall(): void; dispatch(event: HeadEvent): void }
}

/** True where a party starts behind the chain: real nodes do, until their first block (Node/State.hs:69). */
export function startsUnsynced({ chain: { features }, faults }: Pick<StartingParty, 'chain' | 'faults'>): boolean {
  return features.syncStatus && (faults.startUnsynced || faults.noisyHistory)
}

/** Publishes the messages of a node's start that its faults require (HeadLogic.hs:1830, 2176). */
export function startNode({ chain, faults, agenda, hub, runtime }: StartingParty): void {
  const { options } = chain
  if (faults.noisyHistory) {
    hub.publish({ tag: 'NetworkConnected' })
    for (let i = 1; i < options.parties; i++) hub.publish({ tag: 'PeerConnected', port: 5001 + i })
  }
  runtime.noticeStall()
  if (runtime.state.synced) return
  // After the earlier steps of a node that starts with an open head.
  const delayMs = options.timings.blockMs + (options.open ? openingMs(options.timings) : 0)
  if (faults.startUnsynced) agenda.add(delayMs, { do: 'sync' })
  else
    runtime.dispatch({
      type: 'SyncChanged',
      synced: true,
      driftSeconds: 0,
      slot: currentSlot(chain),
      timeMs: chain.clock.now()
    })
}
