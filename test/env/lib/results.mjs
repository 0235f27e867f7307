// Counts, comparison with the first runtime, and the tables in the documents.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../scripts/entries.mjs'

/** Prints one line per check and counts. */
export function createTally() {
  const tally = {
    passed: 0,
    failed: 0,
    add(runtime, check, { ok, ms, error }) {
      tally[ok ? 'passed' : 'failed']++
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${runtime}: ${check}${ok && ms !== undefined ? ` (${ms} ms)` : ''}`)
      if (!ok && error) console.log(String(error).replace(/^/gm, '     '))
    }
  }
  return tally
}

/** Every value of the first runtime must be there, and the same to the byte. */
export function compare(reference, { values }) {
  const names = Object.keys(reference.values)
  const differing = names.filter((name) => JSON.stringify(values[name]) !== JSON.stringify(reference.values[name]))
  const show = (value) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 500))
  const error = differing.map((name) => `${name}:\n  expected ${show(reference.values[name])}\n  got      ${show(values[name])}`).join('\n')
  return { name: 'gives the same bytes as Node', ok: names.length > 0 && differing.length === 0, error }
}

const START = '<!-- runtimes:start -->'
const END = '<!-- runtimes:end -->'

/** Writes the table of runtimes between the markers, where a document has them. */
export function writeTables(runtimes) {
  const rows = runtimes.filter(({ example }) => !example).map(({ name, version, detail, passed }) => `| ${name} | ${version} | ${detail ?? ''} | ${passed} passed |`)
  const table = ['| Runtime | Version tested | How | Checks |', '| --- | --- | --- | --- |', ...rows].join('\n')
  for (const path of ['README.md', 'docs/guides/runtimes.md'].map((name) => join(ROOT, name))) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const [start, end] = [text.indexOf(START), text.indexOf(END)]
    if (start < 0 || end < start) continue
    writeFileSync(path, `${text.slice(0, start + START.length)}\n${table}\n${text.slice(end)}`)
  }
}
