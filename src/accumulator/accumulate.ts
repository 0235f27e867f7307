import { bytesToHex } from '../codec/hex.js'
import { blake2b224, blake2b256 } from '../hash/blake2b.js'
import type { Accelerator, Curve, G1Point } from './curve.js'
import { loadCurve } from './curve.js'
import { ORDER, productInParts, productOf } from './polynomial.js'
import { fail } from './record.js'
import { MAX_ELEMENTS } from './setupPoints.js'

/** An accumulator: a short commitment to a multiset of elements, such as the outputs of a head. */
export interface AccumulatorValue {
  /** The commitment, a compressed point of the group G1 of BLS12-381: hex, 96 characters. */
  readonly commitment: string
  /** Blake2b-256 of the commitment, which the parties sign: hex, 64 characters. */
  readonly hash: string
}

/**
 * Returns the root that represents an element in the accumulator's polynomial: its blake2b-224 as a big-endian number.
 */
export function rootOf(element: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(blake2b224(element))}`) % ORDER
}

/**
 * Throws when a set has more outputs than the trusted setup has points for. @throws {@link VerificationError} with
 * reason `too-large`.
 */
export function assertCount(count: number, most: number, what: string): void {
  if (count > most) fail('too-large', what, `at most ${most} outputs`, count)
}

/**
 * Computes the accumulator of elements: the commitment to the polynomial whose roots represent them.
 *
 * @throws {@link VerificationError} with reason `too-large` beyond 4,095 elements, or `accelerator` when the
 * accelerator fails.
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
 * Same as {@link accumulateElements}, with pauses between parts of the work, so that the thread can do other work.
 * Keeps tables of the setup's points, which make later sums faster: 16 KB per point for the first 256, 8 KB for the
 * others.
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

/** Options of {@link accumulateRoots}. */
export interface AccumulateRootsOptions {
  /** Called between two parts. */
  readonly pause: () => Promise<void>
  /** Computes the commitment in place of the package's own code. */
  readonly accelerator?: Accelerator | undefined
}

/** From this number of roots on, a set is committed to in several steps. */
const STEPS_FROM = 64

/** Same as {@link accumulateInParts}, from the roots that represent the elements ({@link rootOf}). */
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

/** Returns the accumulator (commitment and hash) for a sum of points. */
export function polynomialValueOf(sum: G1Point, { encodeSum }: Pick<Curve, 'encodeSum'>): AccumulatorValue {
  const bytes = encodeSum(sum)
  return { commitment: bytesToHex(bytes), hash: commitmentHash(bytes) }
}

/** Blake2b-256 of a compressed commitment, in hex. */
export function commitmentHash(bytes: Uint8Array): string {
  return bytesToHex(blake2b256(bytes))
}
