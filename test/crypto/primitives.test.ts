import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { Point, verify as nobleVerify, hashes } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { entropyToMnemonic } from '@scure/bip39'
import { bytesToHex } from '../../src/codec/hex'
import { addPoints, bytesToNumber, decodePoint, encodePoint, hasSmallOrder, multiplyBase, multiplyBaseMinus, numberToBytes, ORDER } from '../../src/crypto/curve'
import { publicKeyFromSeed, signWithSeed, verify } from '../../src/crypto/ed25519'
import { englishWords } from '../../src/crypto/englishWords'
import { HmacSha512, pbkdf2Sha512 } from '../../src/crypto/hmac'
import { generateMnemonicText, wordsToEntropy } from '../../src/crypto/mnemonic'
import { sha256Byte } from '../../src/crypto/sha256Byte'
import { scaled } from '../support/scale'
import { randomSource } from '../support/random'

hashes.sha512 = sha512

describe('recovery phrases', () => {
  it('unpacks the published English word list', () => {
    expect(englishWords()).toEqual(wordlist)
  })

  it('computes the checksum byte as Node does', () => {
    const random = randomSource('sha256')
    for (let length = 0; length <= 55; length++) {
      const message = random.bytes(length)
      expect(sha256Byte(message)).toBe(createHash('sha256').update(message).digest()[0])
    }
  })

  it('reads back what @scure/bip39 writes, and writes what it reads', () => {
    const random = randomSource('bip39')
    for (let i = 0; i < scaled(2_000); i++) {
      const entropy = random.bytes(random.pick([16, 20, 24, 28, 32]))
      expect(wordsToEntropy(entropyToMnemonic(entropy, wordlist).split(' '))).toEqual(entropy)
    }
  })

  it.each([[128, 12], [160, 15], [192, 18], [224, 21], [256, 24]])('makes valid phrases of strength %i with %i words', (strength, count) => {
    for (let i = 0; i < 50; i++) {
      const words = generateMnemonicText(strength).split(' ')
      expect(words.length).toBe(count)
      expect(entropyToMnemonic(wordsToEntropy(words), wordlist)).toBe(words.join(' '))
    }
  })

  it('refuses to make a phrase without a secure random source', () => {
    const real = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true })
    try {
      expect(() => generateMnemonicText()).toThrow(expect.objectContaining({ code: 'RUNTIME_UNSUPPORTED' }))
    } finally {
      Object.defineProperty(globalThis, 'crypto', real)
    }
  })
})

describe('HMAC and PBKDF2', () => {
  it('agrees with Node for keys and messages of any length', () => {
    const random = randomSource('hmac')
    for (let i = 0; i < 300; i++) {
      const [key, message] = [random.bytes(random.below(300)), random.bytes(random.below(300))]
      const mac = new HmacSha512(key)
      const expected = createHmac('sha512', key).update(message).digest('hex')
      expect(bytesToHex(mac.digest(message))).toBe(expected)
      expect(bytesToHex(mac.digest(message))).toBe(expected)
    }
  })

  it('derives what Node derives', () => {
    const random = randomSource('pbkdf2')
    for (let i = 0; i < 40; i++) {
      const [password, salt] = [random.bytes(random.below(200)), random.bytes(random.below(200))]
      const [rounds, length] = [1 + random.below(20), 1 + random.below(200)]
      expect(bytesToHex(pbkdf2Sha512(password, salt, rounds, length))).toBe(pbkdf2Sync(password, salt, rounds, length, 'sha512').toString('hex'))
    }
  })
})

describe('curve arithmetic against @noble/ed25519', () => {
  const random = randomSource('curve')
  const scalar = (): bigint => bytesToNumber(random.bytes(32)) % ORDER
  const edges = [0n, 1n, 2n, 3n, 255n, 256n, 257n, ORDER - 1n, ORDER - 2n, ORDER >> 1n, 1n << 252n]

  it('multiplies the base point by edge and random scalars', () => {
    for (const n of [...edges, ...Array.from({ length: scaled(4_000) }, scalar)]) {
      const expected = n === 0n ? Point.ZERO : Point.BASE.multiply(n)
      expect(bytesToHex(encodePoint(multiplyBase(n)))).toBe(expected.toHex())
    }
  })

  it('takes scalars above the order', () => {
    for (const n of [ORDER, ORDER + 1n, (1n << 255n) - 1n, (1n << 256n) - 1n]) expect(encodePoint(multiplyBase(n))).toEqual(encodePoint(multiplyBase(n % ORDER)))
  })

  it('adds points, and computes sB - kA', () => {
    for (let i = 0; i < scaled(1_000); i++) {
      const [s, k, a] = [scalar(), scalar(), scalar()]
      const A = Point.BASE.multiply(a)
      const own = decodePoint(A.toBytes())!
      expect(bytesToHex(encodePoint(multiplyBaseMinus(s, k, own)))).toBe(Point.BASE.multiply(s).subtract(A.multiply(k)).toHex())
      expect(bytesToHex(encodePoint(addPoints(own, multiplyBase(s))))).toBe(A.add(Point.BASE.multiply(s)).toHex())
    }
    expect(encodePoint(addPoints(multiplyBase(5n), multiplyBase(ORDER - 5n)))).toEqual(numberToBytes(1n))
    expect(encodePoint(addPoints(multiplyBase(7n), multiplyBase(7n)))).toEqual(encodePoint(multiplyBase(14n)))
  })

  it('decodes exactly the encodings that noble decodes strictly', () => {
    const P = 2n ** 255n - 19n
    const special = [0n, 1n, 2n, P - 1n, P, P + 1n, P + 18n, (1n << 255n) - 1n].flatMap((y) => [numberToBytes(y), numberToBytes(y | (1n << 255n))])
    for (const bytes of [...special, ...Array.from({ length: scaled(4_000) }, () => random.bytes(32))]) {
      let expected: Point | undefined
      try {
        expected = Point.fromBytes(bytes)
      } catch {
        expected = undefined
      }
      const own = decodePoint(bytes)
      expect(own === undefined).toBe(expected === undefined)
      if (own === undefined) continue
      expect(encodePoint(own)).toEqual(bytes)
      expect(hasSmallOrder(own)).toBe(expected!.isSmallOrder())
    }
  })
})

describe('strict verification', () => {
  const random = randomSource('verify')
  it('accepts own signatures and refuses each single flipped bit', () => {
    for (let i = 0; i < scaled(200); i++) {
      const seed = random.bytes(32)
      const message = random.bytes(random.below(100) + 1)
      const publicKey = publicKeyFromSeed(seed)
      const signature = signWithSeed(message, seed)
      expect(verify(signature, message, publicKey)).toBe(true)
      expect(nobleVerify(signature, message, publicKey, { zip215: false })).toBe(true)
      for (const bytes of [signature, message, publicKey]) {
        const at = random.below(bytes.length * 8)
        bytes[at >> 3]! ^= 1 << (at & 7)
        expect(verify(signature, message, publicKey)).toBe(false)
        bytes[at >> 3]! ^= 1 << (at & 7)
      }
    }
  })

  it('refuses S + L, keys of small order and wrong lengths', () => {
    const seed = random.bytes(32)
    const [message, publicKey] = [random.bytes(10), publicKeyFromSeed(seed)]
    const signature = signWithSeed(message, seed)
    const malleable = Uint8Array.of(...signature.subarray(0, 32), ...numberToBytes(bytesToNumber(signature.subarray(32)) + ORDER))
    expect(verify(malleable, message, publicKey)).toBe(false)
    const identity = numberToBytes(1n)
    expect(verify(Uint8Array.of(...identity, ...new Uint8Array(32)), message, identity)).toBe(false)
    expect(verify(signature.subarray(1), message, publicKey)).toBe(false)
    expect(verify(signature, message, publicKey.subarray(1))).toBe(false)
  })
})
