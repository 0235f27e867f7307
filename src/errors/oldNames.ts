import { RenamedError } from './renamed.js'

/** Names of the release before, with the new ones: of a client's methods, and of a bridge's properties. */
export const OLD_NAMES = {
  client: { close: 'closeHead', abort: 'abortHead', fanout: 'fanoutHead', closeAndFanout: 'closeAndFanoutHead' },
  bridge: { chainSynced: 'synced', filtered: 'partial' }
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

/** Adds the old names of properties to an object: reading one throws {@link RenamedError}. */
export function addOldProperties(target: object, names: Readonly<Record<string, string>>): void {
  for (const [old, now] of Object.entries(names)) {
    const get = (): never => {
      throw new RenamedError(old, now)
    }
    Object.defineProperty(target, old, { get })
  }
}
