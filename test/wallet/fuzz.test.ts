import fc from 'fast-check'
import { isLayerError } from '../../src/errors/base'
import { NobleBip32Ed25519 } from '../../src/cardano-sdk/NobleBip32Ed25519'
import * as room from '../../src/wallet/index'
import { scaled } from '../support/scale'
import { expectNoHang } from '../support/timing'
import { loadVectors } from '../support/vectors'

const words = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')
const { AppWallet, ChainCliWallet, EmbeddedWallet } = room
const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words } })
const cli = new ChainCliWallet({ networkId: 0, skey: `5820${'07'.repeat(32)}` })
const account = wallet.getAccount()
const rootHex = EmbeddedWallet.mnemonicToPrivateKeyHex(words)
const transactions = loadVectors('tx_conway')
  .map(({ cborHex }) => cborHex as string)
  .filter(({ length }) => length < 2_000)

const hex = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const mutated = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.string({ maxLength: 3 }), fc.nat(3))
    .map(([text, at, insert, drop]) => {
      const index = at % (text.length + 1)
      return text.slice(0, index) + insert + text.slice(index + drop)
    })
const mutatedHex = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...texts), fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
    const index = 2 * (at % (text.length / 2))
    return text.slice(0, index) + byte.toString(16).padStart(2, '0') + text.slice(index + 2)
  })
const odd = fc.oneof(
  fc.anything({ withBigInt: true, withTypedArray: true, withMap: true, withNullPrototype: true }),
  fc.constantFrom(
    '',
    '0x',
    '00',
    'ff',
    'addr1',
    'xprv1',
    '__proto__',
    'ẞ',
    '\ud800',
    -0,
    NaN,
    Infinity,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32,
    1n,
    Symbol('x'),
    () => 1,
    new Date(NaN)
  ),
  hex
)
const numbers = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, 1, 2 ** 31 - 1, 2 ** 31), odd)
const tx = fc.oneof(mutatedHex(transactions), mutated(transactions), odd)
const phrase = fc.oneof(
  fc.array(fc.constantFrom(...words, 'zoo', 'abandon', 'x'), { maxLength: 26 }),
  fc.shuffledSubarray(words),
  odd
)
const addresses = [account.baseAddressBech32, account.enterpriseAddressBech32, account.rewardAddressBech32]
const address = fc.oneof(fc.constantFrom(...addresses), mutated(addresses), odd)
const xprv = fc.oneof(mutated([rootHex, EmbeddedWallet.privateKeyHexToBech32(rootHex)]), mutatedHex([rootHex]), odd)
const keys = fc.oneof(
  fc.record({ type: fc.constant('mnemonic'), words: phrase, password: odd }),
  fc.record({
    type: fc.constantFrom('root', 'rootHex', 'accountXpub', 'addresses', 'x'),
    bech32: xprv,
    hex: xprv,
    xpub: xprv,
    accountIndex: numbers,
    addresses: fc.oneof(fc.array(address), odd)
  }),
  odd
)

/** Every public function, with what is thrown at it. */
const calls: Record<string, [arbitraries: fc.Arbitrary<unknown>[], call: (...args: any[]) => unknown]> = {
  'AppWallet.brew': [[numbers], (strength) => AppWallet.brew(strength)],
  'new AppWallet': [
    [
      fc.oneof(
        fc.record({
          networkId: fc.oneof(fc.constantFrom(0, 1), numbers),
          key: keys,
          stakeKeyIndex: fc.oneof(fc.constant(undefined), numbers)
        }),
        odd
      )
    ],
    (options) => new AppWallet(options).getPaymentAddress()
  ],
  'AppWallet.create': [
    [fc.record({ networkId: fc.constantFrom(0, 1, 2), key: keys })],
    (options) => AppWallet.create(options)
  ],
  'EmbeddedWallet.mnemonicToPrivateKeyHex': [[phrase, odd], (a, b) => EmbeddedWallet.mnemonicToPrivateKeyHex(a, b)],
  'EmbeddedWallet.privateKeyHexToBech32': [[xprv], (a) => EmbeddedWallet.privateKeyHexToBech32(a)],
  'EmbeddedWallet.privateKeyBech32ToPrivateKeyHex': [[xprv], (a) => EmbeddedWallet.privateKeyBech32ToPrivateKeyHex(a)],
  getAccount: [[numbers, numbers], (a, b) => wallet.getAccount(a, b)],
  getPaymentAddress: [[numbers, numbers], (a, b) => wallet.getPaymentAddress(a, b)],
  getEnterpriseAddress: [[numbers, numbers], (a, b) => wallet.getEnterpriseAddress(a, b)],
  getRewardAddress: [[numbers, numbers], (a, b) => wallet.getRewardAddress(a, b)],
  'key.sign': [[odd], (a) => account.paymentKey.sign(a)],
  signTx: [
    [tx, fc.oneof(fc.boolean(), odd), fc.constantFrom(0, 1, -1), fc.constantFrom(0, 1, 0.5)],
    (...args) => wallet.signTx(...(args as [string]))
  ],
  signTxs: [[fc.oneof(fc.array(tx, { maxLength: 3 }), odd), fc.boolean()], (a, b) => wallet.signTxs(a, b)],
  signData: [
    [address, odd, fc.constantFrom(0, 1), fc.constantFrom(0, 1)],
    (...args) => wallet.signData(...(args as [string, string]))
  ],
  submitTx: [[odd], (a) => wallet.submitTx(a)],
  queryUTxOs: [[odd], (a) => wallet.queryUTxOs(a)],
  'new ChainCliWallet': [
    [
      fc.oneof(
        fc.record({
          networkId: fc.constantFrom(0, 1, 3),
          skey: fc.oneof(
            hex,
            mutated([`5820${'07'.repeat(32)}`, `{"type":"","description":"","cborHex":"5820${'07'.repeat(32)}"}`]),
            fc.record({ type: odd, description: odd, cborHex: odd }),
            odd
          ),
          vkey: fc.oneof(fc.constant(undefined), hex, odd)
        }),
        odd
      )
    ],
    (options) => new ChainCliWallet(options)
  ],
  'ChainCliWallet.signTx': [[tx, fc.oneof(fc.boolean(), odd)], (a, b) => cli.signTx(a, b)],
  'ChainCliWallet.signTxs': [[odd], (a) => cli.signTxs(a)],
  'ChainCliWallet.signData': [[address, odd], (a, b) => cli.signData(a, b)],
  txIdOf: [[tx], (a) => room.txIdOf(a)],
  requiredSigners: [[tx], (a) => room.requiredSigners(a)],
  witnessesOf: [[tx], (a) => room.witnessesOf(a)],
  mergeWitnesses: [[tx, tx], (a, b) => room.mergeWitnesses(a, b)],
  verifyData: [
    [fc.oneof(fc.record({ signature: fc.oneof(hex, odd), key: fc.oneof(hex, odd), address, payload: odd }), odd)],
    (a) => room.verifyData(a)
  ],
  'walletFromCip30.signTx': [
    [fc.oneof(mutatedHex([`a10081825820${account.paymentKey.publicKeyHex}5840${'00'.repeat(64)}`]), tx)],
    (answer) => room.walletFromCip30({ ...wallet.toCip30(), signTx: async () => answer }).signTx(transactions[0]!, true)
  ],
  'walletFromCip30.queryUTxOs': [
    [fc.oneof(fc.array(hex), odd)],
    (answer) => room.walletFromCip30({ ...wallet.toCip30(), getUtxos: async () => answer }).queryUTxOs()
  ],
  'walletFromCip30.getPaymentAddress': [
    [odd],
    (answer) => room.walletFromCip30({ ...wallet.toCip30(), getChangeAddress: async () => answer }).getPaymentAddress()
  ],
  'walletFromCip30.getRewardAddress': [
    [fc.oneof(fc.array(odd), odd)],
    (answer) => room.walletFromCip30({ ...wallet.toCip30(), getRewardAddresses: async () => answer }).getRewardAddress()
  ],
  'walletFromCip30.signTxs': [
    [fc.oneof(fc.array(tx, { maxLength: 3 }), odd), fc.oneof(fc.boolean(), odd)],
    (a, b) => room.walletFromCip30(wallet.toCip30()).signTxs(a, b)
  ],
  'walletFromCip30.signData': [
    [address, odd, fc.oneof(fc.record({ signature: fc.oneof(hex, odd), key: fc.oneof(hex, odd) }), odd)],
    (a, b, answer) => room.walletFromCip30({ ...wallet.toCip30(), signData: async () => answer }).signData(a, b)
  ],
  'walletFromCip30.submitTx': [
    [odd, odd],
    (a, answer) => room.walletFromCip30({ ...wallet.toCip30(), submitTx: async () => answer }).submitTx(a)
  ],
  'walletFromCip30 of anything': [
    [odd, odd],
    async (api, options) => room.walletFromCip30(api, options).getNetworkId()
  ],
  'toCip30 of anything': [
    [fc.oneof(fc.record({ accountIndex: numbers, keyIndex: numbers, approve: odd }), odd)],
    async (options) => wallet.toCip30(options).signTx(transactions[0]!)
  ],
  'toCip30.getCollateral': [
    [fc.oneof(fc.record({ amount: fc.oneof(hex, odd) }), odd)],
    (a) => wallet.toCip30().getCollateral(a)
  ],
  'toCip30.getUsedAddresses': [
    [fc.oneof(fc.record({ page: numbers, limit: numbers }), odd)],
    (a) => wallet.toCip30().getUsedAddresses(a)
  ],
  'toCip30.signTx': [[tx, fc.oneof(fc.boolean(), odd)], (a, b) => wallet.toCip30().signTx(a, b)],
  'toCip30.signData': [[address, odd], (a, b) => wallet.toCip30().signData(a, b)],
  'toCip30.submitTx': [[tx], (a) => wallet.toCip30().submitTx(a)],
  'toCip30.getUtxos': [[odd, fc.record({ page: numbers, limit: numbers })], (a, b) => wallet.toCip30().getUtxos(a, b)],
  'NobleBip32Ed25519.derivePrivateKey': [
    [xprv, fc.oneof(fc.array(numbers, { maxLength: 3 }), odd)],
    (a, b) => new NobleBip32Ed25519().derivePrivateKey(a, b)
  ],
  'NobleBip32Ed25519.derivePublicKey': [
    [hex, fc.oneof(fc.array(numbers, { maxLength: 3 }), odd)],
    (a, b) => new NobleBip32Ed25519().derivePublicKey(a, b)
  ],
  'NobleBip32Ed25519.sign': [[hex, odd], (a, b) => new NobleBip32Ed25519().sign(a, b)],
  'NobleBip32Ed25519.verify': [[hex, hex, hex], (a, b, c) => new NobleBip32Ed25519().verify(a, b, c)]
}

/** The promise-returning methods must reject; a throw at the call would miss a caller's catch. */
const ASYNC = /signTx|signData|submitTx|queryUTxOs|getUtxos|Cip30|create/

describe('every public function of the wallet room', () => {
  it.each(Object.entries(calls))(
    '%s gives an answer or a typed error on any input, in time',
    async (name, [arbitraries, call]) => {
      await fc.assert(
        fc.asyncProperty(fc.tuple(...arbitraries), async (args) => {
          const started = performance.now()
          let outcome: unknown
          try {
            outcome = call(...args)
          } catch (error) {
            if (ASYNC.test(name)) throw new Error(`threw at the call: ${String(error)}`)
            if (!isLayerError(error)) throw error
            return
          }
          try {
            await outcome
          } catch (error) {
            if (
              !isLayerError(error) &&
              !(error instanceof room.Cip30ApiError) &&
              !(error instanceof room.Cip30PaginateError)
            )
              throw error
          }
          expectNoHang(100, started)
        }),
        { numRuns: scaled(4_000), seed: 42 }
      )
    },
    120_000
  )

  it('leaves no trace on built-in prototypes', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})
