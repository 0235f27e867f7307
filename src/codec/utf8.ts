import { InvalidUtf8Error } from '../errors/input.js'

/** Text as UTF-8 bytes. A lone surrogate has no UTF-8 form and is refused. */
export function utf8ToBytes(text: string, what = 'text'): Uint8Array {
  if (typeof text !== 'string') throw new InvalidUtf8Error(what, `a ${typeof text}`)
  // With the flag u a pair is one character, so that only lone ones are found.
  if (/\p{Surrogate}/u.test(text)) throw new InvalidUtf8Error(what, 'a lone surrogate')
  return new TextEncoder().encode(text)
}

/** UTF-8 bytes as text; nothing is replaced and no byte order mark is dropped. */
export function bytesToUtf8(bytes: Uint8Array, what = 'text'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new InvalidUtf8Error(what, `${bytes.length} bytes that are not`, cause)
  }
}
