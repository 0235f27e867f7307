// A bot that pays in 100 lanes on the local head, end to end: built, signed, verified by the node and confirmed in a
// snapshot.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bundles } from './support/bundle.mjs'
import { median } from './support/standstill.mjs'

const PAYMENTS = 1_500
const ROUNDS = 3

function perSecond(folder, way) {
  const script = fileURLToPath(new URL('./support/bot.mjs', import.meta.url))
  const out = execFileSync(process.execPath, [script, folder, way, String(PAYMENTS)], {
    encoding: 'utf8',
    timeout: 120_000,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  return JSON.parse(out.trim().split('\n').at(-1)).perSecond
}

export async function run() {
  const { ours, first, remove } = await bundles()
  try {
    const rows = []
    for (const [way, name] of [
      ['process', 'in process'],
      ['socket', 'over a socket']
    ]) {
      const rates = { ours: [], first: [] }
      // They take turns, so that neither gets the quieter machine.
      for (let round = 0; round < ROUNDS; round++) {
        rates.ours.push(perSecond(ours, way))
        if (first !== null) rates.first.push(perSecond(first, way))
      }
      const our = median(rates.ours)
      const their = first === null ? null : median(rates.first)
      rows.push({
        name: `Payments of a bot on 100 lanes, ${name}`,
        unit: 'per s',
        ours: our,
        rival: their,
        rivalName: 'layer-sdk 0.1.0',
        ratio: their && our / their,
        target: way === 'process' ? '>= 1,000 per s' : 'reported',
        pass: way !== 'process' || our >= 1_000
      })
    }
    return rows
  } finally {
    remove()
  }
}
