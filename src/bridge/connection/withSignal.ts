import { withTimeLimit } from '../../net/abort.js'
import { assertSignal } from '../delivery/MessageDispatcher.js'
import type { NodeAccess } from './NodeAccess.js'

/** Options of every request to the node. */
export interface RequestBounds {
  /**
   * Ends the request, which then rejects with the signal's reason. What the node has received by then may still take
   * effect.
   */
  signal?: AbortSignal | undefined
}

/**
 * Runs requests that end with the caller's signal. `run` gets the access that its requests have to use.
 *
 * @throws {@link InvalidArgumentError} on another signal; the reason of an aborted one
 */
export async function withSignal<Access extends NodeAccess, T>(
  access: Access,
  bounds: RequestBounds | undefined,
  run: (access: Access) => Promise<T>
): Promise<T> {
  const signal = assertSignal(bounds?.signal)
  if (signal === undefined) return run(access)
  return withTimeLimit({ signal }, (own) => {
    const requestNode: NodeAccess['requestNode'] = (request, decode, options = {}) =>
      access.requestNode(request, decode, { ...options, signal: options.signal ?? own })
    // Its other members are read from the bridge at each use.
    return run(Object.create(access, { requestNode: { value: requestNode } }) as Access)
  })
}
