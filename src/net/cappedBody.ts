import { concatBytes } from '../codec/bytes.js'
import { bytesToLossyText } from '../codec/utf8.js'

/**
 * Reads the text of a response. As soon as more than `maxBytes` have come, uncompressed, it throws `onTooLarge()` and
 * does not read the rest.
 */
export async function readCappedText(response: Response, maxBytes: number, onTooLarge: () => Error): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) {
    // A body that is empty, or a runtime without streams.
    const text = await response.text()
    if (text.length > maxBytes) throw onTooLarge()
    return text
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    // Decoded in one go: several times faster than chunk by chunk.
    if (done) return bytesToLossyText(chunks.length === 1 ? chunks[0]! : concatBytes(...chunks), 'The response')
    size += value.length
    if (size > maxBytes) {
      void reader.cancel().catch(() => undefined)
      throw onTooLarge()
    }
    chunks.push(value)
  }
}
