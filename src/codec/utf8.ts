import { InvalidUtf8Error } from '../errors/input.js'

/** Text as UTF-8 bytes. A lone surrogate has no UTF-8 form and is refused. */
export function utf8ToBytes(text: string, what = 'text'): Uint8Array {
  if (typeof text !== 'string') throw new InvalidUtf8Error(what, `a ${typeof text}`)
  if (/[\ud800-\udfff]/.test(text) && !isWellFormed(text)) throw new InvalidUtf8Error(what, 'a lone surrogate')
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

function isWellFormed(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xd800 || unit > 0xdfff) continue
    const next = text.charCodeAt(i + 1)
    if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return false
    i++
  }
  return true
}
