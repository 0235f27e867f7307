import type { BaseApiReply, BaseApiRequest } from '../../chain/BaseApi.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import { epochOf } from '../../chain/BaseChain.js'
import type { JsonValue } from '../../json/jsonText.js'
import { toJson } from '../../json/jsonText.js'
import { utcTime } from '../../wire/json/messages.js'
import { RpcSession } from './RpcSession.js'

const JSON_TYPE = 'application/json; charset=utf-8'
const EMPTY = { body: '', contentType: null }

/** Answers over HTTP as Ogmios does (App/Server/Http.hs): one call is one POST, a failure has status 400. */
export async function answerRpcRequest(
  { method, segments, body }: BaseApiRequest,
  chain: BaseChain
): Promise<BaseApiReply> {
  const path = `/${segments.join('/')}`
  const methods = path === '/' ? ['GET', 'POST'] : path === '/health' ? ['GET'] : null
  if (methods === null) return { status: 404, ...EMPTY }
  if (!methods.includes(method)) return { status: 406, ...EMPTY }
  if (path === '/health') return { status: 200, body: toJson(healthJson(chain)), contentType: JSON_TYPE }
  if (method === 'GET') return { status: 200, body: PAGE, contentType: 'text/html; charset=utf-8' }
  const answer = await new RpcSession(chain).answer(new TextDecoder().decode(body))
  // A single request never acquires a state twice, so that there always is an answer.
  return { status: answer!.failed ? 400 : 200, body: answer!.text, contentType: JSON_TYPE }
}

const PAGE = `<!doctype html><title>Local head node</title>
<p>The base ledger of a local head node. POST a JSON-RPC request here, or open a WebSocket; GET <a href="/health">/health</a>,
<a href="/api/v0/blocks/latest">/api/v0</a> and <a href="/kupo/health">/kupo</a> are the other ways to it.</p>
`

/** Ogmios' health: the server of the local head is never behind. */
function healthJson(chain: BaseChain): JsonValue {
  const { slot, hash } = chain.tip
  const { epoch, epochSlot } = epochOf(slot)
  return {
    startTime: utcTime(chain.startedMs),
    lastKnownTip: { slot, id: hash, height: slot },
    lastTipUpdate: utcTime(chain.slotZeroMs + slot * 1000),
    networkSynchronization: 1,
    currentEra: 'conway',
    metrics: {
      activeConnections: 0,
      runtimeStats: { cpuTime: 0, currentHeapSize: 0, gcCpuTime: 0, maxHeapSize: 0 },
      sessionDurations: { max: 0, mean: 0, min: 0 },
      totalConnections: 0,
      totalMessages: 0,
      totalUnrouted: 0
    },
    connectionStatus: 'connected',
    currentEpoch: epoch,
    slotInEpoch: epochSlot,
    version: 'v6.14.0 (local head node)',
    network: chain.networkId === 1 ? 'mainnet' : 'preprod'
  }
}
