import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'
import { describeValue } from '../errors/base.js'
import { nearest } from './nearest.js'

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

/** A failure of the command in one sentence: exit code 1. */
export class CommandFailure extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause })
  }
}

/** The end of a command that has printed its result: sets the exit code, and prints no more. */
export class ExitWithCode extends Error {
  readonly exitCode: number
  constructor(exitCode: number) {
    super(`exit code ${exitCode}`)
    this.exitCode = exitCode
  }
}

/** Returns an error as one sentence: the failure, the expected value and the value that came. */
export function inOneSentence(error: unknown): string {
  const [summary = '', ...lines] = String((error as Error | null)?.message ?? error).split('\n')
  const detail = (start: string): string | undefined =>
    lines.find((line) => line.startsWith(start))?.slice(start.length)
  const [expected, got] = [detail('- Expected '), detail('- Got ')]
  if (expected === undefined && got === undefined) return summary
  const parts = [expected === undefined ? [] : `expected ${expected}`, got === undefined ? [] : `got ${got}`].flat()
  // An expectation with advice comes last, or `got` would read as part of the advice.
  if (expected?.includes(': ') === true) parts.reverse()
  return `${summary.replace(/\.$/, '')}: ${parts.join(', ')}.`
}

/** Returns the error of an argument or option that has to be one of some words; `given` may be absent. */
export function notOneOf(name: string, words: readonly string[], given = ''): UsageError {
  return new UsageError(
    `${name} needs one of ${words.join(', ')}${given === '' ? '' : `, not ${describeValue(given)}`}.`
  )
}

/** Returns a whole number from 0 to `max`; undefined when the option is absent. */
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

/** Parses options; positional arguments are refused. */
export function parseOptions<T extends Options>(args: readonly string[], options: T): Parsed<T>['values'] {
  const { values, positionals } = parseCommand(args, options)
  const [unexpected] = positionals
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument '${unexpected}'.`)
  return values
}

/** Parses options and positional arguments. */
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
