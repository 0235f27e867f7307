import fc from 'fast-check'
import { bucketSum, windowOf } from '../../src/accumulator/bucketSum'
import type { G1Point } from '../../src/accumulator/curve'
import { ORDER } from '../../src/accumulator/polynomial'
import { scaled } from '../support/scale'

let additions = 0

/** The whole numbers modulo the order as a group: every sum is known, and additions are counted. */
class Residue {
  constructor(readonly value: bigint) {}
  add(other: Residue): Residue {
    additions++
    return new Residue((this.value + other.value) % ORDER)
  }
  double(): Residue {
    return new Residue((2n * this.value) % ORDER)
  }
  negate(): Residue {
    return new Residue((ORDER - this.value) % ORDER)
  }
}

const ZERO = new Residue(0n)

/** The sum, and the additions of each step. */
function sumOf(values: readonly bigint[], scalars: readonly bigint[]): { sum: bigint; steps: number[] } {
  const points = values.map((value) => new Residue(value)) as unknown as G1Point[]
  const running = bucketSum(points, scalars, ZERO as unknown as G1Point)
  const steps: number[] = []
  for (;;) {
    additions = 0
    const { done, value } = running.next()
    steps.push(additions)
    if (done === true) return { sum: (value as unknown as Residue).value, steps }
  }
}

const naive = (values: readonly bigint[], scalars: readonly bigint[]): bigint =>
  values.reduce((sum, value, i) => (sum + value * scalars[i]!) % ORDER, 0n)

// Ends of the range, and digits at the ends of theirs for every window.
const edges = [0n, 1n, ORDER - 1n, ORDER >> 1n, 2n ** 254n, 2n ** 254n - 1n, BigInt(`0x${'80'.repeat(31)}`)]
const scalar = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: ORDER - 1n }))

describe('a sum by buckets', () => {
  it('is the sum of the products, for any scalars', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(scalar, scalar), { maxLength: 80 }), (pairs) => {
        const [values, scalars] = [pairs.map(([value]) => value), pairs.map(([, factor]) => factor)]
        expect(sumOf(values, scalars).sum).toBe(naive(values, scalars))
      }),
      { numRuns: scaled(2_000) }
    )
  })

  it.each([1, 12, 40, 100, 300, 1_000, 4_096])('of %d points has short steps, and few of them', (count) => {
    const values = Array.from({ length: count }, (_, i) => BigInt(i) + 1n)
    const scalars = Array.from({ length: count }, (_, i) => (edges[i % 7]! * BigInt(i + 3) ** 40n) % ORDER)
    const { sum, steps } = sumOf(values, scalars)
    expect(sum).toBe(naive(values, scalars))
    expect(Math.max(...steps)).toBeLessThanOrEqual(1_026)
    // A digit of each scalar in each window, and two additions for each bucket.
    const most = Math.ceil(257 / windowOf(count)) + 1
    expect(steps.reduce((all, each) => all + each)).toBeLessThanOrEqual(most * (count + 2 ** windowOf(count) + 1))
  })

  it('has wider windows for more points', () => {
    expect([1, 300, 1_000, 4_096].map(windowOf)).toEqual([2, 6, 8, 10])
  })
})
