// npm run soak: four clients pay in a head while their connections are cut, stalled, sliced and delayed. Fails on a
// transaction that is lost, doubled or wrongly judged, on a growing heap, and on anything left behind. `-- --minutes N`
// (2 is the default). With LAYER_SDK_FULL=1 ten minutes of gateways follow whose edges, cores, Redis and node are
// killed (LAYER_SDK_CHAOS_SECONDS).
import { fork, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const HERE = dirname(fileURLToPath(import.meta.url))
const OUT = join(HERE, '..', '..', '.cache', 'soak')

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '2' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) {
  console.error('--minutes takes a number above 0.')
  process.exit(2)
}

mkdirSync(OUT, { recursive: true })
await build({
  entryPoints: { main: join(HERE, 'main.mjs'), node: join(HERE, 'node.mjs') },
  outdir: OUT,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'error'
})
const soak = fork(join(OUT, 'main.mjs'), [String(minutes)], {
  execArgv: ['--expose-gc', '--unhandled-rejections=strict'],
  stdio: ['ignore', 'inherit', 'inherit', 'ipc']
})
const limit = setTimeout(() => soak.kill('SIGKILL'), (minutes * 60 + 90) * 1000)
soak.on('exit', (code) => {
  clearTimeout(limit)
  if (code === 0 && process.env.LAYER_SDK_FULL) gatewayChaos()
  else process.exit(code ?? 1)
})

/** The suite that CI runs for two minutes. It ends by itself; a run that does not is killed. */
function gatewayChaos() {
  const seconds = process.env.LAYER_SDK_CHAOS_SECONDS ?? '600'
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest')
  const chaos = spawn(process.execPath, [jest, '-w', '1', 'test/gateway/chaos'], {
    cwd: join(HERE, '..', '..'),
    env: { ...process.env, LAYER_SDK_CHAOS_SECONDS: seconds },
    stdio: ['ignore', 'inherit', 'inherit']
  })
  const ends = setTimeout(() => chaos.kill('SIGKILL'), (Number(seconds) + 480) * 1000)
  chaos.on('exit', (code) => {
    clearTimeout(ends)
    process.exit(code ?? 1)
  })
}
