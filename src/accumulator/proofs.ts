import { assertCount, commitmentHash, rootOf, polynomialValueOf } from './accumulate.js'
import type { Accelerator, Curve, G1Point } from './curve.js'
import { loadCurve, readPoint } from './curve.js'
import { divideLinear, ORDER, productOf } from './polynomial.js'
import { assertHex, fail } from './record.js'
import { MAX_ELEMENTS, MAX_PROVEN } from './setupPoints.js'

/** A set's commitment and a proof about it, in hex. */
export interface ElementProof {
  readonly commitment: string
  readonly accumulatorHash: string
  readonly proof: string
}

/**
 * Returns the proof that some elements are in a set: the commitment to all other elements of the set.
 *
 * @throws {@link VerificationError} with reason `proof` when one is not in the set as often as in `proven`, or
 * `too-large`.
 */
export async function proveElements(
  set: readonly Uint8Array[],
  proven: readonly Uint8Array[],
  accelerator?: Accelerator
): Promise<ElementProof> {
  assertCount(set.length, MAX_ELEMENTS, 'The UTxO set')
  assertCount(proven.length, MAX_PROVEN, 'A proof')
  const roots = set.map(rootOf)
  const others = [...roots]
  for (const root of proven.map(rootOf)) {
    const at = others.indexOf(root)
    if (at < 0) fail('proof', 'A proof', 'outputs of the set', 'another')
    others.splice(at, 1)
  }
  return withCommitment(productOf(roots), productOf(others), accelerator)
}

/**
 * Returns the proof that an element is not in a set.
 *
 * @throws {@link VerificationError} with reason `proof` when the element is in the set, or the set is empty, because
 * then no commitment to a quotient exists.
 */
export async function proveAbsence(
  set: readonly Uint8Array[],
  element: Uint8Array,
  accelerator?: Accelerator
): Promise<ElementProof & { remainder: string }> {
  assertCount(set.length, MAX_ELEMENTS, 'The UTxO set')
  if (set.length === 0)
    fail(
      'proof',
      'A non-membership proof',
      'a set with outputs: the empty set is known by its accumulator',
      'the empty set'
    )
  const polynomial = productOf(set.map(rootOf))
  const { quotient, remainder } = divideLinear(polynomial, rootOf(element))
  if (remainder === 0n) fail('proof', 'A non-membership proof', 'an output that is not in the set', 'one that is')
  return {
    ...(await withCommitment(polynomial, quotient, accelerator)),
    remainder: remainder.toString(16).padStart(64, '0')
  }
}

async function withCommitment(
  polynomial: readonly bigint[],
  quotient: readonly bigint[],
  accelerator?: Accelerator
): Promise<ElementProof> {
  const curve = await loadCurve()
  const { commitment, hash } = polynomialValueOf(await curve.commit(polynomial, accelerator), curve)
  const { commitment: proof } = polynomialValueOf(await curve.commit(quotient, accelerator), curve)
  return { commitment, accumulatorHash: hash, proof }
}

/**
 * Checks that the elements are in the set: e(C, G2) = e(Q, f_S(tau) G2).
 *
 * @throws {@link VerificationError} with the reason why not.
 */
export async function checkMembership(
  { commitment, accumulatorHash, proof }: { commitment: unknown; accumulatorHash: unknown; proof: unknown },
  elements: readonly Uint8Array[]
): Promise<void> {
  if (elements.length === 0) fail('input', 'A membership proof', 'at least one output', 'none')
  assertCount(elements.length, MAX_PROVEN, 'A proof')
  const curve = await loadCurve()
  const C = decodeCommitment(curve, commitment, accumulatorHash)
  const Q = curve.decodeG1(readPoint(proof, 'The proof'), 'The proof')
  const F = await curve.commitG2(productOf(elements.map(rootOf)))
  if (!curve.pairingsEqual(C, curve.g2, Q, F))
    fail('proof', 'The proof', 'a proof of these outputs in this set', 'another')
}

/**
 * Checks that the element is not in the set: e(C - b G1, G2) = e(Q, (tau + s) G2) with b not zero.
 *
 * @throws {@link VerificationError} with the reason why not.
 */
export async function checkAbsence(
  {
    commitment,
    accumulatorHash,
    proof,
    remainder
  }: { commitment: unknown; accumulatorHash: unknown; proof: unknown; remainder: unknown },
  element: Uint8Array
): Promise<void> {
  const b = BigInt(`0x${assertHex('remainder', 'The remainder', remainder, 32)}`)
  // With b = 0 this would be a proof of membership.
  if (b === 0n || b >= ORDER)
    fail(
      'remainder',
      'The remainder',
      'a number from 1, below the order of the curve',
      b === 0n ? 'zero' : 'a larger one'
    )
  const curve = await loadCurve()
  const C = decodeCommitment(curve, commitment, accumulatorHash)
  const Q = curve.decodeG1(readPoint(proof, 'The proof'), 'The proof')
  const D = C.subtract(curve.multiplyG1(b))
  if (D.is0()) fail('infinity', 'The commitment without the remainder', 'a point that is not infinity', 'infinity')
  const F = await curve.commitG2([rootOf(element), 1n])
  if (!curve.pairingsEqual(D, curve.g2, Q, F))
    fail('proof', 'The proof', 'a proof that this output is not in this set', 'another')
}

/**
 * Checks that removing and adding these elements turns one set into the other: e(C', f_removed(tau) G2) = e(C,
 * f_added(tau) G2).
 *
 * @throws {@link VerificationError} with the reason why not.
 */
export async function checkUpdate(
  before: unknown,
  after: unknown,
  removed: readonly Uint8Array[],
  added: readonly Uint8Array[]
): Promise<void> {
  assertCount(removed.length, MAX_PROVEN, 'The removed outputs')
  assertCount(added.length, MAX_PROVEN, 'The added outputs')
  const kept = new Set(removed.map(rootOf))
  // An element on both sides cancels out: it would prove no fact about either set.
  if (added.some((element) => kept.has(rootOf(element))))
    fail('input', 'An update', 'no output that is removed and added', 'one')
  const curve = await loadCurve()
  const C = curve.decodeG1(readPoint(before, 'The commitment before'), 'The commitment before')
  const D = curve.decodeG1(readPoint(after, 'The commitment after'), 'The commitment after')
  const [R, A] = [
    await curve.commitG2(productOf(removed.map(rootOf))),
    await curve.commitG2(productOf(added.map(rootOf)))
  ]
  if (!curve.pairingsEqual(D, R, C, A))
    fail('proof', 'The update', 'commitments that differ by these outputs', 'others')
}

/**
 * Decodes a commitment after checking that it hashes to the signed accumulator hash. Without this check any claim could
 * be proven.
 */
export function decodeCommitment({ decodeG1 }: Curve, commitment: unknown, accumulatorHash: unknown): G1Point {
  const what = 'The commitment'
  const expected = assertHex('input', 'The accumulator hash', accumulatorHash, 32)
  const bytes = readPoint(commitment, what)
  if (commitmentHash(bytes) !== expected) fail('accumulator', what, 'a point that hashes to the accumulator', 'another')
  return decodeG1(bytes, what)
}
