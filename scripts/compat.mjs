// npm run compat -- --url ws://host:4001: asks a real head node what this package relies on, and prints what held.
// Reads only. With --pay FILE (a cardano-cli signing key) it also pays from that key to itself in an open head.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isLayerError } from 'layer-sdk'
import { LayerBridge } from 'layer-sdk/bridge'
import { TxBuilder, txParametersFromProtocol } from 'layer-sdk/tx'
import { ChainCliWallet } from 'layer-sdk/wallet'

const { values } = parseArgs({ options: { url: { type: 'string' }, pay: { type: 'string' }, mainnet: { type: 'boolean', default: false } } })
if (values.url === undefined) {
  console.error('Usage: npm run compat -- --url ws://host:4001 [--pay FILE [--mainnet]]')
  process.exit(2)
}

const bridge = new LayerBridge({ url: values.url })
let failures = 0
let greetings

async function check(what, run) {
  try {
    console.log(`ok    ${what}: ${await run()}`)
  } catch (error) {
    failures++
    console.log(`FAIL  ${what}: ${isLayerError(error) ? `${error.code} ${error.message.split('\n')[0]}` : error}`)
  }
}

bridge.events.on('Greetings', (payload) => (greetings = payload))
bridge.events.on('onProtocolError', (error) => {
  failures++
  console.log(`FAIL  a message could not be decoded: ${error?.message ?? error}`)
})

await check('connect', async () => `${await bridge.connect()}, node ${greetings?.layerNodeVersion ?? 'unknown'}`)
if (!bridge.connected()) process.exit(1)
const head = await bridge.headInfo().catch(() => undefined)
await check('headInfo', async () => `${(await bridge.headInfo()).headStatus}, head ${(await bridge.headInfo()).headId ?? 'none'}`)
await check('getProtocolParameters', async () => `min_fee_a ${(await bridge.getProtocolParameters()).min_fee_a}`)
await check('getRawProtocolParameters', async () =>
  Object.entries((await bridge.getRawProtocolParameters()).costModels ?? {})
    .map(([name, model]) => `${name} ${model.length}`)
    .join(', ')
)
await check('pendingDeposits', async () => `${(await bridge.pendingDeposits()).length}`)
if (head?.headStatus !== 'Idle') {
  await check('querySnapshotUtxo', async () => `${Object.keys(await bridge.querySnapshotUtxo()).length} outputs in snapshot ${bridge.lastSnapshotNumber}`)
  await check('addressesInHead', async () => `${(await bridge.addressesInHead()).length} addresses`)
}
if (values.pay !== undefined) {
  await check('submitTxSync', async () => {
    const wallet = new ChainCliWallet({ networkId: values.mainnet ? 1 : 0, skey: readFileSync(values.pay, 'utf8') })
    const address = wallet.getAddressBech32()
    const parameters = txParametersFromProtocol(await bridge.getProtocolParameters())
    const built = new TxBuilder(parameters)
      .spend((await bridge.queryAddressUTxO(address)).slice(0, 1))
      .changeTo(address)
      .build()
    const { isConfirmed } = await bridge.submitTxSync({
      type: 'Witnessed Tx ConwayEra',
      description: '',
      cborHex: await wallet.signTx(built.cborHex),
      txId: built.txId
    })
    return `${built.txId} confirmed: ${isConfirmed}`
  })
}
await bridge.disconnect()
console.log(failures === 0 ? 'Everything held.' : `${failures} did not hold.`)
process.exit(failures === 0 ? 0 : 1)
