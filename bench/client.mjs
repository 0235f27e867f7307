// The head client: chained payments against one by one, its overhead over a payment built and sent by hand. Set CLIENT_PAYMENTS for a quick look with fewer payments.
import { LayerBridge } from 'layer-sdk/bridge'
import { createHeadClient } from 'layer-sdk/client'
import { DevNode } from 'layer-sdk/devnode'
import { toUtxos, TxBuilder, txParametersFromProtocol } from 'layer-sdk/tx'
import { ChainCliWallet } from 'layer-sdk/wallet'

const ADA = 1_000_000n
const PAYMENTS = Number(process.env['CLIENT_PAYMENTS'] ?? 100)
const ROUNDS = 20
/** Unconfirmed links of a chain, as the client has it: nodes give up on children of longer ones. */
const LINKS = 50

/** An open head with one output of the wallet. */
async function openHead(snapshotIntervalMs) {
  const node = new DevNode({ timings: { snapshotIntervalMs, blockMs: 1, depositDelayMs: 1 } })
  const wallet = new ChainCliWallet({ networkId: 0, skey: node.keys[0].skey })
  const head = createHeadClient({ connector: node.connector(), wallet })
  await head.connect()
  await head.open()
  await head.deposit({ utxos: node.baseUtxos(node.keys[0].address), amount: 5_000n * ADA })
  await head.disconnect()
  return { node, wallet, to: node.keys[1].address, stop: () => node.stop() }
}

async function clockMs(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Time of the processor: other processes of the machine do not count. */
async function cpuMs(work) {
  const started = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

async function withClient({ node, wallet, to }, measure, chained) {
  const head = createHeadClient({ connector: node.connector(), wallet })
  await head.connect()
  await head.pay({ to, amount: ADA })
  const time = await measure(async () => {
    if (chained)
      await Promise.all(Array.from({ length: PAYMENTS }, () => head.pay({ to, amount: ADA, timeout: 300_000 })))
    else for (let i = 0; i < PAYMENTS; i++) await head.pay({ to, amount: ADA })
  })
  await head.disconnect()
  return time
}

/** The same payments, chained by hand over a bridge. */
async function byHand({ node, wallet, to }, measure) {
  const bridge = new LayerBridge({ connector: node.connector() })
  await bridge.connect()
  const parameters = txParametersFromProtocol(await bridge.getProtocolParameters())
  const own = wallet.getAddressBech32()
  const lovelaceOf = ({ output }) => BigInt(output.amount[0].quantity)
  const time = await measure(async () => {
    let [utxo] = (await bridge.queryAddressUTxO(own)).sort((a, b) => (lovelaceOf(a) < lovelaceOf(b) ? 1 : -1))
    const sent = []
    for (let i = 0; i < PAYMENTS; i++) {
      const built = new TxBuilder(parameters)
        .spend([utxo])
        .pay(to, ADA)
        .changeTo(own)
        .validUntil(4_000_000_000 - i)
        .build()
      sent.push(
        bridge.submitTxSync({ cborHex: await wallet.signTx(built.cborHex), txId: built.txId }, { timeout: 300_000 })
      )
      utxo = toUtxos(built).find(({ output }) => output.address === own)
      if (sent.length % LINKS === 0) await Promise.all(sent)
    }
    await Promise.all(sent)
  })
  await bridge.disconnect()
  return time
}

export async function run() {
  const slow = await openHead(100)
  const chained = await withClient(slow, clockMs, true)
  const oneByOne = await withClient(slow, clockMs, false)
  await slow.stop()
  const times = { client: [], hand: [] }
  const quick = await openHead(20)
  for (let round = 0; round < ROUNDS; round++) {
    times.hand.push(await byHand(quick, cpuMs))
    times.client.push(await withClient(quick, cpuMs, true))
  }
  await quick.stop()
  const perPayment = (values) => Math.min(...values) / PAYMENTS
  const [client, hand] = [perPayment(times.client), perPayment(times.hand)]
  return [
    {
      name: `Head client: ${PAYMENTS} payments of one output, a snapshot each 100 ms`,
      unit: '/s',
      ours: (PAYMENTS / chained) * 1000,
      rival: (PAYMENTS / oneByOne) * 1000,
      rivalName: 'one by one',
      ratio: oneByOne / chained,
      target: '>= 8 x',
      pass: oneByOne / chained >= 8
    },
    {
      name: 'Head client: processor time of a payment',
      unit: 'ms',
      ours: client,
      rival: hand,
      rivalName: 'bridge and builder by hand',
      ratio: client / hand,
      target: 'reported',
      pass: true
    }
  ]
}
