import { stringifyJson } from '../../codec/json.js'

/** An answer over HTTP. */
export interface Answer {
  readonly status: number
  /** JSON text, or its beginning where a tail follows. */
  readonly body: string
  /** The rest of it, in bytes that several answers share. `key` identifies the memory. */
  readonly tail?: { readonly bytes: Buffer; readonly key: object }
  readonly headers?: Readonly<Record<string, string>>
}

/** `{ status: 'success', data }`, of a text that is JSON already. */
export function success(dataText: string, headers: Record<string, string> = {}): Answer {
  return { status: 200, body: `{"status":"success","data":${dataText}}`, headers }
}

/**
 * The same, of text that ends with bytes which others share: they contain the end of the answer, and so many characters
 * more.
 */
export function successWith(
  dataText: string,
  shared: Buffer,
  { more, headers = {} }: { readonly more: number; readonly headers?: Record<string, string> }
): Answer {
  return {
    status: 200,
    body: `{"status":"success","data":${dataText}`,
    tail: { bytes: shared.subarray(0, shared.length - more), key: shared },
    headers
  }
}

/** Seconds after which a client may send a refused request again. */
const RETRY_AFTER = '1'

/** `{ status: 'fail', data: { tag, reason, txId? } }`. */
export function failure(
  status: number,
  reason: string,
  { tag = tagOf(status), txId, retryAfter }: { tag?: string; txId?: string; retryAfter?: number } = {}
): Answer {
  const headers =
    status === 429 || status === 503
      ? { 'Retry-After': retryAfter === undefined ? RETRY_AFTER : String(retryAfter) }
      : {}
  return {
    status,
    body: stringifyJson({ status: 'fail', data: { tag, reason, ...(txId === undefined ? {} : { txId }) } }),
    headers
  }
}

const TAGS: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [413, 'TooLarge'],
  [415, 'UnsupportedMediaType'],
  [429, 'TooManyRequests'],
  [503, 'Unavailable'],
  [504, 'Unknown']
])

const tagOf = (status: number): string => TAGS.get(status) ?? 'Failed'
