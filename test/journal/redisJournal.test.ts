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
