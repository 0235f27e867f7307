import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BaseRequest, DevNode } from '../../../src/devnode'
import { parseJson } from '../../../src/codec/json'
import { assertSchema, BLOCKFROST } from '../../providers/support/schema'

/** Excerpt of Blockfrost's published description: the routes that the providers do not use. */
const MORE = JSON.parse(readFileSync(join(__dirname, 'blockfrost-0.1.91.json'), 'utf8')) as {
  routes: Record<string, any>
}
const ROUTES: Record<string, any> = { ...BLOCKFROST['routes'], ...MORE.routes }

export interface Answer {
  status: number
  body: any
}

/** A request to the base ledger's endpoints, and its JSON; nothing for an empty body. */
export async function baseRequest(node: DevNode, request: BaseRequest): Promise<Answer> {
  const reply = await node.baseRequest(request)
  return { status: reply.status, body: reply.body === '' ? undefined : parseJson(reply.body) }
}

/** GET of the indexer, whose answer has to be as Blockfrost publishes it; `route` is the path of the description. */
export async function indexerGet(node: DevNode, path: string, route: string): Promise<Answer> {
  const answer = await baseRequest(node, { method: 'GET', path: `/api/v0${path}` })
  const published = ROUTES[`GET ${route}`]
  const schema = answer.status === 200 ? published['200'] : BLOCKFROST['routes']['POST /tx/submit']['400']
  assertSchema(schema, answer.body, `the answer to ${path}`)
  return answer
}

/** POST /tx/submit */
export function indexerSubmit(node: DevNode, tx: Uint8Array, contentType = 'application/cbor'): Promise<Answer> {
  return baseRequest(node, {
    method: 'POST',
    path: '/api/v0/tx/submit',
    headers: { 'content-type': contentType },
    body: tx
  })
}
