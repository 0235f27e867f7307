import type { NetworkName } from '../../constants.js'
import type { WebSocketConstructor } from '../../net/webSocketTypes.js'
import type { Provider } from '../shared/callProvider.js'
import type { HttpClient } from '../shared/httpClient.js'
import type { RpcCall, RpcOutcome } from './client.js'
import { callOverHttp, callOverSocket } from './client.js'
import { createQuery, createRpcFetcher } from './fetcher.js'
import { RpcSocket } from './RpcSocket.js'
import { createRpcSubmitter } from './submitter.js'

/** The checked options of an {@link RpcProvider}. */
export interface RpcSettings extends HttpClient {
  network: NetworkName
  webSocketImpl: WebSocketConstructor | undefined
}

/** Creates the fetcher and submitter of an {@link RpcProvider}. */
export function createRpcProvider({ network, webSocketImpl, ...client }: RpcSettings): Provider {
  const { endpoint, policy, headers, fetch } = client
  const openSocket = (): ((call: RpcCall) => Promise<RpcOutcome>) => {
    const socket = new RpcSocket({
      url: endpoint.url.replace(/^http/, 'ws') + endpoint.query,
      headers: { ...headers, ...endpoint.headers },
      label: endpoint.label,
      redact: endpoint.redact,
      maxBytes: policy.maxBytes,
      webSocketImpl
    })
    return callOverSocket(socket, endpoint, policy)
  }
  const isSocket = endpoint.url.startsWith('ws')
  const call = isSocket ? openSocket() : callOverHttp(client)
  const query = createQuery(call, endpoint.label)
  // The server accepts both on one port. A fetch of the user's own may reach it over a path that a WebSocket does not
  // have.
  const openMempool = isSocket || webSocketImpl || !fetch ? () => createQuery(openSocket(), endpoint.label) : undefined
  return {
    fetcher: createRpcFetcher(query, network),
    submitter: createRpcSubmitter({ url: endpoint.label, call, query, openMempool })
  }
}
