// Two clients of one wallet that pay at the same time: the share of their payments that is paid, calm and while
// connections are reset. Set TWO_CLIENTS_PAYMENTS for a quick look with fewer payments.
import { createHeadClient } from 'layer-sdk/client'
import { startDevNode } from 'layer-sdk/devnode'
import { ChainCliWallet } from 'layer-sdk/wallet'

const ADA = 1_000_000n
const PAYMENTS = Number(process.env['TWO_CLIENTS_PAYMENTS'] ?? 150)
const AT_ONCE = 15
const TIMEOUT_MS = 30_000

/**
 * Pays, and compares what was told with what the receiver holds. `resets`: share of payments during which every
 * connection is reset.
 */
async function payFromTwo(outputs, resets) {
  const node = await startDevNode({
    port: 0,
    timings: { snapshotIntervalMs: 50, blockMs: 5, depositDelayMs: 5, invalidRetryMs: 20 }
  })
  const wallet = new ChainCliWallet({ networkId: 0, skey: node.keys[0].skey })
  const clients = [0, 1].map(() => createHeadClient({ url: node.url, wallet, reconnectInterval: 20 }))
  for (const client of clients) await client.connect()
  const [own, to] = [node.keys[0].address, node.keys[1].address]
  await clients[0].open()
  await clients[0].deposit({ utxos: node.baseUtxos(own), amount: 2_000n * ADA })
  const share = (2_000n * ADA) / BigInt(outputs)
  if (outputs > 1)
    await clients[0].payMany({ payments: Array.from({ length: outputs - 1 }, () => ({ to: own, amount: share })) })
  let paid = 0
  let unknown = 0
  const payOne = async (client) => {
    if (Math.random() < resets) setTimeout(() => node.dropConnections(), Math.random() * 40)
    await client.pay({ to, amount: 2n * ADA, timeout: TIMEOUT_MS }).then(
      () => paid++,
      ({ code }) => (unknown += code === 'CLIENT_OUTCOME_UNKNOWN' ? 1 : 0)
    )
  }
  const worker = async (client) => {
    for (let count = 0; count < PAYMENTS / AT_ONCE; count++) await payOne(client)
  }
  await Promise.all(clients.flatMap((client) => Array.from({ length: AT_ONCE }, () => worker(client))))
  const received = node.headUtxos(to).length
  for (const client of clients) await client.disconnect()
  await node.stop()
  const all = 2 * AT_ONCE * Math.ceil(PAYMENTS / AT_ONCE)
  // More than was told, or less: paid twice, or told falsely.
  return { percent: (100 * paid) / all, isTrue: received >= paid && received <= paid + unknown }
}

export async function run() {
  const row = async (name, { outputs, resets, least }) => {
    const { percent, isTrue } = await payFromTwo(outputs, resets)
    const target = `>= ${least} %, none twice or falsely told`
    return {
      name,
      unit: '%',
      ours: percent,
      rival: null,
      rivalName: null,
      ratio: null,
      target,
      pass: isTrue && percent >= least
    }
  }
  return [
    await row(`Two clients of one wallet, ${PAYMENTS} payments each, 20 outputs: paid`, {
      outputs: 20,
      resets: 0,
      least: 98
    }),
    await row(`Two clients of one wallet, ${PAYMENTS} payments each, one output: paid`, {
      outputs: 1,
      resets: 0,
      least: 98
    }),
    await row(`Two clients of one wallet, ${PAYMENTS} payments each, 12 % of them reset every connection: paid`, {
      outputs: 20,
      resets: 0.12,
      least: 90
    })
  ]
}
