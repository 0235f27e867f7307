import type { BaseApi, BaseApiReply } from '../../chain/BaseApi.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import { pathSegments } from './requestPath.js'

/** A request to the endpoints of the base ledger. */
export interface BaseRequest {
  /** HTTP method. */
  readonly method: string
  /**
   * Path with its query: below `/api/v0` the indexer (Blockfrost), below `/kupo` matches (Kupo), else JSON-RPC
   * (Ogmios).
   */
  readonly path: string
  /** Headers by their names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** The body; empty when there is none. */
  readonly body?: Uint8Array
}

/** A connection to the JSON-RPC; a ledger state that the client acquires lasts as long as the connection. */
export interface BaseRpcConnection {
  /** Resolves with the answer to a request; `null` where Ogmios sends none. */
  answer(text: string): Promise<string | null>
}

/** Interfaces of the base ledger by the prefix of their paths; each is loaded at its first request. */
const FACES: readonly (readonly [prefix: string, load: () => Promise<BaseApi>])[] = [
  ['/api/v0', async () => (await import('../blockfrost/answerIndexer.js')).answerIndexer],
  ['/kupo', async () => (await import('../kupo/answerKupo.js')).answerKupo],
  ['', async () => (await import('../ogmios/answerRpcRequest.js')).answerRpcRequest]
]

/** Answers a request to the base ledger by the interface that its path names. */
export async function answerBaseRequest(
  { method, path, headers = {}, body = new Uint8Array() }: BaseRequest,
  chain: BaseChain
): Promise<BaseApiReply> {
  const [plain = '', ...query] = path.split('?')
  const [prefix, load] = FACES.find(([each]) => plain === each || plain.startsWith(`${each}/`)) ?? FACES.at(-1)!
  const answer = await load()
  const segments = pathSegments(`/${plain.slice(prefix.length).replace(/^\/+/, '')}`)
  return answer({ method, segments, query: new URLSearchParams(query.join('?')), headers, body }, chain)
}

/** Returns the name of a path's interface, as the counters show it. */
export function baseApiOf(path: string): string {
  const [plain = ''] = path.split('?')
  return FACES.find(([prefix]) => plain === prefix || plain.startsWith(`${prefix}/`))?.[0] || '/'
}
