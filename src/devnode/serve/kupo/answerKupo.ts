import type { BaseApiReply, BaseApiRequest } from '../../chain/BaseApi.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import type { JsonValue } from '../../json/jsonText.js'
import { toJson } from '../../json/jsonText.js'
import { KupoFailure } from './failure.js'
import { matches } from './matches.js'
import { metadataAt } from './metadata.js'
import { isHexPattern } from './pattern.js'
import { scriptJson } from './scripts.js'

const JSON_TYPE = 'application/json;charset=utf-8'
const ROUTES = ['health', 'matches', 'datums', 'scripts', 'metadata', 'checkpoints', 'patterns']

/** Answers as Kupo 2.11 does, of an index of every output; never rejects. */
export async function answerKupo(request: BaseApiRequest, chain: BaseChain): Promise<BaseApiReply> {
  const { slot, hash } = chain.tip
  const headers = { 'X-Most-Recent-Checkpoint': String(slot), ETag: hash }
  try {
    if (request.segments[0] === 'health') return { ...health(request, chain), headers }
    return { status: 200, body: toJson(route(request, chain)), contentType: JSON_TYPE, headers }
  } catch (error) {
    const { status, message } = error instanceof KupoFailure ? error : new KupoFailure(500, 'Unexpected server error.')
    return { status, body: toJson({ hint: message }), contentType: JSON_TYPE }
  }
}

/** Answers a request by its path; the first version of the API is also below /v1. */
function route({ segments, ...request }: BaseApiRequest, chain: BaseChain): JsonValue {
  const [room = '', ...rest] = segments[0] === 'v1' ? segments.slice(1) : segments
  if (!ROUTES.includes(room)) throw notFound()
  if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed()
  if (room === 'matches') {
    if (rest.length > 2) throw notFound()
    return matches(rest.length === 0 ? '*' : rest.join('/'), { ...request, segments }, chain)
  }
  if (room === 'patterns' && rest.length === 0) return ['*']
  const [hash, ...more] = rest
  if (room === 'checkpoints') {
    if (hash === undefined) return [pointJson(chain)]
    throw notFound()
  }
  if (hash === undefined || more.length > 0) throw notFound()
  if (room === 'metadata') return metadataAt(hash, { ...request, segments }, chain)
  if (room === 'datums') {
    if (!isHexPattern(hash, 64))
      throw new KupoFailure(400, "The given path parameter isn't a datum hash: blake2b-256, 64 hexadecimal characters.")
    const datum = chain.findDatum(hash.toLowerCase())
    return datum === undefined ? null : { datum }
  }
  if (room !== 'scripts') throw notFound()
  if (!isHexPattern(hash, 56))
    throw new KupoFailure(400, "The given path parameter isn't a script hash: blake2b-224, 56 hexadecimal characters.")
  const script = chain.findScript(hash.toLowerCase())
  return script === undefined ? null : scriptJson(script)
}

const notFound = (): KupoFailure =>
  new KupoFailure(
    404,
    'Endpoint not found: the local head node has /health, /matches, /datums, /scripts and /metadata.'
  )
const notAllowed = (): KupoFailure =>
  new KupoFailure(406, 'Unsupported method called on known endpoint: the local head node takes GET alone.')

function pointJson({ tip }: BaseChain): JsonValue {
  return { slot_no: tip.slot, header_hash: tip.hash }
}

/** Answers with JSON, or with metrics for a request of text or of any type. */
function health({ method, segments, headers }: BaseApiRequest, chain: BaseChain): BaseApiReply {
  if (segments.length > 1) throw notFound()
  if (method !== 'GET' && method !== 'HEAD') throw notAllowed()
  const { accept = 'application/json' } = headers
  const { slot } = chain.tip
  if (accept.includes('application/json') && !accept.includes('text/plain')) {
    const body = toJson({
      connection_status: 'connected',
      most_recent_checkpoint: slot,
      most_recent_node_tip: slot,
      seconds_since_last_block: 0,
      network_synchronization: 1,
      configuration: { indexes: 'installed' },
      version: 'v2.11.0 (local head node)'
    })
    return { status: 200, body, contentType: JSON_TYPE }
  }
  if (!accept.includes('text/plain') && !accept.includes('*/*'))
    throw new KupoFailure(400, "Unsupported content-type in 'Accept': 'application/json' or 'text/plain'.")
  const lines = [
    `kupo_configuration_indexes  1.0`,
    `kupo_connection_status  1.0`,
    `kupo_most_recent_checkpoint  ${slot}`,
    `kupo_most_recent_node_tip  ${slot}`
  ]
  return { status: 200, body: `${lines.join('\n')}\n`, contentType: 'text/plain;charset=utf-8' }
}
