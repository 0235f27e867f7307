import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bytesToHex } from '../../src/codec/hex'
import { loadCurve } from '../../src/accumulator/curve'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'

const { Point } = bls12_381.G1

describe('the bytes of a sum', () => {
  it('are those that noble writes, for random points, small multiples and their negatives', async () => {
    const { encodeSum } = await loadCurve()
    const random = randomSource('sums')
    const points = Array.from({ length: 16 }, (_, i) => Point.BASE.multiply(BigInt(i + 2)))
    for (let i = 0; i < scaled(400); i++)
      points.push(Point.BASE.multiply(BigInt(`0x${bytesToHex(random.bytes(31))}`) + 1n))
    // A sum that is not normalised, as they come.
    for (const point of points.flatMap((each) => [each, each.negate(), each.subtract(Point.BASE)]))
      expect(bytesToHex(encodeSum(point))).toBe(bytesToHex(point.toBytes(true)))
  })

  it('of infinity, which no set has, are its flags alone', async () => {
    const { encodeSum } = await loadCurve()
    expect(bytesToHex(encodeSum(Point.ZERO))).toBe('c'.padEnd(96, '0'))
  })

  it('have leading zeros where x is small', async () => {
    const { encodeSum } = await loadCurve()
    // x = 4 is the smallest of the curve's points with a y: outside the group, which an encoding does not ask for.
    const y = bls12_381.fields.Fp.sqrt(4n ** 3n + 4n)
    const text = bytesToHex(encodeSum(Point.fromAffine({ x: 4n, y })))
    expect(text).toMatch(/^[8a]0{94}4$/)
  })
})
