import type { JsonValue } from '../../json/jsonText.js'
import { toJson } from '../../json/jsonText.js'

/** A request to the node's HTTP API. */
export interface DevNodeRequest {
  /** HTTP method. */
  readonly method: string
  /** Path with its query, which the node ignores. */
  readonly path: string
  /** The body as text; empty when there is none. */
  readonly body: string
  /** The body as bytes, for a route that receives CBOR; otherwise those of `body`. */
  readonly bytes?: Uint8Array
  /** Header `Content-Type`. */
  readonly contentType?: string | undefined
  /** Header `Accept`. */
  readonly accept?: string | undefined
}

/** The answer to a {@link DevNodeRequest}. */
export interface DevNodeReply {
  /** HTTP status. */
  readonly status: number
  /** The body as text; empty when the answer is CBOR. */
  readonly body: string
  /** The body as bytes, when the answer is CBOR. */
  readonly bytes?: Uint8Array
  /** Headers besides the content type. */
  readonly headers?: Readonly<Record<string, string>>
  /** Content type; `null` sends none. @default 'application/json' */
  readonly contentType?: string | null
}

/** Returns a reply with a value as JSON. */
export const jsonReply = (status: number, value: JsonValue): DevNodeReply => ({ status, body: toJson(value) })

export const OK: DevNodeReply = jsonReply(200, 'OK')
