import type { JsonValue } from '../../json/jsonText.js'
import { toJson } from '../../json/jsonText.js'

/** A request to the node's HTTP API. */
export interface DevNodeRequest {
  /** HTTP method. */
  readonly method: string
  /** With its query, which the node does not look at. */
  readonly path: string
  /** The body as text; empty when there is none. */
  readonly body: string
  /** The body as bytes, for a route that is sent CBOR; otherwise that of `body`. */
  readonly bytes?: Uint8Array
  /** Header `Content-Type`. */
  readonly contentType?: string | undefined
  /** Header `Accept`. */
  readonly accept?: string | undefined
}

/** Its answer. */
export interface DevNodeReply {
  /** HTTP status. */
  readonly status: number
  /** The body as text; that of CBOR is empty. */
  readonly body: string
  /** The body as bytes, for a request of CBOR. */
  readonly bytes?: Uint8Array
  /** Headers besides the content type. */
  readonly headers?: Readonly<Record<string, string>>
  /** `null`: the answer names none. @default 'application/json' */
  readonly contentType?: string | null
}

/** A reply in JSON. */
export const jsonReply = (status: number, value: JsonValue): DevNodeReply => ({ status, body: toJson(value) })

export const OK: DevNodeReply = jsonReply(200, 'OK')
