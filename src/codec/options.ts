import { InvalidArgumentError } from '../errors/input.js'
import { whileReading } from './whileReading.js'

/** Every name of an options type: one that is missing, or too many, does not compile. */
export type OptionNames<T extends object> = Readonly<Record<keyof T & string, true>>

/** Makes the error for an option, or for the options as a whole. */
export type RefuseOption = (option: string, expected: string, got: unknown) => Error

const refuseArgument: RefuseOption = (option, expected, got) => new InvalidArgumentError(option, expected, got)

/**
 * A copy of a caller's options without a prototype: each is read once, and only where the caller wrote it. What stands on a prototype,
 * such as a polluted `Object.prototype.password`, is no option. An unknown name is refused: a typo must not silently mean the default.
 *
 * @param what - names the options in an error, e.g. `options` or `key`.
 * @throws {@link InvalidArgumentError}, or what `refuse` makes, unless it is a plain object with known names.
 */
export function readOptions<T extends object>(options: T, names: OptionNames<T>, what = 'options', refuse: RefuseOption = refuseArgument): T {
  return whileReading(what, () => {
    if (!isPlain(options)) throw refuse(what, `a plain object of options: ${Object.keys(names).join(', ')}`, typeof options)
    const own = Object.create(null) as Record<string, unknown>
    for (const name of Object.keys(options)) {
      // The type of the value only: it may be a secret under a misspelt name.
      if (!Object.hasOwn(names, name)) throw refuse(optionName(name), `one of the options ${Object.keys(names).join(', ')}`, typeof (options as Record<string, unknown>)[name])
      own[name] = (options as Record<string, unknown>)[name]
    }
    return own as T
  })
}

/** Whether all that an object says is its own: inherited options would be passed over in silence. Objects of other realms are plain too. */
function isPlain(options: unknown): boolean {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return false
  const prototype: unknown = Object.getPrototypeOf(options)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** A name as errors repeat it; one that is no name may be anything, a secret too. */
function optionName(name: string): string {
  return /^[A-Za-z_$][\w$-]{0,23}$/.test(name) ? name : `An option with a name of ${name.length} characters`
}
