// The head client: chained payments against one by one, its overhead over a payment built and sent by hand, what it
// adds to a page. Set CLIENT_PAYMENTS for a quick look with fewer payments.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { LayerBridge } from 'layer-sdk/bridge'
import { createHeadClient } from 'layer-sdk/client'
import { DevNode } from 'layer-sdk/devnode'
import { toUtxos, TxBuilder, txParametersFromProtocol } from 'layer-sdk/tx'
import { ChainCliWallet } from 'layer-sdk/wallet'

const HERE = dirname(fileURLToPath(import.meta.url))
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

/** Gzip KB of a page that has loaded these exports, React apart. */
async function pageKb(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: HERE },
    bundle: true,
    minify: true,
    splitting: true,
    outdir: join(HERE, 'out'),
    format: 'esm',
    platform: 'browser',
    external: ['react'],
    write: false,
    logLevel: 'error'
  })
  // The first file is the page's; what only an import() loads is in the others, unless the page itself imports it.
  const byName = new Map(outputFiles.map((file) => [file.path.split('/').at(-1), file]))
  const loaded = new Set([outputFiles.find(({ path }) => path.endsWith('stdin.js'))])
  for (const file of loaded)
    for (const [, name] of file.text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) loaded.add(byName.get(name))
  return [...loaded].reduce((sum, { contents: bytes }) => sum + gzipSync(bytes, { level: 9 }).length, 0) / 1000
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
  const clientKb = await pageKb("export { createHeadClient } from 'layer-sdk/client'")
  const hooks =
    (await pageKb("export { createHeadClient } from 'layer-sdk/client'; export * from 'layer-sdk/react'")) - clientKb
  const pays =
    "export { createHeadClient } from 'layer-sdk/client'; export { TxBuilder } from 'layer-sdk/tx'; export { LayerBridge } from 'layer-sdk/bridge'; export { AppWallet } from 'layer-sdk/wallet'"
  const reported = (name, unit, ours) => ({
    name,
    unit,
    ours,
    rival: null,
    rivalName: null,
    ratio: null,
    target: 'reported',
    pass: true
  })
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
      target: '<= 1.1 x',
      pass: client / hand <= 1.1
    },
    {
      ...reported('Hooks of layer-sdk/react beside the client, gzip', 'KB', hooks),
      target: '<= 1.5 KB',
      pass: hooks <= 1.5
    },
    reported('A page with the client, gzip', 'KB', clientKb),
    reported('A page that can pay: client, bridge, builder and wallet, gzip', 'KB', await pageKb(pays))
  ]
}
