// npm run soak: four clients pay in a head while their connections are cut, stalled, sliced and delayed. Fails on a transaction that is
// lost, doubled or wrongly judged, on a growing heap, and on anything left behind. `-- --minutes N` (2 is the default).
import { fork } from 'node:child_process'
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
  process.exit(code ?? 1)
})
