import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { CommandFailure } from '../../usage.js'

/** Largest file that is read, bytes. */
const MAX_BYTES = 1024 * 1024

/** Returns the text of a file. @throws CommandFailure that names a file that cannot be read or exceeds 1 MiB */
export function readTextFile(path: string): string {
  try {
    const { size } = statSync(path)
    if (size > MAX_BYTES) throw new CommandFailure(`The file ${path} has ${size} bytes; at most 1 MiB is read.`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`)
  }
}

/** Creates a file; pass the `mode` 0o600 for a secret. @throws CommandFailure, also when the file exists already */
export function writeNewFile(path: string, text: string, mode: number): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode })
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new CommandFailure(
      code === 'EEXIST'
        ? `The file ${path} is there already: it stays as it is.`
        : `The file ${path} cannot be written (${code}).`
    )
  }
}
