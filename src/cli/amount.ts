import { describeValue } from '../errors/base.js'
import { ada } from '../utils/inner.js'
import { UsageError } from './usage.js'

/**
 * Parses an amount on a command line (`2.5`, `2.5ada` or `2500000lovelace`) and returns it in lovelace.
 *
 * @throws UsageError on another text, and on an amount of zero
 */
export function parseAmount(text: string): bigint {
  const [, digits, unit] = /^(\d{1,20}(?:\.\d{1,6})?)(ada|lovelace)?$/.exec(text) ?? []
  const isWhole = digits !== undefined && !digits.includes('.')
  const lovelace =
    digits === undefined || (unit === 'lovelace' && !isWhole)
      ? null
      : unit === 'lovelace'
        ? BigInt(digits)
        : ada(digits)
  if (lovelace === null || lovelace === 0n)
    throw new UsageError(
      `${describeValue(text)} is not an amount: expected ada above zero, e.g. 2.5 or 2.5ada, or lovelace, e.g. 2500000lovelace.`
    )
  return lovelace
}
