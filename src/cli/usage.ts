import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'
import { describeValue } from '../errors/base.js'
import { nearest } from './nearest.js'

/** Error of a command line that cannot be used; the program ends with exit code 2. */
export class UsageError extends Error {}

/** Failure of a command, described in one sentence; the program ends with exit code 1. */
export class CommandFailure extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause })
  }
}

/** Thrown by a command that has printed its result, to end the program with an exit code and no further output. */
export class ExitWithCode extends Error {
  readonly exitCode: number
  constructor(exitCode: number) {
    super(`exit code ${exitCode}`)
    this.exitCode = exitCode
  }
}

/** Returns an error as one line: the failure, the expected value and the actual value. */
export function inOneLine(error: unknown): string {
  const [summary = '', ...lines] = String((error as Error | null)?.message ?? error).split('\n')
  const detail = (start: string): string | undefined =>
    lines.find((line) => line.startsWith(start))?.slice(start.length)
  const [expected, got] = [detail('- Expected '), detail('- Got ')]
  if (expected === undefined && got === undefined) return summary
  const failure = summary.replace(/\.$/, '')
  // After an expectation with advice the actual value would read as part of the advice.
  if (got !== undefined && expected?.includes(': ') === true) return `${failure} (${got}). Expected ${expected}.`
  const parts = [expected === undefined ? [] : `expected ${expected}`, got === undefined ? [] : `got ${got}`].flat()
  return `${failure}: ${parts.join(', ')}.`
}

/** Returns the error of an argument or option that has to be one of some words; `input` may be absent. */
export function notOneOf(name: string, words: readonly string[], input = ''): UsageError {
  return new UsageError(
    `${name} needs one of ${words.join(', ')}${input === '' ? '' : `, not ${describeValue(input)}`}.`
  )
}

/** Checks the id of a transaction or deposit. `subject`: its name in the error, e.g. `a deposit`. @throws UsageError */
export function assertId(text: string, subject: string): void {
  if (!/^[\da-f]{64}$/i.test(text))
    throw new UsageError(`${describeValue(text)} is not the id of ${subject}: expected 64 hexadecimal digits.`)
}

/** Parses an option that is a whole number from 0 to `max`; undefined when it is absent. @throws UsageError */
export function wholeNumberOption(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text) || Number(text) > max)
    throw new UsageError(`--${name} needs a whole number from 0 to ${max}, not "${text}".`)
  return Number(text)
}

type Options = NonNullable<ParseArgsConfig['options']>
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; strict: true; allowPositionals: true }>
>

/** Parses the options of a command without positional arguments. @throws UsageError */
export function parseOptions<T extends Options>(args: readonly string[], options: T): Parsed<T>['values'] {
  const { values, positionals } = parseCommand(args, options)
  const [unexpected] = positionals
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument '${unexpected}'.`)
  return values
}

/** Parses options and positional arguments. @throws UsageError */
export function parseCommand<T extends Options>(args: readonly string[], options: T): Parsed<T> {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true })
  } catch (error) {
    // parseArgs explains itself well, but over several sentences.
    const [sentence = ''] = (error as Error).message.split('. ')
    const unknown = /^Unknown option '--([\w-]+)'/.exec(sentence)?.[1]
    const near = unknown === undefined ? null : nearest(unknown, Object.keys(options))
    throw new UsageError(near === null ? `${sentence}.` : `${sentence}. Did you mean --${near}?`)
  }
}
