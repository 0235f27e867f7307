import { RenamedError } from './renamed.js'

/**
 * Names of the release before, with the new ones: of a client's methods, of a bridge's properties, and of the members of
 * `head.status()`, `bridge.getSnapshot()` and a deposit's result.
 */
export const OLD_NAMES = {
  client: { close: 'closeHead', abort: 'abortHead', fanout: 'fanoutHead', closeAndFanout: 'closeAndFanoutHead' },
  bridge: { chainSynced: 'synced', filtered: 'partial' },
  status: { version: 'nodeVersion', snapshot: 'snapshotNumber', deadline: 'contestationDeadline' },
  snapshot: {
    lastSnapshotNumber: 'snapshotNumber',
    seeded: 'ready',
    chainSynced: 'synced',
    layerNodeVersion: 'nodeVersion'
  },
  deposit: { deadline: 'recoverableAt' }
} as const

/**
 * Adds the old names of methods to an object: a program in JavaScript that calls one gets {@link RenamedError} as a
 * rejection. They are no part of its type and cannot be enumerated.
 */
export function addOldMethods(target: object, names: Readonly<Record<string, string>>): void {
  for (const [old, now] of Object.entries(names)) {
    const value = async (): Promise<never> => {
      throw new RenamedError(`${old}()`, `${now}()`)
    }
    Object.defineProperty(target, old, { value })
  }
}

/**
 * Adds the old names of properties to an object, and returns it: reading one throws {@link RenamedError}. They cannot be
 * enumerated, so no copy, comparison or JSON has them.
 */
export function addOldProperties<T extends object>(target: T, names: Readonly<Record<string, string>>): T {
  for (const [old, now] of Object.entries(names)) {
    const get = (): never => {
      throw new RenamedError(old, now)
    }
    Object.defineProperty(target, old, { get })
  }
  return target
}

/** @throws {@link RenamedError} when an argument has its old name */
export function refuseOldOption(args: object | null | undefined, old: string, now: string, action: string): void {
  if (typeof args === 'object' && args !== null && Object.hasOwn(args, old))
    throw new RenamedError(`${action}({ ${old} })`, `${action}({ ${now} })`)
}
