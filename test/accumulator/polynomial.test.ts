import fc from 'fast-check'
import { divideLinear, ORDER, productOf } from '../../src/accumulator/polynomial'
import { scaled } from '../support/scale'

const mod = (value: bigint): bigint => ((value % ORDER) + ORDER) % ORDER
const valueAt = (polynomial: readonly bigint[], x: bigint): bigint =>
  polynomial.reduceRight((sum, coefficient) => mod(sum * x + coefficient), 0n)
const root = fc.bigInt({ min: 0n, max: ORDER - 1n })

describe('polynomials over the scalar field', () => {
  it('have at any point the value of the product of their factors', () => {
    fc.assert(
      fc.property(fc.array(root, { maxLength: 150 }), root, (all, x) => {
        const polynomial = productOf(all)
        expect(polynomial).toHaveLength(all.length + 1)
        expect(polynomial.every((coefficient) => coefficient >= 0n && coefficient < ORDER)).toBe(true)
        expect(valueAt(polynomial, x)).toBe(all.reduce((product, s) => mod(product * (x + s)), 1n))
      }),
      { numRuns: scaled(2_000) }
    )
  })

  it.each([0, 1, 16, 17, 31, 32, 33, 63, 64, 65])('do not depend on how %i factors are multiplied', (count) => {
    // The largest roots: sums of products are as long as they can be.
    const all = Array.from({ length: count }, (_, i) => ORDER - 1n - BigInt(i))
    const naive = all.reduce<bigint[]>(
      (product, s) => [0n, ...product].map((below, i) => mod(below + s * (product[i] ?? 0n))),
      [1n]
    )
    expect(productOf(all)).toEqual(naive)
  })

  it('are divided by a factor with the value at its root as remainder', () => {
    fc.assert(
      fc.property(fc.array(root, { minLength: 1, maxLength: 60 }), root, root, (all, s, x) => {
        const polynomial = productOf(all)
        const { quotient, remainder } = divideLinear(polynomial, s)
        expect(quotient).toHaveLength(polynomial.length - 1)
        expect(remainder).toBe(valueAt(polynomial, mod(-s)))
        expect(valueAt(polynomial, x)).toBe(mod(valueAt(quotient, x) * (x + s) + remainder))
        expect(divideLinear(polynomial, all[0]!).remainder).toBe(0n)
      }),
      { numRuns: scaled(2_000) }
    )
  })
})
