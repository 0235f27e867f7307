import { SodiumBip32Ed25519, type Bip32Ed25519 } from '@cardano-sdk/crypto'
import { bytesToHex } from '../../src/codec/hex'
import { NobleBip32Ed25519 } from '../../src/cardano-sdk/NobleBip32Ed25519'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'

const HARD = 0x80000000

describe('NobleBip32Ed25519 beside the implementation of @cardano-sdk/crypto', () => {
  let sodium: Bip32Ed25519
  let noble: Bip32Ed25519
  beforeAll(async () => {
    sodium = await SodiumBip32Ed25519.create()
    noble = await NobleBip32Ed25519.create()
  })

  it('agrees on every operation', async () => {
    const random = randomSource('sodium')
    for (let i = 0; i < scaled(1_000); i++) {
      const entropy = Buffer.from(random.bytes(random.pick([16, 20, 24, 28, 32])))
      const passphrase = i % 2 === 0 ? '' : bytesToHex(random.bytes(8))
      const root = noble.fromBip39Entropy(entropy, passphrase)
      expect(root).toBe(sodium.fromBip39Entropy(entropy, passphrase))

      const path = [1852 + HARD, 1815 + HARD, random.below(HARD) + HARD, random.below(6), random.below(HARD)]
      const child = noble.derivePrivateKey(root, path)
      expect(child).toBe(sodium.derivePrivateKey(root, path))
      const account = noble.getBip32PublicKey(noble.derivePrivateKey(root, path.slice(0, 3)))
      expect(account).toBe(sodium.getBip32PublicKey(sodium.derivePrivateKey(root, path.slice(0, 3))))
      const publicChild = noble.derivePublicKey(account, path.slice(3))
      expect(publicChild).toBe(sodium.derivePublicKey(account, path.slice(3)))
      expect(await noble.derivePublicKeyAsync(account, path.slice(3))).toBe(publicChild)
      expect(publicChild).toBe(noble.getBip32PublicKey(child))

      const extended = noble.getRawPrivateKey(child)
      expect(extended).toBe(sodium.getRawPrivateKey(child))
      const publicKey = noble.getPublicKey(extended)
      expect(publicKey).toBe(sodium.getPublicKey(extended))
      expect(noble.getRawPublicKey(publicChild)).toBe(publicKey)
      expect(noble.getPubKeyHash(publicKey)).toBe(sodium.getPubKeyHash(publicKey))

      const message = bytesToHex(random.bytes(1 + random.below(100))) as never
      const normal = bytesToHex(random.bytes(32)) as never
      for (const key of [extended, normal]) {
        const signature = noble.sign(key, message)
        expect(signature).toBe(sodium.sign(key, message))
        expect(noble.getPublicKey(key)).toBe(sodium.getPublicKey(key))
        expect(noble.verify(signature, message, noble.getPublicKey(key))).toBe(true)
        expect(sodium.verify(signature, message, noble.getPublicKey(key))).toBe(true)
        expect(noble.verify(signature, `${message}00` as never, noble.getPublicKey(key))).toBe(false)
      }
    }
  }, 300_000)

  it('refuses what has no answer by typed errors', () => {
    const own = new NobleBip32Ed25519()
    const root = own.fromBip39Entropy(new Uint8Array(32), '')
    const coded = expect.objectContaining({ code: expect.stringMatching(/^(WALLET|INPUT)_/) })
    for (const call of [
      () => own.fromBip39Entropy(new Uint8Array(31), ''),
      () => own.fromBip39Entropy('00' as never, ''),
      () => own.derivePublicKey(own.getBip32PublicKey(root), [HARD]),
      () => own.derivePublicKey(`${'02'.padEnd(64, '0')}${'00'.repeat(32)}` as never, [0]),
      () => own.derivePrivateKey(root, [-1]),
      () => own.derivePrivateKey(root, undefined as never),
      () => own.getPublicKey('00' as never),
      () => own.getPublicKey(5 as never),
      () => own.getPubKeyHash('00' as never),
      () => own.sign(root as never, '00'),
      () => own.verify('zz' as never, '00', '00' as never)
    ])
      expect(call).toThrow(coded)
  })
})
