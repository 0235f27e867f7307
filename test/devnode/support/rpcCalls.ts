import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson, stringifyJson } from '../../../src/codec/json'
import type { DevNode } from '../../../src/devnode'
import { assertSchema, OGMIOS } from '../../providers/support/schema'

/** Excerpt of Ogmios' published schemas: the messages that the providers do not use. */
const MORE = JSON.parse(readFileSync(join(__dirname, 'ogmios-6.14.json'), 'utf8')) as Record<
  string,
  Record<string, any>
>
Object.assign(OGMIOS['definitions'], MORE['definitions'])
const MESSAGES: Record<string, any> = { ...OGMIOS['messages'], ...MORE['messages'] }

export const GENESIS_SHELLEY = MESSAGES['GenesisShelley']

/** A JSON-RPC call over HTTP, and the status and body of its answer. */
export async function rpcCall(node: DevNode, method: string, params?: unknown): Promise<{ status: number; body: any }> {
  const body = new TextEncoder().encode(
    stringifyJson({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }), id: 'a' })
  )
  const reply = await node.baseRequest({ method: 'POST', path: '/', body })
  const answer = parseJson(reply.body) as any
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 'a' })
  expect(reply.status).toBe(answer.error === undefined ? 200 : 400)
  return { status: reply.status, body: answer }
}

/** The result of a call, whose answer has to be as Ogmios publishes it. */
export async function rpcResult(node: DevNode, method: string, params: unknown, message: string): Promise<any> {
  const { body } = await rpcCall(node, method, params)
  if (body.error !== undefined) throw new Error(JSON.stringify(body))
  assertSchema(MESSAGES[message], body, `the answer to ${method}`)
  return body.result
}

/** The error of a refused submission, which has to be as Ogmios publishes it. */
export async function refusal(node: DevNode, cbor: string): Promise<{ code: number; message: string; data: any }> {
  const { body } = await rpcCall(node, 'submitTransaction', { transaction: { cbor } })
  const { error } = body
  if (error.code >= 3100 && error.code < 3900) assertSubmitFailure(error.code as number, error)
  return error
}

/** Holds an error of a submission to the published schema of its code. */
export function assertSubmitFailure(code: number, error: unknown): void {
  // The schema of redeemers' purposes takes in all certificates, votes and proposals, which the local head does not
  // have.
  if (code !== 3109) assertSchema(MORE['submitFailures']![String(code)], error, `the error ${code}`)
}
