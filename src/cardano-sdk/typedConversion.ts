import { isLayerError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'

/**
 * Runs a conversion and turns its failure into a typed error. Objects of `@cardano-sdk/core` have no types at run time,
 * so a value of a wrong shape is found only while it is converted.
 */
export function typedConversion<T>(argument: string, expected: string, value: unknown, convert: () => T): T {
  try {
    return convert()
  } catch (cause) {
    if (isLayerError(cause)) throw cause
    throw new InvalidArgumentError(argument, expected, value, cause)
  }
}
