import { currentSlot } from '../chain/chainTime.js'
import type { NodeContext } from './NodeContext.js'
import { openingMs } from './openAtStart.js'

/** Whether the node starts behind the chain: real ones do, until their first block (Node/State.hs:69). */
export function startsUnsynced({ features, faults }: Pick<NodeContext, 'features' | 'faults'>): boolean {
  return features.syncStatus && (faults.startUnsynced || faults.noisyHistory)
}

/** What a node goes through when it starts: nothing, unless the faults want it seen (HeadLogic.hs:1830, 2176). */
export function startNode(context: Pick<NodeContext, 'options' | 'faults' | 'agenda' | 'hub' | 'runtime'>): void {
  const { options, faults, agenda, hub, runtime } = context
  if (faults.noisyHistory) {
    hub.publish({ tag: 'NetworkConnected' })
    for (let i = 1; i < options.parties; i++) hub.publish({ tag: 'PeerConnected', port: 5001 + i })
  }
  runtime.noticeStall()
  if (runtime.state.synced) return
  // After what a node that starts with an open head goes through before.
  const delayMs = options.timings.blockMs + (options.open ? openingMs(options.timings) : 0)
  if (faults.startUnsynced) agenda.add(delayMs, { do: 'sync' })
  else
    runtime.dispatch({
      type: 'SyncChanged',
      synced: true,
      driftSeconds: 0,
      slot: currentSlot(context),
      timeMs: options.clock.now()
    })
}
