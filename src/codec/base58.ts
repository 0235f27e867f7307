import { base58 } from '@scure/base'
import { InvalidAddressError } from '../errors/input.js'

/** Longest Byron address that is read; base58 takes quadratic time, so longer texts are refused unread. */
const MAX_CHARACTERS = 512

/** Bytes as base58 (Bitcoin alphabet), the text form of Byron addresses. */
export function encodeBase58(bytes: Uint8Array): string {
  return base58.encode(bytes)
}

/** @throws {@link InvalidAddressError} on another character or more than 512 of them. */
export function decodeBase58(text: string): Uint8Array {
  try {
    if (text.length <= MAX_CHARACTERS) return base58.decode(text)
  } catch {
    // Falls through to the typed error.
  }
  throw new InvalidAddressError('The text is not base58.', { expected: `up to ${MAX_CHARACTERS} base58 characters`, got: `${text.length} characters` })
}
