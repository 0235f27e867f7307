import { createRequire } from 'node:module'
import { WebSocket } from 'ws'
import { createMeshProvider } from '../../dist/mesh.js'
import { onChain, slotsOf } from './base.mjs'
import { WORDS } from './head.mjs'

// The ES modules of it do not load on Node 20.
const require = createRequire(import.meta.url)

/** Mesh takes the runtime's own WebSocket, which Node has from version 22 on. */
globalThis.WebSocket ??= WebSocket

/** The one version of the peer range. */
export const MESHES = [
  {
    name: '@meshsdk/core 1.9.1',
    /** Lovelace. */
    fee: 0n,
    unsupported: [
      'fetchAccountInfo',
      'fetchAddressTxs',
      'fetchAssetMetadata',
      'fetchBlockInfo',
      'fetchGovernanceProposal',
      'get'
    ],
    connect: connectHead,
    bases: [
      ['Blockfrost', connectBlockfrost],
      ['Ogmios', connectOgmios]
    ]
  }
]

/** Mesh with a head as its provider. */
async function connectHead(head, options) {
  const provider = createMeshProvider(head, options)
  const opened = await open({
    provider,
    evaluator: provider,
    words: WORDS,
    isHydra: true,
    slots: provider.getSlotConfig(),
    awaitTx: (txId) => head.waitForTx(txId)
  })
  // Outputs of transactions that no snapshot holds yet can be spent.
  return { provider, ...opened, scripts: { ...opened.scripts, chains: true } }
}

/** Mesh over Blockfrost's API, on the base ledger of a local head. */
async function connectBlockfrost(node) {
  const { BlockfrostProvider } = require('@meshsdk/core')
  const provider = new BlockfrostProvider(node.indexerUrl)
  return openBase(node, { provider, evaluator: provider })
}

/** Scripts evaluated over Ogmios' API; it has no addresses' outputs among Mesh's queries. */
async function connectOgmios(node) {
  const { BlockfrostProvider, OgmiosProvider } = require('@meshsdk/core')
  const ogmios = new OgmiosProvider(node.rpcUrl.replace('http', 'ws'))
  return openBase(node, { provider: new BlockfrostProvider(node.indexerUrl), submitter: ogmios, evaluator: ogmios })
}

async function openBase(node, options) {
  return open({
    words: node.phrase.trim().split(' '),
    slots: await slotsOf(node),
    awaitTx: (txId) => onChain(node, txId),
    ...options
  })
}

async function open({ provider, submitter = provider, evaluator, words, isHydra = false, slots, awaitTx }) {
  const { ForgeScript, MeshTxBuilder, MeshWallet, resolveScriptHash, stringToHex } = require('@meshsdk/core')
  const wallet = new MeshWallet({
    networkId: 0,
    fetcher: provider,
    submitter,
    key: { type: 'mnemonic', words }
  })
  await wallet.init()
  const address = await wallet.getChangeAddress()
  const script = ForgeScript.withOneSignature(address)
  const policyId = resolveScriptHash(script)

  /** An output of pure ada, which is set aside when the first script needs it. */
  let collateral = null
  async function setAside() {
    const txId = await send((builder) => builder.txOut(address, [{ unit: 'lovelace', quantity: '10000000' }]))
    await awaitTx(txId)
    return (await provider.fetchUTxOs(txId, 0))[0]
  }

  async function send(extend, { scripts = false } = {}) {
    if (scripts) collateral ??= await setAside()
    const params = await provider.fetchProtocolParameters()
    const builder = new MeshTxBuilder({ fetcher: provider, submitter, evaluator, params, isHydra })
    builder.protocolParams(params)
    builder.setNetwork(await provider.fetchCostModels())
    // Mesh counts no fee for a reference script in an output that it spends; the ledger does.
    const utxos = (await provider.fetchAddressUTxOs(address)).filter(
      ({ input, output }) => output.scriptRef === undefined && refOf(input) !== (collateral && refOf(collateral.input))
    )
    extend(builder)
    if (scripts) {
      const { input, output } = collateral
      builder.txInCollateral(input.txHash, input.outputIndex, output.amount, output.address)
    }
    builder.invalidHereafter(Math.floor((Date.now() + 300_000 - slots.zeroTime) / slots.slotLength))
    await builder.changeAddress(address).selectUtxosFrom(utxos).complete()
    return submitter.submitTx(await wallet.signTx(builder.txHex))
  }

  return {
    address,
    unit: policyId + stringToHex('mesh'),
    pay: (to, lovelace) => send((builder) => builder.txOut(to, [{ unit: 'lovelace', quantity: String(lovelace) }])),
    mint: (quantity) =>
      send((builder) =>
        builder
          .mint(String(quantity), policyId, stringToHex('mesh'))
          .mintingScript(script)
          .txOut(address, [
            { unit: 'lovelace', quantity: '2000000' },
            { unit: policyId + stringToHex('mesh'), quantity: String(quantity) }
          ])
      ),
    scripts: scriptsOf({ provider, address, send, awaitTx })
  }
}

const refOf = ({ txHash, outputIndex }) => `${txHash}#${outputIndex}`

/** The steps that scripts.mjs takes with each builder. */
function scriptsOf({ provider, address, send, awaitTx }) {
  const { applyCborEncoding, resolveScriptHash, serializePlutusScript, stringToHex } = require('@meshsdk/core')
  const hashOf = (script) => resolveScriptHash(applyCborEncoding(script), 'V2')
  const addressOf = (script) =>
    serializePlutusScript({ code: applyCborEncoding(script), version: 'V2' }, undefined, 0).address
  const NAME = stringToHex('plutus')
  return {
    awaitTx,
    /** Pays to a script with an inline datum; with `reference` an output of our own carries the script. */
    lock: (script, datum, lovelace, { reference = false } = {}) =>
      send((builder) => {
        builder
          .txOut(addressOf(script), [{ unit: 'lovelace', quantity: String(lovelace) }])
          .txOutInlineDatumValue(datum)
        if (reference)
          builder
            .txOut(address, [{ unit: 'lovelace', quantity: '3000000' }])
            .txOutReferenceScript(applyCborEncoding(script), 'V2')
      }),
    async unlock(txId, script, redeemer, { reference = false } = {}) {
      const [{ input, output }] = await provider.fetchUTxOs(txId, 0)
      return send(
        (builder) => {
          builder
            .spendingPlutusScript('V2')
            .txIn(input.txHash, input.outputIndex, output.amount, output.address, 0)
            .txInInlineDatumPresent()
            .txInRedeemerValue(redeemer)
          if (reference) builder.spendingTxInReference(txId, 1, String(script.length / 2), hashOf(script))
          else builder.txInScript(applyCborEncoding(script))
        },
        { scripts: true }
      )
    },
    unitOf: (script) => hashOf(script) + NAME,
    mintPlutus: (script, quantity) =>
      send(
        (builder) =>
          builder
            .mintPlutusScript('V2')
            .mint(String(quantity), hashOf(script), NAME)
            .mintingScript(applyCborEncoding(script))
            .mintRedeemerValue(0),
        { scripts: true }
      ),
    lovelaceAt: async (script) => sum(await provider.fetchAddressUTxOs(addressOf(script)), 'lovelace'),
    assetsOf: async (unit) => sum(await provider.fetchAddressUTxOs(address), unit)
  }
}

const sum = (utxos, unit) =>
  utxos
    .flatMap(({ output }) => output.amount)
    .filter((amount) => amount.unit === unit)
    .reduce((total, { quantity }) => total + BigInt(quantity), 0n)
