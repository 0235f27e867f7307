// Runs examples one after another in this process, and prints one line of JSON for each. Arguments: a file with the
// paths of the examples, as JSON.
import { readFileSync, writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const LIMIT_MS = 20_000
const POLL_MS = 5

let problems = []
for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, (error) => problems.push(error))
// What an example prints is for its reader.
for (const method of ['log', 'info', 'warn', 'error', 'table']) console[method] = () => undefined

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
/** What keeps the process from ending, in words. */
const open = () => process.getActiveResourcesInfo().sort()

async function run(file, ends) {
  const late = new Promise((_, reject) =>
    setTimeout(reject, LIMIT_MS, new Error(`it did not end within ${LIMIT_MS} ms`)).unref()
  )
  await Promise.race([import(pathToFileURL(file).href), late])
  // A promise that nobody waits for rejects a moment later.
  await pause(0)
  while (open().length > ends.length) {
    if (problems.length > 0) return
    await Promise.race([pause(POLL_MS), late]).catch(() => {
      throw new Error(`it left open: ${open().join(', ')}`)
    })
  }
}

const files = JSON.parse(readFileSync(process.argv[2], 'utf8'))
for (const file of files) {
  problems = []
  await run(file, open()).catch((error) => problems.unshift(error))
  writeSync(
    1,
    `${JSON.stringify({ file, problem: problems.length === 0 ? null : String(problems[0]?.stack ?? problems[0]) })}\n`
  )
}
process.exit(0)
