import { Bip32PrivateKey } from '@emurgo/cardano-serialization-lib-nodejs'
import { chainCliKeygen, layerCliKeygen } from '../../src/utils/index'
import { AppWallet, EmbeddedWallet } from '../../src/wallet/index'

afterEach(() => jest.restoreAllMocks())

const GENERATORS: [string, () => unknown][] = [
  ['AppWallet.brew', () => AppWallet.brew()],
  ['AppWallet.brew of 12 words', () => AppWallet.brew(128)],
  ['EmbeddedWallet.generateMnemonic', () => EmbeddedWallet.generateMnemonic()],
  ['chainCliKeygen', () => chainCliKeygen()],
  ['layerCliKeygen', () => layerCliKeygen()]
]

describe('a random source whose bytes are all equal', () => {
  it.each(GENERATORS)('is refused by %s', (_, generate) => {
    for (const fill of [
      (bytes: Uint8Array) => bytes,
      (bytes: Uint8Array) => bytes.fill(7),
      (bytes: Uint8Array) => bytes.fill(255),
      () => undefined
    ]) {
      jest.spyOn(globalThis.crypto, 'getRandomValues').mockImplementation(fill as never)
      expect(generate).toThrow(
        expect.objectContaining({
          code: 'RUNTIME_UNSUPPORTED',
          missing: 'crypto.getRandomValues',
          message: expect.stringContaining('all equal')
        })
      )
      jest.restoreAllMocks()
    }
  })

  it.each(GENERATORS)('that differ in one byte is taken by %s', (_, generate) => {
    jest
      .spyOn(globalThis.crypto, 'getRandomValues')
      .mockImplementation(((bytes: Uint8Array) => ((bytes[bytes.length - 1] = 1), bytes)) as never)
    expect(generate).not.toThrow()
  })

  it('is no reason to refuse a phrase that is restored: "abandon ... art" is the wallet of 32 zero bytes', () => {
    const words = [...Array.from({ length: 23 }, () => 'abandon'), 'art']
    const root = Bip32PrivateKey.from_bip39_entropy(new Uint8Array(32), new Uint8Array(0))
    expect(new AppWallet({ networkId: 1, key: { type: 'mnemonic', words } }).getPaymentAddress()).toMatch(/^addr1q/)
    expect(EmbeddedWallet.mnemonicToPrivateKeyHex(words)).toBe(root.to_hex())
  })
})
