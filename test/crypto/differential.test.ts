import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { bytesToHex } from '../../src/codec/hex'
import { publicKeyFromSeed, signWithSeed } from '../../src/crypto/ed25519'
import { wordsToEntropy } from '../../src/crypto/mnemonic'
import { AppWallet, EmbeddedWallet } from '../../src/wallet/index'
import { scaled } from '../support/scale'
import { randomSource } from '../support/random'

// The WebAssembly library is Rust: it shares no code and no dependency with src.
const HARD = 0x80000000

const addressesOf = (networkId: number, payment: CSL.PublicKey, stake: CSL.PublicKey): string[] => {
  const [p, s] = [CSL.Credential.from_keyhash(payment.hash()), CSL.Credential.from_keyhash(stake.hash())]
  return [
    CSL.BaseAddress.new(networkId, p, s).to_address().to_bech32(),
    CSL.EnterpriseAddress.new(networkId, p).to_address().to_bech32(),
    CSL.RewardAddress.new(networkId, s).to_address().to_bech32()
  ]
}

describe('random wallets against the WebAssembly library', () => {
  it('derives the same keys and addresses and makes the same signatures', () => {
    const random = randomSource('wallets')
    for (let i = 0; i < scaled(10_000); i++) {
      const words = AppWallet.brew(random.pick([128, 160, 192, 224, 256])).split(' ')
      const password = i % 3 === 0 ? bytesToHex(random.bytes(random.below(20))) : ''
      const networkId = random.below(2)
      const [account, index] = [
        random.pick([0, 1, random.below(HARD), HARD - 1]),
        random.pick([0, 1, random.below(HARD), HARD - 1])
      ]
      const root = CSL.Bip32PrivateKey.from_bip39_entropy(wordsToEntropy(words), new TextEncoder().encode(password))
      expect(EmbeddedWallet.mnemonicToPrivateKeyHex(words, password)).toBe(root.to_hex())
      expect(EmbeddedWallet.privateKeyHexToBech32(root.to_hex())).toBe(root.to_bech32())

      const node = root
        .derive(1852 + HARD)
        .derive(1815 + HARD)
        .derive(account + HARD)
      const [payment, stake] = [node.derive(0).derive(index), node.derive(2).derive(index)]
      const wallet = new AppWallet({ networkId, key: { type: 'root', bech32: root.to_bech32() } })
      const own = wallet.getAccount(account, index)
      expect([own.baseAddressBech32, own.enterpriseAddressBech32, own.rewardAddressBech32]).toEqual(
        addressesOf(networkId, payment.to_raw_key().to_public(), stake.to_raw_key().to_public())
      )
      expect(own.paymentKey.toXprvBech32()).toBe(payment.to_bech32())
      expect(own.stakeKey.toXprvBech32()).toBe(stake.to_bech32())

      const readOnly = new AppWallet({
        networkId,
        key: { type: 'accountXpub', xpub: node.to_public().to_bech32(), accountIndex: account }
      })
      expect(readOnly.getPaymentAddress(account, index)).toBe(own.baseAddressBech32)

      const message = random.bytes(random.below(300))
      expect(bytesToHex(own.paymentKey.sign(message))).toBe(payment.to_raw_key().sign(message).to_hex())
      expect(bytesToHex(own.stakeKey.sign(message))).toBe(stake.to_raw_key().sign(message).to_hex())
      for (const object of [root, node, payment, stake]) object.free()
    }
  }, 900_000)

  it('signs with plain CLI keys as the library does', () => {
    const random = randomSource('cli')
    for (let i = 0; i < scaled(2_000); i++) {
      const seed = random.bytes(32)
      const key = CSL.PrivateKey.from_normal_bytes(seed)
      expect(bytesToHex(publicKeyFromSeed(seed))).toBe(key.to_public().to_hex())
      const message = random.bytes(random.below(200))
      expect(bytesToHex(signWithSeed(message, seed))).toBe(key.sign(message).to_hex())
      key.free()
    }
  })
})
