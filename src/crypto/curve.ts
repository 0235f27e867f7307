// Arithmetic on edwards25519, tuned for BigInt engines: what signing, verification and key derivation need and no more. It
// takes half the time of a general library, mostly by leaving out full reductions. Points are in extended coordinates
// (X:Y:Z:T), x = X/Z, y = Y/Z, T = XY/Z (RFC 8032, 5.1.4). Coordinates are any representative mod p, also a negative one:
// `fold` keeps them short. Checked against vectors, @noble/ed25519 and the WebAssembly library in test/crypto.
const P = 0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffedn
const MASK = 0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffn
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n
/** Square root of -1. */
const SQRT_M1 = 0x2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0n
/** The base point (RFC 8032, 5.1). */
const BASE_X = 0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51an
const BASE_Y = 0x6666666666666666666666666666666666666666666666666666666666666658n
/** 2d of the curve -x² + y² = 1 + dx²y². */
const D2 = 0x2406d9dc56dffce7198e80f2eef3d13000e0149a8283b156ebd69b9426b2f159n
/** Order of the base point, RFC 8032's L. */
export const ORDER = 0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3edn

/** A point in extended coordinates. */
export interface ExtendedPoint {
  readonly X: bigint
  readonly Y: bigint
  readonly Z: bigint
  readonly T: bigint
}

/** A point as the additions want it: y + x, y - x, 2dxy, and 2z for one that is not affine. */
interface Niels {
  readonly plus: bigint
  readonly minus: bigint
  readonly t2d: bigint
  readonly z2: bigint
}

const IDENTITY: ExtendedPoint = { X: 0n, Y: 1n, Z: 1n, T: 0n }

/** 2^255 = 19 mod p: from 2k bits to about max(255, 2k - 250) bits, whatever the sign. */
const fold = (n: bigint): bigint => (n >> 255n) * 19n + (n & MASK)
/** Back to 255 bits and a sign, from anything below 2^528. */
const fold2 = (n: bigint): bigint => fold(fold(n))
const canonical = (n: bigint): bigint => {
  const r = fold2(n) % P
  return r < 0n ? r + P : r
}

/** Unified addition (add-2008-hwcd-3): the same steps for all inputs, the identity and doubling included. */
function addNiels(p: ExtendedPoint, q: Niels): ExtendedPoint {
  const A = fold2((p.Y - p.X) * q.minus)
  const B = fold2((p.Y + p.X) * q.plus)
  const C = fold2(p.T * q.t2d)
  const D = q.z2 === 2n ? p.Z + p.Z : fold2(p.Z * q.z2)
  const E = B - A
  const F = D - C
  const G = D + C
  const H = B + A
  return { X: fold(E * F), Y: fold(G * H), Z: fold2(F * G), T: fold(E * H) }
}

/** dbl-2008-hwcd for a = -1. */
function double(p: ExtendedPoint): ExtendedPoint {
  const A = fold2(p.X * p.X)
  const B = fold2(p.Y * p.Y)
  const C = fold2(p.Z * p.Z)
  const S = p.X + p.Y
  const H = A + B
  const E = H - fold2(S * S)
  const G = A - B
  const F = C + C + G
  return { X: fold(E * F), Y: fold(G * H), Z: fold2(F * G), T: fold(E * H) }
}

const toNiels = (p: ExtendedPoint): Niels => ({
  plus: fold2(p.Y + p.X),
  minus: fold2(p.Y - p.X),
  t2d: fold2(fold2(p.T) * D2),
  z2: fold2(p.Z + p.Z)
})
const negate = (q: Niels): Niels => ({ plus: q.minus, minus: q.plus, t2d: -q.t2d, z2: q.z2 })

/** The same points with z = 1: one inversion for all of them (Montgomery's trick). */
function toAffineNiels(points: readonly ExtendedPoint[]): Niels[] {
  const products: bigint[] = []
  let product = 1n
  for (const p of points) {
    products.push(product)
    product = canonical(product * p.Z)
  }
  let inverse = invert(product)
  const result: Niels[] = new Array(points.length)
  for (let i = points.length - 1; i >= 0; i--) {
    const p = points[i]!
    const zInverse = canonical(inverse * products[i]!)
    inverse = canonical(inverse * p.Z)
    const x = canonical(fold2(p.X) * zInverse)
    const y = canonical(fold2(p.Y) * zInverse)
    result[i] = { plus: canonical(y + x), minus: canonical(y - x + P), t2d: canonical(canonical(x * y) * D2), z2: 2n }
  }
  return result
}

/**
 * 1/a mod p for 0 < a < p: Euclid's algorithm, its small quotients found on the leading 50 bits (Lehmer; Knuth, TAOCP 4.5.2, algorithm L).
 * Its time depends on `a`: callers pass a projective Z, which says little about the scalar.
 */
function invert(a: bigint): bigint {
  let [r0, r1, t0, t1] = [P, a, 0n, 1n]
  while (r1 !== 0n) {
    const shift = BigInt(Math.max(0, Math.floor(Math.log2(Number(r0))) - 50))
    let x = Number(r0 >> shift)
    let y = Number(r1 >> shift)
    let [A, B, C, E] = [1, 0, 0, 1]
    while (y + C !== 0 && y + E !== 0) {
      const q = Math.floor((x + A) / (y + C))
      if (q !== Math.floor((x + B) / (y + E))) break
      ;[A, C] = [C, A - q * C]
      ;[B, E] = [E, B - q * E]
      ;[x, y] = [y, x - q * y]
    }
    if (B === 0) {
      const q = r0 / r1
      ;[r0, r1, t0, t1] = [r1, r0 - q * r1, t1, t0 - q * t1]
    } else {
      const [a0, b0, a1, b1] = [BigInt(A), BigInt(B), BigInt(C), BigInt(E)]
      ;[r0, r1, t0, t1] = [a0 * r0 + b0 * r1, a1 * r0 + b1 * r1, a0 * t0 + b0 * t1, a1 * t0 + b1 * t1]
    }
  }
  return t0 < 0n ? t0 + P : t0
}

const WINDOWS = 32
const ENTRIES = 128
let baseTable: readonly Niels[] | undefined

/** Entry 128w + i is (2i + 1)·2^(8w)·B. Built once, at first use: about 10 ms. */
function getBaseTable(): readonly Niels[] {
  if (baseTable !== undefined) return baseTable
  const points: ExtendedPoint[] = []
  let p: ExtendedPoint = { X: BASE_X, Y: BASE_Y, Z: 1n, T: canonical(BASE_X * BASE_Y) }
  for (let w = 0; w < WINDOWS; w++) {
    const step = toNiels(double(p))
    let multiple = p
    for (let i = 0; i < ENTRIES; i++) {
      points.push(multiple)
      multiple = addNiels(multiple, step)
    }
    for (let i = 0; i < 8; i++) p = double(p)
  }
  return (baseTable = toAffineNiels(points))
}

/**
 * n·B for 0 <= n < 2^255. Every n takes the same 32 additions: an even n is replaced by the odd n + L, and an odd number
 * is a sum of 32 odd digits between -255 and 255 (Joye and Tunstall), so no digit is zero and none needs a branch.
 */
export function multiplyBase(n: bigint): ExtendedPoint {
  const table = getBaseTable()
  const reduced = n % ORDER
  // L is odd: one of the two is odd. 256 bits are enough for both.
  let rest = reduced + ORDER * (1n - (reduced & 1n))
  let p = IDENTITY
  for (let w = 0; w < WINDOWS; w++) {
    // Odd digit in [-255, 255]: the low 9 bits, minus 2^8; what remains is odd again. The last one is what is left.
    const digit = w < WINDOWS - 1 ? Number(rest & 511n) - 256 : Number(rest)
    rest = (rest - BigInt(digit)) >> 8n
    const sign = digit >> 31
    const entry = table[w * ENTRIES + (((digit ^ sign) - sign) >> 1)]!
    const pair = [entry.plus, entry.minus] as const
    p = addNiels(p, { plus: pair[sign & 1]!, minus: pair[(sign & 1) ^ 1]!, t2d: entry.t2d * BigInt(sign | 1), z2: 2n })
  }
  return p
}

/** Digits of the width-5 non-adjacent form, least first: odd, |d| < 16, most of them zero. For public numbers only. */
function nonAdjacentForm(n: bigint): Int8Array {
  const digits = new Int8Array(256)
  for (let i = 0; n > 0n; i++, n >>= 1n) {
    if ((n & 1n) === 0n) continue
    const low = Number(n & 31n)
    const digit = low > 15 ? low - 32 : low
    digits[i] = digit
    n -= BigInt(digit)
  }
  return digits
}

/** s·B - k·A for public numbers 0 <= s, k < L; not of constant time. */
export function multiplyBaseMinus(s: bigint, k: bigint, A: ExtendedPoint): ExtendedPoint {
  const step = toNiels(double(A))
  const multiples: Niels[] = []
  for (let i = 0, p = A; i < 8; i++) {
    multiples.push(toNiels(p))
    p = addNiels(p, step)
  }
  const digits = nonAdjacentForm(k)
  let p = IDENTITY
  for (let i = 255; i >= 0; i--) {
    if (p !== IDENTITY) p = double(p)
    const digit = digits[i]!
    if (digit > 0) p = addNiels(p, negate(multiples[digit >> 1]!))
    else if (digit < 0) p = addNiels(p, multiples[-digit >> 1]!)
  }
  return addNiels(multiplyBase(s), toNiels(p))
}

/** Sum of two points. */
export function addPoints(p: ExtendedPoint, q: ExtendedPoint): ExtendedPoint {
  return addNiels(p, toNiels(q))
}

/** Whether 8·p is the identity. */
export function hasSmallOrder(p: ExtendedPoint): boolean {
  const q = double(double(double(p)))
  return canonical(q.X) === 0n && canonical(q.Y - q.Z) === 0n
}

/** The 32 bytes of a point: y little-endian, the top bit is the parity of x. */
export function encodePoint(p: ExtendedPoint): Uint8Array {
  const zInverse = invert(canonical(p.Z))
  const x = canonical(p.X * zInverse)
  const y = canonical(p.Y * zInverse)
  return numberToBytes(y | ((x & 1n) << 255n))
}

/** x^(2^n) */
function square(x: bigint, n: number): bigint {
  for (let i = 0; i < n; i++) x = fold2(x * x)
  return x
}

/** x^((p - 5) / 8) by the usual chain: the exponent is 2^252 - 3. */
function powP58(x: bigint): bigint {
  const x2 = fold2(square(x, 1) * x)
  const x4 = fold2(square(x2, 2) * x2)
  const x5 = fold2(square(x4, 1) * x)
  const x10 = fold2(square(x5, 5) * x5)
  const x20 = fold2(square(x10, 10) * x10)
  const x40 = fold2(square(x20, 20) * x20)
  const x80 = fold2(square(x40, 40) * x40)
  const x160 = fold2(square(x80, 80) * x80)
  const x240 = fold2(square(x160, 80) * x80)
  const x250 = fold2(square(x240, 10) * x10)
  return fold2(square(x250, 2) * x)
}

/** A point of 32 bytes, or undefined when they are not its one canonical encoding (RFC 8032, 5.1.3). For public bytes only. */
export function decodePoint(bytes: Uint8Array): ExtendedPoint | undefined {
  const n = bytesToNumber(bytes)
  const y = n & MASK
  if (y >= P) return undefined
  const y2 = fold2(y * y)
  const u = y2 - 1n
  const v = fold2(D * y2) + 1n
  const v3 = fold2(fold2(v * v) * v)
  // x = u·v³·(u·v⁷)^((p-5)/8) is a root of u/v, or one times √-1 is, or there is none.
  let x = canonical(fold2(u * v3) * powP58(fold2(fold2(fold2(v3 * v3) * v) * u)))
  const vx2 = canonical(fold2(x * x) * v)
  if (vx2 !== canonical(u)) {
    if (vx2 !== canonical(-u)) return undefined
    x = canonical(x * SQRT_M1)
  }
  const isOdd = n >> 255n
  if (x === 0n && isOdd === 1n) return undefined
  if ((x & 1n) !== isOdd) x = P - x
  return { X: x, Y: y, Z: 1n, T: fold2(x * y) }
}

/** Little-endian bytes, a multiple of 8 of them, as a number. No table and no text in between: the bytes may be secret. */
export function bytesToNumber(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let n = 0n
  for (let i = bytes.length - 8; i >= 0; i -= 8) n = (n << 64n) | view.getBigUint64(i, true)
  return n
}

/** A number below 2^256 as 32 little-endian bytes. */
export function numberToBytes(n: bigint): Uint8Array {
  const bytes = new Uint8Array(32)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < 4; i++) view.setBigUint64(8 * i, BigInt.asUintN(64, n >> BigInt(64 * i)), true)
  return bytes
}
