import { BridgeOptionsError } from '../../errors/bridge.js'

const TYPES = {
  autoReconnect: 'boolean', verbose: 'boolean', history: 'boolean', noSnapshotUtxo: 'boolean', allowInsecure: 'boolean', browser: 'boolean',
  address: 'string', namespace: 'string', fetch: 'function', webSocketImpl: 'function'
}

/** A copy of options without those that are null, which counts as left out. @throws {@link BridgeOptionsError} for one of another type */
export function checkOptions<T extends object>(options: T): T {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)) as T & Record<string, unknown>
  for (const [name, type] of Object.entries(TYPES)) {
    if (given[name] !== undefined && typeof given[name] !== type) throw new BridgeOptionsError(name, `a ${type}`, given[name])
  }
  return given
}

/** An option that is a number in a range. @throws {@link BridgeOptionsError} */
export function numberOption(given: object, name: string, fallback: number, least = 1, most: number = Infinity): number {
  const value: unknown = (given as Record<string, unknown>)[name] ?? fallback
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw new BridgeOptionsError(name, most === Infinity ? `a number from ${least}` : `a number from ${least} to ${most}`, value)
}
