import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { CommandFailure } from '../usage.js'

/** Recording that is being written. Each line is passed to the operating system before the next message is read. */
export class RecordingFile {
  readonly #path: string
  readonly #file: number
  #lines = 0
  #bytes = 0

  /** Creates the file, readable by its owner alone. @throws CommandFailure where one is there already */
  constructor(path: string) {
    this.#path = path
    try {
      this.#file = openSync(path, 'wx', 0o600)
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      throw new CommandFailure(
        code === 'EEXIST'
          ? `The file ${path} exists: choose another name.`
          : `The file ${path} cannot be written (${code}).`
      )
    }
  }

  get lines(): number {
    return this.#lines
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Writes one line. @throws CommandFailure when the disk is full or fails */
  write(line: string): void {
    const bytes = new TextEncoder().encode(`${line}\n`)
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at)
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      throw new CommandFailure(`The file ${this.#path} cannot be written (${code}) after ${this.#lines} lines.`)
    }
    this.#lines++
    this.#bytes += bytes.length
  }

  close(): void {
    closeSync(this.#file)
  }

  /** Closes and deletes the file; used for a recording without messages. */
  discard(): void {
    this.close()
    unlinkSync(this.#path)
  }
}
