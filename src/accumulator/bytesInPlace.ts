/** Value of a hex digit by its character code; -1 for all others, capital letters included. */
const DIGITS = /* @__PURE__ */ Int8Array.from({ length: 128 }, (_, code) =>
  code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : -1
)

/** Writes a CBOR head in its shortest form at a place of an array that has room for it. @returns the place after it */
export function writeHead(target: Uint8Array, at: number, type: number, argument: number): number {
  if (argument < 24) {
    target[at] = type | argument
    return at + 1
  }
  const size = argument < 0x100 ? 1 : argument < 0x10000 ? 2 : argument <= 0xffffffff ? 4 : 8
  target[at] = type | (size === 1 ? 24 : size === 2 ? 25 : size === 4 ? 26 : 27)
  let rest = argument
  for (let i = size; i > 0; i--) {
    target[at + i] = rest & 0xff
    rest = Math.floor(rest / 0x100)
  }
  return at + 1 + size
}

/**
 * Decodes a part of a text, an even number of hex digits, into an array that has room for its bytes. Returns false when
 * the part is not lower-case hex; the bytes written are then invalid.
 */
export function writeHex(target: Uint8Array, start: number, text: string, from: number, to: number): boolean {
  let at = start
  let codes = 0
  let all = 0
  for (let i = from; i < to; i += 2) {
    const left = text.charCodeAt(i)
    const right = text.charCodeAt(i + 1)
    codes |= left | right
    const high = DIGITS[left & 127]!
    const low = DIGITS[right & 127]!
    all |= high | low
    target[at++] = (high << 4) | low
  }
  return all >= 0 && codes < 128
}

/** Returns a longer copy of an array, filled up with zeros. */
export function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(length)
  copy.set(bytes)
  return copy
}
