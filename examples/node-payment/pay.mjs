// node pay.mjs [ws://host:port payment.skey receiver]
import { readFileSync } from 'node:fs'
import { assertDepositDraft, LayerBridge } from 'layer-sdk/bridge'
import { startDevNode } from 'layer-sdk/devnode'
import { RpcProvider } from 'layer-sdk/providers'
import { buildPayment, txParametersFromProtocol } from 'layer-sdk/tx'
import { NETWORK_ID } from 'layer-sdk/utils'
import { ChainCliWallet } from 'layer-sdk/wallet'

const ada = (lovelace = 0n) => `${Number(lovelace) / 1e6} ada`
const [url, keyFile, receiver] = process.argv.slice(2)
const local = url === undefined ? await startDevNode({ port: 0 }) : null

const wallet = new ChainCliWallet({
  networkId: NETWORK_ID.PREPROD,
  skey: local ? local.keys[0].skey : readFileSync(keyFile, 'utf8')
})
const from = wallet.getAddressBech32()
const to = local ? local.keys[1].address : receiver

const bridge = new LayerBridge({ url: url ?? local.url, autoReconnect: true })
try {
  await bridge.connect()
  console.log(`connected; the head is ${bridge.headStatus}`)
  if (local) await openAndBringIn()
  await pay(2_500_000n)
} finally {
  await bridge.disconnect()
  await local?.stop()
}

/** Opens the local node's head and deposits one output of its base ledger. */
async function openAndBringIn() {
  await bridge.commands.initSync()
  const { fetcher } = new RpcProvider({ apiEndpoint: local.rpcUrl, network: 'preprod' })
  const ownUtxos = await fetcher.fetchAddressUTxOs(from)
  const [{ input, output }] = ownUtxos
  const lovelace = BigInt(output.amount[0].quantity)
  const commit = { [`${input.txHash}#${input.index}`]: { address: from, value: { lovelace } } }
  const draft = await bridge.commit(commit)
  // What the node drafts is not signed before it is what was asked for.
  assertDepositDraft(draft, { commit, headId: bridge.getSnapshot().headId, ownUtxos })
  const finalized = bridge.waitFor('CommitFinalized', { timeout: 30_000 })
  // The node has signed for the fee; ours is the second signature.
  await bridge.submitCardanoTransaction({ cborHex: await wallet.signTx(draft.cborHex, true), description: '' })
  await finalized
  console.log(`brought in ${ada(lovelace)}`)
}

/** Builds, signs and submits a payment, and waits until all parties have signed a snapshot with it. */
async function pay(lovelace) {
  const payment = buildPayment({
    utxos: await bridge.queryAddressUTxO(from),
    to,
    amount: lovelace,
    changeAddress: from,
    parameters: txParametersFromProtocol(await bridge.getProtocolParameters())
  })
  const cborHex = await wallet.signTx(payment.cborHex)
  const started = performance.now()
  await bridge.submitTxSync({ type: 'Witnessed Tx ConwayEra', description: '', cborHex, txId: payment.txId })
  console.log(`paid ${ada(lovelace)} in ${Math.round(performance.now() - started)} ms: ${payment.txId}`)
  console.log(`the receiver now has ${ada(bridge.getAddressBalance(to)?.get('lovelace'))} in the head`)
}
