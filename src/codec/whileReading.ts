import { isLayerError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'

/** Reads a value of the caller; what the value itself throws (a getter, a Proxy, a Symbol that should be text) becomes a typed error. */
export function whileReading<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (isLayerError(error)) throw error
    // Without cause: the runtime's own messages quote the value, which may be a secret in the wrong place.
    throw new InvalidArgumentError(what, 'plain values', {})
  }
}
