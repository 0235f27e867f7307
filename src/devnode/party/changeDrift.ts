import { InvalidArgumentError } from '../../errors/input.js'
import { currentSlot } from '../chain/chainTime.js'
import type { NodeContext } from './NodeContext.js'
import { syncReportText } from '../wire/json/messages.js'

/** The node falls behind the chain by so many seconds, or catches up with 0. @throws {@link InvalidArgumentError} */
export function changeDrift(
  driftSeconds: number,
  context: Pick<NodeContext, 'options' | 'features' | 'runtime' | 'hub'>
): void {
  if (!Number.isFinite(driftSeconds))
    throw new InvalidArgumentError('driftSeconds', 'a number of seconds', driftSeconds)
  const { options, features, runtime, hub } = context
  const timeMs = options.clock.now()
  const slot = currentSlot(context)
  runtime.dispatch({ type: 'SyncChanged', synced: driftSeconds === 0, driftSeconds, slot, timeMs })
  // Up to 2.3.0 the node also reports at each block while it catches up.
  if (!runtime.state.synced && features.syncReports) hub.inject(syncReportText(slot, timeMs, driftSeconds))
}
