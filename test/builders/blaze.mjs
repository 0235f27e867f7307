import { createRequire } from 'node:module'
import { createBlazeProvider } from '../../dist/blaze.js'
import { onChain, slotsOf } from './base.mjs'
import { WORDS } from './head.mjs'

const require = createRequire(import.meta.url)

/** The one version of the peer range. */
export const BLAZES = [
  {
    name: '@blaze-cardano/sdk 0.2.48',
    /** Lovelace: the least that Blaze balances with. */
    fee: 1n,
    unsupported: [],
    connect: connectHead,
    bases: [
      ['Blockfrost', connectBlockfrost],
      ['Kupo and Ogmios', connectKupmios]
    ]
  }
]

/** Blaze with a head as its provider. */
async function connectHead(head, options) {
  const provider = createBlazeProvider(head, require('@blaze-cardano/sdk'), options)
  const opened = await open({
    provider,
    words: WORDS,
    slots: provider.getSlotConfig(),
    awaitTx: (txId) => head.waitForTx(txId)
  })
  // Outputs of transactions that no snapshot holds yet can be spent.
  return { provider, ...opened, scripts: { ...opened.scripts, chains: true } }
}

/** Blaze over Blockfrost's API, on the base ledger of a local head. */
async function connectBlockfrost(node) {
  const { Blockfrost } = require('@blaze-cardano/sdk')
  const provider = new Blockfrost({ network: 'cardano-preprod', projectId: 'local' })
  // The one way to a Blockfrost of one's own that the class leaves.
  provider.url = `${node.indexerUrl}/`
  return openBase(node, provider)
}

async function connectKupmios(node) {
  const { Kupmios } = require('@blaze-cardano/sdk')
  const { Unwrapped } = require('@blaze-cardano/ogmios')
  const ogmios = await Unwrapped.Ogmios.new(node.rpcUrl.replace('http', 'ws'))
  return openBase(node, new Kupmios(node.kupoUrl, ogmios))
}

async function openBase(node, provider) {
  return open({
    provider,
    words: node.phrase.trim().split(' '),
    slots: await slotsOf(node),
    awaitTx: (txId) => onChain(node, txId)
  })
}

async function open({ provider, words, slots, awaitTx }) {
  const sdk = require('@blaze-cardano/sdk')
  const { Address, AssetName, Bip32PrivateKey, mnemonicToEntropy, NativeScripts, PolicyId, Script, wordlist } = sdk.Core
  const masterkey = Bip32PrivateKey.fromBip39Entropy(Buffer.from(mnemonicToEntropy(words.join(' '), wordlist)), '')
  const wallet = await sdk.HotWallet.fromMasterkey(masterkey.hex(), provider)
  const blaze = await sdk.Blaze.from(provider, wallet)
  const script = Script.newNativeScript(NativeScripts.justAddress(wallet.address.toBech32(), 0))
  const assetName = AssetName(Buffer.from('blaze').toString('hex'))

  async function send(tx) {
    tx.setValidUntil(Math.floor((Date.now() + 300_000 - slots.zeroTime) / slots.slotLength))
    return blaze.submitTransaction(await blaze.signTransaction(await tx.complete()))
  }

  return {
    address: wallet.address.toBech32(),
    unit: script.hash() + assetName,
    pay: (to, lovelace) => send(blaze.newTransaction().payLovelace(Address.fromBech32(to), lovelace)),
    mint: (quantity) =>
      send(
        blaze
          .newTransaction()
          .addMint(PolicyId(script.hash()), new Map([[assetName, BigInt(quantity)]]))
          .provideScript(script)
      ),
    scripts: scriptsOf(sdk, { blaze, wallet, provider, send, awaitTx })
  }
}

/** The steps that scripts.mjs takes with each builder. */
function scriptsOf({ Core }, { blaze, wallet, provider, send, awaitTx }) {
  const { AssetId, AssetName, PlutusData, PolicyId, TransactionId, TransactionInput } = Core
  const scriptOf = (cbor) => Core.Script.newPlutusV2Script(new Core.PlutusV2Script(Core.HexBlob(cbor)))
  const addressOf = (cbor) => Core.addressFromValidator(Core.NetworkId.Testnet, scriptOf(cbor))
  const NAME = AssetName(Buffer.from('plutus').toString('hex'))
  const unitOf = (cbor) => AssetId(scriptOf(cbor).hash() + NAME)
  const inputOf = (txId, index) => new TransactionInput(TransactionId(txId), BigInt(index))
  return {
    awaitTx,
    /** Pays to a script with an inline datum; with `reference` an output of our own carries the script. */
    lock(cbor, datum, lovelace, { reference = false } = {}) {
      const tx = blaze
        .newTransaction()
        .lockLovelace(addressOf(cbor), lovelace, Core.Datum.newInlineData(PlutusData.newInteger(datum)))
      if (reference) {
        const output = new Core.TransactionOutput(wallet.address, new Core.Value(3_000_000n))
        output.setScriptRef(scriptOf(cbor))
        tx.addOutput(output)
      }
      return send(tx)
    },
    async unlock(txId, cbor, redeemer, { reference = false } = {}) {
      const [locked] = await provider.resolveUnspentOutputs([inputOf(txId, 0)])
      const tx = blaze.newTransaction().addInput(locked, PlutusData.newInteger(redeemer))
      if (reference) tx.addReferenceInput((await provider.resolveUnspentOutputs([inputOf(txId, 1)]))[0])
      else tx.provideScript(scriptOf(cbor))
      return send(tx)
    },
    unitOf,
    mintPlutus: (cbor, quantity) =>
      send(
        blaze
          .newTransaction()
          .addMint(PolicyId(scriptOf(cbor).hash()), new Map([[NAME, quantity]]), PlutusData.newInteger(0n))
          .provideScript(scriptOf(cbor))
      ),
    lovelaceAt: async (cbor) =>
      (await provider.getUnspentOutputs(addressOf(cbor))).reduce(
        (sum, utxo) => sum + utxo.output().amount().coin(),
        0n
      ),
    assetsOf: async (unit) =>
      (await provider.getUnspentOutputs(wallet.address)).reduce(
        (sum, utxo) => sum + (utxo.output().amount().multiasset()?.get(unit) ?? 0n),
        0n
      )
  }
}
