// Import time of each entry against the rivals', each in a fresh process.
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const RUNS = 15

/** Median milliseconds that `import()` of a module takes in a new process. */
function importMs(specifier) {
  const script = `const t = performance.now(); await import(${JSON.stringify(specifier)}); console.log(performance.now() - t); process.exit(0)`
  const times = Array.from({ length: RUNS }, () =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: HERE,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore']
      })
        .trim()
        .split('\n')
        .at(-1)
    )
  )
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)]
}

export async function run() {
  const core = importMs('@hydra-sdk/core')
  const bridge = importMs('@hydra-sdk/bridge')
  const compare = (entry, rival, rivalName) => {
    const ours = importMs(`layer-sdk/${entry}`)
    return {
      name: `import layer-sdk/${entry}`,
      unit: 'ms',
      ours,
      rival,
      rivalName,
      ratio: ours / rival,
      target: '<= 0.12',
      pass: ours / rival <= 0.12
    }
  }
  return [
    compare('wallet', core, '@hydra-sdk/core'),
    compare('bridge', bridge, '@hydra-sdk/bridge'),
    ...['utils', 'providers', 'tx'].map((entry) => compare(entry, core, '@hydra-sdk/core'))
  ]
}
