import { isLayerError } from '../../errors/base.js'
import { BridgeNotANodeError } from '../../errors/bridge.js'
import { getOwn, isRecord } from '../protocol/wireRecord.js'
import { routes } from '../protocol/routes.js'
import type { NodeAccess } from './NodeAccess.js'

/** Time limit for the answer of the HTTP side, ms. */
const IDENTIFY_TIMEOUT_MS = 2_000
/** HTTP statuses that do not identify the server: about credentials, limits, and of proxies while a node is away. */
const SILENT_STATUSES: readonly number[] = [401, 403, 408, 425, 429]
/** Members of the protocol parameters in every version of the node. */
const PARAMETERS = ['txFeeFixed', 'txFeePerByte', 'maxTxSize', 'protocolVersion']

/**
 * Finds out over HTTP whether the other side is a head node, when a connection is open and Greetings has not come: some
 * hubs send none, and other WebSocket servers never do.
 *
 * @returns an error that says that the server is not a head node; null for a node, and for a server that cannot be
 * identified
 */
export async function identifyNode({
  connector,
  model,
  requestNode
}: Pick<NodeAccess, 'connector' | 'requestNode'> & {
  readonly model: { readonly hasHeardNode: boolean }
}): Promise<BridgeNotANodeError | null> {
  if (!connector.capabilities.allRoutes || model.hasHeardNode) return null
  try {
    const answer = await requestNode(routes.protocolParameters(), (status, text) => ({ status, text }), {
      timeoutMs: IDENTIFY_TIMEOUT_MS,
      once: true
    })
    const { status, text } = answer
    if (status >= 500 || SILENT_STATUSES.includes(status) || hasParameters(status, text)) return null
    return new BridgeNotANodeError(
      connector.origin,
      `no Greetings, and HTTP ${status}${status === 200 ? ' with something else' : ''}`
    )
  } catch (error) {
    // No answer: a hub may have no HTTP side.
    if (isLayerError(error)) return null
    throw error
  }
}

function hasParameters(status: number, text: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return status === 200 && isRecord(body) && PARAMETERS.some((name) => getOwn(body, name) !== undefined)
  } catch {
    return false
  }
}
