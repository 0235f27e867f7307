import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { fileJournal } from '../../src/journal/index.js'
import type { JournalEntry } from '../../src/journal/index.js'

/** Entries that are put at once, each with its size. */
type Batch = readonly (readonly [id: string, size: number])[]

let folder: string
let program: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'layer-sdk-disk-'))
  program = join(folder, 'put.mjs')
  const from = (path: string): string => JSON.stringify(join(__dirname, path))
  await build({
    stdin: {
      contents: `
        import { fileJournal } from ${from('../../src/journal/fileJournal.ts')}
        import { entryOf } from ${from('support/entries.ts')}
        const journal = fileJournal(process.argv[2])
        const answers = []
        for (const batch of JSON.parse(process.argv[3])) {
          const puts = batch.map(([id, size]) => journal.put({ ...entryOf(id), step: 'x'.repeat(size) }))
          answers.push(await Promise.all(puts).then(() => 'kept', ({ code, systemCode }) => [code, systemCode]))
        }
        console.log(JSON.stringify(answers))`,
      resolveDir: __dirname,
      loader: 'ts'
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error'
  })
  chmodSync(program, 0o644)
  chmodSync(folder, 0o777)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Answers that a process of these limits receives, one for each batch. */
function putBy(
  path: string,
  batches: readonly Batch[],
  limits: { readonly fileBlocks?: number; readonly uid?: number } = {}
): unknown {
  const { fileBlocks, uid } = limits
  // The signal that a file is too large would end the process: ignored, the write fails as on a disk without room.
  const limit = fileBlocks === undefined ? '' : `trap '' XFSZ; ulimit -f ${fileBlocks};`
  const command = `${limit} exec "$0" "$@"`
  const args = ['-c', command, process.execPath, program, path, JSON.stringify(batches)]
  const { stdout, stderr } = spawnSync('bash', args, {
    encoding: 'utf8',
    ...(uid === undefined ? {} : { uid, gid: uid })
  })
  return stdout === '' ? stderr : JSON.parse(stdout)
}

async function idsOf(path: string): Promise<string[]> {
  const journal = fileJournal(path)
  const entries: JournalEntry[] = []
  for await (const entry of journal.all()) entries.push(entry)
  await journal.close()
  return entries.map(({ id }) => id)
}

it('a file that may not grow refuses what has no room, keeps the rest, and loses nothing', async () => {
  const path = join(folder, 'full.journal')
  const batches: Batch[] = [
    [['a', 10]],
    [['too large', 20_000]],
    [['b', 10]],
    // They share a write: the first has room, and is not kept all the same.
    [
      ['c', 10],
      ['too large', 20_000]
    ]
  ]
  const full = ['JOURNAL_ACCESS', 'EFBIG']
  expect(putBy(path, batches, { fileBlocks: 8 })).toEqual(['kept', full, 'kept', full])
  expect(await idsOf(path)).toEqual(['a', 'b'])
})

it('a file that its user may only read is refused and stays as it is', async () => {
  const path = join(folder, 'read-only.journal')
  expect(putBy(path, [[['a', 10]]])).toEqual(['kept'])
  const before = readFileSync(path)
  chmodSync(path, 0o444)
  // To the superuser no file is read-only: its rights are given up.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined
  const refused = [['JOURNAL_ACCESS', 'EACCES']]
  expect(putBy(path, [[['b', 10]]], uid === undefined ? {} : { uid })).toEqual(refused)
  expect(readFileSync(path)).toEqual(before)
  chmodSync(path, 0o600)
  expect(await idsOf(path)).toEqual(['a'])
})
