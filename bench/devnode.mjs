// The local head node: payments, large heads, memory, clients. Each measurement runs in a process of its own.
// Set BASELINE to another built checkout of this package to measure it in the same run: its figures are the rival's.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROUNDS = 3
const BASELINE = process.env['BASELINE']

/** A folder in which `layer-sdk` is another checkout, with the same work in it. */
function folderOf(checkout) {
  if (checkout === undefined) return HERE
  const folder = join(HERE, 'node_modules', '.cache', 'baseline')
  const link = join(folder, 'node_modules', 'layer-sdk')
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  if (!existsSync(link)) symlinkSync(resolve(checkout), link)
  return folder
}

/** One measurement; the file is read from standard input, so that its imports are those of the folder. */
function measure(cwd, source, work, size) {
  const args = ['--expose-gc', '--input-type=module', '-', work, ...(size === undefined ? [] : [String(size)])]
  return JSON.parse(execFileSync(process.execPath, args, { cwd, input: source, encoding: 'utf8', timeout: 300_000, stdio: ['pipe', 'pipe', 'inherit'] }))
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

export async function run() {
  const { readFileSync } = await import('node:fs')
  const source = readFileSync(join(HERE, 'support', 'devnodeWork.mjs'), 'utf8')
  const folders = [HERE, ...(BASELINE === undefined ? [] : [folderOf(BASELINE)])]
  /** Medians over the rounds, ours and the baseline's by turns. */
  const perSecond = (work) => {
    const values = folders.map(() => [])
    for (let round = 0; round < ROUNDS; round++) folders.forEach((folder, i) => values[i].push(measure(folder, source, work).perSecond))
    return values.map(median)
  }
  const heapPerOutput = (from, to) => folders.map((folder) => (heap(folder, to) - heap(folder, from)) / (to - from))
  const measured = new Map()
  const heap = (folder, outputs) => {
    const key = `${folder} ${outputs}`
    if (!measured.has(key)) measured.set(key, measure(folder, source, 'heap', outputs).bytes)
    return measured.get(key)
  }
  const row = (name, unit, [ours, rival = null], target, holds) => {
    const ratio = rival === null ? null : ours / rival
    return { name, unit, ours, rival, rivalName: rival === null ? null : 'the baseline', ratio, target, pass: ratio === null || holds(ratio) }
  }
  const [small] = perSecond('small')
  const [large] = perSecond('large')
  const load = measure(HERE, source, 'load')
  const line = [heapPerOutput(1_000, 50_000)[0], heapPerOutput(50_000, 100_000)[0]]
  return [
    row('Local head: payments in one process', '/s', perSecond('process'), '>= 1.0 x', (ratio) => ratio >= 1),
    row('Local head: payments over a WebSocket', '/s', perSecond('socket'), '>= 1.0 x', (ratio) => ratio >= 1),
    row('Local head: messages to 500 clients', '/s', perSecond('clients'), '>= 1.0 x', (ratio) => ratio >= 1),
    row('Local head: heap per output, 1,000 to 100,000', 'B', heapPerOutput(1_000, 100_000), '<= 0.7 x', (ratio) => ratio <= 0.7),
    {
      name: 'Local head: heap per output, 50,000 to 100,000 against 1,000 to 50,000',
      unit: 'B',
      ours: line[1],
      rival: line[0],
      rivalName: 'up to 50,000',
      ratio: line[1] / line[0],
      target: '<= 1.25 x',
      pass: line[1] / line[0] <= 1.25
    },
    {
      name: 'Local head 2.0: payments in a head of 100,000 outputs against 1,000',
      unit: '/s',
      ours: large,
      rival: small,
      rivalName: '1,000 outputs',
      ratio: large / small,
      target: '>= 0.95 x',
      pass: large / small >= 0.95
    },
    {
      name: 'Local head: start with 100,000 outputs of genesis',
      unit: 'ms',
      ours: load.ms,
      rival: load.parse,
      rivalName: 'JSON.parse of their text',
      ratio: load.ms / load.parse,
      target: '<= 6 x',
      pass: load.ms <= 6 * load.parse
    }
  ]
}
