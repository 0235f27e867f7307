import type { JsonValue } from '../../json/jsonText.js'

/** An error object of JSON-RPC 2.0. */
export class RpcFailure extends Error {
  readonly code: number
  readonly data: JsonValue | undefined

  constructor(code: number, message: string, data?: JsonValue) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Answer of Ogmios to a request that it cannot read, unknown methods included (App/Protocol.hs). */
export function invalidRequest(details: string): RpcFailure {
  return new RpcFailure(-32600, `Invalid request: ${details}.`)
}
