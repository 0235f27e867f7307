import { JournalLockedError } from '../errors/journal.js'
import { describeHolder, fileSystem, hasEnded, parseHolder, thisProcess } from './host.js'

/** Attempts at a lock that others acquire and release at the same time. */
const ATTEMPTS = 5

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
  const own = `${path}.${holder.token}`
  // Linked whole: no other process ever reads half of it.
  await fs.writeFile(own, text, { flag: 'wx' })
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const error = await fs.link(own, path).then(
        () => null,
        (cause: unknown) => cause
      )
      if (error === null) return () => release(path, text)
      if (codeOf(error) !== 'EEXIST') throw error
      const before = await textOf(path)
      if (before === null) continue
      const other = parseHolder(before)
      if (other !== null && !(await hasEnded(other))) throw new JournalLockedError(journal, describeHolder(other))
      await removeStale(path, before, `${own}.stale`)
    }
    throw new JournalLockedError(journal, 'other processes, which opened it at the same time')
  } finally {
    await fs.rm(own, { force: true })
  }
}

/** Moves a stale lock away; one that another process has acquired meanwhile is put back. */
async function removeStale(path: string, stale: string, aside: string): Promise<void> {
  const fs = fileSystem()
  try {
    await fs.rename(path, aside)
  } catch (error) {
    // Another process was first.
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if ((await textOf(aside)) !== stale) await fs.link(aside, path).catch(() => undefined)
  await fs.rm(aside, { force: true })
}

async function release(path: string, own: string): Promise<void> {
  if ((await textOf(path)) === own) await fileSystem().rm(path, { force: true })
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
