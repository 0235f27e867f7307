// Unmodified clients of Blockfrost, Ogmios and Kupo on the endpoints of a local head's base ledger.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { WebSocket } from 'ws'
import { buildPayment } from '../../dist/tx.js'
import { AppWallet } from '../../dist/wallet.js'

const require = createRequire(import.meta.url)

/** Mesh takes the runtime's own WebSocket, which Node has from version 22 on. */
globalThis.WebSocket ??= WebSocket

/** What Mesh builds with, over any of its providers. */
async function meshWallet(node, { fetcher, submitter }) {
  const { MeshTxBuilder, MeshWallet } = require('@meshsdk/core')
  const words = node.phrase.trim().split(' ')
  const wallet = new MeshWallet({ networkId: 0, fetcher, submitter, key: { type: 'mnemonic', words } })
  await wallet.init()
  const address = await wallet.getChangeAddress()
  return {
    address,
    /** Signed, CBOR hex. */
    async build(to, lovelace) {
      const params = await fetcher.fetchProtocolParameters()
      const builder = new MeshTxBuilder({ fetcher, submitter, params })
      builder.txOut(to, [{ unit: 'lovelace', quantity: String(lovelace) }])
      await builder
        .changeAddress(address)
        .selectUtxosFrom(await fetcher.fetchAddressUTxOs(address))
        .complete()
      return wallet.signTx(builder.txHex)
    }
  }
}

async function meshBlockfrost(node) {
  const { BlockfrostProvider } = require('@meshsdk/core')
  const provider = new BlockfrostProvider(node.indexerUrl)
  const { address, build } = await meshWallet(node, { fetcher: provider, submitter: provider })
  return {
    address,
    build,
    parameters: async () => {
      const { minFeeA, minFeeB, coinsPerUtxoSize, maxTxSize, priceMem } = await provider.fetchProtocolParameters()
      return { minFeeA, minFeeB, coinsPerUtxoByte: coinsPerUtxoSize, maxTxSize, priceMem }
    },
    lovelace: async () =>
      sum((await provider.fetchAddressUTxOs(address)).map(({ output }) => output.amount[0].quantity)),
    submit: (cbor) => provider.submitTx(cbor),
    waitFor: (txId) => new Promise((resolve) => provider.onTxConfirmed(txId, resolve)),
    async fetchOutputs(txId) {
      const { outputs, fees } = await provider.fetchTxInfo(txId)
      return { outputs: outputs.map((output) => [output.address, output.amount[0].quantity]), fee: fees }
    }
  }
}

/** Ogmios has no addresses' outputs among Mesh's queries: they come from the indexer. */
async function meshOgmios(node) {
  const { BlockfrostProvider, DEFAULT_PROTOCOL_PARAMETERS, OgmiosProvider } = require('@meshsdk/core')
  const provider = new OgmiosProvider(node.rpcUrl.replace('http', 'ws'))
  const indexer = new BlockfrostProvider(node.indexerUrl)
  const fetcher = {
    fetchAddressUTxOs: (address) => indexer.fetchAddressUTxOs(address),
    fetchCostModels: () => indexer.fetchCostModels(),
    fetchProtocolParameters: () => DEFAULT_PROTOCOL_PARAMETERS
  }
  const { address, build } = await meshWallet(node, { fetcher, submitter: provider })
  return {
    address,
    build,
    async parameters() {
      const given = await provider.fetchProtocolParameters()
      const [memory, unit] = given.scriptExecutionPrices.memory.split('/')
      return {
        minFeeA: given.minFeeCoefficient,
        minFeeB: given.minFeeConstant.ada.lovelace,
        coinsPerUtxoByte: given.minUtxoDepositCoefficient,
        maxTxSize: given.maxTransactionSize.bytes,
        priceMem: memory / unit
      }
    },
    lovelace: async () =>
      sum((await indexer.fetchAddressUTxOs(address)).map(({ output }) => output.amount[0].quantity)),
    async submit(cbor) {
      assert.deepEqual(await provider.evaluateTx(cbor), [])
      return provider.submitTx(cbor)
    },
    waitFor: () => Promise.resolve(),
    async fetchOutputs(txId) {
      const { outputs, fees } = await indexer.fetchTxInfo(txId)
      return { outputs: outputs.map((output) => [output.address, output.amount[0].quantity]), fee: fees }
    }
  }
}

async function lucidOver(node, provider) {
  const { Lucid } = require('@lucid-evolution/lucid')
  const lucid = await Lucid(provider, 'Preprod')
  lucid.selectWallet.fromSeed(node.phrase)
  const address = await lucid.wallet().address()
  return {
    address,
    async build(to, lovelace) {
      const tx = await lucid.newTx().pay.ToAddress(to, { lovelace }).complete()
      return (await tx.sign.withWallet().complete()).toCBOR()
    },
    parameters: async () => {
      const { minFeeA, minFeeB, coinsPerUtxoByte, maxTxSize, priceMem } = await provider.getProtocolParameters()
      return { minFeeA, minFeeB, coinsPerUtxoByte: Number(coinsPerUtxoByte), maxTxSize, priceMem }
    },
    lovelace: async () => sum((await provider.getUtxos(address)).map(({ assets }) => assets.lovelace)),
    submit: (cbor) => provider.submitTx(cbor),
    waitFor: (txId) => provider.awaitTx(txId, 200),
    async fetchOutputs(txId) {
      const outputs = await provider.getUtxosByOutRef([0, 1].map((outputIndex) => ({ txHash: txId, outputIndex })))
      outputs.sort((a, b) => a.outputIndex - b.outputIndex)
      return { outputs: outputs.map((output) => [output.address, String(output.assets.lovelace)]), fee: null }
    }
  }
}

function lucidBlockfrost(node) {
  const { Blockfrost } = require('@lucid-evolution/lucid')
  return lucidOver(node, new Blockfrost(node.indexerUrl, 'local'))
}

function lucidKupmios(node) {
  const { Kupmios } = require('@lucid-evolution/lucid')
  return lucidOver(node, new Kupmios(node.kupoUrl, node.rpcUrl))
}

async function blazeBlockfrost(node) {
  const sdk = require('@blaze-cardano/sdk')
  const { Address, Bip32PrivateKey, mnemonicToEntropy, Transaction, TransactionId, TransactionInput, wordlist } =
    sdk.Core
  const provider = new sdk.Blockfrost({ network: 'cardano-preprod', projectId: 'local' })
  // The one way to a Blockfrost of one's own that the class leaves.
  provider.url = `${node.indexerUrl}/`
  const masterkey = Bip32PrivateKey.fromBip39Entropy(Buffer.from(mnemonicToEntropy(node.phrase.trim(), wordlist)), '')
  const wallet = await sdk.HotWallet.fromMasterkey(masterkey.hex(), provider)
  const blaze = await sdk.Blaze.from(provider, wallet)
  return {
    address: wallet.address.toBech32(),
    async build(to, lovelace) {
      const tx = await blaze.newTransaction().payLovelace(Address.fromBech32(to), lovelace).complete()
      return (await blaze.signTransaction(tx)).toCbor()
    },
    parameters: async () => {
      const { minFeeCoefficient, minFeeConstant, coinsPerUtxoByte, maxTxSize, prices } = await provider.getParameters()
      return {
        minFeeA: minFeeCoefficient,
        minFeeB: minFeeConstant,
        coinsPerUtxoByte: Number(coinsPerUtxoByte),
        maxTxSize,
        priceMem: prices.memory
      }
    },
    lovelace: async () =>
      sum((await provider.getUnspentOutputs(wallet.address)).map((utxo) => utxo.output().amount().coin())),
    submit: async (cbor) => String(await provider.postTransactionToChain(Transaction.fromCbor(cbor))),
    waitFor: (txId) => provider.awaitTransactionConfirmation(TransactionId(txId)),
    async fetchOutputs(txId) {
      const found = await provider.resolveUnspentOutputs(
        [0n, 1n].map((index) => new TransactionInput(TransactionId(txId), index))
      )
      return {
        outputs: found.map((utxo) => [utxo.output().address().toBech32(), String(utxo.output().amount().coin())]),
        fee: null
      }
    }
  }
}

/** What a client of its own asks of Blockfrost, as PyCardano's BlockFrostChainContext does. */
async function rawBlockfrost(node) {
  const get = async (path) => {
    const response = await fetch(node.indexerUrl + path, { headers: { project_id: 'local' } })
    assert.equal(response.status, 200, path)
    return response.json()
  }
  return rawClient(node, {
    async parameters() {
      const given = await get('/epochs/latest/parameters')
      const { system_start: start, slot_length: length } = await get('/genesis')
      const { slot, time } = await get('/blocks/latest')
      assert.equal(start + slot * length, time)
      return {
        minFeeA: given.min_fee_a,
        minFeeB: given.min_fee_b,
        coinsPerUtxoByte: Number(given.coins_per_utxo_size),
        maxTxSize: given.max_tx_size,
        priceMem: given.price_mem
      }
    },
    async utxos(address) {
      const entries = []
      for (let page = 1; ; page++) {
        const found = await get(`/addresses/${address}/utxos?page=${page}`)
        entries.push(...found)
        if (found.length < 100) break
      }
      return entries.map(({ tx_hash: txHash, output_index: index, amount }) => ({
        input: { txHash, index },
        output: { address, amount }
      }))
    },
    async submit(cbor) {
      const request = {
        method: 'POST',
        headers: { 'Content-Type': 'application/cbor', project_id: 'local' },
        body: Buffer.from(cbor, 'hex')
      }
      const response = await fetch(`${node.indexerUrl}/tx/submit`, request)
      const body = await response.json()
      if (!response.ok) throw new Error(body.message)
      return body
    },
    async fetchOutputs(txId) {
      const { outputs } = await get(`/txs/${txId}/utxos`)
      const { fees } = await get(`/txs/${txId}`)
      return { outputs: outputs.map((output) => [output.address, output.amount[0].quantity]), fee: fees }
    }
  })
}

/** What a client of its own asks of Ogmios over a WebSocket and of Kupo, as PyCardano's KupoOgmiosChainContext does. */
async function rawOgmiosAndKupo(node) {
  const call = async (method, params = {}) => {
    const socket = new WebSocket(node.rpcUrl.replace('http', 'ws'))
    const answer = await new Promise((resolve, reject) => {
      socket.onerror = reject
      socket.onmessage = ({ data }) => resolve(JSON.parse(data))
      socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: '2.0', method, params, id: 'raw' }))
    })
    socket.close()
    assert.equal(answer.id, 'raw')
    if (answer.error) throw new Error(`${answer.error.code}: ${answer.error.message}`)
    return answer.result
  }
  const matches = async (pattern) => {
    const response = await fetch(`${node.kupoUrl}/matches/${pattern}?unspent&order=oldest_first`)
    assert.equal(response.status, 200)
    return response.json()
  }
  return rawClient(node, {
    async parameters() {
      const given = await call('queryLedgerState/protocolParameters')
      const { startTime } = await call('queryNetwork/genesisConfiguration', { era: 'shelley' })
      assert.equal(startTime, await call('queryNetwork/startTime'))
      const [memory, unit] = given.scriptExecutionPrices.memory.split('/')
      return {
        minFeeA: given.minFeeCoefficient,
        minFeeB: given.minFeeConstant.ada.lovelace,
        coinsPerUtxoByte: given.minUtxoDepositCoefficient,
        maxTxSize: given.maxTransactionSize.bytes,
        priceMem: memory / unit
      }
    },
    utxos: async (address) =>
      (await matches(address)).map(({ transaction_id: txHash, output_index: index, value }) => {
        assert.deepEqual(value.assets, {})
        return {
          input: { txHash, index },
          output: { address, amount: [{ unit: 'lovelace', quantity: String(value.coins) }] }
        }
      }),
    async submit(cbor) {
      assert.deepEqual(await call('evaluateTransaction', { transaction: { cbor } }), [])
      return (await call('submitTransaction', { transaction: { cbor } })).transaction.id
    },
    async fetchOutputs(txId) {
      const found = await matches(`*@${txId}`)
      return { outputs: found.map(({ address, value }) => [address, String(value.coins)]), fee: null }
    }
  })
}

/** The package's own builder and wallet over plain requests. */
async function rawClient(node, { parameters, utxos, submit, fetchOutputs }) {
  const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: node.phrase.trim().split(' ') } })
  const address = wallet.getAccount(0).baseAddressBech32
  return {
    address,
    parameters,
    submit,
    fetchOutputs,
    waitFor: () => Promise.resolve(),
    lovelace: async () => sum((await utxos(address)).map(({ output }) => output.amount[0].quantity)),
    async build(to, amount) {
      const { minFeeA, minFeeB, coinsPerUtxoByte } = await parameters()
      const payment = buildPayment({
        utxos: await utxos(address),
        to,
        amount,
        changeAddress: address,
        parameters: { minFeeA, minFeeB, coinsPerUtxoByte: BigInt(coinsPerUtxoByte) }
      })
      return wallet.signTx(payment.cborHex)
    }
  }
}

const sum = (quantities) => quantities.reduce((total, quantity) => total + BigInt(quantity), 0n)

/** By name: how each connects to a node. */
export const CLIENTS = [
  ['@meshsdk/core 1.9.1, BlockfrostProvider', meshBlockfrost],
  ['@lucid-evolution/lucid 0.4.30, Blockfrost', lucidBlockfrost],
  ['@blaze-cardano/sdk 0.2.48, Blockfrost', blazeBlockfrost],
  ['@meshsdk/core 1.9.1, OgmiosProvider', meshOgmios],
  ['@lucid-evolution/lucid 0.4.30, Kupmios', lucidKupmios],
  ['raw Blockfrost', rawBlockfrost],
  ['raw Ogmios and Kupo', rawOgmiosAndKupo]
]
