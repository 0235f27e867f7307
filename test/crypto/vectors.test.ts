import { hexToBytes, bytesToHex } from '../../src/codec/hex'
import { utf8ToBytes } from '../../src/codec/utf8'
import {
  derivePrivateChild,
  derivePrivatePath,
  derivePublicChild,
  HARDENED,
  openPublicParent,
  toExtendedPublic
} from '../../src/crypto/bip32'
import { publicKeyFromExtended, publicKeyFromSeed, signExtended, signWithSeed, verify } from '../../src/crypto/ed25519'
import { passwordBytes, rootFromEntropy, rootFromEntropyAsync, wordsToEntropy } from '../../src/crypto/mnemonic'
import { SeedKey } from '../../src/crypto/SeedKey'
import { xprvFromBech32, xprvToBech32, xprvToHex } from '../../src/crypto/xprv'
import { InvalidMnemonicError } from '../../src/errors/wallet'
import { hasShared, loadVectors } from '../support/vectors'

const publicChild = (xpub: Uint8Array, index: number): Uint8Array => derivePublicChild(openPublicParent(xpub)!, index)

const REASON_CODES: Record<string, string> = {
  checksum: 'WALLET_MNEMONIC_CHECKSUM',
  'word count': 'WALLET_MNEMONIC_WORD_COUNT',
  'word not in list': 'WALLET_MNEMONIC_WORD'
}

describe('published vectors of the crypto room', () => {
  it('reads every valid phrase of bip39_english and refuses every invalid one for its reason', () => {
    const vectors = loadVectors('bip39_english')
    expect(vectors.length).toBeGreaterThanOrEqual(45)
    for (const { kind, mnemonic, entropyHex, reason } of vectors) {
      const words = mnemonic.split(' ')
      if (kind === 'valid') expect(bytesToHex(wordsToEntropy(words))).toBe(entropyHex)
      else {
        expect(() => wordsToEntropy(words)).toThrow(InvalidMnemonicError)
        expect(() => wordsToEntropy(words)).toThrow(expect.objectContaining({ code: REASON_CODES[reason] }))
      }
    }
  })

  it('derives every Icarus root key of cip3_master_keys, withNodeCrypto and in JavaScript', () => {
    const vectors = loadVectors('cip3_master_keys').filter(({ style }) => style === 'icarus')
    expect(vectors.length).toBeGreaterThanOrEqual(20)
    const getBuiltinModule = process.getBuiltinModule
    for (const [i, { mnemonic, passphraseUtf8, masterKeyHex, xprvBech32 }] of vectors.entries()) {
      const root = rootFromEntropy(wordsToEntropy(mnemonic.split(' ')), passwordBytes(passphraseUtf8))
      expect(xprvToHex(root)).toBe(masterKeyHex)
      if (xprvBech32 !== undefined) {
        expect(xprvToBech32(root)).toBe(xprvBech32)
        expect(xprvToHex(xprvFromBech32(xprvBech32))).toBe(masterKeyHex)
      }
      if (i >= 4) continue
      try {
        process.getBuiltinModule = undefined as never
        expect(xprvToHex(rootFromEntropy(wordsToEntropy(mnemonic.split(' ')), passwordBytes(passphraseUtf8)))).toBe(
          masterKeyHex
        )
      } finally {
        process.getBuiltinModule = getBuiltinModule
      }
    }
  })

  it('derives the same root key with WebCrypto, also with an empty password', async () => {
    for (const { mnemonic, passphraseUtf8, masterKeyHex } of loadVectors('cip3_master_keys').filter(
      ({ style }) => style === 'icarus'
    )) {
      const root = await rootFromEntropyAsync(wordsToEntropy(mnemonic.split(' ')), passwordBytes(passphraseUtf8))
      expect(xprvToHex(root)).toBe(masterKeyHex)
    }
  })

  it('derives every key of cip1852_wallets, by the private and by the public path', () => {
    for (const vector of loadVectors('cip1852_wallets').filter(({ kind }) => kind === 'wallet')) {
      const root = rootFromEntropy(wordsToEntropy(vector.mnemonic.split(' ')), passwordBytes(vector.passphraseUtf8))
      expect(xprvToHex(root)).toBe(vector.rootXprvHex)
      const account = derivePrivatePath(root, [HARDENED + 1852, HARDENED + 1815, HARDENED + vector.accountIndex])
      expect(xprvToHex(account)).toBe(vector.accountXprvHex)
      expect(bytesToHex(toExtendedPublic(account))).toBe(vector.accountXpubHex)
      expect(xprvToHex(derivePrivatePath(account, [0, vector.keyIndex]))).toBe(vector.paymentXprvHex)
      expect(xprvToHex(derivePrivatePath(account, [2, vector.stakeIndex]))).toBe(vector.stakeXprvHex)
      const xpub = toExtendedPublic(account)
      const paymentPub = publicChild(publicChild(xpub, 0), vector.keyIndex)
      expect(bytesToHex(paymentPub.subarray(0, 32))).toBe(vector.paymentPubHex)
      expect(bytesToHex(paymentPub)).toBe(
        bytesToHex(toExtendedPublic(derivePrivatePath(account, [0, vector.keyIndex])))
      )
      expect(bytesToHex(publicChild(publicChild(xpub, 1), vector.keyIndex).subarray(0, 32))).toBe(vector.changePubHex)
      expect(bytesToHex(publicChild(publicChild(xpub, 3), 0).subarray(0, 32))).toBe(vector.drepPubHex)
    }
  })

  if (hasShared)
    it('derives the golden keys of cardano-addresses', () => {
      const hex = (text: string) => bytesToHex(xprvFromBech32(text))
      for (const vector of loadVectors('cip1852_wallets').filter(({ kind }) => kind === 'cardano-addresses-golden')) {
        const root = rootFromEntropy(wordsToEntropy(vector.mnemonic.split(' ')), passwordBytes())
        expect(bytesToHex(root)).toBe(hex(vector.rootXPrv))
        const account = derivePrivatePath(root, [HARDENED + 1852, HARDENED + 1815, HARDENED])
        expect(bytesToHex(account)).toBe(hex(vector.accXPrv0))
        const role = derivePrivateChild(account, 0)
        for (const index of [0, 1, 1442])
          expect(bytesToHex(derivePrivateChild(role, index))).toBe(hex(vector[`addrXPrv${index}`]))
      }
    })

  it('signs every message of bip32_ed25519_cardano_crypto byte for byte', () => {
    const vectors = loadVectors('bip32_ed25519_cardano_crypto')
    expect(vectors.length).toBeGreaterThanOrEqual(32)
    for (const { xprv128Hex, messageUtf8, signatureHex, xpubHex } of vectors) {
      const key = hexToBytes(xprv128Hex)
      const publicKey = publicKeyFromExtended(key)
      expect(bytesToHex(publicKey)).toBe(xpubHex.slice(0, 64))
      const message = utf8ToBytes(messageUtf8)
      const signature = signExtended(message, key.subarray(0, 64), publicKey)
      expect(bytesToHex(signature)).toBe(signatureHex)
      expect(verify(signature, message, publicKey)).toBe(true)
    }
  })

  it.each([
    ['with the native module', true],
    ['in pure JavaScript', false]
  ])('agrees with every case of RFC 8032, OpenSSL and Wycheproof, %s', (_name, isNative) => {
    if (!isNative)
      jest.spyOn(process as { getBuiltinModule(id: string): unknown }, 'getBuiltinModule').mockReturnValue(undefined)
    const vectors = loadVectors('ed25519')
    expect(vectors.length).toBeGreaterThanOrEqual(100)
    for (const vector of vectors) {
      const message = hexToBytes(vector.messageHex)
      const publicKey = hexToBytes(vector.publicKeyHex)
      if (vector.kind === 'sign') {
        expect(bytesToHex(publicKeyFromSeed(hexToBytes(vector.secretKeyHex)))).toBe(vector.publicKeyHex)
        expect(bytesToHex(signWithSeed(message, hexToBytes(vector.secretKeyHex)))).toBe(vector.signatureHex)
        expect(bytesToHex(new SeedKey(hexToBytes(vector.secretKeyHex)).sign(message))).toBe(vector.signatureHex)
        expect(verify(hexToBytes(vector.signatureHex), message, publicKey)).toBe(true)
      } else
        expect([vector.id, verify(hexToBytes(vector.signatureHex), message, publicKey)]).toEqual([
          vector.id,
          vector.expect === 'valid'
        ])
    }
    jest.restoreAllMocks()
  })
})
