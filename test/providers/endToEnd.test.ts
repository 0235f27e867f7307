// Query, build, sign and submit with both wallets through both providers, against servers that check the witness as a
// node would.
import { createPublicKey, verify } from 'node:crypto'
import { FallbackProvider, IndexerProvider, RpcProvider } from 'layer-sdk/providers'
import type { Provider, UTxO } from 'layer-sdk/providers'
import { TxBuilder } from 'layer-sdk/tx'
import { chainCliKeygen } from 'layer-sdk/utils'
import { AppWallet, ChainCliWallet } from 'layer-sdk/wallet'
import { hexToBytes } from '../../src/codec/hex.js'
import { readTransaction, toTransactionBytes, transactionHash, transactionId } from '../../src/codec/transaction.js'
import { decodeTransactionBody } from '../../src/codec/transactionBody.js'
import { readVkeyWitnesses } from '../../src/codec/witnessSet.js'
import { entry, IndexerServer, KEY } from './support/indexerServer.js'
import { RpcServer } from './support/rpcServer.js'

const RECEIVER = 'addr_test1vr8nl4u0u6fmtfnawx2rxfz95dy7m46t6dhzdftp2uha87syeufdg'
const ASSET = `${'b0'.repeat(28)}6e7574`
const TX_IDS = ['a', 'b', 'c'].map((digit) => digit.repeat(64))
const NODE_TOKEN = 9_007_199_254_740_993n

let indexer: IndexerServer
let rpc: RpcServer
let submitted: Buffer[]
beforeEach(async () => {
  indexer = await new IndexerServer().listen()
  rpc = await new RpcServer().listen()
  submitted = []
})
afterEach(async () => {
  await Promise.all([indexer.close(), rpc.close()])
  expect([...indexer.failures, ...rpc.failures]).toEqual([])
})

/** Puts the same three outputs on both servers. */
function fund(address: string): void {
  const tokens = { unit: ASSET, quantity: String(NODE_TOKEN) }
  indexer.utxos.set(
    address,
    TX_IDS.map((tx_hash, i) =>
      entry(address, i, { tx_hash, amount: [{ unit: 'lovelace', quantity: '3000000' }, ...(i === 0 ? [tokens] : [])] })
    )
  )
  rpc.utxos = TX_IDS.map((id, i) => ({
    transaction: { id },
    index: i % 3,
    address,
    value: { ada: { lovelace: 3_000_000 }, ...(i === 0 ? { ['b0'.repeat(28)]: { '6e7574': NODE_TOKEN } } : {}) }
  }))
}

const PROVIDERS: [string, () => Provider][] = [
  ['the Indexer', () => new IndexerProvider({ apiKey: KEY, network: 'preprod', baseUrl: indexer.baseUrl })],
  ['the Rpc over HTTP', () => new RpcProvider({ apiEndpoint: rpc.origin, network: 'preprod' })],
  ['the Rpc over a WebSocket', () => new RpcProvider({ apiEndpoint: rpc.wsOrigin, network: 'preprod' })],
  ['a fallback of all', () => new FallbackProvider(PROVIDERS.slice(0, 3).map(([, make]) => make()))]
]

interface Payer {
  address: string
  query: () => Promise<UTxO[]>
  sign: (cborHex: string) => Promise<string>
  submit: (cborHex: string) => Promise<string>
}

const WALLETS: [string, (provider: Provider) => Payer][] = [
  [
    'AppWallet',
    ({ fetcher, submitter }) => {
      const wallet = new AppWallet({
        networkId: 0,
        key: { type: 'mnemonic', words: AppWallet.brew(128).split(' ') },
        fetcher,
        submitter
      })
      const address = wallet.getPaymentAddress()
      return {
        address,
        query: () => wallet.queryUTxOs(address),
        sign: (cborHex) => wallet.signTx(cborHex),
        submit: (cborHex) => wallet.submitTx(cborHex)
      }
    }
  ],
  [
    'ChainCliWallet',
    ({ fetcher, submitter }) => {
      const { sk, vk } = chainCliKeygen()
      const wallet = new ChainCliWallet({ networkId: 0, skey: sk.cborHex, vkey: vk.cborHex, fetcher, submitter })
      const address = wallet.getAddressBech32()
      return {
        address,
        query: () => wallet.queryUTxOs(address),
        sign: (cborHex) => wallet.signTx(cborHex),
        submit: (cborHex) => wallet.submitTx(cborHex)
      }
    }
  ]
]

/** What a node checks first: known inputs, and a signature over the body's hash. */
function judge(signed: Uint8Array): void {
  const spans = readTransaction(signed)
  for (const { txHash } of decodeTransactionBody(spans).inputs) expect(TX_IDS).toContain(txHash)
  const witnesses = readVkeyWitnesses(spans)
  expect(witnesses).toHaveLength(1)
  for (const { vkey, signature } of witnesses) {
    const [rawKey, rawSignature] = [vkey, signature].map((each: unknown) =>
      typeof each === 'string' ? hexToBytes(each) : (each as Uint8Array)
    ) as [Uint8Array, Uint8Array]
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(rawKey).toString('base64url') },
      format: 'jwk'
    })
    expect(verify(null, transactionHash(spans), key, rawSignature)).toBe(true)
  }
}

describe.each(WALLETS)('%s pays', (_, makeWallet) => {
  it.each(PROVIDERS)('through %s', async (_name, makeProvider) => {
    const provider = makeProvider()
    const { address, query, sign, submit } = makeWallet(provider)
    fund(address)
    for (const server of [indexer, rpc]) server.refuse = (txId) => (submitted.push(Buffer.from(txId, 'hex')), null)

    const utxos = await query()
    expect(utxos).toHaveLength(3)
    const parameters = await provider.fetcher.fetchProtocolParameters()
    const tip = await provider.fetcher.fetchTip()
    const built = new TxBuilder(parameters)
      .addInputs(utxos)
      .pay(RECEIVER, 4_000_000n)
      .changeTo(address)
      .validUntil(tip.slot + 7200)
      .build()
    const signed = await sign(built.cborHex)
    judge(toTransactionBytes(signed))

    expect(await submit(signed)).toBe(built.txId)
    expect(submitted.map((id) => id.toString('hex'))).toEqual([built.txId])
    expect(transactionId(readTransaction(toTransactionBytes(signed)))).toBe(built.txId)
    // The tokens beyond 2^53 came through unharmed.
    const held = built.inputs.some(({ output }) => output.amount.some(({ unit }) => unit === ASSET))
    const change = built.outputs.at(-1)!.amount.find(({ unit }) => unit === ASSET)
    expect(change?.quantity).toBe(held ? String(NODE_TOKEN) : undefined)
    // Submitting it again, as after a crash, is refused by the node, for its inputs are spent by itself: no error.
    indexer.refuse = () => 'BadInputsUTxO'
    rpc.refuse = () => ({ code: 3117, message: 'Unknown.', data: { unknownOutputReferences: [] } })
    expect(await submit(signed)).toBe(built.txId)
  })
})
