import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../../src/cli/main'

/** A folder for the recordings of one suite. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'layer-sdk-recording-'))

/** Result of a command. */
export interface Run {
  readonly code: number
  readonly out: string
  readonly errors: string
}

/** Runs a command in this process until it ends, or until `stopped` resolves. */
export async function run(args: readonly string[], stopped: Promise<unknown> = new Promise(() => {})): Promise<Run> {
  const [out, errors]: [string[], string[]] = [[], []]
  const code = await main(args, {
    version: '1.2.3',
    out: (text) => void out.push(text),
    error: (text) => void errors.push(text),
    stopped: () => stopped
  })
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}

/** The report of `replay FILE --json` and the exit code. */
export async function replayed(file: string, ...more: string[]): Promise<{ code: number; report: any }> {
  const { code, out } = await run(['replay', file, '--json', '--check', ...more])
  return { code, report: JSON.parse(out) }
}

export const HEADER = '{"recording":1,"package":"0.1.0","startedAt":"2026-01-01T00:00:00.000Z"}'
export const OPEN = '{"at":1,"event":"open","history":false}'
export const END = '{"at":9,"event":"end","reason":"stopped"}'

/** Writes a recording of these lines. */
export function recordingOf(path: string, lines: readonly (string | object)[]): string {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(path, `${[HEADER, OPEN, ...text].join('\n')}\n`)
  return path
}

export const append = (path: string, text: string): void => appendFileSync(path, text)
export const linesOf = (path: string): any[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
