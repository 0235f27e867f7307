// Compiles a strict project against the packed declarations: TypeScript 5.9 and 6, as a bundler and as Node resolve
// them.
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilers, createConsumer } from './consumer.mjs'
import { isomorphicEntries, libraryEntries, ROOT, specifierOf } from './entries.mjs'
import { tryRun } from './run.mjs'

const { folder: consumer, remove } = createConsumer()

const resolutions = [
  { module: 'ESNext', moduleResolution: 'bundler' },
  { module: 'Node16', moduleResolution: 'node16' }
]
// The isomorphic entries must do without Node's types and check their dependencies' declarations too.
const projects = [
  { name: 'isomorphic', entries: isomorphicEntries, types: [], skipLibCheck: false },
  { name: 'all', entries: Object.keys(libraryEntries), types: ['node'], skipLibCheck: true }
]

let failed = false
for (const { version, tsc } of compilers(['5.9', '6'])) {
  for (const resolution of resolutions) {
    for (const project of projects) {
      const label = `typescript ${version}, ${resolution.moduleResolution}, ${project.name}`
      const { ok, stdout, stderr } = compile(tsc, resolution, project)
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${label}`)
      if (!ok) console.error(`${stdout}${stderr}`)
      failed ||= !ok
    }
  }
}
remove()
process.exit(failed ? 1 : 0)

function compile(tsc, resolution, { name, entries, types, skipLibCheck }) {
  const project = join(consumer, name)
  mkdirSync(project, { recursive: true })
  const imports = entries.map((entry, i) => `import * as entry${i} from '${specifierOf(entry)}'`)
  const source = `${imports.join('\n')}\n\nexport const entries = [${entries.map((_, i) => `entry${i}`).join(', ')}] as const\n`
  for (const file of ['main.mts', 'main.cts']) writeFileSync(join(project, file), source)
  const typeTests =
    name === 'all' ? readdirSync(join(ROOT, 'test', 'types')).filter((file) => file.endsWith('.ts')) : []
  for (const file of typeTests)
    symlinkOnce(join(ROOT, 'test', 'types', file), join(project, file.replace(/\.ts$/, '.mts')))
  const compilerOptions = {
    ...resolution,
    types,
    skipLibCheck,
    noEmit: true,
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    preserveSymlinks: false
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts', '*.cts'] }))
  return tryRun(process.execPath, [tsc, '-p', project])
}

function symlinkOnce(target, path) {
  try {
    symlinkSync(target, path)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}
