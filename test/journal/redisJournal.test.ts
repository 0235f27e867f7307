import { inspect } from 'node:util'
import { redisJournal } from '../../src/journal/index.js'
import type { JournalEntry } from '../../src/journal/index.js'
import { describeWithRedis, RedisServer } from '../gateway/log/RedisServer'
import { entryOf } from './support/entries'

async function read(journal: { all(): AsyncIterable<JournalEntry> }): Promise<JournalEntry[]> {
  const found: JournalEntry[] = []
  for await (const entry of journal.all()) found.push(entry)
  return found
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error
  )

describeWithRedis('redisJournal', () => {
  const redis = new RedisServer()
  beforeAll(() => redis.start())
  afterAll(() => redis.stop())
  beforeEach(() => redis.command('FLUSHALL'))

  it('returns the newest entry of each id, in the order in which the ids came, to the next process', async () => {
    const journal = redisJournal(redis.url)
    await Promise.all(Array.from({ length: 600 }, (_, i) => journal.put(entryOf(`order-${i}`))))
    await journal.put({ ...entryOf('order-0'), state: 'confirmed' })
    await journal.delete('order-1')
    await journal.close()
    const next = redisJournal(redis.url)
    const entries = await read(next)
    expect(entries.map(({ id }) => id)).toEqual(
      Array.from({ length: 600 }, (_, i) => `order-${i}`).filter((id) => id !== 'order-1')
    )
    expect(entries[0]?.state).toBe('confirmed')
    await next.close()
  })

  it('refuses a second journal while the first is open, and lets it in afterwards', async () => {
    const journal = redisJournal(redis.url)
    await journal.put(entryOf('a'))
    await expect(read(redisJournal(redis.url))).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' })
    await journal.close()
    const next = redisJournal(redis.url)
    expect(await read(next)).toHaveLength(1)
    await next.close()
  })

  it('refuses the process of another host that renews its lock, and replaces one that does not', async () => {
    const journal = redisJournal(redis.url, { name: 'other' })
    const holder = JSON.stringify({ token: 't', pid: 7, host: 'elsewhere', start: null }).replaceAll('"', '\\"')
    const hold = (): Promise<string> => redis.command(`SET layer-sdk:{journal:other}:lock "${holder}" PX 1500`)
    await hold()
    const renewing = setInterval(() => void hold(), 100)
    await expect(read(journal)).rejects.toMatchObject({
      code: 'JOURNAL_LOCKED',
      holder: 'process 7 on host elsewhere'
    })
    clearInterval(renewing)
    expect(await read(journal)).toEqual([])
    await journal.close()
  })

  it('writes on after it stood still for longer than its lock lasts, where no other process has held it since', async () => {
    const journal = redisJournal(redis.url)
    await journal.put(entryOf('a'))
    await redis.command('DEL layer-sdk:{journal:payments}:lock')
    await journal.put(entryOf('b'))
    await expect(read(redisJournal(redis.url))).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' })
    await journal.close()
    const next = redisJournal(redis.url)
    expect((await read(next)).map(({ id }) => id)).toEqual(['a', 'b'])
    await next.close()
  })

  it('writes no entry after another process has had the journal meanwhile, and is gone again', async () => {
    const journal = redisJournal(redis.url)
    await journal.put(entryOf('a'))
    for (const way of ['its lock ended', 'its connection was lost']) {
      await redis.command('DEL layer-sdk:{journal:payments}:lock')
      const other = redisJournal(redis.url)
      await other.put(entryOf('paid by the other'))
      await other.close()
      if (way !== 'its lock ended') await redis.command('CLIENT KILL TYPE normal SKIPME yes')
      // The second time its connection is gone: it connects again, and is refused all the same.
      const errors = [await failure(journal.put(entryOf('b'))), await failure(journal.put(entryOf('b')))]
      expect([way, errors.at(-1)]).toMatchObject([way, { code: 'JOURNAL_LOCKED' }])
    }
    await journal.close()
    const next = redisJournal(redis.url)
    expect((await read(next)).map(({ id }) => id)).toEqual(['a', 'paid by the other'])
    await next.close()
  })

  it('goes on after its connection was lost, with its own lock', async () => {
    const journal = redisJournal(redis.url)
    await journal.put(entryOf('a'))
    await redis.command('CLIENT KILL TYPE normal SKIPME yes')
    expect(await failure(journal.put(entryOf('b')))).toMatchObject({ code: 'JOURNAL_ACCESS' })
    await journal.put(entryOf('b'))
    expect((await read(journal)).map(({ id }) => id)).toEqual(['a', 'b'])
    await journal.close()
  })

  it('writes no entry once another process has its lock', async () => {
    const journal = redisJournal(redis.url)
    await journal.put(entryOf('a'))
    await redis.command('SET layer-sdk:{journal:payments}:lock other')
    await expect(journal.put(entryOf('b'))).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' })
    await journal.close()
    await redis.command('DEL layer-sdk:{journal:payments}:lock')
    const next = redisJournal(redis.url)
    expect((await read(next)).map(({ id }) => id)).toEqual(['a'])
    await next.close()
  })
})

it('names no password when Redis cannot be reached', async () => {
  const error: unknown = await redisJournal('redis://user:geheim@127.0.0.1:1')
    .put(entryOf('a'))
    .catch((each: unknown) => each)
  expect(error).toMatchObject({ code: 'JOURNAL_ACCESS' })
  expect(inspect(error, { depth: 9 }) + String((error as Error).stack)).not.toContain('geheim')
})

it.each([['http://127.0.0.1'], ['redis'], [7]])('refuses the URL %p', (url) => {
  expect(() => redisJournal(url as string)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
})
