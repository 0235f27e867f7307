import { withTimeLimit } from '../../net/abort.js'
import { assertSignal } from '../delivery/MessageDispatcher.js'
import type { NodeAccess } from './NodeAccess.js'

/** Options of every request to the node. */
export interface RequestBounds {
  /**
   * Aborts the request, which then rejects with the signal's reason. A request that the node has received by then may
   * still have its effect.
   */
  signal?: AbortSignal | undefined
}

/**
 * Runs requests that the caller's signal aborts. `run` gets the node access that its requests must use.
 *
 * @throws {@link InvalidArgumentError} when it is not an AbortSignal; the signal's reason when it is aborted
 */
export async function withSignal<Access extends NodeAccess, T>(
  access: Access,
  bounds: RequestBounds | undefined,
  run: (access: Access) => Promise<T>
): Promise<T> {
  const signal = assertSignal(bounds?.signal)
  if (signal === undefined) return run(access)
  return withTimeLimit({ signal }, (limitSignal) => {
    const requestNode: NodeAccess['requestNode'] = (request, decode, options = {}) =>
      access.requestNode(request, decode, { ...options, signal: options.signal ?? limitSignal })
    // Its other members are read from the bridge at each use.
    return run(Object.create(access, { requestNode: { value: requestNode } }) as Access)
  })
}
