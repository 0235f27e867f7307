import { RuntimeUnsupportedError } from '../errors/input.js'

/**
 * Random bytes for a secret, 16 or more.
 *
 * @throws {@link RuntimeUnsupportedError} without `crypto.getRandomValues`, and when all its bytes are equal, as from a
 * test mock or an empty polyfill, which would give every user the same wallet. True randomness gives equal bytes once
 * in 2^120 times.
 */
export function randomBytes(length: number): Uint8Array {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> }
  const instead = 'a runtime with a secure random source'
  if (typeof crypto?.getRandomValues !== 'function')
    throw new RuntimeUnsupportedError('crypto.getRandomValues', instead)
  const bytes = new Uint8Array(length)
  crypto.getRandomValues(bytes)
  if (bytes.every((byte) => byte === bytes[0]))
    throw new RuntimeUnsupportedError('crypto.getRandomValues', instead, 'bytes that are all equal')
  return bytes
}
