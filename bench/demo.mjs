// The demo's 200 payments, signed, verified by the local head node and confirmed in snapshots, in processes of their
// own.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export async function run() {
  const out = execFileSync(process.execPath, [join(ROOT, 'examples', 'demo', 'main.mjs'), '--port', '0', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 60_000
  })
  const paid = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ seconds }) => seconds !== undefined)
  const plain = { rival: null, rivalName: null, ratio: null }
  return [
    {
      name: '200 payments confirmed in the demo',
      unit: 's',
      ours: paid.seconds,
      ...plain,
      target: '<= 5 s',
      pass: paid.seconds <= 5
    },
    { name: 'Submit to confirmed, median', unit: 'ms', ours: paid.medianMs, ...plain, target: '', pass: true }
  ]
}
