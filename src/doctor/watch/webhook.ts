import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '../../codec/hex.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import { isBytes } from '../../codec/bytes.js'
import { byType } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'

/** Headers of a request: `Headers` of fetch, or an object as Node has it. Names in any case. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

/** Arguments of {@link verifyWebhook}. */
export interface VerifyWebhookArgs {
  /** Headers of the request. */
  headers: WebhookHeaders
  /** Body of the request as it was received: a text that was parsed and written again would have other bytes. */
  body: string | Uint8Array
  /** The shared secret, at least 32 bytes. */
  secret: string | Uint8Array
  /** Largest difference between the time of the request and now, ms. @default 300000 */
  toleranceMs?: number
}

/**
 * Verdict about a request: it is valid, or a header is `missing`, the `signature` is not that of this body, or its
 * `time` is too far from now.
 */
export type WebhookVerdict =
  { readonly ok: true; readonly id: string } | { readonly ok: false; readonly reason: 'missing' | 'signature' | 'time' }

const MIN_SECRET_BYTES = 32
const TOLERANCE_MS = 300_000
const SIGNATURE = /^v1=([0-9a-f]{64})$/

/**
 * Verifies a request of `layer-sdk watch --webhook`: its signature, HMAC-SHA256 of `TIMESTAMP.BODY` (compared in
 * constant time), and its age. A request may come twice, with the same `id`.
 *
 * @throws {@link InvalidArgumentError} on a secret below 32 bytes, or a body that was parsed already
 * @example
 * ```ts
 * import { verifyWebhook } from 'layer-sdk/doctor'
 *
 * const verdict = verifyWebhook({ headers: new Headers(), body: '{}', secret: 's'.repeat(32) })
 * console.log(verdict.ok) // false
 * ```
 */
export function verifyWebhook({
  headers,
  body,
  secret,
  toleranceMs = TOLERANCE_MS
}: VerifyWebhookArgs): WebhookVerdict {
  const key = secretBytes(secret)
  if (typeof body !== 'string' && !isBytes(body))
    throw new InvalidArgumentError('body', 'the text or the bytes of the request, as they came', body)
  if (typeof toleranceMs !== 'number' || !(toleranceMs >= 0))
    throw new InvalidArgumentError('toleranceMs', 'a number of ms from 0 on', toleranceMs)
  const [timestamp, id, signature] = [
    headerOf(headers, 'layer-timestamp'),
    headerOf(headers, 'layer-id'),
    headerOf(headers, 'layer-signature')
  ]
  const claimed = SIGNATURE.exec(signature ?? '')?.[1]
  if (timestamp === null || !/^\d{1,15}$/.test(timestamp) || id === null || claimed === undefined)
    return { ok: false, reason: 'missing' }
  if (!isEqual(claimed, mac(key, timestamp, typeof body === 'string' ? utf8ToBytes(body) : body)))
    return { ok: false, reason: 'signature' }
  // Looked at after the signature: a stranger learns nothing about the clock.
  return Math.abs(Date.now() - Number(timestamp)) > toleranceMs ? { ok: false, reason: 'time' } : { ok: true, id }
}

/** Returns the headers that sign a body. @throws {@link InvalidArgumentError} on a secret below 32 bytes */
export function webhookHeaders(
  body: string,
  { id, at, secret }: { readonly id: string; readonly at: number; readonly secret: string | Uint8Array }
): Record<'layer-timestamp' | 'layer-id' | 'layer-signature', string> {
  const timestamp = String(Math.floor(at))
  const signature = mac(secretBytes(secret), timestamp, utf8ToBytes(body))
  return { 'layer-timestamp': timestamp, 'layer-id': id, 'layer-signature': `v1=${signature}` }
}

function secretBytes(secret: unknown): Uint8Array {
  const bytes = typeof secret === 'string' ? utf8ToBytes(secret) : secret
  if (isBytes(bytes) && bytes.length >= MIN_SECRET_BYTES) return bytes
  // The secret itself is never repeated.
  throw new InvalidArgumentError(
    'secret',
    `a text or bytes of at least ${MIN_SECRET_BYTES} bytes`,
    isBytes(bytes) ? bytes.length : byType(secret)
  )
}

function mac(key: Uint8Array, timestamp: string, body: Uint8Array): string {
  return bytesToHex(
    hmac
      .create(sha256, key)
      .update(utf8ToBytes(`${timestamp}.`))
      .update(body)
      .digest()
  )
}

/** Compares two texts of one length in a time that does not depend on where they differ. */
function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers !== 'object' || headers === null)
    throw new InvalidArgumentError('headers', 'the headers of the request', headers)
  if (typeof (headers as { get?: unknown }).get === 'function')
    return (headers as { get(name: string): string | null }).get(name)
  const found = Object.entries(headers).filter(([each]) => each.toLowerCase() === name)
  const [, value] = found[0] ?? []
  // A header that comes twice names no one value.
  return found.length === 1 && typeof value === 'string' ? value : null
}
