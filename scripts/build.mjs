// Builds dist/: bundles, declarations and the bill of materials.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './entries.mjs'
import { fingerprint, STAMP } from './fingerprint.mjs'
import { localBin, tryRun } from './run.mjs'

// Built beside dist/ and moved there when complete: nobody ever sees half a build.
const target = join(ROOT, `dist.${process.pid}`)
const dist = join(ROOT, 'dist')
const made = fingerprint()

const steps = [
  [localBin('rollup'), ['-c', '--silent']],
  [process.execPath, [join(ROOT, 'scripts', 'sbom.mjs'), target]]
]
for (const [command, args] of steps) {
  const { ok, stdout, stderr } = tryRun(command, args, { env: { ...process.env, DIST: target, NO_COLOR: '1' } })
  if (ok) continue
  console.error(`The build failed:\n${stdout}${stderr}`)
  rmSync(target, { recursive: true, force: true })
  process.exit(1)
}

writeFileSync(join(target, STAMP), made)
rmSync(dist, { recursive: true, force: true })
renameSync(target, dist)
