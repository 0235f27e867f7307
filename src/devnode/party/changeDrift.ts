import { InvalidArgumentError } from '../../errors/input.js'
import { currentSlot } from '../chain/chainTime.js'
import type { Chain } from '../chain/Chain.js'
import type { HeadEvent, NodeState } from '../head/types.js'
import { syncReportText } from '../wire/json/messages.js'

/** A party whose distance to the chain changes. */
interface DriftingParty {
  readonly chain: Chain
  readonly runtime: { readonly state: NodeState; dispatch(event: HeadEvent): void }
  readonly hub: { inject(message: string): void }
}

/** Makes the node lag behind the chain by some seconds; 0 lets it catch up. @throws {@link InvalidArgumentError} */
export function changeDrift(driftSeconds: number, { chain, runtime, hub }: DriftingParty): void {
  if (!Number.isFinite(driftSeconds))
    throw new InvalidArgumentError('driftSeconds', 'a number of seconds', driftSeconds)
  const timeMs = chain.clock.now()
  const slot = currentSlot(chain)
  runtime.dispatch({ type: 'SyncChanged', synced: driftSeconds === 0, driftSeconds, slot, timeMs })
  // Up to 2.3.0 the node also reports at each block while it catches up.
  if (!runtime.state.synced && chain.features.syncReports) hub.inject(syncReportText(slot, timeMs, driftSeconds))
}
