import { bytesToHex } from '../codec/hex.js'
import { blake2b224, blake2b256 } from '../hash/blake2b.js'
import type { Accelerator, Curve, G1Point } from './curve.js'
import { loadCurve } from './curve.js'
import { ORDER, productInParts, productOf } from './polynomial.js'
import { fail } from './record.js'
import { MAX_ELEMENTS } from './setupPoints.js'

/** A commitment to a multiset of elements. */
export interface AccumulatorValue {
  /** Compressed point of G1: hex, 96 characters. */
  readonly commitment: string
  /** Blake2b-256 of the commitment, which the parties sign: hex, 64 characters. */
  readonly hash: string
}

/** The root that stands for an element: blake2b-224, big-endian. */
export function rootOf(element: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(blake2b224(element))}`) % ORDER
}

/** Rejects a set for which the setup has too few points. @throws {@link VerificationError} with reason `too-large`. */
export function assertCount(count: number, most: number, what: string): void {
  if (count > most) fail('too-large', what, `at most ${most} outputs`, count)
}

/**
 * Commits to the polynomial whose roots stand for the elements.
 *
 * @throws {@link VerificationError} with reason `too-large` beyond 4,095 elements, or `accelerator`.
 */
export async function accumulateElements(
  elements: readonly Uint8Array[],
  accelerator?: Accelerator
): Promise<AccumulatorValue> {
  assertCount(elements.length, MAX_ELEMENTS, 'The UTxO set')
  const curve = await loadCurve()
  return polynomialValueOf(await curve.commit(productOf(elements.map(rootOf)), accelerator), curve)
}

/**
 * As {@link accumulateElements}, in parts with a pause after each, for a thread that has others to serve. It keeps
 * tables of the setup's points, which make the next sums cheaper: 16 KB a point for the first 256, 8 KB for the others.
 *
 * @throws as {@link accumulateElements}, and the errors of `pause`.
 */
export async function accumulateInParts(
  elements: readonly Uint8Array[],
  pause: () => Promise<void>
): Promise<AccumulatorValue> {
  assertCount(elements.length, MAX_ELEMENTS, 'The UTxO set')
  return accumulateRoots(elements.map(rootOf), { pause })
}

/** How roots are accumulated in parts. */
export interface AccumulateRootsOptions {
  /** Called between two parts. */
  readonly pause: () => Promise<void>
  /** Computes the commitment. */
  readonly accelerator?: Accelerator | undefined
}

/** From this number of roots on, a set is committed to in several steps. */
const STEPS_FROM = 64

/** As {@link accumulateInParts}, of the roots that stand for the elements. */
export async function accumulateRoots(
  roots: readonly bigint[],
  { pause, accelerator }: AccumulateRootsOptions
): Promise<AccumulatorValue> {
  assertCount(roots.length, MAX_ELEMENTS, 'The UTxO set')
  const curve = await loadCurve()
  // The first time the code of the curve has just been evaluated. A small set is one step.
  if (roots.length >= STEPS_FROM) await pause()
  const product = await productInParts(roots, pause)
  return polynomialValueOf(
    await (accelerator === undefined ? curve.commitInParts(product, pause) : curve.commit(product, accelerator)),
    curve
  )
}

/** The commitment and its hash of a sum of the curve. */
export function polynomialValueOf(sum: G1Point, { encodeSum }: Pick<Curve, 'encodeSum'>): AccumulatorValue {
  const bytes = encodeSum(sum)
  return { commitment: bytesToHex(bytes), hash: commitmentHash(bytes) }
}

/** Blake2b-256 of a compressed commitment, in hex. */
export function commitmentHash(bytes: Uint8Array): string {
  return bytesToHex(blake2b256(bytes))
}
