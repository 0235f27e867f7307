import { readOptions, type OptionNames } from '../../codec/options.js'
import { BridgeOptionsError } from '../../errors/bridge.js'

const FLAGS = ['autoReconnect', 'verbose', 'history', 'noSnapshotUtxo', 'allowInsecure']

/**
 * Returns a copy of options without a prototype, in which null counts as left out.
 *
 * @throws {@link BridgeOptionsError} for an unknown name, and for a flag of another type
 */
export function checkOptions<T extends object>(options: T, names: OptionNames<T>): T {
  const own = readOptions(
    options,
    names,
    'options',
    (option, expected, got) => new BridgeOptionsError(option, expected, got)
  )
  const given = own as Record<string, unknown>
  for (const name in given) given[name] ??= undefined
  for (const name of FLAGS)
    if (typeof (given[name] ?? true) !== 'boolean') throw new BridgeOptionsError(name, 'a boolean', given[name])
  return own
}

/**
 * Returns an option that must be a number in a range, or its default when it is left out. @throws
 * {@link BridgeOptionsError}
 */
export function numberOption(
  given: object,
  name: string,
  fallback: number,
  least = 1,
  most: number = Infinity
): number {
  const value: unknown = (given as Record<string, unknown>)[name] ?? fallback
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw new BridgeOptionsError(name, `a number from ${least} to ${most}`, value)
}
