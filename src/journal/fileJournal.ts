import { InvalidArgumentError } from '../errors/input.js'
import { fromStored, toStored } from './entryText.js'
import { GroupCommit } from './GroupCommit.js'
import type { JournalChange } from './JournalFile.js'
import { JournalFile } from './JournalFile.js'
import type { KeptJournal } from './keptJournal.js'
import { OpenJournal } from './OpenJournal.js'

/**
 * A journal in a file, for Node, Bun and Deno. An entry is on the disk (fsync) before `put` resolves; entries that come
 * at the same time share one fsync. A line that a kill tore off is dropped, and old lines are removed now and then. One
 * process at a time: a lock file beside it (`PATH.lock`) names the process, and one of a process that has ended does not
 * count. Keep it on a disk of this machine: the locks of network disks do not hold.
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
