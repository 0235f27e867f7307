import { JournalAccessError } from '../errors/journal.js'
import { isLayerError } from '../errors/base.js'
import type { StoredEntry } from './entryText.js'
import type { FileHandle } from './host.js'
import { fileSystem, paths } from './host.js'
import { entryLine, forgetLine, readJournal } from './journalLines.js'
import { acquireLock } from './acquireLock.js'

/** A file below this size is not compacted, bytes. */
const MIN_COMPACT_BYTES = 256 * 1024
/** A file is compacted once it is this many times as large as its newest entries. */
const GROWTH = 4

/** A line to be appended: an entry, or the id to forget. */
export type JournalChange = StoredEntry | { readonly id: string; readonly text: null }

/** An open journal file: locked, read, and appended to. */
export class JournalFile {
  readonly #path: string
  readonly #journal: string
  readonly #texts: Map<string, string>
  readonly #unlock: () => Promise<void>
  #handle: FileHandle
  /** Length of the whole lines, bytes: anything after them is from a write that failed. */
  #size: number
  #compactBytes = MIN_COMPACT_BYTES
  /** The error of a failed write that could not be undone: the content of the disk is not known any more. */
  #failure: JournalAccessError | null = null

  private constructor(
    path: string,
    journal: string,
    {
      handle,
      texts,
      size,
      unlock
    }: { handle: FileHandle; texts: Map<string, string>; size: number; unlock: () => Promise<void> }
  ) {
    this.#path = path
    this.#journal = journal
    this.#handle = handle
    this.#texts = texts
    this.#size = size
    this.#unlock = unlock
  }

  /**
   * Opens a file, or creates it.
   * @throws {@link JournalAccessError}, {@link JournalLockedError}, {@link JournalBrokenError}
   */
  static async open(journal: string): Promise<JournalFile> {
    const fs = fileSystem()
    let unlock = (): Promise<void> => Promise.resolve()
    let handle: FileHandle | null = null
    try {
      const path = await realPath(journal)
      unlock = await acquireLock(`${path}.lock`, journal)
      handle = await openFile(path)
      if (!(await handle.stat()).isFile()) throw new Error('it is no regular file')
      const { texts, goodBytes } = readJournal(await handle.readFile(), journal)
      await handle.truncate(goodBytes)
      await handle.datasync()
      // Of a process that was killed while it compacted.
      await fs.rm(`${path}.compact`, { force: true })
      return new JournalFile(path, journal, { handle, texts, size: goodBytes, unlock })
    } catch (error) {
      await handle?.close().catch(() => undefined)
      await unlock().catch(() => undefined)
      throw isLayerError(error) ? error : new JournalAccessError(journal, 'opened', error)
    }
  }

  /** Newest entry of each id, as JSON, in the order in which the ids came. */
  texts(): string[] {
    return [...this.#texts.values()]
  }

  /**
   * Appends lines, with one sync for all of them. @throws {@link JournalAccessError}; then none of them is in the file
   */
  async append(changes: readonly JournalChange[]): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    const lines = changes.map(({ id, text }) => (text === null ? forgetLine(id) : entryLine(text))).join('')
    await this.#write(new TextEncoder().encode(lines))
    for (const { id, text } of changes) {
      if (text === null) this.#texts.delete(id)
      else this.#texts.set(id, text)
    }
    if (this.#size > this.#compactBytes) await this.#compact()
  }

  /** Closes the file and releases its lock. */
  async close(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    await this.#unlock().catch(() => undefined)
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      for (let written = 0; written < bytes.length;) {
        const { bytesWritten } = await this.#handle.write(bytes, written, bytes.length - written, this.#size + written)
        written += bytesWritten
      }
      await this.#handle.datasync()
    } catch (error) {
      const failure = new JournalAccessError(this.#journal, 'written', error)
      // The lines have failed: no later process may find them.
      await this.#cutBack().catch(() => {
        this.#failure = failure
      })
      throw failure
    }
    this.#size += bytes.length
  }

  async #cutBack(): Promise<void> {
    await this.#handle.truncate(this.#size)
    await this.#handle.datasync()
  }

  /** Writes the newest entries into a new file, which replaces the old one atomically. */
  async #compact(): Promise<void> {
    const fs = fileSystem()
    const lines = new TextEncoder().encode(this.texts().map(entryLine).join(''))
    this.#compactBytes = Math.max(MIN_COMPACT_BYTES, GROWTH * lines.length)
    if (this.#size <= this.#compactBytes) return
    const next = `${this.#path}.compact`
    let handle: FileHandle | null = null
    try {
      handle = await fs.open(next, 'w+', (await this.#handle.stat()).mode & 0o777)
      await handle.writeFile(lines)
      await handle.sync()
      await fs.rename(next, this.#path)
    } catch {
      // The old file is whole; a disk without room for a copy is tried again later.
      this.#compactBytes = GROWTH * this.#size
      await handle?.close().catch(() => undefined)
      await fs.rm(next, { force: true }).catch(() => undefined)
      return
    }
    await this.#handle.close().catch(() => undefined)
    this.#handle = handle
    this.#size = lines.length
    // The name has to survive a power cut too.
    await syncFolder(paths().dirname(this.#path))
  }
}

/** Resolves links, so that two names of one file have one lock. */
async function realPath(path: string): Promise<string> {
  const fs = fileSystem()
  const { basename, dirname, join, resolve } = paths()
  const whole = resolve(path)
  try {
    return await fs.realpath(whole)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error
    return join(await fs.realpath(dirname(whole)), basename(whole))
  }
}

/** Opens an existing file, or a new one for its owner alone. */
async function openFile(path: string): Promise<FileHandle> {
  const fs = fileSystem()
  try {
    return await fs.open(path, 'r+')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error
  }
  const handle = await fs.open(path, 'wx+', 0o600)
  await syncFolder(paths().dirname(path))
  return handle
}

/** Makes the names in a folder durable (fsync of the folder), where the system supports that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await fileSystem()
    .open(path, 'r')
    .catch(() => null)
  await folder?.sync().catch(() => undefined)
  await folder?.close().catch(() => undefined)
}
