// Points of edwards25519, all of them @noble/ed25519's. This file holds the few operations that extended keys need
// beside a signature library: numbers as little-endian bytes, and products that do not fail for the number 0.
import { etc, Point } from '@noble/ed25519'

/** A point of the curve. */
export type CurvePoint = Point

/** Order of the base point, RFC 8032's L. */
export const GROUP_ORDER = 0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3edn

/** The prime of the field, 2^255 - 19. */
const FIELD = 2n ** 255n - 19n
/** y of a point of order 8; the other one is its negative. */
const Y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n
/** The y of all eight points of small order: of order 1, 2, 4 and 8, each with either sign of x. */
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([1n, FIELD - 1n, 0n, Y8, FIELD - Y8])

/**
 * Computes n·B for any n from 0, secret or not, because noble's multiplication runs the same steps for every n. noble
 * refuses n >= L, so n is reduced here, for the product only and never where a key is stored.
 */
export function multiplyBase(n: bigint): CurvePoint {
  const reduced = n % GROUP_ORDER
  return reduced === 0n ? Point.ZERO : Point.BASE.multiply(reduced)
}

/** s·B - k·A for public numbers 0 <= s, k < L; not of constant time. */
export function multiplyBaseMinus(s: bigint, k: bigint, A: CurvePoint): CurvePoint {
  return Point.BASE.multiply(s, false).add(A.negate().multiply(k, false))
}

/**
 * Decodes a point of 32 bytes; undefined when they are not its one canonical encoding (RFC 8032, 5.1.3). For public
 * bytes only.
 */
export function decodePoint(bytes: Uint8Array): CurvePoint | undefined {
  try {
    return Point.fromBytes(bytes, false)
  } catch {
    return undefined
  }
}

/**
 * Returns true for 32 bytes that can be a point of the ledger's libsodium: y below the prime, so that each point has
 * one encoding, and no point of small order. Only decoding shows that they are a point. For public bytes only.
 */
export function isStrictEncoding(bytes: Uint8Array): boolean {
  const y = BigInt.asUintN(255, bytesToNumber(bytes))
  // The other encodings that RFC 8032 refuses, x = 0 with the sign bit set, are of y = 1 and y = -1.
  return y < FIELD && !SMALL_ORDER_Y.has(y)
}

/**
 * Encodes points with one inversion for all of them, where `toBytes` needs one for each point. It inverts the product
 * of all Z, and two multiplications per point recover each inverse (Montgomery). Not of constant time, like noble's own
 * `toBytes`.
 */
export function encodePoints(points: readonly CurvePoint[]): Uint8Array[] {
  const before: bigint[] = []
  let product = 1n
  for (const { Z } of points) {
    before.push(product)
    product = (product * Z) % FIELD
  }
  let inverse = etc.invert(product, FIELD)
  const encoded: Uint8Array[] = []
  for (let i = points.length - 1; i >= 0; i--) {
    const { X, Y, Z } = points[i]!
    const inverseZ = (inverse * before[i]!) % FIELD
    inverse = (inverse * Z) % FIELD
    // RFC 8032, 5.1.2: y, and the lowest bit of x in the place of its highest.
    encoded[i] = numberToBytes(((Y * inverseZ) % FIELD) | ((((X * inverseZ) % FIELD) & 1n) << 255n))
  }
  return encoded
}

/**
 * Reads little-endian bytes, a multiple of 8 of them, as a number. It uses no table and no text, because the bytes may
 * be secret.
 */
export function bytesToNumber(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let n = 0n
  for (let i = bytes.length - 8; i >= 0; i -= 8) n = (n << 64n) | view.getBigUint64(i, true)
  return n
}

/** Writes the lower 256 bits of a number as 32 little-endian bytes, to `bytes` when given. */
export function numberToBytes(n: bigint, bytes: Uint8Array = new Uint8Array(32)): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  for (let i = 0; i < 4; i++) view.setBigUint64(8 * i, BigInt.asUintN(64, n >> BigInt(64 * i)), true)
  return bytes
}
