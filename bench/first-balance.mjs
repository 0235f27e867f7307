// From `connect()` to the first balance: what a page waits for before it shows anything. The node is a process of its own, over
// loopback and 20 ms away. About half a minute.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { LayerBridge } from 'layer-sdk/bridge'
import { median } from './support/standstill.mjs'

const ROUND_TRIP_MS = 20
const SIZES = [
  { outputs: 1_000, rounds: 9 },
  { outputs: 10_000, rounds: 7 },
  { outputs: 100_000, rounds: 5 }
]

async function startNode(outputs) {
  const file = fileURLToPath(new URL('./support/firstBalanceServer.mjs', import.meta.url))
  const node = fork(file, [String(outputs)], { execArgv: ['--max-old-space-size=4096'] })
  const told = await new Promise((resolve, reject) => {
    node.once('message', resolve)
    node.once('exit', (code) => reject(new Error(`The node of this bench ended with ${code}`)))
  })
  return { ...told, stop: () => node.kill() }
}

/** From nothing to a balance that is known, ms. */
async function firstBalance(port, address) {
  globalThis.gc?.()
  const start = performance.now()
  const bridge = new LayerBridge({ url: `ws://127.0.0.1:${port}` })
  try {
    await bridge.connect()
    for (;;) {
      if (bridge.getAddressBalance(address) !== null) return performance.now() - start
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  } finally {
    await bridge.disconnect()
  }
}

/** JSON.parse of the snapshot's text: the yardstick of everything that reads it. */
async function parseTime(port, rounds) {
  const text = await (await fetch(`http://127.0.0.1:${port}/snapshot`)).text()
  const times = []
  while (times.length < rounds) {
    const start = performance.now()
    JSON.parse(text)
    times.push(performance.now() - start)
  }
  return median(times)
}

export async function run() {
  const rows = []
  for (const { outputs, rounds } of SIZES) {
    const node = await startNode(outputs)
    try {
      const near = []
      const far = []
      for (let round = -1; round < rounds; round++) {
        const times = [await firstBalance(node.port, node.address), await firstBalance(node.away, node.address)]
        if (round < 0) continue
        near.push(times[0])
        far.push(times[1])
      }
      const [ours, away, parse] = [median(near), median(far), await parseTime(node.port, rounds)]
      const trips = (away - ours) / ROUND_TRIP_MS
      const head = `${outputs.toLocaleString('en-US')} outputs`
      const row = { unit: 'ms', rivalName: 'JSON.parse of the snapshot', rival: parse, target: 'reported', pass: true }
      const spread = (times) => [Math.min(...times), Math.max(...times)]
      rows.push(
        { ...row, name: `connect() to the first balance, ${head}`, ours, ratio: ours / parse, spread: spread(near) },
        { ...row, name: `The same, 20 ms away, ${head}`, ours: away, ratio: away / parse, spread: spread(far) }
      )
      // In a larger head a round trip is lost in the time that reading takes.
      if (outputs === SIZES[0].outputs)
        rows.push({
          name: `Round trips to the first balance, ${head}`,
          unit: '',
          ours: trips,
          rival: null,
          rivalName: null,
          ratio: null,
          target: '<= 3.5',
          pass: trips <= 3.5
        })
    } finally {
      node.stop()
    }
  }
  return rows
}
