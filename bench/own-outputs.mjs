// A payment of a wallet with many outputs of its own: time of the client's thread alone. The heads run in processes of
// their own, and send snapshots without their outputs; the clients take turns, so that their code is equally warm.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { WebsocketConnector } from 'layer-sdk/bridge'
import { createHeadClient } from 'layer-sdk/client'
import { ChainCliWallet } from 'layer-sdk/wallet'
import { median } from './support/standstill.mjs'
import { threadTimeOf } from './support/threadTime.mjs'

const COUNTS = [100, 1_000, 10_000]
const PAYMENTS = 20
const WARM = 15
const ROUNDS = 31
const ADA = 1_000_000n

async function start(count) {
  const path = fileURLToPath(new URL('support/ownOutputsNode.mjs', import.meta.url))
  const child = spawn(process.execPath, [path, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const { url, skey, to } = JSON.parse(line.toString())
  const wallet = new ChainCliWallet({ networkId: 0, skey })
  const connector = new WebsocketConnector({ websocketUrl: url, noSnapshotUtxo: true })
  const head = createHeadClient({ connector, wallet })
  await head.connect()
  const own = head.getUtxos()?.length
  if (own !== count) throw new Error(`${own} outputs instead of ${count}`)
  const pay = () => Promise.all(Array.from({ length: PAYMENTS }, () => head.pay({ to, amount: ADA, timeout: 300_000 })))
  const stop = async () => {
    await head.disconnect()
    child.stdin.end()
    await once(child, 'exit')
  }
  return { pay, stop, times: [] }
}

export async function run() {
  const clients = []
  for (const count of COUNTS) clients.push(await start(count))
  for (let round = 0; round < WARM + ROUNDS; round++) {
    for (const { pay, times } of clients) {
      const ms = (await threadTimeOf(pay)) / PAYMENTS
      if (round >= WARM) times.push(ms)
    }
  }
  for (const { stop } of clients) await stop()
  const figures = clients.map(({ times }) => median(times))
  return COUNTS.map((count, i) => {
    const ratio = figures[i] / figures[0]
    const isFirst = i === 0
    return {
      name: `Head client: a payment of a wallet with ${count.toLocaleString('en-US')} outputs of its own`,
      unit: 'ms of its thread',
      ours: figures[i],
      rival: isFirst ? null : figures[0],
      rivalName: isFirst ? null : '100 outputs',
      ratio: isFirst ? null : ratio,
      target: isFirst ? 'reported' : '<= 2 x',
      pass: isFirst || ratio <= 2
    }
  })
}
