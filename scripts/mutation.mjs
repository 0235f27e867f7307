// Mutation run: breaks the rooms that handle keys and money in one place at a time and says which breaks no test
// notices.
//
//   npm run mutation -- [--room tx,crypto] [--count 300] [--all] [--seed 1] [--minutes 45] [--json FILE]
//
// All drawn mutants are put into the sources at once, each behind a switch, and every suite is bundled once; so one
// mutant costs one run of a suite that reaches it, in a process that stays. A suite that fails without a mutant is left
// out, and said so.
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { ROOT } from './entries.mjs'
import { findMutants, instrument, randomFrom, sample } from './mutation/mutants.mjs'

/** Room -> its sources, and the suites that answer for it. */
const ROOMS = {
  crypto: { sources: ['src/crypto'], suites: ['test/crypto', 'test/wallet'] },
  signing: { sources: ['src/wallet/signing'], suites: ['test/wallet', 'test/codec/transaction.test.ts'] },
  txs: {
    sources: ['src/bridge/txs', 'src/bridge/moves'],
    suites: [
      'test/bridge/txs',
      'test/bridge/moves',
      ...['arguments', 'events', 'http', 'lifecycle', 'missingMembers', 'options', 'baseline', 'specification'].map(
        (name) => `test/bridge/${name}.test.ts`
      ),
      ...['rows-verdicts', 'refusals', 'rows-replay', 'rows-copies'].map((name) => `test/faults/${name}.test.ts`)
    ]
  },
  cache: {
    sources: ['src/bridge/head'],
    suites: [
      'test/bridge/head',
      ...[
        'connection/replay',
        'connection/gatewayExtension',
        'headSync',
        'missingMembers',
        'baseline',
        'seqFilter',
        'slices',
        'specification'
      ].map((name) => `test/bridge/${name}.test.ts`),
      ...['rows-cache', 'rows-replay'].map((name) => `test/faults/${name}.test.ts`)
    ]
  },
  tx: { sources: ['src/tx'], suites: ['test/tx'] }
}
/** Packages that are loaded as they are: WebAssembly, and what finds its files by its own place. */
const EXTERNAL = [
  '@emurgo/*',
  '@cardano-sdk/*',
  'ws',
  'socket.io',
  'typescript',
  'scalus',
  'react',
  'react-dom',
  'jsdom'
]
/**
 * A mutant has hung when its suite has no result after this many times what it takes without one, and so many ms more.
 */
const SLOWER = 5
const MORE_MS = 30_000
/** A suite has hung without a mutant after so many ms. */
const PLAIN_MS = 180_000

const { values: options } = parseArgs({
  options: {
    room: { type: 'string' },
    count: { type: 'string', default: '300' },
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '45' },
    json: { type: 'string' }
  }
})
const rooms = options.room?.split(',') ?? Object.keys(ROOMS)
if (!rooms.every((room) => Object.hasOwn(ROOMS, room))) {
  console.error(`--room is one or more of ${Object.keys(ROOMS).join(',')}`)
  process.exit(1)
}
const endsAt = Date.now() + Number(options.minutes) * 60_000
const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-mutation-'))

const filesBelow = (path, suffix) =>
  path.endsWith(suffix)
    ? [path]
    : readdirSync(join(ROOT, path), { recursive: true })
        .map((file) => join(path, file))
        .filter((file) => file.endsWith(suffix))
        .sort()

/**
 * Mutants drawn evenly over the rooms. @returns {(import('./mutation/mutants.mjs').Mutant & { room: string, file:
 * string })[]}
 */
function drawMutants() {
  const random = randomFrom(Number(options.seed))
  const quota = options.all ? Infinity : Math.ceil(Number(options.count) / rooms.length)
  const drawn = rooms.flatMap((room) => {
    const all = ROOMS[room].sources
      .flatMap((path) => filesBelow(path, '.ts'))
      .flatMap((file) =>
        findMutants(file, readFileSync(join(ROOT, file), 'utf8')).map((mutant) => ({ ...mutant, room, file }))
      )
    const some = sample(all, quota, random)
    console.log(`${room}: ${some.length} of ${all.length} mutants`)
    return some
  })
  return drawn.map((mutant, id) => ({ ...mutant, id }))
}

/** Bundles each suite with the switched sources. @returns {Promise<Map<string, string>>} suite -> its bundle */
async function bundleSuites(suites, mutants) {
  const switched = {
    name: 'switched',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^layer-sdk(\/|$)/ }, ({ path }) => {
        const name = path.slice('layer-sdk/'.length)
        const candidates = name === '' ? ['src/index.ts'] : [`src/${name}/index.ts`, `src/adapters/${name}.ts`]
        return {
          path: join(
            ROOT,
            candidates.find((each) => existsSync(join(ROOT, each)))
          )
        }
      })
      onLoad({ filter: /\.(ts|tsx|cjs|js|mjs)$/ }, ({ path }) => {
        const file = relative(ROOT, path)
        const inFile = mutants.filter((mutant) => mutant.file === file)
        const text = readFileSync(path, 'utf8')
        const contents = (inFile.length === 0 ? text : instrument(text, inFile)).replaceAll(
          '__dirname',
          JSON.stringify(dirname(path))
        )
        return {
          contents,
          loader: path.endsWith('ts') ? 'ts' : path.endsWith('tsx') ? 'tsx' : 'js',
          resolveDir: dirname(path)
        }
      })
    }
  }
  const bundles = new Map()
  for (const suite of suites) {
    const outfile = join(folder, `${suite.replaceAll('/', '-')}.bundle.cjs`)
    const { errors } = await build({
      entryPoints: [join(ROOT, suite)],
      outfile,
      bundle: true,
      platform: 'node',
      mainFields: ['module', 'main'],
      format: 'cjs',
      target: 'es2022',
      external: EXTERNAL,
      logLevel: 'silent',
      plugins: [switched]
    }).catch((error) => error)
    if (errors.length > 0) console.error(`left out: ${suite} cannot be bundled: ${errors[0].text}`)
    else bundles.set(suite, outfile)
  }
  return bundles
}

writeFileSync(
  join(folder, 'jest.config.cjs'),
  `module.exports = ${JSON.stringify({
    rootDir: folder,
    testEnvironment: join(ROOT, 'scripts', 'mutation', 'environment.cjs'),
    testMatch: ['**/*.run.cjs'],
    moduleFileExtensions: ['js', 'cjs', 'json', 'node'],
    transform: {},
    haste: { enableSymlinks: false },
    watchman: false,
    testTimeout: 30_000
  })}`
)

/**
 * Runs suites with mutants, one after the other. Kills and restarts the process where one hangs. @returns results by
 * name of run
 */
async function run(jobs) {
  const results = new Map()
  const left = new Map(jobs.map((job) => [job.name, job]))
  while (left.size > 0 && Date.now() < endsAt) {
    const part = join(folder, `part-${results.size}-${left.size}`)
    const resultsFile = `${part}.jsonl`
    mkdirSync(part, { recursive: true })
    writeFileSync(resultsFile, '')
    // Few at a time: a process that has loaded many bundles is slow.
    const batch = [...left.values()].slice(0, 60)
    const nameOf = (index, { name }) => `${String(index).padStart(4, '0')}~${name}.run.cjs`
    batch.forEach((job, index) =>
      writeFileSync(
        join(part, nameOf(index, job)),
        `globalThis.__active = ${job.mutant}\nrequire(${JSON.stringify(job.bundle)})\n`
      )
    )
    await runJest(
      part,
      resultsFile,
      batch.map(({ plainMs }) => (plainMs === undefined ? PLAIN_MS : SLOWER * plainMs + MORE_MS))
    )
    const seen = readFileSync(resultsFile, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    for (const { file, ...result } of seen) {
      const name = file.slice(file.lastIndexOf('~') + 1, -'.run.cjs'.length)
      results.set(name, result)
      left.delete(name)
    }
    const hung = batch.find(({ name }) => left.has(name))
    // The first without a result is the one that ran when the process was killed, unless the whole ended for another
    // reason.
    if (hung !== undefined && Date.now() < endsAt) {
      results.set(hung.name, { failed: true, timedOut: true, ms: PLAIN_MS, reached: [] })
      left.delete(hung.name)
    }
    rmSync(part, { recursive: true, force: true })
  }
  return results
}

/** @param {number[]} limits - for each suite in its order, how long it may take, ms */
function runJest(part, resultsFile, limits) {
  const args = [
    join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--config',
    join(folder, 'jest.config.cjs'),
    '--rootDir',
    folder,
    '--runInBand',
    '--silent'
  ]
  const child = spawn(
    process.execPath,
    [
      ...args,
      '--testSequencer',
      join(ROOT, 'scripts', 'mutation', 'inOrder.cjs'),
      '--runTestsByPath',
      ...readdirSync(part).map((file) => join(part, file))
    ],
    {
      cwd: folder,
      stdio: process.env.MUTATION_DEBUG ? 'inherit' : 'ignore',
      env: { ...process.env, MUTATION_RESULTS: resultsFile }
    }
  )
  return new Promise((resolve) => {
    let done = 0
    let silentSince = Date.now()
    const check = () => {
      const now = readFileSync(resultsFile, 'utf8').split('\n').length - 1
      if (now !== done) [done, silentSince] = [now, Date.now()]
      if (Date.now() - silentSince > (limits[done] ?? PLAIN_MS) || Date.now() > endsAt) child.kill('SIGKILL')
      timer = setTimeout(check, 500)
    }
    let timer = setTimeout(check, 500)
    child.on('exit', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
const mutants = drawMutants()
const suites = [...new Set(rooms.flatMap((room) => ROOMS[room].suites.flatMap((path) => filesBelow(path, '.test.ts'))))]
const bundles = await bundleSuites(suites, mutants)

console.log(`${bundles.size} suites without a mutant`)
const started = Date.now()
const plain = await run(
  [...bundles].map(([suite, bundle]) => ({ name: suite.replaceAll('/', '-'), mutant: -1, bundle }))
)
const passing = [...bundles]
  .map(([suite, bundle]) => ({ suite, bundle, ...plain.get(suite.replaceAll('/', '-')) }))
  .filter(({ suite, failed = true }) => {
    if (failed) console.error(`left out: ${suite} fails without a mutant`)
    return !failed
  })
  .sort((a, b) => a.ms - b.ms)
console.log(`${passing.length} pass, in ${Math.round((Date.now() - started) / 1000)} s`)

/** The suites that reach a mutant and have not run with it. */
const ahead = new Map(
  mutants.map(({ id, room }) => [
    id,
    passing.filter(
      ({ suite, reached }) =>
        reached.includes(id) && ROOMS[room].suites.some((path) => suite === path || suite.startsWith(`${path}/`))
    )
  ])
)
const verdicts = new Map(
  mutants.filter(({ id }) => ahead.get(id).length === 0).map(({ id }) => [id, 'survived: not reached'])
)
/** Suite -> how often it ran in the room, and killed: what kills much in little time goes first. */
const record = new Map()
const keyOf = (room, suite) => `${room} ${suite}`
const reachedIn = (room, { reached }) => reached.filter((id) => mutants[id].room === room).length
const worthOf = (room, passed) => {
  const { runs, kills } = record.get(keyOf(room, passed.suite)) ?? { runs: 0, kills: 0 }
  // The room's own suites first, and those that reach little: they look closest.
  const isOwn = passed.suite.startsWith(ROOMS[room].suites[0])
  return ((isOwn ? 4 : 1) * (kills + 1)) / (runs + 2) / passed.ms / Math.sqrt(reachedIn(room, passed))
}
for (let round = 1; verdicts.size < mutants.length && Date.now() < endsAt; round++) {
  const jobs = mutants
    .filter(({ id }) => !verdicts.has(id))
    .map(({ id, room }) => {
      const next = ahead.get(id).reduce((best, each) => (worthOf(room, each) > worthOf(room, best) ? each : best))
      return { name: `m${id}`, mutant: id, room, suite: next.suite, bundle: next.bundle, plainMs: next.ms }
    })
  const results = await run(jobs)
  for (const { name, mutant, room, suite } of jobs) {
    const result = results.get(name)
    if (result === undefined) continue
    const { runs, kills } = record.get(keyOf(room, suite)) ?? { runs: 0, kills: 0 }
    record.set(keyOf(room, suite), { runs: runs + 1, kills: kills + Number(result.failed) })
    const left = ahead.get(mutant).filter((each) => each.suite !== suite)
    ahead.set(mutant, left)
    if (result.failed) verdicts.set(mutant, result.timedOut ? 'timeout' : `killed by ${suite}`)
    else if (left.length === 0) verdicts.set(mutant, 'survived')
  }
  console.log(
    `round ${round}: ${jobs.length} run, ${mutants.length - verdicts.size} open, ${Math.round((Date.now() - started) / 1000)} s`
  )
}
rmSync(folder, { recursive: true, force: true })

const oneLine = (text) => (text.length > 100 ? `${text.slice(0, 97)}...` : text).replace(/\s+/g, ' ')
for (const { id, file, line, kind, was, becomes } of mutants) {
  if (verdicts.get(id)?.startsWith('survived'))
    console.log(
      `${verdicts.get(id)}  ${file}:${line}  ${kind}: ${oneLine(was)} -> ${becomes === '' ? '(nothing)' : oneLine(becomes)}`
    )
}
const rows = [...rooms, 'all'].map((room) => {
  const own = mutants
    .filter((mutant) => room === 'all' || mutant.room === room)
    .map(({ id }) => verdicts.get(id) ?? 'open')
  const count = (start) => own.filter((verdict) => verdict.startsWith(start)).length
  const [killed, timeouts, survived, open] = [count('killed'), count('timeout'), count('survived'), count('open')]
  const judged = killed + timeouts + survived
  return {
    room,
    killed,
    timeouts,
    survived,
    open,
    score: judged === 0 ? null : Math.round((1000 * (killed + timeouts)) / judged) / 10
  }
})
console.table(rows)
if (options.json !== undefined)
  writeFileSync(
    options.json,
    JSON.stringify(
      { rows, mutants: mutants.map((mutant) => ({ ...mutant, verdict: verdicts.get(mutant.id) ?? 'open' })) },
      null,
      1
    )
  )
process.exit(0)
