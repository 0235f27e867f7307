import { InvalidArgumentError } from '../errors/input.js'
import { nearestName } from './nearestName.js'
import { typedErrors } from './typedErrors.js'

/** Every name of an options type: one that is missing, or too many, does not compile. */
export type OptionNames<T extends object> = Readonly<Record<keyof T & string, true>>

/** Makes the error for an option, or for the options as a whole. */
export type RefuseOption = (option: string, expected: string, got: unknown) => Error

const refuseArgument: RefuseOption = (option, expected, got) => new InvalidArgumentError(option, expected, got)

/**
 * Returns a copy of a caller's options without a prototype: each is read once, and only where the caller wrote it. A
 * value on a prototype, such as a polluted `Object.prototype.password`, is no option. An unknown name is refused: a
 * typo must not silently mean the default.
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
    const known = Object.keys(names)
    if (!isOwn(options, known))
      throw refuse(what, `an object with own properties of ${known.join(', ')}`, typeof options)
    const copy = Object.create(null) as Record<string, unknown>
    for (const name of Object.keys(options)) {
      // The type of the value only: it may be a secret under a misspelt name.
      if (!Object.hasOwn(names, name))
        throw refuse(
          optionName(what, name),
          expectedNames(name, known),
          typeof (options as Record<string, unknown>)[name]
        )
      copy[name] = (options as Record<string, unknown>)[name]
    }
    return copy as T
  })
}

/**
 * Returns true when every option is an own property: an inherited one would be ignored silently, as would the content
 * of a Map or the result of a Promise, which have no own properties at all.
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

/** The names that are options; first the one that a misspelt name most likely stands for. */
function expectedNames(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return `one of the options ${known.join(', ')}${nearest === null ? '' : ` (did you mean ${nearest}?)`}`
}

/** A name as errors repeat it, e.g. `retry.delay`; one that is no name may be anything, a secret too. */
function optionName(what: string, name: string): string {
  const shown = /^[A-Za-z_$][\w$-]{0,23}$/.test(name) ? name : `a name of ${name.length} characters`
  return what === 'options' ? shown : `${what}.${shown}`
}
