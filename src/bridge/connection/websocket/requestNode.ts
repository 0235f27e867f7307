import { UnsupportedByConnectorError } from '../../../errors/operation.js'
import { httpTarget } from '../httpTarget.js'
import type { ConnectorReply, ConnectorRequest } from '../Connector.js'
import { fetchText } from '../fetchText.js'
import type { FetchSettings } from '../fetchText.js'

/**
 * Sends a request to the HTTP side of a WebSocket URL. `browser`: without headers of ours, which the node's CORS would
 * not let pass.
 */
export async function requestNode(
  socketUrl: string,
  request: ConnectorRequest,
  settings: FetchSettings & { readonly browser: boolean }
): Promise<ConnectorReply> {
  // The node's CORS refuses the preflight that DELETE needs.
  if (settings.browser && request.method === 'DELETE')
    throw new UnsupportedByConnectorError('DELETE', 'a runtime other than a browser')
  const { url, headers } = httpTarget(socketUrl, request.path, settings.browser)
  if (request.body !== undefined) headers['Content-Type'] = settings.browser ? 'text/plain' : 'application/json'
  return fetchText(url, request, headers, settings)
}
