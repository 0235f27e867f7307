import { InvalidArgumentError } from '../errors/input.js'
import { nearestName } from './nearestName.js'
import { typedErrors } from './typedErrors.js'

/** Table of all names of an options type. A missing or additional name does not compile. */
export type OptionNames<T extends object> = Readonly<Record<keyof T & string, true>>

/** Creates the error about a wrong option, or about the options as a whole. */
export type RefuseOption = (option: string, expected: string, got: unknown) => Error

const refuseArgument: RefuseOption = (option, expected, got) => new InvalidArgumentError(option, expected, got)

/**
 * Returns a copy of a caller's options without a prototype. Each option is read once, and only if it is an own
 * property: a value on a prototype, such as a polluted `Object.prototype.password`, is not an option. An unknown name
 * is refused, so that a typo does not silently mean the default.
 *
 * @param what - names the options in an error, e.g. `options` or `key`.
 * @throws {@link InvalidArgumentError}, or the error of `refuse`, unless it is an object with known names.
 */
export function readOptions<T extends object>(
  options: T,
  names: OptionNames<T>,
  what = 'options',
  refuse: RefuseOption = refuseArgument
): T {
  return typedErrors(what, () => {
    const knownNames = Object.keys(names)
    if (!isOwn(options, knownNames))
      throw refuse(what, `an object with own properties of ${knownNames.join(', ')}`, typeof options)
    const copy = Object.create(null) as Record<string, unknown>
    for (const name of Object.keys(options)) {
      // The type of the value only: it may be a secret under a misspelt name.
      if (!Object.hasOwn(names, name))
        throw refuse(
          optionName(what, name),
          expectedNames(name, knownNames),
          typeof (options as Record<string, unknown>)[name]
        )
      copy[name] = (options as Record<string, unknown>)[name]
    }
    return copy as T
  })
}

/**
 * Returns true when every option is an own property. An inherited option would be ignored silently, and so would the
 * content of a Map or the result of a Promise, which have no own properties.
 */
function isOwn(options: unknown, names: readonly string[]): boolean {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return false
  const classes: object[] = []
  // The root of the chain is Object.prototype, of this realm or another: its properties are no options.
  for (
    let each: unknown = Object.getPrototypeOf(options), next;
    each !== null && (next = Object.getPrototypeOf(each) as unknown) !== null;
    each = next
  ) {
    classes.push(each as object)
  }
  const inherits = classes.some((each) => names.some((name) => Object.hasOwn(each, name)))
  return !inherits && (classes.length === 0 || Object.keys(options).length > 0)
}

/** Returns the text for an error that lists the known options, and suggests the one that a misspelt name means. */
function expectedNames(name: string, knownNames: readonly string[]): string {
  const nearest = nearestName(name, knownNames)
  return `one of the options ${knownNames.join(', ')}${nearest === null ? '' : ` (did you mean ${nearest}?)`}`
}

/** Returns an option's name for an error, e.g. `retry.delay`; only the length of other text, which may be a secret. */
function optionName(what: string, name: string): string {
  const shown = /^[A-Za-z_$][\w$-]{0,23}$/.test(name) ? name : `a name of ${name.length} characters`
  return what === 'options' ? shown : `${what}.${shown}`
}
