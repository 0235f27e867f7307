import { BridgeOptionsError } from '../../src/errors/bridge'
import { isLayerError } from '../../src/errors/index'
import { GatewayConnector, LayerBridge, WebsocketConnector } from '../../src/bridge/index'
import { DevNode } from '../../src/devnode/index'
import { FallbackProvider, IndexerProvider, RpcProvider } from '../../src/providers/index'
import { buildPayment, buildSweep, TxBuilder } from '../../src/tx/index'
import {
  AppWallet,
  ChainCliWallet,
  EmbeddedWallet,
  mergeWitnesses,
  requiredSigners,
  txIdOf,
  walletFromCip30,
  witnessesOf
} from '../../src/wallet/index'

const SECRETS = [
  '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  '0x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  'test walk nut penalty hip pave soap entry language right filter choice',
  '/home/alice/secrets/payment.skey',
  'ed25519e_sk1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0jqgfzyv',
  'xprv1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0jqgfzyv3rx',
  'mainnetSecretKey0123456789abcdefghijkl'
]
const words = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')
const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words } })
const address = wallet.getPaymentAddress()
const tx = '84a3008182582000000000000000000000000000000000000000000000000000000000000000000001800200a0f5f6'
const utxo = {
  input: { txHash: '00'.repeat(32), index: 0 },
  output: { address, amount: [{ unit: 'lovelace', quantity: '5000000' }] }
}
const fetch = async (): Promise<Response> => new Response('{}', { status: 404 })
const indexer = new IndexerProvider({ apiKey: 'preprodAbc', network: 'preprod', fetch, retry: { attempts: 1 } })
const rpc = new RpcProvider({ apiEndpoint: 'http://localhost:1', network: 'preprod', fetch, retry: { attempts: 1 } })

/** Every public entry that takes a text; `x` goes into each of its places in turn. */
const CALLS: Record<string, (x: any) => unknown> = {
  'AppWallet networkId': (x) => new AppWallet({ networkId: x, key: { type: 'mnemonic', words } }),
  'AppWallet key': (x) => new AppWallet({ networkId: 0, key: x }),
  'AppWallet key.type': (x) => new AppWallet({ networkId: 0, key: { type: x } as never }),
  'AppWallet key.words': (x) => new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: x } }),
  'AppWallet one word': (x) =>
    new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: [...words.slice(1), x] } }),
  'AppWallet option name': (x) => new AppWallet({ networkId: 0, key: { type: 'mnemonic', words }, [x]: x } as never),
  'AppWallet key name': (x) => new AppWallet({ networkId: 0, key: { type: 'mnemonic', words, [x]: x } as never }),
  'AppWallet root': (x) => new AppWallet({ networkId: 0, key: { type: 'root', bech32: x } }),
  'AppWallet rootHex': (x) => new AppWallet({ networkId: 0, key: { type: 'rootHex', hex: x } }),
  'AppWallet accountXpub': (x) => new AppWallet({ networkId: 0, key: { type: 'accountXpub', xpub: x } }),
  'AppWallet accountIndex': (x) =>
    new AppWallet({ networkId: 0, key: { type: 'accountXpub', xpub: 'xpub1', accountIndex: x } }),
  'AppWallet addresses': (x) => new AppWallet({ networkId: 0, key: { type: 'addresses', addresses: [x] } }),
  'AppWallet stakeKeyIndex': (x) => new AppWallet({ networkId: 0, key: { type: 'mnemonic', words }, stakeKeyIndex: x }),
  'AppWallet.brew': (x) => AppWallet.brew(x),
  getAccount: (x) => wallet.getAccount(x),
  getPaymentAddress: (x) => wallet.getPaymentAddress(0, x),
  signTx: (x) => wallet.signTx(x),
  'signTx partialSign': (x) => wallet.signTx(tx, x),
  signTxs: (x) => wallet.signTxs([x]),
  'signData address': (x) => wallet.signData(x, 'ff'),
  'signData of another wallet': () =>
    wallet.signData(
      new AppWallet({ networkId: 0, key: { type: 'mnemonic', words }, stakeKeyIndex: 1 }).getRewardAddress(),
      'ff'
    ),
  submitTx: (x) => wallet.submitTx(x),
  toCip30: (x) => wallet.toCip30({ accountIndex: x }),
  'toCip30 approve': (x) => wallet.toCip30({ approve: x }),
  'EmbeddedWallet.mnemonicToPrivateKeyHex': (x) => EmbeddedWallet.mnemonicToPrivateKeyHex(x),
  'EmbeddedWallet.privateKeyHexToBech32': (x) => EmbeddedWallet.privateKeyHexToBech32(x),
  'EmbeddedWallet.privateKeyBech32ToPrivateKeyHex': (x) => EmbeddedWallet.privateKeyBech32ToPrivateKeyHex(x),
  'ChainCliWallet skey': (x) => new ChainCliWallet({ networkId: 0, skey: x }),
  'ChainCliWallet skey type': (x) =>
    new ChainCliWallet({ networkId: 0, skey: { type: x, description: x, cborHex: x } }),
  'ChainCliWallet vkey': (x) => new ChainCliWallet({ networkId: 0, skey: `5820${'07'.repeat(32)}`, vkey: x }),
  txIdOf,
  witnessesOf,
  requiredSigners,
  mergeWitnesses: (x) => mergeWitnesses(tx, x),
  walletFromCip30: (x) => walletFromCip30(x),
  'walletFromCip30 answer': (x) => walletFromCip30({ getNetworkId: async () => x } as never).getNetworkId(),
  'IndexerProvider apiKey': (x) => new IndexerProvider({ apiKey: x, network: 'preprod' }),
  'IndexerProvider network': (x) => new IndexerProvider({ apiKey: 'preprodAbc', network: x }),
  'IndexerProvider baseUrl': (x) => new IndexerProvider({ apiKey: 'preprodAbc', network: 'preprod', baseUrl: x }),
  'IndexerProvider option name': (x) =>
    new IndexerProvider({ apiKey: 'preprodAbc', network: 'preprod', [x]: x } as never),
  'IndexerProvider timeout': (x) => new IndexerProvider({ apiKey: 'preprodAbc', network: 'preprod', timeout: x }),
  'RpcProvider apiEndpoint': (x) => new RpcProvider({ apiEndpoint: x, network: 'preprod' }),
  'RpcProvider headers': (x) => new RpcProvider({ apiEndpoint: 'http://localhost', network: 'preprod', headers: x }),
  FallbackProvider: (x) => new FallbackProvider(x),
  'fetchAddressUTxOs of the Indexer': (x) => indexer.fetcher.fetchAddressUTxOs(x),
  'fetchAddressUTxOs of the Rpc': (x) => rpc.fetcher.fetchAddressUTxOs(x),
  'fetchAddressUTxOs asset': (x) =>
    indexer.fetcher.fetchAddressUTxOs('addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw', x),
  fetchUTxOs: (x) => indexer.fetcher.fetchUTxOs([{ txHash: `${x} `, index: 0 }]),
  'submitTx of the Indexer': (x) => indexer.submitter.submitTx(x),
  'submitTx of the Rpc': (x) => rpc.submitter.submitTx(x),
  'buildPayment to': (x) => buildPayment({ utxos: [utxo], to: x, amount: 1_000_000n, changeAddress: address }),
  'buildPayment amount': (x) => buildPayment({ utxos: [utxo], to: address, amount: x, changeAddress: address }),
  'buildPayment unit': (x) =>
    buildPayment({ utxos: [utxo], to: address, amount: [{ unit: `${x} `, quantity: '1' }], changeAddress: address }),
  'buildPayment quantity': (x) =>
    buildPayment({ utxos: [utxo], to: address, amount: [{ unit: 'lovelace', quantity: x }], changeAddress: address }),
  'buildPayment utxos': (x) => buildPayment({ utxos: x, to: address, amount: 1n, changeAddress: address }),
  'buildPayment parameters': (x) =>
    buildPayment({ utxos: [utxo], to: address, amount: 1n, changeAddress: address, parameters: { minFeeA: x } }),
  'buildPayment option name': (x) =>
    buildPayment({ utxos: [utxo], to: address, amount: 1n, changeAddress: address, [x]: x } as never),
  'buildSweep to': (x) => buildSweep({ utxos: [utxo], to: x }),
  'TxBuilder mint': (x) => new TxBuilder().mint(`${x} `, 1n),
  'LayerBridge url': (x) => new LayerBridge({ url: { x } as never }),
  'LayerBridge option': (x) => new LayerBridge({ url: 'ws://127.0.0.1:1', connectTimeout: x }),
  'LayerBridge option name': (x) => new LayerBridge({ url: 'ws://127.0.0.1:1', [x]: x } as never),
  WebsocketConnector: (x) => new WebsocketConnector({ websocketUrl: 'ws://127.0.0.1:1', history: x }),
  GatewayConnector: (x) => new GatewayConnector(x),
  'DevNode option name': (x) => new DevNode({ [x]: x } as never),
  'DevNode profile': (x) => new DevNode({ profile: x })
}

/** Message, fields and causes of an error: what logs and error trackers show. */
function shown(error: unknown): string {
  const parts: string[] = []
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    parts.push(each.message, JSON.stringify({ ...each }))
  return parts.join('\n')
}

describe('an error', () => {
  it.each(Object.entries(CALLS))('of %s repeats no secret that was given in the wrong place', async (_, call) => {
    for (const secret of SECRETS) {
      const error: unknown = await (async () => call(secret))().then(
        () => undefined,
        (each: unknown) => each
      )
      if (error === undefined) continue
      expect(isLayerError(error)).toBe(true)
      for (const from of [0, 3, secret.length - 25]) expect(shown(error)).not.toContain(secret.slice(from, from + 25))
    }
  })

  it('of most of these calls comes at all: the list is no list of calls that take anything', async () => {
    let refused = 0
    for (const call of Object.values(CALLS))
      refused += await (async () => call(SECRETS[1]))().then(
        () => 0,
        () => 1
      )
    expect(refused).toBeGreaterThan(Object.keys(CALLS).length * 0.9)
    expect(new BridgeOptionsError('url', 'a URL', SECRETS[0]).message).toContain('64 hexadecimal digits')
  })
})
