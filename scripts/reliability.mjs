// The fault matrix of docs/reliability.md, from what the tests of test/faults recorded when they ran.
//
//   npm run reliability              runs them, and writes the table when every row holds
//   npm run reliability -- --last    writes it from the results of the last run (npm test, say)
//   npm run reliability -- --check   compares the rows of the page with those that the tests define; runs none
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './entries.mjs'
import { localBin, tryRun } from './run.mjs'

const RESULTS = join(ROOT, '.cache', 'faults')
const PAGE = join(ROOT, 'docs', 'reliability.md')
const START = '<!-- matrix:start -->'
const END = '<!-- matrix:end -->'
const HEAD = [
  '| # | Fault | What holds | Repeats | Faults injected | Counted on the wire | |',
  '|---:|---|---|---:|---:|---|---|'
]

const mode = process.argv[2]
const nameOf = ({ row, part = '' }) => `${row}${part}`
const byRow = (a, b) => a.row - b.row || (a.part ?? '').localeCompare(b.part ?? '')
const cellsOf = ({ row, part, fault, expected, repeats }) =>
  `| ${nameOf({ row, part })} | ${fault} | ${expected} | ${repeats} |`

/** The rows as the tests define them. No name matches the pattern, so none is run. */
function definedRows() {
  const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-rows-'))
  const list = join(folder, 'rows.jsonl')
  try {
    writeFileSync(list, '')
    const { ok, stderr } = tryRun(localBin('jest'), ['test/faults', '--testNamePattern', '(?!)'], {
      env: { ...process.env, LAYER_SDK_FAULT_ROWS: list }
    })
    if (!ok) throw new Error(stderr)
    return readFileSync(list, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .sort(byRow)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

const page = readFileSync(PAGE, 'utf8')
const [at, end] = [page.indexOf(START) + START.length, page.indexOf(END)]
const defined = definedRows()

if (mode === '--check') {
  const lines = page.slice(at, end).split('\n')
  const missing = defined.filter((row) => !lines.some((line) => line.startsWith(cellsOf(row))))
  const rows = lines.filter((line) => /^\| \d/.test(line))
  const notHolding = rows.filter((line) => !line.endsWith('| holds |'))
  if (missing.length > 0)
    fail(`docs/reliability.md is not what the tests say of rows ${missing.map(nameOf).join(', ')}: npm run reliability`)
  if (rows.length !== defined.length || notHolding.length > 0)
    fail(
      `docs/reliability.md has ${rows.length} rows for ${defined.length} tests, ${notHolding.length} of which do not hold: npm run reliability`
    )
  console.log(`${rows.length} rows, each of a test`)
  process.exit(0)
}

if (mode !== '--last') {
  rmSync(RESULTS, { recursive: true, force: true })
  tryRun(localBin('jest'), ['test/faults'], { inherit: true })
}
const records = new Map(
  (existsSync(RESULTS) ? readdirSync(RESULTS) : [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')))
    .map((record) => [nameOf(record), record])
)
// A result of an older form of the test says nothing about this one.
const stale = defined.filter(
  (row) => records.get(nameOf(row))?.passed !== true || cellsOf(records.get(nameOf(row))) !== cellsOf(row)
)
if (stale.length > 0) fail(`Nothing was written: no result that holds for rows ${stale.map(nameOf).join(', ')}.`)
const lines = defined.map((row) => {
  const { injected, wire } = records.get(nameOf(row))
  const counts = Object.entries(wire).map(([what, count]) => `${what}: ${count}`)
  return `${cellsOf(row)} ${injected} | ${counts.join('; ')} | holds |`
})
writeFileSync(PAGE, `${page.slice(0, at)}\n${[...HEAD, ...lines].join('\n')}\n${page.slice(end)}`)
console.log(`${lines.length} rows, all hold`)
