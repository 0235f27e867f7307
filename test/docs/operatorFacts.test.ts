import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/markdown'

const page = readFileSync(join(ROOT, 'docs/guides/production.md'), 'utf8')
const [, section = ''] = page.split('\n## What operators learnt\n')
const rows = [...section.matchAll(/^\| (\d+) \| (.+?) \| (.+) \| (.+) \|$/gm)].map(
  ([, number, fact, answer, held]) => ({
    number: Number(number),
    fact: fact!,
    answer: answer!,
    files: [...held!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!)
  })
)
const sourceOf = (files: readonly string[]): string =>
  files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')

it('each of the 47 facts has one row, in their order', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 47 }, (_, i) => i + 1))
})

it.each(rows)('fact $number names files that exist: $fact', ({ files }) => {
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

it.each(rows.filter(({ answer }) => /finding[s]? `/.test(answer)))(
  'fact $number names findings that the doctor has: $fact',
  ({ answer }) => {
    const texts = sourceOf(['src/doctor/codes.ts'])
    const named = [...answer.matchAll(/findings? `([a-z-]+)(\*?)`/g)]
    expect(named.length).toBeGreaterThan(0)
    for (const [, code] of named) expect(texts).toContain(code)
  }
)

it('says in bold what is not carried out, and of no other row', () => {
  const open = rows.filter(({ answer }) => answer.includes('**')).map(({ number }) => number)
  expect(open).toEqual([44])
})
