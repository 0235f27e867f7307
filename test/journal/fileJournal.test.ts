import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { promises } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileJournal, memoryJournal } from '../../src/journal/index.js'
import type { JournalEntry } from '../../src/journal/index.js'
import { entryOf } from './support/entries'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'layer-sdk-journal-'))
  path = join(folder, 'payments.journal')
})
afterEach(() => {
  jest.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

async function read(journal: { all(): AsyncIterable<JournalEntry> }): Promise<JournalEntry[]> {
  const found: JournalEntry[] = []
  for await (const entry of journal.all()) found.push(entry)
  return found
}

/** Writes entries, closes the journal, and returns the bytes of its file. */
async function written(...ids: string[]): Promise<string> {
  const journal = fileJournal(path)
  for (const id of ids) await journal.put(entryOf(id))
  await journal.close()
  return readFileSync(path, 'utf8')
}

describe.each([
  ['memoryJournal', () => memoryJournal()],
  ['fileJournal', () => fileJournal(path)]
])('%s', (_, create) => {
  it('returns the newest entry of each id, in the order in which the ids came', async () => {
    const journal = create()
    for (const id of ['a', 'b', 'c']) await journal.put(entryOf(id))
    await journal.put({ ...entryOf('a'), state: 'confirmed' })
    await journal.delete('b')
    expect((await read(journal)).map(({ id, state }) => [id, state])).toEqual([
      ['a', 'confirmed'],
      ['c', 'open']
    ])
    await journal.close()
  })
})

it('keeps entries for the next process, readable for its owner alone', async () => {
  await written('a', 'b')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const journal = fileJournal(path)
  expect(await read(journal)).toEqual([entryOf('a'), entryOf('b')])
  await journal.close()
  expect(existsSync(`${path}.lock`)).toBe(false)
})

it('drops a last line that was torn at any byte, and writes on after it', async () => {
  const whole = await written('a', 'b')
  const first = whole.indexOf('\n') + 1
  for (let cut = first; cut < whole.length; cut += 7) {
    writeFileSync(path, whole.slice(0, cut))
    const journal = fileJournal(path)
    expect((await read(journal)).map(({ id }) => id)).toEqual(['a'])
    await journal.put(entryOf('c'))
    await journal.close()
    const again = fileJournal(path)
    expect((await read(again)).map(({ id }) => id)).toEqual(['a', 'c'])
    await again.close()
  }
})

it('refuses a line that is broken in the middle by its number, and leaves the file as it is', async () => {
  const whole = await written('a', 'b', 'c')
  const broken = whole.replace('"b"', '"x"')
  writeFileSync(path, broken)
  const journal = fileJournal(path)
  await expect(read(journal)).rejects.toMatchObject({ code: 'JOURNAL_BROKEN', line: 2, journal: path })
  await expect(journal.put(entryOf('d'))).rejects.toMatchObject({ code: 'JOURNAL_BROKEN' })
  await journal.close()
  expect(readFileSync(path, 'utf8')).toBe(broken)
})

it('keeps entries of a newer version as they are, also when it is compacted', async () => {
  const newer = { ...entryOf('a'), version: 2, future: { x: 1 } } as unknown as JournalEntry
  const journal = fileJournal(path)
  await journal.put(newer)
  for (let i = 0; i < 400; i++) await journal.put({ ...entryOf('b'), step: `${i} ${'x'.repeat(2_000)}` })
  await journal.close()
  expect(statSync(path).size).toBeLessThan(400 * 2_000)
  const again = fileJournal(path)
  const entries = await read(again)
  expect(entries[0]).toEqual(newer)
  expect(entries[1]?.step).toMatch(/^399 /)
  await again.close()
})

it('shares one sync among 100 entries that come at once', async () => {
  const journal = fileJournal(path)
  await journal.put(entryOf('first'))
  const handle = await promises.open(path, 'r')
  const syncs = jest.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'datasync')
  await Promise.all(Array.from({ length: 100 }, (_, i) => journal.put(entryOf(`order-${i}`))))
  expect(syncs.mock.calls.length).toBeGreaterThan(0)
  expect(syncs.mock.calls.length).toBeLessThanOrEqual(3)
  await handle.close()
  await journal.close()
})

it('refuses a second journal object and a second process by name, under another name of the file too', async () => {
  const journal = fileJournal(path)
  await journal.put(entryOf('a'))
  const link = join(folder, 'link.journal')
  symlinkSync(path, link)
  await expect(read(fileJournal(link))).rejects.toMatchObject({ code: 'JOURNAL_LOCKED', journal: link })
  await journal.close()
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const stat = readFileSync(`/proc/${other.pid}/stat`, 'utf8')
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  const start = `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  const host = (await import('node:os')).hostname()
  const lock = (members: object): void =>
    writeFileSync(`${path}.lock`, JSON.stringify({ token: 't', pid: other.pid, host, start, ...members }))
  lock({})
  await expect(read(fileJournal(path))).rejects.toMatchObject({
    code: 'JOURNAL_LOCKED',
    holder: `process ${other.pid} of this host`
  })
  lock({ host: 'elsewhere' })
  await expect(read(fileJournal(path))).rejects.toMatchObject({ holder: `process ${other.pid} on host elsewhere` })
  // The number of a process that has ended belongs to another one now.
  lock({ start: `${boot} 1` })
  const reused = fileJournal(path)
  expect(await read(reused)).toHaveLength(1)
  await reused.close()
  const ended = new Promise((resolve) => other.once('exit', resolve))
  other.kill('SIGKILL')
  await ended
  lock({})
  const next = fileJournal(path)
  expect(await read(next)).toHaveLength(1)
  await next.close()
})

it('lets one of many journal objects win the lock of a process that has ended', async () => {
  await written('a')
  writeFileSync(
    `${path}.lock`,
    JSON.stringify({ token: 't', pid: 2 ** 22 + 1, host: (await import('node:os')).hostname(), start: null })
  )
  const journals = Array.from({ length: 10 }, () => fileJournal(path))
  const results = await Promise.allSettled(journals.map(read))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await Promise.all(journals.map((journal) => journal.close()))
})

describe('the lock of a process that has ended', () => {
  const ENDED = 2 ** 22 + 1
  const lockOf = async (token: string, pid: number = ENDED): Promise<string> =>
    JSON.stringify({ token, pid, host: (await import('node:os')).hostname(), start: null })
  const lockText = (): string | null => (existsSync(`${path}.lock`) ? readFileSync(`${path}.lock`, 'utf8') : null)

  it('is removed by one journal object at most, though another has read it before it was replaced', async () => {
    await written('a')
    writeFileSync(`${path}.lock`, await lockOf('ab'))
    const { readFile } = promises
    const slow = fileJournal(path)
    let goOn: () => void = () => undefined
    const hasRead = new Promise<void>((resolve) => {
      let isFirst = true
      jest.spyOn(promises, 'readFile').mockImplementation((async (file: string, ...rest: never[]) => {
        const text = await (readFile as (...args: unknown[]) => Promise<unknown>)(file, ...rest)
        if (file !== `${path}.lock` || !isFirst) return text
        isFirst = false
        resolve()
        await new Promise<void>((proceed) => (goOn = proceed))
        return text
      }) as never)
    })
    const second = read(slow)
    await hasRead
    const first = fileJournal(path)
    expect(await read(first)).toHaveLength(1)
    const held = lockText()
    expect(held).not.toBeNull()
    // From here on the lock is never gone, not for a moment: another process would get it in between.
    const gaps: string[] = []
    for (const name of ['rename', 'rm', 'link', 'unlink', 'writeFile'] as const) {
      const real = promises[name] as (...args: unknown[]) => Promise<unknown>
      jest.spyOn(promises, name).mockImplementation((async (...args: unknown[]) => {
        try {
          return await real(...args)
        } finally {
          if (lockText() !== held) gaps.push(name)
        }
      }) as never)
    }
    goOn()
    await expect(second).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' })
    expect(gaps).toEqual([])
    jest.restoreAllMocks()
    await first.close()
  })

  it.each([
    ['in the middle of removing it', ['cd']],
    ['one after the other', ['cd', 'ef', '12']]
  ])('is removed where other processes have ended %s', async (_, tokens) => {
    await written('a')
    writeFileSync(`${path}.lock`, await lockOf('ab'))
    const before = ['ab', ...tokens]
    for (const [i, token] of tokens.entries()) writeFileSync(`${path}.lock.remove-${before[i]}`, await lockOf(token))
    const journal = fileJournal(path)
    expect(await read(journal)).toHaveLength(1)
    await journal.close()
    expect(readdirSync(folder)).toEqual(['payments.journal'])
  })

  it('is left to a living process that is about to remove it', async () => {
    await written('a')
    writeFileSync(`${path}.lock`, await lockOf('ab'))
    writeFileSync(`${path}.lock.remove-ab`, await lockOf('cd', process.pid))
    const journal = fileJournal(path)
    await expect(read(journal)).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' })
    rmSync(`${path}.lock.remove-ab`)
    expect(await read(journal)).toHaveLength(1)
    await journal.close()
  })
})

it('rejects an entry that the disk has no room for, and leaves nothing of it in the file', async () => {
  const journal = fileJournal(path)
  await journal.put(entryOf('a'))
  const handle = await promises.open(path, 'r')
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const sync = jest.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'datasync').mockRejectedValueOnce(full)
  await expect(journal.put(entryOf('b'))).rejects.toMatchObject({
    code: 'JOURNAL_ACCESS',
    systemCode: 'ENOSPC',
    journal: path
  })
  sync.mockRestore()
  await journal.put(entryOf('c'))
  await handle.close()
  await journal.close()
  const again = fileJournal(path)
  expect((await read(again)).map(({ id }) => id)).toEqual(['a', 'c'])
  await again.close()
})

it.each([
  ['a folder', (): string => folder],
  ['a file in no folder', (): string => join(folder, 'missing', 'a.journal')]
])('refuses %s by a typed error', async (_, place) => {
  await expect(fileJournal(place()).put(entryOf('a'))).rejects.toMatchObject({ code: 'JOURNAL_ACCESS' })
})

it('refuses a file that may not be written', async () => {
  await written('a')
  const denied = Object.assign(new Error('read-only'), { code: 'EROFS' })
  const open = jest.spyOn(promises, 'open').mockRejectedValueOnce(denied)
  await expect(fileJournal(path).put(entryOf('b'))).rejects.toMatchObject({
    code: 'JOURNAL_ACCESS',
    systemCode: 'EROFS'
  })
  open.mockRestore()
  // The lock is released with the failure.
  const journal = fileJournal(path)
  expect(await read(journal)).toHaveLength(1)
  await journal.close()
})

it('refuses text that is no entry, although its checksum holds', async () => {
  await written('a')
  const { entryLine } = await import('../../src/journal/journalLines')
  appendFileSync(path, entryLine('[]') + entryLine('[]'))
  await expect(read(fileJournal(path))).rejects.toMatchObject({ code: 'JOURNAL_BROKEN', line: 2 })
})

it.each([[''], [7], ['a\0b']])('refuses the path %p', (value) => {
  expect(() => fileJournal(value as string)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
})
