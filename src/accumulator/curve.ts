import { isBytes } from '../codec/bytes.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import { VerificationError } from '../errors/verification.js'
import { once } from './once.js'
import { asVerificationError, fail } from './record.js'
import { runToEnd } from './runToEnd.js'
import { g1PointsBytes, g2PointsBytes, g2TauBytes } from './setupPoints.js'

type Bls = (typeof import('@noble/curves/bls12-381.js'))['bls12_381']
/** A point of the group G1 of BLS12-381. */
export type G1Point = InstanceType<Bls['G1']['Point']>
/** A point of the group G2 of BLS12-381. */
export type G2Point = InstanceType<Bls['G2']['Point']>

/**
 * Replacement for this package's own code that computes accumulator commitments on the curve BLS12-381, for speed; for
 * example over `mcl-wasm`. A wrong result is detected, because commitments are compared with the signed hash and proofs
 * are checked.
 */
export interface Accelerator {
  /**
   * Computes a multi-scalar multiplication: the sum of `scalars[i]` times point i.
   *
   * @param points - the setup's points of G1, compressed, 48 bytes each, at least as many as scalars. Calls pass the
   * same array until more points are needed, so that decoded points can be cached for that array.
   * @param scalars - below the order of the group.
   * @returns The compressed sum, 48 bytes.
   */
  msm(points: Uint8Array, scalars: readonly bigint[]): Uint8Array | Promise<Uint8Array>
}

// Flags in the first byte of a point. @see the ZCash encoding of BLS12-381
const COMPRESSED = 0x80
const INFINITY = 0x40
const LARGER_Y = 0x20
/** Mask that removes the flags from the 48 bytes of a point. */
const FIELD_MASK = 2n ** 381n - 1n

/**
 * Reads the bytes of a compressed point and rejects infinity. noble alone accepts 96 bytes without the flag of
 * compression, and infinity; either would let forged proofs pass.
 *
 * @throws {@link VerificationError} with reason `point` or `infinity`.
 */
export function readPoint(hex: unknown, what: string): Uint8Array {
  const bytes =
    typeof hex === 'string' && /^[0-9a-f]{96}$/.test(hex)
      ? hexToBytes(hex)
      : fail('point', what, '48 bytes in lower-case hex', hex)
  if ((bytes[0]! & COMPRESSED) === 0) fail('point', what, 'a compressed point', 'one without the flag of compression')
  if ((bytes[0]! & INFINITY) !== 0) fail('infinity', what, 'a point that is not infinity', 'infinity')
  return bytes
}

/** Operations on the curve BLS12-381. They are loaded on demand, because checking signatures does not need them. */
export interface Curve {
  /** Decodes bytes that {@link readPoint} has accepted. @throws {@link VerificationError} with reason `point`. */
  decodeG1(bytes: Uint8Array, what: string): G1Point
  /** Computes a commitment, the sum of scalars[i] tau^i G1; by the accelerator if there is one. */
  commit(scalars: readonly bigint[], accelerator?: Accelerator): Promise<G1Point>
  /**
   * Same as {@link commit} without an accelerator, with pauses between parts of the work, so that the thread can do
   * other work.
   */
  commitInParts(scalars: readonly bigint[], pause: () => Promise<void>): Promise<G1Point>
  /**
   * Returns the 48 compressed bytes of a sum. A sum is in the group because its points are; noble's own encoding would
   * check that again, at a tenth of the cost of a sum of 100 points.
   */
  encodeSum(sum: G1Point): Uint8Array
  /** Returns f(tau) G2 of the polynomial f with these coefficients, of degree up to 64. */
  commitG2(coefficients: readonly bigint[]): Promise<G2Point>
  /** Returns true when e(a, A) = e(b, B). */
  pairingsEqual(a: G1Point, A: G2Point, b: G1Point, B: G2Point): boolean
  /** n G1, for 0 < n < order. */
  multiplyG1(n: bigint): G1Point
  /** The generator of G2. */
  readonly g2: G2Point
}

/** Loads the curve; its code is loaded only once. */
export const loadCurve: () => Promise<Curve> = /* @__PURE__ */ once(async () => {
  const { bls12_381, interleavedMSMUnsafe, pippenger } = await import('./bls12381.js')
  const { Point } = bls12_381.G1
  return createCurve(bls12_381, {
    once: (points, scalars) => pippenger(Point, points, scalars) as G1Point,
    fixed: (points, window) => interleavedMSMUnsafe(Point, points, window) as (scalars: bigint[]) => G1Point,
    fixedG2: (points) =>
      interleavedMSMUnsafe(bls12_381.G2.Point, points, WINDOW_OF_PROOFS) as (scalars: bigint[]) => G2Point
  })
})

/** Number of points in one table. Making a table needs 10 to 30 ms on a current computer, a sum over it about 20 ms. */
const PART = 64
/** Points that are decoded between two pauses. */
const DECODED_A_STEP = 32
/** Number of points that small heads use. Tables of these points are larger, and are kept from the second sum on. */
const FEW = 256
/**
 * Window widths of the tables, bits: they store 64 points (about 16 KB) for each of the first {@link FEW} points, and
 * 32 for each other one.
 */
const WINDOW_OF_FEW = 8
const WINDOW = 7
/** Window width of the tables of G2, bits: they store 8 points for each of the 65, and are made once, in 13 ms. */
const WINDOW_OF_PROOFS = 5

interface Sums {
  /** The sum of scalars[i] times points[i]. */
  once(points: G1Point[], scalars: bigint[]): G1Point
  /** Makes tables of points and returns the function that sums over them, in a half to a third of the time. */
  fixed(points: G1Point[], window: number): (scalars: bigint[]) => G1Point
  /** Makes tables of points of G2 and returns the function that sums over them. */
  fixedG2(points: G2Point[]): (scalars: bigint[]) => G2Point
}

function createCurve({ G1, G2, fields, pairingBatch }: Bls, sums: Sums): Curve {
  const decoded: G1Point[] = []
  /** Functions that sum over one part of the setup's points each, by tables that are kept. */
  const tables: ((scalars: bigint[]) => G1Point)[] = []
  let sumsOfFew = 0

  function decodeG1(bytes: Uint8Array, what: string): G1Point {
    try {
      // Throws unless x is below p and the point on the curve and in the subgroup.
      return G1.Point.fromBytes(bytes)
    } catch (cause) {
      throw new VerificationError('point', `${what} cannot be used.`, {
        expected: 'a point of the group G1 of BLS12-381',
        got: 'other bytes',
        cause
      })
    }
  }

  /**
   * Decodes the first points of the setup, each only once. They are known to be in the group, so only their y is
   * computed, in a tenth of the time of a full check.
   */
  function setupPoints(bytes: Uint8Array, count: number): G1Point[] {
    for (let i = decoded.length; i < count; i++) decoded.push(decompress(bytes.subarray(48 * i, 48 * (i + 1))))
    return decoded.slice(0, count)
  }

  function decompress(bytes: Uint8Array): G1Point {
    const { Fp } = fields
    const x = BigInt(`0x${bytesToHex(bytes)}`) & FIELD_MASK
    const y = Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), 4n))
    const isLarger = y > Fp.ORDER >> 1n
    return G1.Point.fromAffine({ x, y: isLarger === ((bytes[0]! & LARGER_Y) !== 0) ? y : Fp.neg(y) })
  }

  async function commit(scalars: readonly bigint[], accelerator?: Accelerator): Promise<G1Point> {
    const bytes = await g1PointsBytes(scalars.length)
    if (accelerator === undefined) return sumOf(bytes, scalars)
    let result: unknown
    try {
      result = await accelerator.msm(bytes, scalars)
    } catch (error) {
      throw asVerificationError(error, 'accelerator', 'The accelerator')
    }
    const what = 'The sum of the accelerator'
    if (!isBytes(result) || result.length !== 48) return fail('accelerator', what, '48 bytes', result)
    try {
      return decodeG1(readPoint(bytesToHex(result), what), what)
    } catch (error) {
      throw new VerificationError('accelerator', `${what} cannot be used.`, {
        expected: 'a compressed point of G1',
        got: 'another',
        cause: error
      })
    }
  }

  function encodeSum(sum: G1Point): Uint8Array {
    if (sum.is0()) return sum.toBytes(true)
    const { x, y } = sum.toAffine()
    const bytes = hexToBytes(x.toString(16).padStart(96, '0'))
    bytes[0]! |= y > fields.Fp.ORDER >> 1n ? COMPRESSED | LARGER_Y : COMPRESSED
    return bytes
  }

  /**
   * Computes a sum without pauses. Tables are made only where they save time, because making them costs about as much
   * as two sums.
   */
  function sumOf(bytes: Uint8Array, scalars: readonly bigint[]): G1Point {
    const hasTables = tables.length * PART >= scalars.length || (scalars.length <= FEW && ++sumsOfFew > 1)
    if (!hasTables) return sums.once(setupPoints(bytes, scalars.length), [...scalars])
    return runToEnd(sumInSteps(bytes, scalars))
  }

  async function commitInParts(scalars: readonly bigint[], pause: () => Promise<void>): Promise<G1Point> {
    const bytes = await g1PointsBytes(scalars.length)
    const steps = sumInSteps(bytes, scalars)
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      await pause()
    }
  }

  /** Computes a sum by tables, makes the missing ones, and yields between steps. A sum over one table is one step. */
  function* sumInSteps(bytes: Uint8Array, scalars: readonly bigint[]): Generator<undefined, G1Point> {
    const isOneStep = scalars.length <= PART
    let total = G1.Point.ZERO
    for (let at = 0; at * PART < scalars.length; at++) {
      if (at > 0) yield
      if (tables[at] === undefined) {
        for (let made = decoded.length; made < pointsOf(bytes, at); made = decoded.length) {
          setupPoints(bytes, Math.min(made + DECODED_A_STEP, pointsOf(bytes, at)))
          if (!isOneStep) yield
        }
        // Another sum may have made it between two steps.
        tables[at] ??= sums.fixed(
          decoded.slice(at * PART, pointsOf(bytes, at)),
          at * PART < FEW ? WINDOW_OF_FEW : WINDOW
        )
        if (!isOneStep) yield
      }
      total = total.add(tables[at]!(scalars.slice(at * PART, (at + 1) * PART)))
    }
    return total
  }

  /** Returns the number of points up to the end of a table. */
  const pointsOf = (bytes: Uint8Array, at: number): number => Math.min((at + 1) * PART, bytes.length / 48)

  const g2Tau = once(async () => G2.Point.fromBytes(await g2TauBytes()))
  /** Loads all points of G2 of the setup and returns the function that sums over them. */
  const sumOfMore = once(async () => {
    const bytes = await g2PointsBytes()
    const points = Array.from({ length: bytes.length / 96 }, (_, i) =>
      G2.Point.fromBytes(bytes.subarray(96 * i, 96 * (i + 1)))
    )
    return sums.fixedG2(points)
  })

  async function commitG2(coefficients: readonly bigint[]): Promise<G2Point> {
    const [first = 0n, second = 0n, ...more] = coefficients
    if (more.length > 0) return (await sumOfMore())([...coefficients])
    // noble keeps tables of the generator, and the proof of one output has 1 as its second factor.
    return G2.Point.BASE.multiplyUnsafe(first).add((await g2Tau()).multiplyUnsafe(second))
  }

  const pairingsEqual = (a: G1Point, A: G2Point, b: G1Point, B: G2Point): boolean =>
    fields.Fp12.eql(
      pairingBatch([
        { g1: a, g2: A },
        { g1: b.negate(), g2: B }
      ]),
      fields.Fp12.ONE
    )

  return {
    decodeG1,
    commit,
    commitInParts,
    encodeSum,
    commitG2,
    pairingsEqual,
    multiplyG1: (n) => G1.Point.BASE.multiplyUnsafe(n),
    g2: G2.Point.BASE
  }
}
