// Writes the fault matrix in docs/reliability.md from what the tests of test/faults and test/providers recorded in their last run.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './entries.mjs'

const RESULTS = join(ROOT, '.cache', 'faults')
const PAGE = join(ROOT, 'docs', 'reliability.md')
const START = '<!-- matrix:start -->'
const END = '<!-- matrix:end -->'

if (!existsSync(RESULTS)) {
  console.error('No results: run npm test first.')
  process.exit(1)
}
const rows = readdirSync(RESULTS)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')))
  .sort((a, b) => a.row - b.row || (a.part ?? '').localeCompare(b.part ?? ''))
const lines = ['| # | Fault | What holds | Repeats | Faults injected | Counted on the wire | |', '|---:|---|---|---:|---:|---|---|']
for (const { row, part = '', fault, expected, repeats, injected, wire, passed } of rows) {
  const counts = Object.entries(wire)
    .map(([what, count]) => `${what}: ${count}`)
    .join('; ')
  lines.push(`| ${row}${part} | ${fault} | ${expected} | ${repeats} | ${injected} | ${counts} | ${passed ? 'holds' : 'FAILS'} |`)
}
const page = readFileSync(PAGE, 'utf8')
const at = page.indexOf(START)
const end = page.indexOf(END)
writeFileSync(PAGE, `${page.slice(0, at + START.length)}\n${lines.join('\n')}\n${page.slice(end)}`)
console.log(`${rows.length} rows, ${rows.filter(({ passed }) => passed).length} hold`)
