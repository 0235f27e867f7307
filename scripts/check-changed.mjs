// Types, lint, layout and the nearest tests of what changed: npm run check:changed [-- --base REF] [--seconds 12]
// Without a base the working tree is compared with the last commit. All suites that a change can reach run with `npm test`.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = join(fileURLToPath(import.meta.url), '..', '..')
/** Suites of one run of jest: two workers, and the clock is read behind each run. */
const CHUNK = 4
/** A suite that took longer than this the last time comes after the others, ms. */
const SLOW_MS = 6_000

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)

/** Paths below the checkout that differ from `base`, and new files; deleted ones are left out. */
export function changedFiles(base = 'HEAD') {
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
  return [...new Set(changed)].filter((path) => existsSync(join(ROOT, path))).sort()
}

/** Names that a source file exports. */
function exportedNames(path) {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return [...text.matchAll(/^export (?:async )?(?:function|class|const|interface|type) (\w+)/gm)].map(
    ([, name]) => name
  )
}

/**
 * Suites in the order in which they are likely to notice a change soon: changed ones, then those that are not slow, and
 * within these those named as a changed file, those of the same room, and by how often a suite names an export of the
 * changed files. `lastMs` of a suite is the duration of its last run, where that is known.
 */
export function nearestFirst(changed, suites) {
  const sources = changed.filter((path) => /^src\/.*\.tsx?$/.test(path))
  const names = sources.map((path) => basename(path, extname(path)))
  const rooms = sources.map((path) => `test/${path.split('/')[1]}/`)
  const words = new RegExp(`\\b(?:${[...names, ...sources.flatMap(exportedNames)].join('|') || '(?!)'})\\b`, 'g')
  const rank = ({ path }) => {
    if (changed.includes(path)) return 0
    if (names.includes(basename(path, '.test.ts'))) return 1
    return rooms.some((room) => path.startsWith(room)) ? 2 : 3
  }
  return suites
    .map((suite) => ({
      path: suite.path,
      rank: rank(suite),
      isSlow: !changed.includes(suite.path) && suite.lastMs > SLOW_MS,
      mentions: suite.text.match(words)?.length ?? 0
    }))
    .sort(
      (one, other) =>
        one.isSlow - other.isSlow ||
        one.rank - other.rank ||
        other.mentions - one.mentions ||
        (one.path < other.path ? -1 : 1)
    )
    .map(({ path }) => path)
}

/** Suites of `npm test` that import one of the files, directly or through others, as jest finds them. */
function relatedSuites(changed) {
  const listed = execFileSync(bin('jest'), ['--listTests', '--findRelatedTests', ...changed], {
    cwd: ROOT,
    encoding: 'utf8'
  })
  const durations = lastDurations()
  return listed
    .split('\n')
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => ({
      path: relative(ROOT, path).split(sep).join('/'),
      text: readFileSync(path, 'utf8'),
      lastMs: durations[path]
    }))
}

/** Durations of the last runs by the suite's path, ms, as jest keeps them. */
function lastDurations() {
  const folder = join(ROOT, '.cache', 'jest')
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('perf-cache-')) : []
  const kept = files.flatMap((name) => Object.entries(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  return Object.fromEntries(kept.map(([path, [, ms]]) => [path, ms]))
}

function run(name, command, args) {
  return new Promise((done) => {
    const started = performance.now()
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (data) => (output += data))
    child.stderr.on('data', (data) => (output += data))
    child.on('close', (code) => {
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
      if (code !== 0) console.log(output.trimEnd())
      done(code === 0)
    })
  })
}

const bin = (name) => join(ROOT, 'node_modules', '.bin', name)

async function runTests(suites, seconds) {
  const deadline = performance.now() + seconds * 1000
  let ran = 0
  let passed = true
  while (passed && ran < suites.length && performance.now() < deadline) {
    const chunk = suites.slice(ran, ran + CHUNK)
    passed = await run(`tests: ${chunk.join(' ')}`, bin('jest'), ['--maxWorkers=2', '--runTestsByPath', ...chunk])
    ran += chunk.length
  }
  if (ran < suites.length) console.log(`${suites.length - ran} more suites reach this change: \`npm test\` runs them`)
  return passed
}

async function main() {
  const { values } = parseArgs({ options: { base: { type: 'string' }, seconds: { type: 'string', default: '12' } } })
  const changed = changedFiles(values.base)
  if (changed.length === 0) return console.log('Nothing has changed.')
  const code = changed.filter((path) => /\.(?:[mc]?[jt]s|tsx)$/.test(path))
  const checks =
    code.length === 0
      ? []
      : [
          run('types of src and test', process.execPath, [join(ROOT, 'scripts', 'types.mjs')]),
          run('layout', bin('prettier'), ['--check', '--log-level', 'warn', ...code]).then((ok) =>
            run('lint', bin('eslint'), [
              '--cache',
              '--cache-location',
              '.cache/eslint/',
              '--max-warnings',
              '0',
              ...code
            ]).then((too) => ok && too)
          )
        ]
  const verdicts = await Promise.all([
    ...checks,
    runTests(nearestFirst(changed, relatedSuites(changed)), Number(values.seconds))
  ])
  process.exitCode = verdicts.every(Boolean) ? 0 : 1
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await main()
