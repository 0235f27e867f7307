import { InvalidArgumentError } from '../errors/input.js'
import { fromStored, toStored } from './entryText.js'
import { GroupCommit } from './GroupCommit.js'
import type { JournalChange } from './JournalFile.js'
import { JournalFile } from './JournalFile.js'
import type { KeptJournal } from './keptJournal.js'
import { OpenJournal } from './OpenJournal.js'

/**
 * A journal in a file, for Node, Bun and Deno. An entry is on the disk (fsync) before `put` resolves; entries that are
 * written at the same time share one fsync. A last line that a kill cut short is dropped, and replaced entries are
 * removed when the file has grown. One process at a time uses the file: the lock file `PATH.lock` names it, and is
 * ignored once that process has ended. Keep the file on a local disk: locks on network disks are not reliable.
 *
 * @param path - of the file; it is created where there is none, readable for its owner alone
 * @throws {@link InvalidArgumentError}. Its methods reject with {@link JournalAccessError},
 * {@link JournalLockedError}, {@link JournalBrokenError}
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
