import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/markdown'

const page = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8')
const table = page.slice(page.indexOf('<!-- durability:start -->'), page.indexOf('<!-- durability:end -->'))
const lines = table.split('\n').filter((line) => /^\| D\d/.test(line))
const rows = lines.map(
  (line) => /^\| (D\d+) \| .+ \| .+ \| `([\w./-]+)`: `(.+)` \|$/.exec(line)?.slice(1) ?? [line, '', '']
)

it('the rows are numbered, each with a test of its own', () => {
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.map(([number]) => number)).toEqual(rows.map((_, i) => `D${i + 1}`))
  expect(new Set(rows.map(([, path, name]) => `${path} ${name}`)).size).toBe(rows.length)
})

it.each(rows)('row %s names a test that is there: %s, %s', (_, path, name) => {
  expect(existsSync(join(ROOT, path!))).toBe(true)
  const text = readFileSync(join(ROOT, path!), 'utf8')
  // Where the name of a test begins, in either kind of quotes.
  expect([`'${name}`, `"${name}`].some((start) => text.includes(start))).toBe(true)
})

it.each(['test/journal', 'test/client/receipts', 'test/client/shopKills', 'test/client/journal'])(
  'journal, receipts and restarts each have rows: %s',
  (place) => expect(rows.some(([, path]) => path!.startsWith(place))).toBe(true)
)
