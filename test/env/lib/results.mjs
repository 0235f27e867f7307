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
  const error = differing
    .map((name) => {
      const [expected, got] = [reference.values[name], values[name]].map((value) => JSON.stringify(value) ?? 'nothing')
      const at = Math.max([...expected].findIndex((character, i) => character !== got[i]) - 40, 0)
      return `${name}, from character ${at}:\n  expected ${expected.slice(at, at + 200)}\n  got      ${got.slice(at, at + 200)}`
    })
    .join('\n')
  return { name: 'gives the same bytes as Node', ok: names.length > 0 && differing.length === 0, error }
}

const START = '<!-- runtimes:start -->'
const END = '<!-- runtimes:end -->'

/** Writes the table of runtimes between the markers, where a document has them. */
export function writeTables(runtimes) {
  const ways = new Map()
  for (const { name, version, detail, example } of runtimes) {
    const key = `| ${name} | ${version} |`
    if (!example)
      ways.set(
        key,
        [...(ways.get(key) ?? []), detail].filter((way) => way !== undefined)
      )
  }
  const rows = [...ways].map(([key, details]) => `${key} ${details.join('; ')} |`)
  const table = ['| Runtime | Version tested | Ways |', '|---|---|---|', ...rows].join('\n')
  for (const path of ['README.md', 'docs/guides/runtimes.md'].map((name) => join(ROOT, name))) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const [start, end] = [text.indexOf(START), text.indexOf(END)]
    if (start < 0 || end < start) continue
    writeFileSync(path, `${text.slice(0, start + START.length)}\n${table}\n${text.slice(end)}`)
  }
}
