import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
import { RenamedError } from '../errors/renamed.js'

/**
 * Reads the arguments of an action by their names. A bare value, which earlier releases accepted instead of the object,
 * is refused with an error that names the member for it.
 *
 * @throws {@link RenamedError}, {@link InvalidArgumentError}
 */
export function readArgs<T extends object>(
  args: T | null | undefined,
  names: OptionNames<T>,
  action: string,
  member: keyof T & string
): T {
  if (typeof args === 'string' || typeof args === 'function')
    throw new RenamedError(`${action}(${member})`, `${action}({ ${member} })`)
  return readOptions(args ?? ({} as T), names, 'args')
}
