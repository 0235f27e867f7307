import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandFailure } from '../usage.js'

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

/** Returns the text of a file; null when the file does not exist. @throws CommandFailure that names the file */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new CommandFailure(`The file ${path} cannot be read (${codeOf(error)}).`)
  }
}

/**
 * Replaces the text of a file atomically and syncs it to the disk. After a kill or a power loss the file contains
 * either the whole old text or the whole new one.
 *
 * @throws CommandFailure that names the file
 */
export function replaceFile(path: string, text: string): void {
  try {
    const next = `${path}.next`
    const file = openSync(next, 'w', 0o600)
    try {
      const bytes = new TextEncoder().encode(text)
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(next, path)
    syncFolder(dirname(path))
  } catch (error) {
    throw new CommandFailure(`The file ${path} cannot be written (${codeOf(error)}).`)
  }
}

/** Syncs a folder, so that the renaming of a file in it survives a power loss. Skipped where the system cannot. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // Windows opens no folders.
  }
}
