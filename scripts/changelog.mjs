// `npm run changelog -- 0.2.0`: moves the entries of changes/ and of [Unreleased] into a section of the release.
// `--check` only reads them.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import changes from './changes.cjs'
import { ROOT } from './entries.mjs'

const { collectChanges, readChange } = changes
const FOLDER = join(ROOT, 'changes')
const PAGE = join(ROOT, 'CHANGELOG.md')
const [argument] = process.argv.slice(2)

try {
  const names = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
  const entries = names.map((name) => readChange(name, readFileSync(join(FOLDER, name), 'utf8')))
  if (argument === '--check') console.log(`${entries.length} changes wait for the next release`)
  else if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(argument ?? ''))
    throw new Error('Which version? E.g. npm run changelog -- 0.2.0')
  else {
    const date = new Date().toISOString().slice(0, 10)
    writeFileSync(PAGE, collectChanges(readFileSync(PAGE, 'utf8'), entries, { version: argument, date }))
    names.forEach((name) => rmSync(join(FOLDER, name)))
    console.log(`CHANGELOG.md: ${argument}, with ${entries.length} entries of changes/`)
  }
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
