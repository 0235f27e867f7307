import { isLayerError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'

/**
 * Runs `read`, which reads a caller's value. An error that the value itself throws (by a getter, a Proxy, or a Symbol
 * in place of text) becomes an {@link InvalidArgumentError} about `what`; errors of this package stay as they are.
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
