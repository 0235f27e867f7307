import type { JournalEntry } from '../types/journal.js'
import { fromStored, toStored } from './entryText.js'
import type { KeptJournal } from './keptJournal.js'

/**
 * Returns a journal in memory: for tests, and for a client that continues after another one in the same process. Its
 * entries are lost when the process ends.
 *
 * @example
 * ```ts
 * import { memoryJournal } from 'layer-sdk/journal'
 * const journal = memoryJournal()
 * for await (const { id } of journal.all()) console.log(id)
 * ```
 */
export function memoryJournal(): KeptJournal {
  // As texts: an entry that its caller changes later is not changed here.
  const entries = new Map<string, string>()
  const journal: KeptJournal = {
    async put(entry: JournalEntry) {
      const { id, text } = toStored(entry)
      entries.set(id, text)
    },
    async *all() {
      for (const text of [...entries.values()]) yield fromStored(text)!
    },
    async delete(id) {
      entries.delete(id)
    },
    async close() {
      // Memory needs no release.
    },
    [Symbol.asyncDispose]: () => journal.close()
  }
  return Object.freeze(journal)
}
