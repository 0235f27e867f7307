// npm run test:env: the packed package in every runtime. See docs/guides/runtimes.md.
//   --only=TEXT         runs only the runtimes and examples whose name contains TEXT
//   --write             updates the tables of runtimes in README.md and docs/guides/runtimes.md
//   --json --outputFile=FILE   writes the counts in the form of jest's report
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from '../../scripts/ensure-installed.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
ensureInstalled(HERE)

const { installConsumer } = await import('./lib/consumer.mjs')
const { startHeadNode } = await import('./lib/headNode.mjs')
const { endAll, within } = await import('./lib/processes.mjs')
const { compare, createTally, writeTables } = await import('./lib/results.mjs')
const { plan } = await import('./lib/plan.mjs')

const option = (name) =>
  process.argv
    .slice(2)
    .find((arg) => arg.startsWith(`--${name}=`))
    ?.slice(name.length + 3)
const LIMIT_MS = 360_000
const tally = createTally()
const started = Date.now()

// Each step has its own limit; this one is for what no step expects.
setTimeout(() => {
  tally.add('test:env', 'ends in time', { ok: false, error: `It took more than ${LIMIT_MS / 1000} s.` })
  finish()
}, LIMIT_MS).unref()

const consumer = await installConsumer()
const { targets, missing } = await plan(consumer.folder, tally)
const only = option('only')?.toLowerCase()
const chosen = targets.filter(
  ({ id, name }) => only === undefined || id === 'node' || name.toLowerCase().includes(only)
)

for (const { name, how } of missing) {
  // In CI nothing may be left out.
  if (process.env.CI) tally.add(name, 'is there', { ok: false, error: how })
  else console.log(`left out: ${name} and what runs in it: ${how}`)
}

// The first one, Node, is what the others are compared with.
const results = []
const [reference, ...others] = chosen
await runTarget(reference)
const queue = [...others]
const lane = async () => {
  for (let target = queue.shift(); target !== undefined; target = queue.shift()) await runTarget(target)
}
await Promise.all([lane(), lane()])

async function runTarget(target) {
  const label = `${target.name} ${target.version}${target.detail ? ` (${target.detail})` : ''}`
  let head
  let result
  try {
    head = await startHeadNode(consumer.folder)
    result = await within(120_000, target.name, target.run(head.env))
  } catch (error) {
    result = { checks: [{ name: 'runs', ok: false, error: String(error?.stack ?? error) }], values: {} }
  } finally {
    await head?.close()
  }
  const first = results[0]
  if (first !== undefined && target.compared !== false) result.checks.push(compare(first.result, result))
  results.push({ target, result })
  for (const { name, ...outcome } of result.checks) tally.add(label, name, outcome)
}

await Promise.all(
  targets
    .map(({ close }) => close)
    .filter((close, i, all) => close && all.indexOf(close) === i)
    .map((close) => close())
)
endAll()

const inOrder = chosen.map((target) => results.find((result) => result.target === target))
const runtimes = inOrder.map(({ target: { id, name, version, detail, example }, result: { checks } }) => ({
  id,
  name,
  version,
  detail,
  example,
  passed: checks.filter(({ ok }) => ok).length,
  failed: checks.filter(({ ok }) => !ok).length
}))
writeFileSync(
  join(HERE, 'results.json'),
  `${JSON.stringify({ runtimes, missing, values: results[0]?.result.values }, null, 2)}\n`
)
if (process.argv.includes('--write')) {
  if (tally.failed === 0 && only === undefined && missing.length === 0) writeTables(runtimes)
  else tally.add('tables', 'are written', { ok: false, error: 'Only a complete run without failures may write them.' })
}
finish()

/** Writes the counts and ends the process, with all it has started. */
function finish() {
  const file = option('outputFile')
  if (file !== undefined)
    writeFileSync(
      file,
      JSON.stringify({ numPassedTests: tally.passed, numFailedTests: tally.failed, numPendingTests: 0 })
    )
  console.log(`test:env took ${Math.round((Date.now() - started) / 1000)} s`)
  console.log(`${tally.passed} passed, ${tally.failed} failed`)
  process.exit(tally.failed === 0 ? 0 : 1)
}
