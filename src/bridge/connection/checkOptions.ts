import { BridgeOptionsError } from '../../errors/bridge.js'

const FLAGS = ['autoReconnect', 'verbose', 'history', 'noSnapshotUtxo', 'allowInsecure']

/** A copy of options in which null counts as left out. @throws {@link BridgeOptionsError} for a flag of another type */
export function checkOptions<T extends object>(options: T): T {
  const given = { ...options } as Record<string, unknown>
  for (const name in given) given[name] ??= undefined
  for (const name of FLAGS) if (typeof (given[name] ?? true) !== 'boolean') throw new BridgeOptionsError(name, 'a boolean', given[name])
  return given as T
}

/** An option that is a number in a range. @throws {@link BridgeOptionsError} */
export function numberOption(given: object, name: string, fallback: number, least = 1, most: number = Infinity): number {
  const value: unknown = (given as Record<string, unknown>)[name] ?? fallback
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw new BridgeOptionsError(name, `a number from ${least} to ${most}`, value)
}
