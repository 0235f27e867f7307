// The local head node: how long it takes to start, from nothing, from a state file and from a running head; and what
// the state file costs.
import { readFileSync } from 'node:fs'
import { againstBaseline, byTurns, FOLDERS, measure, median } from './support/baseline.mjs'

const work = (name) => readFileSync(new URL(`support/${name}.mjs`, import.meta.url), 'utf8')
const ROUNDS = 15
const STATE_ROUNDS = 5

export async function run() {
  const [startWork, devnodeWork] = [work('devnodeStartWork'), work('devnodeWork')]
  const ms = (name) => byTurns(ROUNDS, (folder) => measure(folder, startWork, name).ms)
  const start = ms('cli')
  const imported = ms('import')
  const load = (name, parsed) => {
    const { ms: ours, parse } = measure(FOLDERS[0], startWork, name)
    const ratio = ours / parse
    return {
      name: `Local head: start with 100,000 outputs of ${parsed}`,
      unit: 'ms',
      ours,
      rival: parse,
      rivalName: 'JSON.parse of their text',
      ratio,
      target: '<= 6 x',
      pass: ratio <= 6
    }
  }
  const payments = { on: [], off: [] }
  for (let round = 0; round < STATE_ROUNDS; round++) {
    payments.off.push(measure(FOLDERS[0], devnodeWork, 'socket').perSecond)
    payments.on.push(measure(FOLDERS[0], devnodeWork, 'state').perSecond)
  }
  const [on, off] = [median(payments.on), median(payments.off)]
  return [
    againstBaseline('Local head: command line, start to listening', 'ms', start, '<= 1.1 x', (ratio) => ratio <= 1.1),
    againstBaseline('import layer-sdk/devnode', 'ms', imported, '<= 1.1 x', (ratio) => ratio <= 1.1),
    load('state', 'a state file'),
    load('fork', 'a running head'),
    {
      name: 'Local head: payments over a WebSocket, with a state file',
      unit: '/s',
      ours: on,
      rival: off,
      rivalName: 'without',
      ratio: on / off,
      target: '>= 0.7 x',
      pass: on / off >= 0.7
    }
  ]
}
