// Compiles every block of code in README.md and docs/ as TypeScript, under the configuration that `tsc --init` of each
// supported compiler writes.
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilers, createConsumer } from './consumer.mjs'
import { ROOT } from './entries.mjs'
import { run, tryRun } from './run.mjs'

/** Blocks of pages are JavaScript that is valid TypeScript too, or say that they are TypeScript. */
const EXTENSIONS = { js: 'ts', ts: 'ts', jsx: 'tsx', tsx: 'tsx' }
const pages = ['README.md', ...markdownBelow('docs').filter((path) => !path.startsWith(join('docs', 'reference')))]
/** Packages that the blocks import beside this one. */
const USED = [
  '@cardano-sdk/core',
  '@jest/globals',
  '@lucid-evolution/uplc',
  '@noble/curves',
  '@types/react',
  'react',
  'scalus'
]

const { folder: consumer, remove, link } = createConsumer()
for (const name of USED) link(name)
const blocks = pages.flatMap(blocksOf)

let failed = blocks.length < 100
if (failed) console.error(`Only ${blocks.length} blocks were found: the pages are read wrongly.`)
for (const { version, tsc } of compilers()) {
  const { ok, stdout } = compile(tsc, join(consumer, version))
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${blocks.length} blocks of the pages, typescript ${version} --init`)
  if (!ok) console.error(stdout)
  failed ||= !ok
}
remove()
process.exit(failed ? 1 : 0)

function compile(tsc, project) {
  mkdirSync(project)
  run(process.execPath, [tsc, '--init'], { cwd: project })
  // The comments of the file itself name this line for programs that run in Node.
  const path = join(project, 'tsconfig.json')
  const config = readFileSync(path, 'utf8').replace('"types": []', '"types": ["node"]')
  if (!config.includes('"types": ["node"]')) throw new Error(`${path} has another form`)
  writeFileSync(path, config)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
  for (const { at, extension, code } of blocks)
    writeFileSync(join(project, `${at.replace(/\W+/g, '-')}.${extension}`), `${code}\n`)
  cpSync(join(ROOT, 'test', 'types', 'examples'), project, { recursive: true })
  return tryRun(process.execPath, [tsc, '-p', project, '--noEmit'])
}

function markdownBelow(folder) {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(join(ROOT, path)).isDirectory()) return markdownBelow(path)
    return name.endsWith('.md') ? [path] : []
  })
}

function blocksOf(path) {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return [...text.matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm)].flatMap(({ 1: language, 3: code, index }) => {
    const extension = EXTENSIONS[language]
    return extension === undefined
      ? []
      : [{ at: `${path}:${text.slice(0, index).split('\n').length}`, extension, code }]
  })
}
