import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'

/** The program was called wrongly. */
export class UsageError extends Error {}

/** Whole number from 0 to `max`, or undefined when the option is absent. */
export function wholeNumber(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text) || Number(text) > max) throw new UsageError(`--${name} needs a whole number from 0 to ${max}, not "${text}".`)
  return Number(text)
}

/** Parses options; nothing but the options named is taken. */
export function parseOptions<T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T
): ReturnType<typeof parseArgs<{ args: string[]; options: T; strict: true }>>['values'] {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    // parseArgs explains itself well, but over several sentences.
    throw new UsageError(`${(error as Error).message.split('. ')[0]!}.`)
  }
}
