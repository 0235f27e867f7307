import { decodeHeadReply, WebsocketConnector } from '../../bridge/inner.js'
import { BridgeTimeoutError } from '../../errors/bridge.js'
import { withTimeLimit } from '../../net/abort.js'

/** Time limit of a request to a node of another party, ms. */
const REQUEST_MS = 10_000

/**
 * Compares the version of the head's outputs at other parties' nodes with that at this client's node. `urls`: as
 * `peerUrls` of the client; `ownVersion`: the version at this client's node.
 *
 * @returns `same`: all have seen the same deposits and decommits; `differs`: one that answers has not; `unknown`: those
 * that answer have, but a node does not answer or states no version
 */
export async function comparePeerVersions(
  urls: readonly string[],
  ownVersion: number,
  signal: AbortSignal
): Promise<'same' | 'differs' | 'unknown'> {
  const versions = await Promise.all(urls.map((url) => versionAt(url, signal).catch(() => null)))
  if (versions.some((version) => version !== null && version !== ownVersion)) return 'differs'
  return versions.includes(null) ? 'unknown' : 'same'
}

async function versionAt(url: string, signal: AbortSignal): Promise<number | null> {
  const connector = new WebsocketConnector({ websocketUrl: url })
  const bounds = { signal, timeoutMs: REQUEST_MS, onTimeout: () => new BridgeTimeoutError('GET /head', REQUEST_MS) }
  const { status, text } = await withTimeLimit(bounds, (limit) =>
    connector.request({ method: 'GET', path: '/head', signal: limit })
  )
  const reply = decodeHeadReply(status, text)
  return reply.kind === 'ok' ? reply.value.version : null
}
