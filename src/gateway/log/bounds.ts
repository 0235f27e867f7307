/** Largest size of a stream, bytes, whatever its retention. */
export const MAX_STREAM_BYTES = 268_435_456
/** Time for which the key of an idempotent append (`once`) is remembered, ms. */
export const ONCE_KEPT_MS = 600_000
/** Maximum number of such keys in a stream. */
export const MAX_ONCE_KEYS = 100_000

/** Returns the length of a text in UTF-8. */
export function byteLengthOf(text: string): number {
  return Buffer.byteLength(text)
}
