import { UnsupportedByConnectorError } from '../../../errors/operation.js'
import { httpTarget } from '../httpTarget.js'
import type { ConnectorReply, ConnectorRequest } from '../Connector.js'
import { fetchText } from '../fetchText.js'
import type { FetchSettings } from '../fetchText.js'

/**
 * Sends a request to the HTTP address that belongs to a WebSocket URL. `browser`: true sends no headers of this
 * package, because the node's CORS rules would refuse them.
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
