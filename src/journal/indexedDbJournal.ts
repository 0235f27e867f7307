import type { IDBPDatabase } from 'idb'
import { isLayerError } from '../errors/base.js'
import { InvalidArgumentError, RuntimeUnsupportedError } from '../errors/input.js'
import { JournalAccessError, JournalBrokenError, JournalLockedError } from '../errors/journal.js'
import { loadPackage } from '../net/loadPackage.js'
import type { StoredEntry } from './entryText.js'
import { fromStored, toStored } from './entryText.js'
import { GroupCommit } from './GroupCommit.js'
import type { KeptJournal } from './keptJournal.js'
import { OpenJournal } from './OpenJournal.js'

const STORE = 'entries'
/** Wait for the lock, ms: a tab that was just closed, or loaded again, may release it a moment later. */
const LOCK_WAIT_MS = 1_000

/** A stored entry with its place in the order of all. */
interface Row extends StoredEntry {
  readonly order?: number
}

interface Store {
  readonly database: IDBPDatabase
  close(): Promise<void>
}

/**
 * Returns a journal in the browser's IndexedDB. It needs the package `idb` and a secure context (`https:` or
 * localhost). One tab at a time can use it: a Web Lock named like the database is held from the first call of a method
 * until `close()`, or until the tab is closed. In a second tab the methods reject.
 *
 * @param name - name of the database, e.g. `payments`; each wallet of a head needs a database of its own
 * @throws {@link InvalidArgumentError} on an empty name. The methods of the journal reject with
 * {@link JournalAccessError}, {@link JournalLockedError}, {@link PackageMissingError} or
 * {@link RuntimeUnsupportedError}.
 * @example
 * ```ts no-run
 * import { createHeadClient } from 'layer-sdk/client'
 * import { indexedDbJournal } from 'layer-sdk/journal'
 *
 * const head = createHeadClient({ url: 'wss://head.example', wallet, journal: indexedDbJournal('payments') })
 * ```
 */
export function indexedDbJournal(name: string): KeptJournal {
  if (typeof name !== 'string' || name === '') throw new InvalidArgumentError('name', 'the name of a database', name)
  const typed = async <T>(doing: string, run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      throw isLayerError(error) ? error : new JournalAccessError(name, doing, error)
    }
  }
  const opened = new OpenJournal(() => typed('opened', () => open(name)))
  const write = (changes: readonly (StoredEntry | { id: string; text: null })[]): Promise<void> =>
    typed('written', async () => putAll((await opened.store()).database, changes))
  const commits = new GroupCommit(write)
  const journal: KeptJournal = {
    put: async (entry) => commits.add(toStored(entry)),
    async *all() {
      await commits.idle()
      const { database } = await opened.store()
      const rows = await typed('read', () => database.getAll(STORE) as Promise<Row[]>)
      for (const [index, { text }] of rows.entries()) {
        const entry = fromStored(text)
        if (entry === null)
          throw new JournalBrokenError(name, index + 1, { expected: 'an entry', got: 'something that is no entry' })
        yield entry
      }
    },
    delete: async (id) => commits.add({ id, text: null }),
    async close() {
      await commits.idle()
      await opened.close()
    },
    [Symbol.asyncDispose]: () => journal.close()
  }
  return Object.freeze(journal)
}

async function open(name: string): Promise<Store> {
  if (typeof indexedDB === 'undefined')
    throw new RuntimeUnsupportedError('indexedDB', 'a browser; fileJournal() in Node')
  const { openDB } = await loadPackage('idb', () => import('idb'))
  const unlock = await lock(name)
  try {
    const database = await openDB(`layer-sdk-journal:${name}`, 1, {
      upgrade: (created) =>
        void created.createObjectStore(STORE, { keyPath: 'order', autoIncrement: true }).createIndex('id', 'id', {
          unique: true
        })
    })
    return {
      database,
      async close() {
        database.close()
        unlock()
      }
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Stores all changes in one transaction, which is on the disk when it is done (durability `strict`). */
async function putAll(
  database: IDBPDatabase,
  changes: readonly (StoredEntry | { id: string; text: null })[]
): Promise<void> {
  const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' })
  const ended = transaction.done
  ended.catch(() => undefined)
  try {
    const ids = transaction.store.index('id')
    for (const { id, text } of changes) {
      const order = (await ids.getKey(id)) as number | undefined
      if (text !== null) await transaction.store.put(order === undefined ? { id, text } : { id, text, order })
      else if (order !== undefined) await transaction.store.delete(order)
    }
  } catch (error) {
    // All of them, or none.
    await Promise.resolve()
      .then(() => transaction.abort())
      .catch(() => undefined)
    throw error
  }
  await ended
}

/** Acquires the Web Lock of a journal. @returns a function that releases it @throws {@link JournalLockedError} */
async function lock(name: string): Promise<() => void> {
  const locks = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks
  if (locks === undefined) throw new RuntimeUnsupportedError('navigator.locks', 'a page of https: or localhost')
  return new Promise((resolve, reject) => {
    const acquired = locks.request(
      `layer-sdk-journal:${name}`,
      { signal: AbortSignal.timeout(LOCK_WAIT_MS) },
      () => new Promise<void>((release) => resolve(release))
    )
    acquired.catch((error: unknown) =>
      reject(
        (error as { name?: unknown } | null)?.name === 'TimeoutError'
          ? new JournalLockedError(name, 'another tab or journal object')
          : error
      )
    )
  })
}
