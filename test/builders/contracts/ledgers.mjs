// How the programs of the seven contracts reach a ledger, in a head and on the base ledger of one local head: by the
// provider alone. Alice's wallet is the first account of the node's phrase, bob's that of another phrase.
import { createRequire } from 'node:module'
import { createBlazeProvider } from '../../../dist/blaze.js'
import { createLucidProvider } from '../../../dist/lucid.js'
import { createMeshProvider } from '../../../dist/mesh.js'
import { RpcProvider } from '../../../dist/providers.js'
import { TxBuilder } from '../../../dist/tx.js'
import { AppWallet } from '../../../dist/wallet.js'
import { onChain, slotsOf } from '../base.mjs'
import { WORDS } from '../head.mjs'
import { blazeContracts } from './blaze.mjs'
import { lucidContracts } from './lucid.mjs'
import { meshContracts } from './mesh.mjs'
import { txBuilderContracts } from './txBuilder.mjs'

const require = createRequire(import.meta.url)
const wordsOf = ({ phrase }) => phrase.trim().split(' ')
const slotAtOf = (slots) => (timeMs) => Math.floor((timeMs - slots.zeroTime) / slots.slotLength) + (slots.zeroSlot ?? 0)
/** Waits until the ledger holds a transaction. */
const waitFor = ({ node, head }) => (head === null ? (txId) => onChain(node, txId) : (txId) => head.waitForTx(txId))

async function txBuilderLedger({ node, head, evaluator, signers: { alice, bob } }) {
  const wallets = [wordsOf(node), WORDS].map(
    (words) => new AppWallet({ networkId: 0, key: { type: 'mnemonic', words } })
  )
  const { fetcher, submitter } = new RpcProvider({ apiEndpoint: node.rpcUrl, network: 'preprod' })
  const slots = { zeroSlot: 0, ...(head?.context.ledger.slotConfig ?? (await slotsOf(node))) }
  const parameters = await fetcher.fetchProtocolParameters()
  const utxosAt = (address) =>
    head === null ? fetcher.fetchAddressUTxOs(address) : Promise.resolve(head.getUtxos({ address }))
  const options = { evaluator, slots }
  const arrived = waitFor({ node, head })
  return {
    slotAt: slotAtOf(slots),
    newTx: async () =>
      head === null
        ? new TxBuilder(parameters, options).addInputs(await utxosAt(alice.address)).changeTo(alice.address)
        : head.newTx(),
    find: async ({ txHash, index }, address) =>
      (await utxosAt(address)).find(({ input }) => input.txHash === txHash && input.index === index),
    async send(tx, signers = []) {
      const signed = await wallets[0].signTx(tx.cborHex, true)
      const cborHex = signers.includes(bob.keyHash) ? await wallets[1].signTx(signed, true) : signed
      if (head === null) await submitter.submitTx(cborHex)
      else await head.submit(cborHex)
      await arrived(tx.txId)
      return tx.txId
    }
  }
}

async function meshLedger({ node, head, signers: { bob } }) {
  const { BlockfrostProvider, MeshTxBuilder, MeshWallet } = require('@meshsdk/core')
  const provider = head === null ? new BlockfrostProvider(node.indexerUrl) : createMeshProvider(head)
  const [wallet, bobs] = [wordsOf(node), WORDS].map(
    (words) =>
      new MeshWallet({ networkId: 0, fetcher: provider, submitter: provider, key: { type: 'mnemonic', words } })
  )
  await Promise.all([wallet.init(), bobs.init()])
  const changeAddress = await wallet.getChangeAddress()
  const arrived = waitFor({ node, head })
  return {
    slotAt: slotAtOf(head === null ? await slotsOf(node) : provider.getSlotConfig()),
    async newTx() {
      const params = await provider.fetchProtocolParameters()
      const options = { fetcher: provider, submitter: provider, evaluator: provider, params, isHydra: head !== null }
      const tx = new MeshTxBuilder(options)
      tx.protocolParams(params)
      tx.setNetwork(await provider.fetchCostModels())
      const [{ input, output }] = await wallet.getCollateral()
      // Mesh would spend it: the next transaction might then find no output of pure ada.
      const utxos = (await provider.fetchAddressUTxOs(changeAddress)).filter(
        (utxo) => utxo.input.txHash !== input.txHash || utxo.input.outputIndex !== input.outputIndex
      )
      return { tx, utxos, collateral: { ...input, ...output }, changeAddress }
    },
    find: async ({ txHash, index }) => (await provider.fetchUTxOs(txHash, index))[0],
    async send(tx, signers = []) {
      const signed = await wallet.signTx(tx.txHex, true)
      const txId = await provider.submitTx(signers.includes(bob.keyHash) ? await bobs.signTx(signed, true) : signed)
      await arrived(txId)
      return txId
    }
  }
}

async function lucidLedger({ node, head, signers: { bob } }, specifier) {
  const lucidModule = require(specifier)
  const { Blockfrost, Lucid, SLOT_CONFIG_NETWORK, walletFromSeed } = lucidModule
  const provider = head === null ? new Blockfrost(node.indexerUrl, 'none') : createLucidProvider(head)
  if (head !== null) SLOT_CONFIG_NETWORK.Custom = provider.getSlotConfig()
  const lucid = await Lucid(provider, head === null ? 'Preprod' : 'Custom')
  lucid.selectWallet.fromSeed(wordsOf(node).join(' '))
  const bobsKey = walletFromSeed(WORDS.join(' '), { network: 'Preprod' }).paymentKey
  const arrived = waitFor({ node, head })
  return {
    lucidModule,
    newTx: () => lucid.newTx(),
    find: async ({ txHash, index }) => (await lucid.utxosByOutRef([{ txHash, outputIndex: index }]))[0],
    async send(tx, signers = []) {
      // The provider evaluates: Lucid's own evaluator takes seconds a transaction, and that of 0.4.30 refuses data with
      // maps that the ledger accepts.
      const { sign } = await tx.validTo(Date.now() + 300_000).complete({ localUPLCEval: false })
      const signed = signers.includes(bob.keyHash) ? sign.withWallet().sign.withPrivateKey(bobsKey) : sign.withWallet()
      const txId = await (await signed.complete()).submit()
      await arrived(txId)
      return txId
    }
  }
}

async function blazeLedger({ node, head, signers: { bob } }) {
  const sdk = require('@blaze-cardano/sdk')
  const { Bip32PrivateKey, mnemonicToEntropy, TransactionId, TransactionInput, wordlist } = sdk.Core
  const provider =
    head === null
      ? new sdk.Blockfrost({ network: 'cardano-preprod', projectId: 'local' })
      : createBlazeProvider(head, sdk)
  // The one way to a Blockfrost of one's own that the class leaves.
  if (head === null) provider.url = `${node.indexerUrl}/`
  const of = async (words) => {
    const entropy = Buffer.from(mnemonicToEntropy(words.join(' '), wordlist))
    const wallet = await sdk.HotWallet.fromMasterkey(Bip32PrivateKey.fromBip39Entropy(entropy, '').hex(), provider)
    return sdk.Blaze.from(provider, wallet)
  }
  const [blaze, bobs] = await Promise.all([wordsOf(node), WORDS].map(of))
  const arrived = waitFor({ node, head })
  return {
    slotAt: slotAtOf(head === null ? await slotsOf(node) : provider.getSlotConfig()),
    newTx: () => blaze.newTransaction(),
    find: async ({ txHash, index }) =>
      (await provider.resolveUnspentOutputs([new TransactionInput(TransactionId(txHash), BigInt(index))]))[0],
    async send(tx, signers = []) {
      const signed = await blaze.signTransaction(await tx.complete())
      const txId = await blaze.submitTransaction(
        signers.includes(bob.keyHash) ? await bobs.signTransaction(signed) : signed
      )
      await arrived(txId)
      return txId
    }
  }
}

/** The builders: the program of each, and how it reaches a ledger. */
export const BUILDERS = [
  { name: 'TxBuilder', ledger: txBuilderLedger, program: txBuilderContracts },
  { name: '@meshsdk/core 1.9.1', ledger: meshLedger, program: meshContracts },
  ...[
    ['@lucid-evolution/lucid 0.4.30', '@lucid-evolution/lucid'],
    ['@lucid-evolution/lucid 0.4.34', 'lucid-newest']
  ].map(([name, specifier]) => ({
    name,
    ledger: (on) => lucidLedger(on, specifier),
    program: lucidContracts
  })),
  { name: '@blaze-cardano/sdk 0.2.48', ledger: blazeLedger, program: blazeContracts }
]
