// Two clients of one wallet that pay at the same time: the share of their payments that is paid, calm and while
// connections are reset; and what a payment that the node has lost costs its client. Set TWO_CLIENTS_PAYMENTS for a
// quick look with fewer payments.
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

/** Snapshots that come while the outcome of a payment is not known. */
const SNAPSHOTS = 40

/** Histories that a client reads for a lost payment whose output is spent, while others' snapshots go on. */
async function historiesOfLostPayment() {
  const node = await startDevNode({ port: 0, timings: { snapshotIntervalMs: 5, blockMs: 5, depositDelayMs: 5 } })
  const wallets = [0, 1].map((i) => new ChainCliWallet({ networkId: 0, skey: node.keys[i].skey }))
  const inner = node.connector()
  let histories = 0
  const connector = {
    capabilities: inner.capabilities,
    request: (request) => inner.request(request),
    open(listener, options) {
      if (options?.history === true) histories++
      return inner.open(listener, options)
    }
  }
  const client = createHeadClient({ connector, wallet: wallets[0], expiresIn: 3_600_000, reconnectInterval: 500 })
  const other = createHeadClient({ url: node.url, wallet: wallets[1] })
  await client.connect()
  await other.connect()
  const [own, to] = [node.keys[0].address, node.keys[1].address]
  await client.open()
  for (const [from, address] of [
    [client, own],
    [other, to]
  ])
    await from.deposit({ utxos: node.baseUtxos(address), amount: 100n * ADA })
  node.faults.loseTransactions = 1
  await client.pay({ to, amount: 2n * ADA, timeout: 300 }).catch(() => undefined)
  // While it is offline, another client of the wallet spends the same output: the state alone cannot tell any more.
  node.dropConnections()
  const twin = createHeadClient({ url: node.url, wallet: wallets[0] })
  await twin.connect()
  await twin.pay({ to: own, amount: 3n * ADA })
  await twin.disconnect()
  for (let count = 0; count < SNAPSHOTS; count++) await other.pay({ to, amount: 2n * ADA })
  await new Promise((resolve) => setTimeout(resolve, 500))
  await client.disconnect()
  await other.disconnect()
  await node.stop()
  return histories
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
    }),
    await lostRow()
  ]
}

async function lostRow() {
  const histories = await historiesOfLostPayment()
  return {
    name: `A payment that the node has lost: histories read while ${SNAPSHOTS} snapshots come`,
    unit: '',
    ours: histories,
    rival: null,
    rivalName: null,
    ratio: null,
    target: '<= 2',
    pass: histories <= 2
  }
}
