import { RenamedError } from './renamed.js'

/**
 * Names of the previous release, each with its new name: methods of a client, properties of a bridge, and members of
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
 * Adds methods with old names to an object, for programs in JavaScript: a call rejects with {@link RenamedError}. They
 * are not part of the object's type, and not enumerable.
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
 * Adds properties with old names to an object, and returns the object. Reading one throws {@link RenamedError}. They
 * are not enumerable, so copies, comparisons and JSON do not contain them.
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

/** Refuses arguments that use an old name. @throws {@link RenamedError} */
export function refuseOldOption(args: object | null | undefined, old: string, now: string, action: string): void {
  if (typeof args === 'object' && args !== null && Object.hasOwn(args, old))
    throw new RenamedError(`${action}({ ${old} })`, `${action}({ ${now} })`)
}
