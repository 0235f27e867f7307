import type { HeadRuntime } from './HeadRuntime.js'
import type { RuntimeContext } from './RuntimeContext.js'

/** Whether the node starts behind the chain: real ones do, until their first block (Node/State.hs:69). */
export function startsUnsynced({ faults }: Pick<RuntimeContext, 'faults'>, hasSyncStatus: boolean): boolean {
  return hasSyncStatus && (faults.startUnsynced || faults.noisyHistory)
}

/** What a node goes through when it starts: nothing, unless the faults want it seen (HeadLogic.hs:1830, 2176). */
export function startNode(runtime: HeadRuntime, { faults, options, messages }: Pick<RuntimeContext, 'faults' | 'options' | 'messages'>): void {
  if (faults.noisyHistory) {
    messages.publish({ tag: 'NetworkConnected' })
    for (let i = 1; i < options.parties; i++) messages.publish({ tag: 'PeerConnected', port: 5001 + i })
  }
  if (runtime.state.synced) return
  const sync = (): void => runtime.dispatch({ type: 'SyncChanged', synced: true, driftSeconds: 0, slot: runtime.slot, timeMs: options.clock.now() })
  if (faults.startUnsynced) runtime.later(options.timings.blockMs, sync)
  else sync()
}
