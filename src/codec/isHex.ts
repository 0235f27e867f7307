/** Whether a text consists of whole hex bytes; the empty text does. */
export function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text)
}
