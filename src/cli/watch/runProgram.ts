import { spawn } from 'node:child_process'

/** Longest run of a program, ms. */
export const PROGRAM_MS = 30_000

/**
 * Runs a program without a shell, and writes `input` to its standard input. After `limitMs` it is killed. Resolves with
 * null when it succeeds, else with the reason why it failed. Its output goes to the error output.
 */
export function runProgram(
  [file, ...args]: readonly [string, ...string[]],
  input: string,
  limitMs: number = PROGRAM_MS
): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['pipe', 2, 2], shell: false, timeout: limitMs, killSignal: 'SIGKILL' })
    child.on('error', (error: NodeJS.ErrnoException) => resolve(`it cannot be started (${error.code ?? 'unknown'})`))
    child.on('close', (code, signal) =>
      resolve(
        code === 0 ? null : code === null ? `it was ended by ${signal ?? 'a signal'}` : `it ended with code ${code}`
      )
    )
    // A program that reads nothing closes the pipe.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(`${input}\n`)
  })
}
