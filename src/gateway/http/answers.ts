import { stringifyJson } from '../../codec/json.js'

/** An answer over HTTP. */
export interface Answer {
  readonly status: number
  /** JSON text, or its beginning where a tail follows. */
  readonly body: string
  /** Rest of the body, in bytes that several answers share; `key` identifies their memory. */
  readonly tail?: { readonly bytes: Buffer; readonly key: object }
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the answer `{ status: 'success', data }`; `dataText` is JSON already. */
export function success(dataText: string, headers: Record<string, string> = {}): Answer {
  return { status: 200, body: `{"status":"success","data":${dataText}}`, headers }
}

/**
 * Returns the same as {@link success}, for text whose end is in `shared`: bytes of several answers, which contain the
 * end of the answer and `more` characters after it.
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

/** Returns the answer `{ status: 'fail', data: { tag, reason, txId? } }`. */
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
