import { InvalidUtf8Error } from '../errors/input.js'

/** Encodes text as UTF-8. @throws {@link InvalidUtf8Error} on a lone surrogate, which has no UTF-8 form */
export function utf8ToBytes(text: string, what = 'text'): Uint8Array {
  if (typeof text !== 'string') throw new InvalidUtf8Error(what, `a ${typeof text}`)
  // With the flag u a pair is one character, so that only lone ones are found.
  if (/\p{Surrogate}/u.test(text)) throw new InvalidUtf8Error(what, 'a lone surrogate')
  // jsdom as jest sets it up has no TextEncoder.
  return typeof TextEncoder === 'function' ? new TextEncoder().encode(text) : encodeByUri(text)
}

/** Decodes UTF-8 exactly: keeps a byte order mark, and refuses invalid bytes. @throws {@link InvalidUtf8Error} */
export function bytesToUtf8(bytes: Uint8Array, what = 'text'): string {
  try {
    return typeof TextDecoder === 'function'
      ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
      : decodeByUri(bytes)
  } catch (cause) {
    throw new InvalidUtf8Error(what, `${bytes.length} bytes that are not`, cause)
  }
}

/** Decodes bytes of a server. Invalid UTF-8 becomes U+FFFD; a runtime without TextDecoder rejects it. */
export function bytesToLossyText(bytes: Uint8Array, what = 'text'): string {
  return typeof TextDecoder === 'function' ? new TextDecoder().decode(bytes) : bytesToUtf8(bytes, what)
}

// ECMA-262 defines the escapes of a URI by UTF-8, and decoding as strict as a fatal TextDecoder.
function encodeByUri(text: string): Uint8Array {
  const escaped = encodeURIComponent(text)
  const bytes: number[] = []
  for (let i = 0; i < escaped.length; i++) {
    if (escaped[i] !== '%') bytes.push(escaped.charCodeAt(i))
    else bytes.push(parseInt(escaped.slice(i + 1, (i += 2) + 1), 16))
  }
  return Uint8Array.from(bytes)
}

function decodeByUri(bytes: Uint8Array): string {
  let escaped = ''
  for (const byte of bytes) escaped += `%${byte.toString(16).padStart(2, '0')}`
  return decodeURIComponent(escaped)
}
