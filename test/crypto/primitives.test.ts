import { createHmac } from 'node:crypto'
import { Point, verify as nobleVerify, hashes } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { entropyToMnemonic } from '@scure/bip39'
import { encodeBech32 } from '../../src/codec/bech32'
import { bytesToHex } from '../../src/codec/hex'
import {
  bytesToNumber,
  decodePoint,
  encodePoints,
  multiplyBase,
  multiplyBaseMinus,
  numberToBytes,
  GROUP_ORDER
} from '../../src/crypto/curve'
import { expandSeed, publicKeyFromSeed, signWithSeed, verify } from '../../src/crypto/ed25519'
import { HmacSha512 } from '../../src/crypto/hmac'
import { generateMnemonicText, rootFromEntropy, rootFromEntropyAsync, wordsToEntropy } from '../../src/crypto/mnemonic'
import { parseXpub } from '../../src/crypto/xprv'
import { scaled } from '../support/scale'
import { randomSource } from '../support/random'

hashes.sha512 = sha512

describe('recovery phrases', () => {
  it('reads back what @scure/bip39 writes, and writes what it reads', () => {
    const random = randomSource('bip39')
    for (let i = 0; i < scaled(2_000); i++) {
      const entropy = random.bytes(random.pick([16, 20, 24, 28, 32]))
      expect(wordsToEntropy(entropyToMnemonic(entropy, wordlist).split(' '))).toEqual(entropy)
    }
  })

  it.each([
    [128, 12],
    [160, 15],
    [192, 18],
    [224, 21],
    [256, 24]
  ])('makes valid phrases of strength %i with %i words', (strength, count) => {
    for (let i = 0; i < 50; i++) {
      const words = generateMnemonicText(strength).split(' ')
      expect(words.length).toBe(count)
      expect(entropyToMnemonic(wordsToEntropy(words), wordlist)).toBe(words.join(' '))
    }
  })

  it('takes a list of words, and says what to do with one text', () => {
    const text = entropyToMnemonic(new Uint8Array(16), wordlist)
    expect(() => wordsToEntropy(text as never)).toThrow(/Got one text; split it at the spaces/)
    expect(() => wordsToEntropy(5 as never)).toThrow(/Got a number/)
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

describe("the runtime's own crypto", () => {
  const [seed, message, entropy] = [new Uint8Array(32).fill(7), Uint8Array.of(1, 2, 3), new Uint8Array(16).fill(9)]
  const results = (): unknown[] => {
    const signature = signWithSeed(message, seed)
    return [
      signature,
      verify(signature, message, publicKeyFromSeed(seed)),
      verify(signature, seed, publicKeyFromSeed(seed)),
      rootFromEntropy(entropy, seed)
    ]
  }
  const whole = results()
  afterEach(() => jest.restoreAllMocks())

  it.each<[name: string, module: () => unknown]>([
    ['is missing', () => undefined],
    ['is empty', () => ({})],
    [
      'has only functions that throw',
      () =>
        new Proxy(
          {},
          {
            get: () => () => {
              throw new Error('not implemented')
            }
          }
        )
    ],
    [
      'cannot be asked for',
      () => {
        throw new Error('no such module')
      }
    ]
  ])('changes no result where it %s', (_, module) => {
    jest.spyOn(process as { getBuiltinModule(id: string): unknown }, 'getBuiltinModule').mockImplementation(module)
    expect(results()).toEqual(whole)
  })

  it('changes no root key where WebCrypto is missing or refuses', async () => {
    expect(await rootFromEntropyAsync(entropy, seed)).toEqual(whole[3])
    jest.spyOn(globalThis.crypto.subtle, 'importKey').mockRejectedValue(new Error('no empty password'))
    expect(await rootFromEntropyAsync(entropy, seed)).toEqual(whole[3])
    jest.replaceProperty(globalThis, 'crypto', undefined as never)
    expect(await rootFromEntropyAsync(entropy, seed)).toEqual(whole[3])
  })
})

describe('HMAC', () => {
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
})

describe('products of the base point', () => {
  it('have the order of the curve', () => {
    expect(GROUP_ORDER).toBe(Point.CURVE().n)
  })

  it('take 0, the order and numbers above it', () => {
    expect(multiplyBase(0n).toBytes()).toEqual(numberToBytes(1n))
    expect(multiplyBase(GROUP_ORDER).toBytes()).toEqual(numberToBytes(1n))
    for (const n of [GROUP_ORDER + 1n, (1n << 255n) - 1n, (1n << 256n) - 1n])
      expect(multiplyBase(n).toBytes()).toEqual(multiplyBase(n % GROUP_ORDER).toBytes())
  })

  it('subtract: sB - kA, zero included', () => {
    const random = randomSource('curve')
    const scalar = (): bigint => bytesToNumber(random.bytes(32)) % GROUP_ORDER
    for (const [s, k, a] of [
      [0n, 0n, 5n],
      [0n, 1n, 5n],
      [5n, 1n, 5n],
      [scalar(), scalar(), scalar()]
    ] as const) {
      expect(multiplyBaseMinus(s, k, multiplyBase(a)).toBytes()).toEqual(
        multiplyBase((((s - k * a) % GROUP_ORDER) + GROUP_ORDER) % GROUP_ORDER).toBytes()
      )
    }
  })

  it('are encoded together as each alone, whatever their number and order', () => {
    const random = randomSource('encode points')
    expect(encodePoints([])).toEqual([])
    for (let i = 0; i < scaled(400); i++) {
      const points = Array.from({ length: random.below(70) }, () =>
        random.pick([Point.ZERO, Point.BASE, Point.BASE.negate(), multiplyBase(bytesToNumber(random.bytes(32)))])
      )
      expect(encodePoints(points)).toEqual(points.map((point) => point.toBytes()))
    }
  })

  it('decode from one canonical encoding only', () => {
    const P = 2n ** 255n - 19n
    for (const y of [P, P + 1n, P + 18n]) expect(decodePoint(numberToBytes(y))).toBeUndefined()
    expect(decodePoint(numberToBytes(1n | (1n << 255n)))).toBeUndefined()
    expect(decodePoint(numberToBytes(1n))?.isSmallOrder()).toBe(true)
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

  it.each([true, false])(
    'refuses what the equation alone would let pass: points of small order (native: %s)',
    (isNative) => {
      if (!isNative)
        jest.spyOn(process as { getBuiltinModule(id: string): unknown }, 'getBuiltinModule').mockReturnValue(undefined)
      const identity = numberToBytes(1n)
      const key = publicKeyFromSeed(random.bytes(32))
      const message = random.bytes(10)
      // R = identity, S = k·a: valid without the check of R's order.
      const seed = random.bytes(32)
      const publicKey = publicKeyFromSeed(seed)
      const a = bytesToNumber(expandSeed(seed).subarray(0, 32))
      const k = bytesToNumber(sha512(Uint8Array.of(...identity, ...publicKey, ...message))) % GROUP_ORDER
      expect(verify(Uint8Array.of(...identity, ...numberToBytes((k * a) % GROUP_ORDER)), message, publicKey)).toBe(
        false
      )
      expect(verify(Uint8Array.of(...key, ...new Uint8Array(32)), message, identity)).toBe(false)
      jest.restoreAllMocks()
    }
  )

  it('refuses S + L, keys of small order and wrong lengths', () => {
    const seed = random.bytes(32)
    const [message, publicKey] = [random.bytes(10), publicKeyFromSeed(seed)]
    const signature = signWithSeed(message, seed)
    const malleable = Uint8Array.of(
      ...signature.subarray(0, 32),
      ...numberToBytes(bytesToNumber(signature.subarray(32)) + GROUP_ORDER)
    )
    expect(verify(malleable, message, publicKey)).toBe(false)
    const identity = numberToBytes(1n)
    expect(verify(Uint8Array.of(...identity, ...new Uint8Array(32)), message, identity)).toBe(false)
    expect(verify(signature.subarray(1), message, publicKey)).toBe(false)
    expect(verify(signature, message, publicKey.subarray(1))).toBe(false)
  })
})

describe('an extended public key', () => {
  const key = Uint8Array.of(...publicKeyFromSeed(new Uint8Array(32).fill(3)), ...new Uint8Array(32))

  it.each(['xpub', 'root_xvk', 'acct_xvk', 'addr_xvk', 'stake_xvk'])(
    'is read from bech32 with the prefix %s',
    (prefix) => {
      expect(parseXpub(encodeBech32(prefix, key))).toEqual(key)
    }
  )

  it.each(['xprv', 'acct_xsk', 'addr', 'drep_xvk', 'xacct_xvk'])('is not what has the prefix %s', (prefix) => {
    expect(() => parseXpub(encodeBech32(prefix, key))).toThrow(expect.objectContaining({ code: 'WALLET_KEY' }))
  })
})
