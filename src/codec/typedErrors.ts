import { isLayerError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'

/**
 * Reads a caller's value: an error that the value itself throws (a getter, a Proxy, a Symbol in the place of text)
 * becomes a typed one.
 */
export function typedErrors<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (isLayerError(error)) throw error
    // Without cause: the runtime's own messages quote the value, which may be a secret in the wrong place.
    throw new InvalidArgumentError(what, 'plain values', {})
  }
}
