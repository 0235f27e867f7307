import { InvalidArgumentError } from '../errors/input.js'
import { fromStored, toStored } from './entryText.js'
import { GroupCommit } from './GroupCommit.js'
import type { JournalChange } from './JournalFile.js'
import { JournalFile } from './JournalFile.js'
import type { KeptJournal } from './keptJournal.js'
import { OpenJournal } from './OpenJournal.js'

/**
 * Returns a journal in a file, for Node, Bun and Deno. An entry is on the disk (fsync) before `put` resolves; entries
 * that are written at the same time share one fsync. An incomplete last line, left by a killed process, is dropped.
 * The file is compacted as it grows. One process at a time can use the file: the lock file `PATH.lock` holds the id of
 * that process, and is ignored once the process has ended. Keep the file on a local disk, because locks on network
 * disks are not reliable.
 *
 * @param path - path of the file; it is created if it does not exist, readable only by its owner
 * @throws {@link InvalidArgumentError} on a path that cannot be used. The methods of the journal reject with
 * {@link JournalAccessError}, {@link JournalLockedError} or {@link JournalBrokenError}.
 * @example
 * ```ts no-run
 * import { createHeadClient } from 'layer-sdk/client'
 * import { fileJournal } from 'layer-sdk/journal'
 *
 * const head = createHeadClient({ url: 'ws://127.0.0.1:4001', wallet, journal: fileJournal('payments.journal') })
 * await head.connect()
 * await head.pay({ id: 'order-17', to: 'addr_test1...', amount: 2_000_000n })
 * ```
 */
export function fileJournal(path: string): KeptJournal {
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw new InvalidArgumentError('path', 'the path of a file', path)
  const file = new OpenJournal(() => JournalFile.open(path))
  const commits = new GroupCommit<JournalChange>(async (changes) => (await file.store()).append(changes))
  const journal: KeptJournal = {
    put: async (entry) => commits.add(toStored(entry)),
    async *all() {
      await commits.idle()
      for (const text of (await file.store()).texts()) yield fromStored(text)!
    },
    delete: async (id) => commits.add({ id, text: null }),
    async close() {
      await commits.idle()
      await file.close()
    },
    [Symbol.asyncDispose]: () => journal.close()
  }
  return Object.freeze(journal)
}
