import type { LayerErrorCode, LayerErrors } from './codes.js'
import { errorUrl } from './links.js'

// Symbol.for: the ESM and the CJS copy of the package recognise each other's errors.
const BRAND: unique symbol = Symbol.for('layer-sdk.error') as never

/**
 * Effect of an action that ended with an error. `none`: no effect, since it was not sent or was refused. `unknown`: it
 * may still take effect, so look it up before you repeat it. `happened`: it took effect, and a later step failed.
 */
export type ErrorOutcome = 'none' | 'unknown' | 'happened'

/** Lines of an error's message after its first sentence. */
export interface ErrorDetails {
  /** Values that are accepted, e.g. `"an even number of hex digits"`. */
  readonly expected?: string | undefined
  /** Description of the value that came instead; never a secret. */
  readonly got?: string | undefined
  /** Further details, one line each. */
  readonly details?: readonly string[] | undefined
  /** Error that caused this one. */
  readonly cause?: unknown
}

/**
 * Base of every error this package throws or rejects with.
 *
 * `code` is stable across releases: programs compare it. `message` is for people and may be reworded: its first line is
 * one sentence, its last the address of the page about the code, which `npx layer-sdk explain CODE` prints offline.
 * Identity holds across module copies with {@link isLayerError}.
 */
export abstract class LayerSdkError<Code extends LayerErrorCode = LayerErrorCode> extends Error {
  /** Name of the class; the same in minified bundles. */
  abstract override readonly name: string
  /** Stable across releases, e.g. `'INPUT_HEX'`: programs compare it. */
  readonly code: Code

  /** Effect of the action that ended so; undefined on errors of actions that have none, such as reading. */
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
 * Returns true for an error of this package, and with a code for errors of that code alone. Narrows to the class of the
 * code; without a code to the union of all classes, which `switch (error.code)` distinguishes. Recognises errors of the
 * ESM and of the CJS copy of the package.
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

/**
 * Longest text that an error repeats: enough for a unit, a name or a word, too short for a key, a phrase or an address.
 */
const MAX_REPEATED = 24

/**
 * A short, harmless rendering of any value for the "Got" line. A longer text, which may be a secret in the wrong place,
 * is described by its length; so are integers of as many digits.
 */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  if (typeof value === 'string') return describeText(value)
  // 2^78 has 24 digits; a text is made of none that is larger.
  if (typeof value === 'bigint') return BigInt.asIntN(79, value) === value ? `${value}n` : 'a larger bigint'
  try {
    if (value instanceof Uint8Array) return `${value.length} bytes`
    if (Array.isArray(value)) return `an array of ${value.length}`
  } catch {
    // A Proxy may refuse even that.
  }
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function describeText(text: string): string {
  if (text.length <= MAX_REPEATED) return JSON.stringify(text)
  return /^(0x)?[\da-f]+$/i.test(text) ? `${text.length} hexadecimal digits` : `a text of ${text.length} characters`
}
