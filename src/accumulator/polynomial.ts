/** Order of the groups of BLS12-381: coefficients are numbers modulo it. */
export const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** Up to this number of roots, multiplying term by term is faster than packing (see {@link SLOT_DIGITS}). */
const PACK_FROM = 16
/** Number of roots that are multiplied without a pause. */
const PART = 256
/**
 * Hex digits of a packed coefficient: products of two coefficients have 510 bits, and sums of up to 2^18 of them 528.
 * Packing (Kronecker substitution) turns polynomials into whole numbers, which the engine multiplies in less than
 * quadratic time.
 */
const SLOT_DIGITS = 132
/** Coefficients that are reduced between two pauses. */
const UNPACKED_A_STEP = 1_024

/** Returns the coefficients, lowest first, of the product of (X + s) over all roots s. */
export function productOf(roots: readonly bigint[]): bigint[] {
  if (roots.length <= PACK_FROM) return roots.reduce((product, root) => timesLinear(product, root), [1n])
  const middle = roots.length >> 1
  return multiply(productOf(roots.slice(0, middle)), productOf(roots.slice(middle)))
}

/** As {@link productOf}, with a pause between two parts of the work. */
export async function productInParts(roots: readonly bigint[], pause: () => Promise<void>): Promise<bigint[]> {
  if (roots.length <= PART) return productOf(roots)
  const middle = roots.length >> 1
  const left = await productInParts(roots.slice(0, middle), pause)
  await pause()
  const right = await productInParts(roots.slice(middle), pause)
  await pause()
  return multiplyInParts(left, right, pause)
}

/** As {@link multiply}, with pauses: the largest product of all takes some tens of milliseconds. */
async function multiplyInParts(
  a: readonly bigint[],
  b: readonly bigint[],
  pause: () => Promise<void>
): Promise<bigint[]> {
  const packed = [pack(a)]
  await pause()
  packed.push(pack(b))
  await pause()
  const count = a.length + b.length - 1
  const digits = digitsOf(packed[0]! * packed[1]!, count)
  const product: bigint[] = []
  while (product.length < count) {
    await pause()
    product.push(...unpack(digits, product.length, Math.min(count, product.length + UNPACKED_A_STEP)))
  }
  return product
}

/**
 * Divides a polynomial by (X + s). Returns the quotient, lowest coefficient first, and the remainder, which is the
 * polynomial's value at -s.
 */
export function divideLinear(polynomial: readonly bigint[], s: bigint): { quotient: bigint[]; remainder: bigint } {
  const quotient = new Array<bigint>(polynomial.length - 1)
  let carry = polynomial.at(-1)!
  for (let i = polynomial.length - 2; i >= 0; i--) {
    quotient[i] = carry
    carry = mod(polynomial[i]! - s * carry)
  }
  return { quotient, remainder: carry }
}

function mod(value: bigint): bigint {
  const rest = value % ORDER
  return rest < 0n ? rest + ORDER : rest
}

function timesLinear(polynomial: readonly bigint[], s: bigint): bigint[] {
  const product = new Array<bigint>(polynomial.length + 1)
  product[0] = (polynomial[0]! * s) % ORDER
  for (let i = 1; i < polynomial.length; i++) product[i] = (polynomial[i]! * s + polynomial[i - 1]!) % ORDER
  product[polynomial.length] = polynomial.at(-1)!
  return product
}

function multiply(a: readonly bigint[], b: readonly bigint[]): bigint[] {
  const count = a.length + b.length - 1
  return unpack(digitsOf(pack(a) * pack(b), count), 0, count)
}

/** Hex digits of a packed product of `count` coefficients, highest first. */
function digitsOf(packed: bigint, count: number): string {
  return packed.toString(16).padStart(count * SLOT_DIGITS, '0')
}

/** The coefficients `from` to `to`, exclusive. */
function unpack(digits: string, from: number, to: number): bigint[] {
  return Array.from({ length: to - from }, (_, i) => {
    const end = digits.length - (from + i) * SLOT_DIGITS
    return BigInt(`0x${digits.slice(end - SLOT_DIGITS, end)}`) % ORDER
  })
}

function pack(polynomial: readonly bigint[]): bigint {
  let digits = ''
  for (const coefficient of polynomial) digits = coefficient.toString(16).padStart(SLOT_DIGITS, '0') + digits
  return BigInt(`0x${digits}`)
}
