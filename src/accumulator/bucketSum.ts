import type { G1Point } from './curve.js'

/** Bits of a scalar, with one for the sum with the offset of its digits. */
const SCALAR_BITS = 256
/** Additions of points between two pauses: some milliseconds on a machine of today. */
const ADDITIONS_A_STEP = 1_024
const MAX_WINDOW = 12

/** Window in bits with the fewest additions for a number of points. */
export function windowOf(count: number): number {
  const costOf = (bits: number): number => Math.ceil(SCALAR_BITS / bits) * (count + 2 ** bits)
  let best = 2
  for (let bits = best + 1; bits <= MAX_WINDOW; bits++) if (costOf(bits) < costOf(best)) best = bits
  return best
}

/**
 * The sum of scalars[i] times points[i], by buckets (Pippenger), in steps of at most
 * {@link ADDITIONS_A_STEP} additions. For public values alone: its time depends on them.
 *
 * Each scalar is written in digits from -half to half - 1, where half is 2^(window - 1): the points with the digit n
 * are added up in the bucket n, those with -n are subtracted there, and a running sum from the largest bucket down
 * counts each bucket n times. With the offset, the sum of half over all digits, digits are bits of a number.
 */
export function* bucketSum(
  points: readonly G1Point[],
  scalars: readonly bigint[],
  zero: G1Point
): Generator<undefined, G1Point> {
  const bits = windowOf(points.length)
  const half = 2 ** (bits - 1)
  const windows = Math.ceil(SCALAR_BITS / bits) + 1
  const [width, mask] = [BigInt(bits), 2n ** BigInt(bits) - 1n]
  let offset = 0n
  for (let at = 0; at < windows; at++) offset = (offset << width) + BigInt(half)
  const shifted = scalars.map((scalar) => scalar + offset)
  let total = zero
  let additions = 0
  for (let at = BigInt(windows) - 1n; at >= 0n; at--) {
    for (let bit = 0; bit < bits; bit++) total = total.double()
    const buckets = new Array<G1Point | undefined>(half + 1)
    let largest = 0
    for (let i = 0; i < points.length; i++) {
      const digit = Number((shifted[i]! >> (at * width)) & mask) - half
      if (digit === 0) continue
      const point = digit < 0 ? points[i]!.negate() : points[i]!
      const n = Math.abs(digit)
      buckets[n] = buckets[n] === undefined ? point : buckets[n].add(point)
      largest = Math.max(largest, n)
      if (++additions % ADDITIONS_A_STEP === 0) yield
    }
    let running = zero
    let sum = zero
    for (let n = largest; n > 0; n--) {
      if (buckets[n] !== undefined) running = running.add(buckets[n]!)
      sum = sum.add(running)
      additions += 2
      if (additions % ADDITIONS_A_STEP < 2) yield
    }
    total = total.add(sum)
  }
  return total
}
