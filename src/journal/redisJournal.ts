import { readOptions } from '../codec/options.js'
import { isLayerError, byType } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { JournalBrokenError } from '../errors/journal.js'
import { fromStored, toStored } from './entryText.js'
import { GroupCommit } from './GroupCommit.js'
import type { KeptJournal } from './keptJournal.js'
import { OpenJournal } from './OpenJournal.js'
import { RedisStore } from './RedisStore.js'

/** Options of {@link redisJournal}. */
export interface RedisJournalOptions {
  /** Name of the journal. Give each wallet of each head a name of its own. @default 'payments' */
  readonly name?: string | undefined
  /** Text before all keys in Redis; a colon follows it. @default 'layer-sdk' */
  readonly prefix?: string | undefined
}

/**
 * Returns a journal in Redis (tested with version 7). It needs the package `redis`. One process at a time can use it:
 * the process renews a lock, and the methods reject in a second one. The next process takes over the lock of a killed
 * one, at once on the same host and after 6 s on another. An entry is as durable as Redis makes it: set `appendonly yes`
 * and `appendfsync always`.
 *
 * @param url - `redis://` or `rediss://`, with user and password where Redis requires them; errors never contain them
 * @param options - name of the journal, and prefix of its keys
 * @throws {@link InvalidArgumentError} on options that cannot be used. The methods of the journal reject with
 * {@link JournalAccessError}, {@link JournalLockedError} or {@link PackageMissingError}.
 * @example
 * ```ts no-run
 * import { createHeadClient } from 'layer-sdk/client'
 * import { redisJournal } from 'layer-sdk/journal'
 *
 * const journal = redisJournal('redis://127.0.0.1:6379', { name: 'shop' })
 * const head = createHeadClient({ url: 'ws://127.0.0.1:4001', wallet, journal })
 * ```
 */
export function redisJournal(url: string, options: RedisJournalOptions = {}): KeptJournal {
  // The error names the type alone: a URL may hold a password.
  if (typeof url !== 'string' || !URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol))
    throw new InvalidArgumentError('url', 'a URL beginning with redis:// or rediss://', byType(url))
  const { name = 'payments', prefix = 'layer-sdk' } = readOptions(options, { name: true, prefix: true })
  for (const [option, value] of Object.entries({ name, prefix }))
    if (typeof value !== 'string' || value === '') throw new InvalidArgumentError(option, 'a text', value)
  const { protocol, host } = new URL(url)
  const shown = `${protocol}//${host} (${name})`
  // In braces: a cluster keeps them in one place, where a script may use all of them.
  const keys = ['lock', 'entries', 'order', 'last'].map((kind) => `${prefix}:{journal:${name}}:${kind}`)
  let lockText: string | null = null
  const opened = new OpenJournal(async () => {
    const store = await RedisStore.open(url, shown, keys, lockText)
    lockText = store.own
    return store
  })
  const commits = new GroupCommit<{ id: string; text: string }>(async (changes) => {
    try {
      await (await opened.store()).put(changes)
    } catch (error) {
      // The next call connects again.
      if (isLayerError(error, 'JOURNAL_ACCESS')) await opened.close()
      throw error
    }
  })
  const journal: KeptJournal = {
    put: async (entry) => commits.add(toStored(entry)),
    async *all() {
      await commits.idle()
      let line = 0
      for await (const text of (await opened.store()).texts()) {
        line++
        const entry = fromStored(text)
        if (entry === null)
          throw new JournalBrokenError(shown, line, { expected: 'an entry', got: 'something that is no entry' })
        yield entry
      }
    },
    delete: async (id) => commits.add({ id, text: '' }),
    async close() {
      await commits.idle()
      await opened.close()
      lockText = null
    },
    [Symbol.asyncDispose]: () => journal.close()
  }
  return Object.freeze(journal)
}
