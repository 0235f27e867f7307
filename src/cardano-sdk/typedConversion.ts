import { isLayerError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'

/**
 * Runs a conversion. Objects of core have no types at run time: a value of another shape ends in a typed error.
 */
export function typedConversion<T>(argument: string, expected: string, value: unknown, convert: () => T): T {
  try {
    return convert()
  } catch (cause) {
    if (isLayerError(cause)) throw cause
    throw new InvalidArgumentError(argument, expected, value, cause)
  }
}
