import { isLayerError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'

/** Reads a value of the caller; what the value itself throws (a getter, a Proxy, a Symbol that should be text) becomes a typed error. */
export function whileReading<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (isLayerError(error)) throw error
    throw new InvalidArgumentError(what, 'plain values', {}, error)
  }
}
