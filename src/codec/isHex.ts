/** Returns true for a text of whole hex bytes, the empty text included. */
export function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text)
}
