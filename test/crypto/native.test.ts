import nodeCrypto from 'node:crypto'
import { Point } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '../../src/codec/hex'
import { bytesToNumber, isStrictEncoding, multiplyBase, numberToBytes, GROUP_ORDER } from '../../src/crypto/curve'
import { expandSeed, publicKeyFromSeed, signWithSeed, verify } from '../../src/crypto/ed25519'
import { SeedKey } from '../../src/crypto/SeedKey'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'

const host = process as { getBuiltinModule(id: string): unknown }
const withoutNative = <T>(run: () => T): T => {
  const spy = jest.spyOn(host, 'getBuiltinModule').mockReturnValue(undefined)
  try {
    return run()
  } finally {
    spy.mockRestore()
  }
}

const FIELD = 2n ** 255n - 19n
/** All points of small order, as multiples of one of order 8. */
const TORSION = (() => {
  const eighth = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
  const points = [Point.ZERO]
  while (points.length < 8) points.push(points.at(-1)!.add(eighth))
  return points
})()
/** Every encoding of 0 <= y < 2^255 that is not canonical, and those of x = 0 with the sign bit. */
const NOT_CANONICAL = [...Array.from({ length: 19 }, (_, i) => FIELD + BigInt(i)), 1n, FIELD - 1n].flatMap((y) => [
  numberToBytes(y),
  numberToBytes(y | (1n << 255n))
])

const challenge = (R: Uint8Array, A: Uint8Array, message: Uint8Array): bigint =>
  bytesToNumber(sha512(Uint8Array.of(...R, ...A, ...message))) % GROUP_ORDER

/** The rule in points alone: canonical, not of small order, and the equation without the cofactor. */
function verdictOfPoints(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    const [R, A, S] = [
      Point.fromBytes(signature.slice(0, 32)),
      Point.fromBytes(publicKey),
      bytesToNumber(signature.subarray(32))
    ]
    if (S >= GROUP_ORDER || R.isSmallOrder() || A.isSmallOrder()) return false
    return multiplyBase(S).equals(R.add(A.multiplyUnsafe(challenge(signature.subarray(0, 32), publicKey, message))))
  } catch {
    return false
  }
}

afterEach(() => jest.restoreAllMocks())

describe('keys of 32-byte seeds', () => {
  it('have the same public key and sign the same bytes by the runtime and by noble', () => {
    const random = randomSource('seed keys')
    for (let i = 0; i < scaled(2_000); i++) {
      const [seed, message] = [random.bytes(32), random.bytes(random.below(300))]
      const key = new SeedKey(seed)
      const [publicKey, signature] = withoutNative(() => {
        const other = new SeedKey(seed)
        return [other.publicKey, other.sign(message)]
      })
      expect(key.publicKey).toEqual(publicKey)
      expect(key.sign(message)).toEqual(signature)
      expect(signature).toEqual(signWithSeed(message, seed))
      expect(publicKeyFromSeed(seed)).toEqual(withoutNative(() => publicKeyFromSeed(seed)))
    }
  })

  it('are imported once, and sign on with noble when the runtime stops signing', () => {
    const create = jest.spyOn(nodeCrypto, 'createPrivateKey')
    const sign = jest.spyOn(nodeCrypto, 'sign')
    const [seed, message] = [new Uint8Array(32).fill(5), Uint8Array.of(1, 2)]
    const key = new SeedKey(seed)
    const signature = key.sign(message)
    expect(key.sign(message)).toEqual(signature)
    expect([create.mock.calls.length, sign.mock.calls.length]).toEqual([1, 2])
    for (const broken of [
      () => {
        throw new Error('no such key')
      },
      () => new Uint8Array(0),
      () => undefined
    ]) {
      sign.mockImplementation(broken as never)
      expect(key.sign(message)).toEqual(signature)
    }
  })

  it('take no public key from a runtime that gives it in another form', () => {
    const seed = new Uint8Array(32).fill(6)
    const expected = publicKeyFromSeed(seed)
    jest.spyOn(nodeCrypto, 'createPublicKey').mockReturnValue({ export: () => Buffer.alloc(44, 1) } as never)
    expect(new SeedKey(seed).publicKey).toEqual(expected)
  })

  it('keep nothing to sign with after dispose()', () => {
    const seed = new Uint8Array(32).fill(8)
    const sign = jest.spyOn(nodeCrypto, 'sign')
    const key = new SeedKey(seed)
    const signature = key.sign(seed)
    key.dispose()
    expect(key.sign(seed)).not.toEqual(signature)
    expect(sign).toHaveBeenCalledTimes(1)
  })
})

describe('encodings that verification takes', () => {
  it('are none of the eight points of small order, with either sign, nor any that is not canonical', () => {
    expect(new Set(TORSION.map((point) => point.toHex())).size).toBe(8)
    for (const point of TORSION) {
      const bytes = point.toBytes()
      expect(isStrictEncoding(bytes)).toBe(false)
      bytes[31]! ^= 0x80
      expect(isStrictEncoding(bytes)).toBe(false)
    }
    for (const bytes of NOT_CANONICAL) expect(isStrictEncoding(bytes)).toBe(false)
  })

  it('are those of all other points', () => {
    const random = randomSource('points')
    for (let i = 0; i < scaled(1_000); i++) {
      const point = multiplyBase(bytesToNumber(random.bytes(32)))
      for (const torsion of TORSION) expect(isStrictEncoding(point.add(torsion).toBytes())).toBe(true)
    }
    for (const y of [2n, FIELD - 2n]) expect(isStrictEncoding(numberToBytes(y))).toBe(true)
  })
})

describe('verdicts of the runtime and of noble', () => {
  const agree = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean => {
    const expected = verdictOfPoints(signature, message, publicKey)
    const seen = [verify(signature, message, publicKey), withoutNative(() => verify(signature, message, publicKey))]
    expect([bytesToHex(signature), bytesToHex(publicKey), ...seen]).toEqual([
      bytesToHex(signature),
      bytesToHex(publicKey),
      expected,
      expected
    ])
    return expected
  }

  it('agree with the rule in points where keys and nonces carry a torsion component', () => {
    const random = randomSource('torsion')
    const verdicts = new Set<boolean>()
    for (let i = 0; i < scaled(200); i++) {
      const [a, r, message] = [
        bytesToNumber(random.bytes(32)) % GROUP_ORDER,
        bytesToNumber(random.bytes(32)) % GROUP_ORDER,
        random.bytes(20)
      ]
      for (const [ofA, ofR] of [
        [0, 0],
        [1, 0],
        [4, 0],
        [0, 4],
        [2, 2],
        [random.below(8), random.below(8)]
      ] as const) {
        const A = multiplyBase(a).add(TORSION[ofA]!).toBytes()
        const R = multiplyBase(r).add(TORSION[ofR]!).toBytes()
        const S = (r + challenge(R, A, message) * a) % GROUP_ORDER
        verdicts.add(agree(Uint8Array.of(...R, ...numberToBytes(S)), message, A))
      }
    }
    expect(verdicts).toEqual(new Set([true, false]))
  })

  it('agree for every small-order, non-canonical and off-curve encoding as key and as nonce', () => {
    const random = randomSource('encodings')
    const a = bytesToNumber(expandSeed(random.bytes(32)).subarray(0, 32)) % GROUP_ORDER
    const [A, message] = [multiplyBase(a).toBytes(), random.bytes(9)]
    const offCurve = Array.from({ length: 20 }, () => random.bytes(32))
    for (const odd of [...TORSION.map((point) => point.toBytes()), ...NOT_CANONICAL, ...offCurve]) {
      // The nonce is the odd one: S = k·a fits R = 0, and with it every R of which only the order is wrong.
      expect(
        agree(Uint8Array.of(...odd, ...numberToBytes((challenge(odd, A, message) * a) % GROUP_ORDER)), message, A)
      ).toBe(false)
      for (const s of [0n, 1n, a])
        expect(agree(Uint8Array.of(...multiplyBase(s).toBytes(), ...numberToBytes(s)), message, odd)).toBe(false)
      for (const both of [odd, TORSION[1]!.toBytes()])
        expect(agree(Uint8Array.of(...both, ...numberToBytes(0n)), message, odd)).toBe(false)
    }
  })

  it('keep the 256 public keys used last', () => {
    const create = jest.spyOn(nodeCrypto, 'createPublicKey')
    const random = randomSource('many keys')
    const keys = Array.from({ length: 257 }, () => publicKeyFromSeed(random.bytes(32)))
    const imports = (publicKey: Uint8Array): number => {
      const before = create.mock.calls.length
      verify(new Uint8Array(64).fill(9, 0, 32), random.bytes(3), publicKey)
      return create.mock.calls.length - before
    }
    for (const key of keys.slice(0, 256)) expect(imports(key)).toBe(1)
    // The first, the sixth and the second are used again, so the third is the oldest when one more comes.
    expect([0, 5, 1, 256, 0, 2].map((at) => imports(keys[at]!))).toEqual([0, 0, 0, 1, 0, 1])
  })
})
