// A bot that pays in 100 lanes side by side, each spending what its last payment gave back. Prints payments a second.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { load } from './bundle.mjs'

const [folder, way, payments] = process.argv.slice(2)
const LANES = 100
const SHARE = 1_000_000_000n
const KEY = '07'.repeat(32)
const [{ LayerBridge }, { ChainCliWallet }, { startDevNode }, { TxBuilder, txParametersFromProtocol }] =
  await Promise.all(['bridge', 'wallet', 'devnode', 'tx'].map((name) => load(folder, name)))
const wallet = new ChainCliWallet({ networkId: 0, skey: `5820${KEY}` })
const address = wallet.getAddressBech32()
const options = { port: 0, genesis: [{ address, lovelace: SHARE * BigInt(LANES + 1) }] }

if (way === 'node') {
  const node = await startDevNode(options)
  process.send({ url: node.url })
  process.on('disconnect', () => process.exit(0))
} else {
  const isInProcess = way === 'process'
  let node
  let bridge
  if (isInProcess) {
    node = await startDevNode(options)
    bridge = new LayerBridge({ connector: node.connector() })
  } else {
    node = fork(fileURLToPath(import.meta.url), [folder, 'node', '0'], { execArgv: [] })
    const { url } = await new Promise((resolve) => node.once('message', resolve))
    bridge = new LayerBridge({ url })
  }
  await bridge.connect()
  await bridge.commands.initSync()
  const parameters = txParametersFromProtocol(await bridge.getProtocolParameters())
  await deposit()
  const lanes = await split()
  await pay(Number(payments) / 5, lanes)
  const started = performance.now()
  await pay(Number(payments), lanes)
  console.log(JSON.stringify({ perSecond: (Number(payments) * 1000) / (performance.now() - started) }))
  process.exit(0)

  async function deposit() {
    const draft = await bridge.commit(await genesis())
    const cborHex = await wallet.signTx(draft.cborHex, true)
    const finalized = bridge.waitFor('CommitFinalized', { timeout: 60_000 })
    await bridge.submitCardanoTransaction({ cborHex, description: '' })
    await finalized
  }

  /** The output that the node's chain starts with; its id follows from the options, which both processes share. */
  async function genesis() {
    const probe = isInProcess ? node : await startDevNode(options)
    const { RpcProvider } = await load(folder, 'providers')
    const { fetcher } = new RpcProvider({ apiEndpoint: probe.rpcUrl, network: 'preprod' })
    const [utxo] = await fetcher.fetchAddressUTxOs(address)
    if (!isInProcess) await probe.stop()
    return {
      [`${utxo.input.txHash}#${utxo.input.index}`]: {
        address,
        value: { lovelace: BigInt(utxo.output.amount[0].quantity) }
      }
    }
  }

  async function split() {
    const [utxo] = await bridge.queryAddressUTxO(address)
    const builder = new TxBuilder(parameters).spend([utxo]).changeTo(address)
    for (let lane = 0; lane < LANES; lane++) builder.pay(address, SHARE - 1_000_000n + BigInt(lane))
    const built = builder.build()
    await submit(built)
    return Array.from({ length: LANES }, (_, lane) => ({ utxo: outputOf(built, lane) }))
  }

  async function submit({ cborHex, txId }) {
    const signed = await wallet.signTx(cborHex)
    await bridge.submitTxSync({ type: 'Witnessed Tx ConwayEra', description: '', cborHex: signed, txId })
  }

  function outputOf({ txId, outputs }, index) {
    return { input: { txHash: txId, index }, output: outputs[index] }
  }

  async function pay(count, all) {
    let left = count
    await Promise.all(
      all.map(async (lane) => {
        while (left-- > 0) {
          const built = new TxBuilder(parameters).spend([lane.utxo]).pay(address, 1_000_000n).changeTo(address).build()
          await submit(built)
          lane.utxo = outputOf(built, 1)
        }
      })
    )
  }
}
