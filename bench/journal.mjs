// Payments with a journal: a file journal against one in memory, 100 at once and one by one. Set JOURNAL_PAYMENTS for a
// quick look with fewer payments.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHeadClient } from 'layer-sdk/client'
import { DevNode } from 'layer-sdk/devnode'
import { fileJournal, memoryJournal } from 'layer-sdk/journal'
import { ChainCliWallet } from 'layer-sdk/wallet'

const ADA = 1_000_000n
const PAYMENTS = Number(process.env['JOURNAL_PAYMENTS'] ?? 100)
const ROUNDS = 15

async function measure(node, wallet, to, journal, name) {
  const head = createHeadClient({ connector: node.connector(), wallet, journal })
  await head.connect()
  await head.pay({ id: `${name} first`, to, amount: ADA })
  const started = performance.now()
  await Promise.all(
    Array.from({ length: PAYMENTS }, (_, i) => head.pay({ id: `${name} ${i}`, to, amount: ADA, timeout: 300_000 }))
  )
  const together = performance.now() - started
  const single = performance.now()
  await head.pay({ id: `${name} single`, to, amount: ADA })
  const alone = performance.now() - single
  await head.disconnect()
  return { together, alone }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

export async function run() {
  const node = new DevNode({ timings: { snapshotIntervalMs: 20, blockMs: 1, depositDelayMs: 1 } })
  const wallet = new ChainCliWallet({ networkId: 0, skey: node.keys[0].skey })
  const to = node.keys[1].address
  const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-bench-'))
  const opener = createHeadClient({ connector: node.connector(), wallet })
  await opener.connect()
  await opener.open()
  await opener.deposit({ utxos: node.baseUtxos(node.keys[0].address), amount: 8_000n * ADA })
  await opener.disconnect()
  const times = { file: [], memory: [] }
  // In turns, so that what else the machine does meets both.
  for (let round = 0; round < ROUNDS; round++) {
    times.memory.push(await measure(node, wallet, to, memoryJournal(), `memory ${round}`))
    times.file.push(await measure(node, wallet, to, fileJournal(join(folder, `${round}.journal`)), `file ${round}`))
  }
  await node.stop()
  rmSync(folder, { recursive: true })
  const rate = (values) => (PAYMENTS / median(values.map(({ together }) => together))) * 1000
  const [file, memory] = [rate(times.file), rate(times.memory)]
  const alone = (values) => median(values.map((each) => each.alone))
  return [
    {
      name: `File journal: ${PAYMENTS} payments at once`,
      unit: '/s',
      ours: file,
      rival: memory,
      rivalName: 'journal in memory',
      ratio: file / memory,
      target: '>= 0.6 x',
      pass: file / memory >= 0.6
    },
    {
      name: 'File journal: one payment, until it is confirmed',
      unit: 'ms',
      ours: alone(times.file),
      rival: alone(times.memory),
      rivalName: 'journal in memory',
      ratio: alone(times.file) / alone(times.memory),
      target: 'reported',
      pass: true
    }
  ]
}
