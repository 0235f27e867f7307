// The local head node: payments, large heads, memory, clients. Each measurement runs in a process of its own.
import { readFileSync } from 'node:fs'
import { againstBaseline as row, byTurns, FOLDERS, measure } from './support/baseline.mjs'

const ROUNDS = 3
const source = readFileSync(new URL('support/devnodeWork.mjs', import.meta.url), 'utf8')

export async function run() {
  const perSecond = (work) => byTurns(ROUNDS, (folder) => measure(folder, source, work).perSecond)
  const heapPerOutput = (from, to) => FOLDERS.map((folder) => (heap(folder, to) - heap(folder, from)) / (to - from))
  const measured = new Map()
  const heap = (folder, outputs) => {
    const key = `${folder} ${outputs}`
    if (!measured.has(key)) measured.set(key, measure(folder, source, 'heap', outputs).bytes)
    return measured.get(key)
  }
  const [small] = perSecond('small')
  const [large] = perSecond('large')
  const load = measure(FOLDERS[0], source, 'load')
  const line = [heapPerOutput(1_000, 50_000)[0], heapPerOutput(50_000, 100_000)[0]]
  return [
    row('Local head: payments in one process', '/s', perSecond('process'), '>= 1.0 x', (ratio) => ratio >= 1),
    row('Local head: payments over a WebSocket', '/s', perSecond('socket'), '>= 1.0 x', (ratio) => ratio >= 1),
    row('Local head: messages to 500 clients', '/s', perSecond('clients'), '>= 1.0 x', (ratio) => ratio >= 1),
    row(
      'Local head: heap per output, 1,000 to 100,000',
      'B',
      heapPerOutput(1_000, 100_000),
      '<= 0.7 x',
      (ratio) => ratio <= 0.7
    ),
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
