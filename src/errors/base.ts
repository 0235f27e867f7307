import type { LayerErrorCode, LayerErrors } from './codes.js'
import { errorUrl } from './links.js'

// Symbol.for: the ESM and the CJS copy of the package recognise each other's errors.
const BRAND: unique symbol = Symbol.for('layer-sdk.error') as never

/**
 * Effect of an action that ended with an error. `none`: it had no effect, because it was not sent or was refused.
 * `unknown`: it may still have its effect, so look it up before you repeat it. `happened`: it had its effect, and a
 * later step failed.
 */
export type ErrorOutcome = 'none' | 'unknown' | 'happened'

/** Lines of an error's message after its first sentence, and the error's cause. */
export interface ErrorDetails {
  /** Description of the accepted values, e.g. `"an even number of hex digits"`. */
  readonly expected?: string | undefined
  /** Description of the actual value, without secrets. */
  readonly got?: string | undefined
  /** Further details, one line each. */
  readonly details?: readonly string[] | undefined
  /** Error that caused this one. */
  readonly cause?: unknown
}

/**
 * Base of every error this package throws or rejects with.
 *
 * `code` is stable across releases, so programs can compare it. `message` is for people and may be reworded. Its first
 * line is one sentence; its last line is the URL of the page about the code, which `npx layer-sdk explain CODE` prints
 * offline. Use {@link isLayerError} instead of `instanceof`: it also recognises errors of another copy of the package.
 */
export abstract class LayerSdkError<Code extends LayerErrorCode = LayerErrorCode> extends Error {
  /** Name of the class; the same in minified bundles. */
  abstract override readonly name: string
  /** Code of the error, e.g. `'INPUT_HEX'`. It is stable across releases, so programs can compare it. */
  readonly code: Code

  /** Effect that the failed action had; undefined for actions that cannot have one, such as reading. */
  declare readonly outcome?: ErrorOutcome

  protected constructor(code: Code, summary: string, details: ErrorDetails = {}) {
    const lines = [
      summary,
      ...(details.expected === undefined ? [] : [`- Expected ${details.expected}`]),
      ...(details.got === undefined ? [] : [`- Got ${details.got}`]),
      ...(details.details ?? []).map((line) => `- ${line}`),
      `See ${errorUrl(code)}`
    ]
    super(lines.map(cut).join('\n'), details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    Object.defineProperty(this, BRAND, { value: true })
  }

  /** The message's first line: one sentence that can be shown to end users. */
  get shortMessage(): string {
    return this.message.split('\n', 1)[0]!
  }
}

/** Longest line of a message. A node's own reason may be of any length: a field of the error holds the whole text. */
const MAX_LINE = 2_000

function cut(line: string): string {
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE)}... (${line.length} characters)`
}

/**
 * Returns true for an error of this package; with `code` only for errors with that code. Narrows the type to the class
 * of the code; without a code to the union of all classes, which `switch (error.code)` distinguishes. Recognises errors
 * of both the ESM and the CJS copy of the package.
 *
 * @example
 * ```ts
 * import { isLayerError } from 'layer-sdk'
 * import { hexToBytes } from 'layer-sdk/utils'
 * try {
 *   hexToBytes('abcx')
 * } catch (error) {
 *   if (!isLayerError(error, 'INPUT_HEX')) throw error
 *   console.log('not hex at', error.position)
 * }
 * ```
 */
export function isLayerError<Code extends LayerErrorCode = LayerErrorCode>(
  value: unknown,
  code?: Code
): value is LayerErrors[Code] {
  if (typeof value !== 'object' || value === null) return false
  const candidate = value as { [BRAND]?: unknown; code?: unknown }
  return candidate[BRAND] === true && (code === undefined || candidate.code === code)
}

/** A description of a value, which an error shows in place of the value, without quotes. */
class Described {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }

  /** Returns the text of a description; null for any other value. It asks nothing of the value, which may be a Proxy. */
  static textOf(value: object): string | null {
    return #text in value ? value.#text : null
  }
}

/** Describes a value in words, e.g. `described('both')`: a plain text would be shown in quotes, as if it were the value. */
export function described(text: string): object {
  return new Described(text)
}

/** Describes a value by its type alone, because the value may be a secret, e.g. "a string". */
export function byType(value: unknown): object {
  return described(value === null || value === undefined ? String(value) : typeText(value))
}

/**
 * Longest text that an error repeats: enough for a unit, a name or a word, too short for a key, a phrase or an address.
 */
const MAX_REPEATED = 24

/**
 * Returns a short description of any value for the "Got" line of an error. Only the length of a longer text is named,
 * because a secret may have been passed by mistake; an integer with as many digits is not repeated either.
 */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  if (typeof value === 'string') return describeText(value)
  // 2^78 has 24 digits; a text is made of none that is larger.
  if (typeof value === 'bigint') return BigInt.asIntN(79, value) === value ? `${value}n` : 'a larger bigint'
  const text = typeof value === 'object' ? Described.textOf(value) : null
  if (text !== null) return text
  try {
    if (value instanceof Uint8Array) return `${value.length} bytes`
    if (Array.isArray(value)) return `an array of ${value.length}`
  } catch {
    // A Proxy may refuse even that.
  }
  return typeText(value)
}

function typeText(value: unknown): string {
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function describeText(text: string): string {
  if (text.length <= MAX_REPEATED) return JSON.stringify(text)
  return /^(0x)?[\da-f]+$/i.test(text) ? `${text.length} hexadecimal digits` : `a text of ${text.length} characters`
}
