// Runs every comparison on this machine and writes docs/benchmarks.md with a picture of the headline ratios.
// `--only NAME` runs one file and prints its table without writing anything.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { drawBars, drawHistory } from './draw.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = join(HERE, '..')
const NOT_BENCHES = ['run.mjs', 'draw.mjs']
/** What users feel comes first: the first balance, a payment, bytes; the rest by name. */
const FIRST = ['first-balance', 'client', 'own-outputs', 'journal', 'two-clients', 'contracts', 'bytes'].map(
  (name) => `${name}.mjs`
)
const TIME_LIMIT_MS = 600_000

/** Installs the rivals and makes our own package importable by name from this folder. */
function prepare() {
  if (!existsSync(join(HERE, 'node_modules', '.package-lock.json'))) {
    console.error('Installing the libraries to compare with ...')
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: HERE, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const link = join(HERE, 'node_modules', 'layer-sdk')
  if (!existsSync(link)) symlinkSync(ROOT, link, 'junction')
}

/** Runs one file's benches in a process of its own, so that none warms up or litters for another. */
function runFile(file) {
  const script = `const { run } = await import(${JSON.stringify(pathToFileURL(join(HERE, file)).href)})
    const rows = await run()
    process.stdout.write('\\n@@' + JSON.stringify(rows, (_, v) => typeof v === 'bigint' ? Number(v) : v))
    process.exit(0)`
  const out = execFileSync(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=8192', '--input-type=module', '-e', script],
    {
      cwd: HERE,
      encoding: 'utf8',
      timeout: TIME_LIMIT_MS,
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'inherit']
    }
  )
  return JSON.parse(out.slice(out.lastIndexOf('\n@@') + 3))
}

const figure = (value) => {
  if (value === null || value === undefined) return ''
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 4
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

function table(rows) {
  const lines = [
    '| What | Unit | layer-sdk | Other | Against | Ratio | Target | |',
    '|---|---|---:|---:|---|---:|---|---|'
  ]
  for (const { name, unit, ours, spread, rival, rivalName, ratio, target, pass } of rows) {
    const range = spread === undefined ? '' : ` (${spread.map(figure).join(' to ')})`
    lines.push(
      `| ${name} | ${unit} | ${figure(ours)}${range} | ${figure(rival)} | ${rivalName ?? ''} | ${figure(ratio)} | ${target ?? ''} | ${pass ? 'met' : 'missed'} |`
    )
  }
  return lines.join('\n')
}

function page(groups) {
  const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const parts = [
    '# Benchmarks',
    '',
    'Made by `npm run bench`: the same work, done by this package and by others, in one run on one machine. Ratios carry over to other',
    'machines better than the figures do. For times and sizes a smaller ratio is better, for rates a larger one.',
    '',
    '![Headline ratios](benchmarks.svg)',
    '',
    'The same ratios by release (`bench/history.json`), where a release before measured them too:',
    '',
    '![Ratios by release](benchmarks-history.svg)',
    '',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Machine: ${cpus().length} cores, ${cpus()[0].model.trim()}, Node ${process.versions.node}`,
    `- layer-sdk ${version}; ${Object.entries(dependencies)
      .map(([name, pinned]) => `${name} ${pinned}`)
      .join(', ')}`,
    ''
  ]
  for (const [file, rows] of groups) parts.push(`## ${file.replace('.mjs', '')}`, '', table(rows), '')
  parts.push(readFileSync(join(HERE, 'notes.md'), 'utf8'))
  return parts.join('\n')
}

/** Ratios of every row by release; the release at hand is written anew with each run. */
function noteHistory(groups) {
  const file = join(HERE, 'history.json')
  const history = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  // Until a release is cut, what is measured is newer than the one that package.json names.
  const release = changelog.includes('## [Unreleased]\n\n#') ? 'next' : version
  const ratios = {}
  for (const [group, rows] of groups)
    for (const { name, rivalName, ratio } of rows)
      if (typeof ratio === 'number')
        ratios[`${group.replace('.mjs', '')}: ${name} / ${rivalName}`] = Number(ratio.toPrecision(3))
  const entry = { release, date: new Date().toISOString().slice(0, 10), node: process.versions.node, ratios }
  const others = history.filter((each) => each.release !== release && each.release !== 'next')
  writeFileSync(file, `${JSON.stringify([...others, entry], null, 2)}\n`)
  return [...others, entry]
}

prepare()
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined
const all = readdirSync(HERE).filter((file) => file.endsWith('.mjs') && !NOT_BENCHES.includes(file))
const files = [...FIRST, ...all.filter((file) => !FIRST.includes(file))].filter(
  (file) => only === undefined || file === `${only}.mjs`
)
const groups = []
for (const file of files) {
  console.error(`${file} ...`)
  let rows
  try {
    rows = runFile(file)
  } catch (error) {
    // The others are still worth writing.
    const name = `${file.replace('.mjs', '')} did not finish: ${String(error.message).split('\n')[0].slice(0, 120)}`
    rows = [{ name, unit: '', ours: null, rival: null, rivalName: null, ratio: null, target: '', pass: false }]
  }
  console.log(`\n${table(rows)}`)
  groups.push([file, rows])
}
if (only === undefined) {
  writeFileSync(join(ROOT, 'docs', 'benchmarks.md'), page(groups))
  writeFileSync(join(ROOT, 'docs', 'benchmarks.svg'), drawBars(groups.flatMap(([, rows]) => rows)))
  writeFileSync(join(ROOT, 'docs', 'benchmarks-history.svg'), drawHistory(noteHistory(groups)))
  console.error('docs/benchmarks.md, its drawings and bench/history.json written')
}
const missed = groups.flatMap(([, rows]) => rows).filter(({ pass }) => !pass)
if (missed.length > 0) console.error(`${missed.length} targets missed: ${missed.map(({ name }) => name).join('; ')}`)
