import { readOptions, type OptionNames } from '../../codec/options.js'
import { BridgeOptionsError } from '../../errors/bridge.js'

const FLAGS = ['autoReconnect', 'verbose', 'history', 'noSnapshotUtxo', 'allowInsecure']

/**
 * Returns a copy of options without a prototype, in which null counts as left out.
 *
 * @throws {@link BridgeOptionsError} for an unknown name, and for a flag of another type
 */
export function checkOptions<T extends object>(options: T, names: OptionNames<T>): T {
  const copy = readOptions(
    options,
    names,
    'options',
    (option, expected, got) => new BridgeOptionsError(option, expected, got)
  )
  const values = copy as Record<string, unknown>
  for (const name in values) values[name] ??= undefined
  for (const name of FLAGS)
    if (typeof (values[name] ?? true) !== 'boolean') throw new BridgeOptionsError(name, 'a boolean', values[name])
  return copy
}

/**
 * Returns an option that must be a number in a range, or its default when it is left out. @throws
 * {@link BridgeOptionsError}
 */
export function numberOption(
  options: object,
  name: string,
  fallback: number,
  least = 1,
  most: number = Infinity
): number {
  const value: unknown = (options as Record<string, unknown>)[name] ?? fallback
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw new BridgeOptionsError(name, `a number from ${least} to ${most}`, value)
}
