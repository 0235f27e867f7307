import { JournalLockedError } from '../errors/journal.js'
import { describeHolder, fileSystem, hasEnded, parseHolder, thisProcess } from './host.js'

/** Attempts at a lock that others acquire, remove and release at the same time, and the time between two. */
const ATTEMPTS = 50
const PAUSE_MS = 10

/**
 * Acquires the lock of a file: a file beside it that names the process. A lock of a process that has ended is replaced.
 *
 * @returns a function that releases it
 * @throws {@link JournalLockedError} while another journal object or process has it
 */
export async function acquireLock(path: string, journal: string): Promise<() => Promise<void>> {
  const fs = fileSystem()
  const holder = await thisProcess()
  const text = JSON.stringify(holder)
  const ownFile = `${path}.${holder.token}`
  // Linked whole: no other process ever reads half of it.
  await fs.writeFile(ownFile, text, { flag: 'wx' })
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const error = await fs.link(ownFile, path).then(
        () => null,
        (cause: unknown) => cause
      )
      if (error === null) return () => release(path, text)
      if (codeOf(error) !== 'EEXIST') throw error
      const before = await textOf(path)
      if (before === null) continue
      const other = parseHolder(before)
      if (other !== null && !(await hasEnded(other))) throw new JournalLockedError(journal, describeHolder(other))
      const isRemoved = await removeStale(path, before, ownFile)
      if (!isRemoved) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    throw new JournalLockedError(journal, 'other processes, which opened it at the same time')
  } finally {
    await fs.rm(ownFile, { force: true })
  }
}

/**
 * Removes the lock of a process that has ended, unless it has changed. Between reading a lock and removing it, another
 * process may replace it with its own, so only the process that has the right to remove this very lock does. The right
 * is a file that is named after the lock, and that only one process can create. If the process with the right has ended
 * too, the right passes on in the same way: to the process that creates the file named after that right.
 *
 * @param ownFile - the file with this process's lock text, which becomes the right by a link
 * @returns false while another process has the right
 */
async function removeStale(path: string, stale: string, ownFile: string): Promise<boolean> {
  const fs = fileSystem()
  const rights: string[] = []
  for (let ended = stale; ;) {
    const right = `${path}.remove-${tokenOf(ended)}`
    const error = await fs.link(ownFile, right).then(
      () => null,
      (cause: unknown) => cause
    )
    if (error !== null && codeOf(error) !== 'EEXIST') throw error
    rights.push(right)
    if (error === null) break
    const text = await textOf(right)
    const holder = text === null ? null : parseHolder(text)
    if (text === null || holder === null || !(await hasEnded(holder))) return false
    ended = text
  }
  try {
    if ((await textOf(path)) === stale) await fs.rm(path, { force: true })
    return true
  } finally {
    for (const right of rights) await fs.rm(right, { force: true })
  }
}

/** Returns the token of a lock; `unreadable` for any text that is not a lock. */
function tokenOf(text: string): string {
  const token = parseHolder(text)?.token ?? ''
  return /^[\da-f]{1,64}$/.test(token) ? token : 'unreadable'
}

async function release(path: string, lockText: string): Promise<void> {
  if ((await textOf(path)) === lockText) await fileSystem().rm(path, { force: true })
}

/** Text of a file; null where there is none. */
async function textOf(path: string): Promise<string | null> {
  try {
    return await fileSystem().readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code
