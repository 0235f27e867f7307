// Types of the sources and of the tests, as `npm run typecheck` checks them, by the newest TypeScript: its compiler is a
// native program that needs a fifth of the time. It keeps in .cache/ what it knows of the files that a change does not
// reach.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { compilers } from './consumer.mjs'
import { ROOT } from './entries.mjs'

const PROJECTS = { src: 'tsconfig.json', test: 'test/tsconfig.json' }
const [{ tsc }] = compilers(['7'])

for (const [name, project] of Object.entries(PROJECTS)) {
  const kept = join(ROOT, '.cache', `types-of-${name}.tsbuildinfo`)
  const { status } = spawnSync(
    process.execPath,
    [tsc, '-p', join(ROOT, project), '--noEmit', '--incremental', '--tsBuildInfoFile', kept],
    { cwd: ROOT, stdio: 'inherit' }
  )
  if (status !== 0) process.exitCode = 1
}
