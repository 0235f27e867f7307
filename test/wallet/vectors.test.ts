import { AppWallet, ChainCliWallet, EmbeddedWallet, txIdOf, verifyData, witnessesOf } from '../../src/wallet/index'
import { hexToBytes } from '../../src/codec/hex'
import { readTransaction } from '../../src/codec/transaction'
import { bytesToHex } from '../../src/codec/hex'
import { hashOfKey } from '../../src/wallet/signing/witnesses'
import { parseAddress } from '../../src/codec/address'
import { parseVerificationKey } from '../../src/codec/textEnvelope'
import { hasShared, loadVectors, setsHere } from '../support/vectors'

/** Wallets by their words and network: most vectors are of a few. */
const wallets = new Map<string, AppWallet>()
function fromWords(mnemonic: string, networkId = 0): AppWallet {
  const key = `${networkId} ${mnemonic}`
  const wallet = wallets.get(key) ?? new AppWallet({ networkId, key: { type: 'mnemonic', words: mnemonic.split(' ') } })
  wallets.set(key, wallet)
  return wallet
}

describe('published vectors of the wallet room', () => {
  it('derives every key, hash and address of cip1852_wallets on both networks', () => {
    for (const v of loadVectors('cip1852_wallets').filter(({ kind }) => kind === 'wallet')) {
      for (const [networkId, expected] of [
        [0, v.testnet],
        [1, v.mainnet]
      ] as const) {
        const wallet = new AppWallet({
          networkId,
          key: { type: 'mnemonic', words: v.mnemonic.split(' '), password: v.passphraseUtf8 },
          stakeKeyIndex: v.stakeIndex
        })
        const account = wallet.getAccount(v.accountIndex, v.keyIndex)
        expect(account.baseAddressBech32).toBe(expected.base)
        expect(account.enterpriseAddressBech32).toBe(expected.enterprise)
        expect(account.rewardAddressBech32).toBe(expected.reward)
        expect(wallet.getPaymentAddress(v.accountIndex, v.keyIndex)).toBe(expected.base)
        expect(wallet.getEnterpriseAddress(v.accountIndex, v.keyIndex)).toBe(expected.enterprise)
        expect(wallet.getRewardAddress(v.accountIndex, v.keyIndex)).toBe(expected.reward)
        expect(account.paymentKey.publicKeyHex).toBe(v.paymentPubHex)
        expect(account.paymentKey.keyHashHex).toBe(v.paymentKeyHash)
        expect(account.stakeKey.publicKeyHex).toBe(v.stakePubHex)
        expect(account.stakeKey.keyHashHex).toBe(v.stakeKeyHash)
        expect(EmbeddedWallet.privateKeyBech32ToPrivateKeyHex(account.paymentKey.toXprvBech32())).toBe(v.paymentXprvHex)
        const readOnly = new AppWallet({
          networkId,
          key: { type: 'accountXpub', xpub: v.accountXpubHex, accountIndex: v.accountIndex },
          stakeKeyIndex: v.stakeIndex
        })
        expect(readOnly.getPaymentAddress(v.accountIndex, v.keyIndex)).toBe(expected.base)
      }
      expect(EmbeddedWallet.mnemonicToPrivateKeyHex(v.mnemonic.split(' '), v.passphraseUtf8)).toBe(v.rootXprvHex)
      expect(EmbeddedWallet.privateKeyHexToBech32(v.rootXprvHex)).toBe(v.rootXprvBech32)
    }
  })

  if (hasShared)
    it('derives the golden addresses of cardano-addresses', () => {
      for (const v of loadVectors('cip1852_wallets').filter(({ kind }) => kind === 'cardano-addresses-golden')) {
        const tags = v.networkTagsOfAddressArrays as number[]
        const wallet = fromWords(v.mnemonic)
        const stake0 = new AppWallet({
          networkId: 0,
          key: { type: 'mnemonic', words: v.mnemonic.split(' ') },
          stakeKeyIndex: 0
        })
        const at = tags.indexOf(0)
        for (const index of [0, 1, 1442]) {
          expect(wallet.getEnterpriseAddress(0, index)).toBe(v[`paymentAddr${index}`][at])
          expect(stake0.getPaymentAddress(0, index)).toBe(v[`delegationAddr${index}Stake0`][at])
        }
      }
    })

  it('reads every key file in scope, as CBOR hex, text and object, with and without its vkey', async () => {
    let signing = 0
    for (const v of loadVectors('key_text_envelopes')) {
      if (v.outOfScope === true) continue
      if (/SigningKey/.test(v.type)) {
        signing++
        for (const skey of [v.cborHex, v.fileText, { type: v.type, description: v.description, cborHex: v.cborHex }]) {
          const wallet = new ChainCliWallet({ networkId: 0, skey, vkey: v.verificationKeyCborHex })
          expect(parseAddress(wallet.getAddressBech32()).payment).toEqual({ kind: 'key', hash: v.publicKeyHashHex })
        }
        const wallet = new ChainCliWallet({ networkId: 1, skey: v.cborHex })
        const { signature, key } = await wallet.signData(wallet.getAddressBech32(), 'x')
        expect(key).toContain(v.publicKeyHex)
        expect(verifyData({ signature, key, address: wallet.getAddressBech32(), payload: 'x' })).toBe(true)
      } else {
        const { publicKey } = parseVerificationKey(v.fileText)
        expect(bytesToHex(publicKey)).toBe(v.publicKeyHex)
        expect(hashOfKey(publicKey)).toBe(v.publicKeyHashHex)
      }
    }
    expect(signing).toBeGreaterThan(20)
  })

  it('signs data byte for byte as signdata_deterministic says, and verifies it', async () => {
    const vectors = loadVectors('signdata_deterministic')
    expect(vectors.length).toBeGreaterThanOrEqual(45)
    for (const v of vectors) {
      const wallet = fromWords(v.mnemonic, v.networkId)
      expect(await wallet.signData(v.address, v.payloadHex)).toEqual({ signature: v.signature, key: v.key })
      expect(verifyData({ signature: v.signature, key: v.key, address: v.address, payload: v.payloadHex })).toBe(true)
    }
  })

  it.each([
    ['with the native module', true],
    ['in pure JavaScript', false]
  ])('verifies every case of cose_verify, %s', (_name, isNative) => {
    if (!isNative)
      jest.spyOn(process as { getBuiltinModule(id: string): unknown }, 'getBuiltinModule').mockReturnValue(undefined)
    const vectors = loadVectors('cose_verify')
    expect(vectors.length).toBeGreaterThanOrEqual(28)
    for (const v of vectors) {
      const payload = v.detachedMessageUtf8 ?? (v.messageHex === undefined ? undefined : hexToBytes(v.messageHex))
      const options = { signature: v.coseSign1Hex, key: v.coseKeyHex ?? undefined }
      expect([v.id, verifyData({ ...options, payload })]).toEqual([v.id, v.expectVerify])
      if (v.expectVerify !== true) continue
      expect(verifyData({ ...options, payload: 'another message' })).toBe(false)
      if (v.addressBech32 !== undefined) {
        expect(verifyData({ ...options, payload, address: v.addressBech32 })).toBe(true)
        expect(
          verifyData({
            ...options,
            payload,
            address: fromWords(
              'test walk nut penalty hip pave soap entry language right filter choice'
            ).getPaymentAddress()
          })
        ).toBe(false)
      }
    }
    jest.restoreAllMocks()
  })

  it('adds exactly the witness of tx_sign and changes no other byte', async () => {
    const vectors = loadVectors('tx_sign')
    expect(vectors.length).toBeGreaterThanOrEqual(28)
    for (const v of vectors) {
      const { signer } = v
      const sign = (tx: string): Promise<string> =>
        signer.kind === 'mnemonic'
          ? fromWords(signer.mnemonic).signTx(tx, true, signer.accountIndex, signer.keyIndex)
          : new ChainCliWallet({ networkId: 0, skey: signer.skeyCborHex, vkey: signer.vkeyCborHex }).signTx(tx, true)
      const signed = await sign(v.txCborHex)
      expect(txIdOf(signed)).toBe(v.txId)
      const before = witnessesOf(v.txCborHex)
      const after = witnessesOf(signed)
      expect(after.slice(0, before.length)).toEqual(before)
      expect(after).toContainEqual(
        expect.objectContaining({
          publicKeyHex: v.expectedVkeyWitness.publicKeyHex,
          signatureHex: v.expectedVkeyWitness.signatureHex
        })
      )
      const { bytes, body } = readTransaction(hexToBytes(signed))
      expect(bytesToHex(bytes.subarray(body.start, body.end))).toBe(v.bodyBytesMustBe)
      expect(await sign(signed)).toBe(signed)
    }
  })

  it.each(setsHere('tx_conway', 'tx_conway_conformance', 'tx_hydra_generated', 'tx_older_eras'))(
    'knows the id of every transaction of %s',
    (set) => {
      for (const v of loadVectors(set)) expect(txIdOf(v.cborHex)).toBe(v.txId)
    }
  )
})
