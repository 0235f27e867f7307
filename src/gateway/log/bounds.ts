/** Most that a stream holds, bytes, whatever else it is to keep. */
export const MAX_STREAM_BYTES = 268_435_456
/** How long the key of a record that is appended once is remembered, ms. */
export const ONCE_KEPT_MS = 600_000
/** Maximum number of such keys of a stream. */
export const MAX_ONCE_KEYS = 100_000

/** Length of a text in UTF-8. */
export function byteLengthOf(text: string): number {
  return Buffer.byteLength(text)
}
