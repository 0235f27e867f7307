import {
  MAX_PROVEN,
  assertCount,
  checkAbsence,
  checkMembership,
  checkUpdate,
  decodeCommitment,
  elementOf,
  fail,
  indexOfKey,
  loadCurve,
  proveAbsence,
  proveElements,
  readOutputData,
  readUtxoSet,
  reading,
  unionOf
} from '../accumulator/inner.js'
import type { Hex } from '../types/utxo.js'
import { assertAccelerator } from './accelerator.js'
import type { AcceleratorOptions } from './sets.js'
import type { AnyOutput, SnapshotOutputs, Verdict } from './types.js'
import { optionsOf, typedRejections, verdictOf } from './verdict.js'

/** Arguments of {@link verifyMembership}. */
export interface MembershipOptions {
  /** The accumulator: a compressed point of G1, hex, 96 characters. */
  readonly commitment: Hex
  /** Its hash as the parties signed it (`accumulatorHash` of {@link verifySnapshot}'s verdict): hex, 64 characters. */
  readonly accumulatorHash: Hex
  /** The outputs, 1 to 64; one that is given twice has to be in the set twice. */
  readonly outputs: readonly AnyOutput[]
  /** The proof, a commitment to all other outputs of the set: hex, 96 characters. */
  readonly proof: Hex
}

/** Arguments of {@link verifyNonMembership}. */
export interface NonMembershipOptions {
  /** The accumulator: a compressed point of G1, hex, 96 characters. */
  readonly commitment: Hex
  /** Its hash as the parties signed it: hex, 64 characters. */
  readonly accumulatorHash: Hex
  /** The output that is not in the set. */
  readonly output: AnyOutput
  /** The proof of {@link proveNonMembership}, a commitment to a quotient of polynomials: hex, 96 characters. */
  readonly proof: Hex
  /** Remainder of the division that gave the quotient: hex, 64 characters. */
  readonly remainder: Hex
}

/** Arguments of {@link verifyUpdate}. */
export interface UpdateOptions {
  /** The accumulator before the change: a compressed point of G1, hex, 96 characters. */
  readonly before: Hex
  /** The accumulator after the change: hex, 96 characters. */
  readonly after: Hex
  /** Outputs removed, up to 64. */
  readonly removed: readonly AnyOutput[]
  /** Outputs added, up to 64. */
  readonly added: readonly AnyOutput[]
  /** Signed hash of the accumulator before the change: hex, 64 characters. @default not compared */
  readonly beforeHash?: Hex | undefined
  /** Signed hash of the accumulator after the change: hex, 64 characters. @default not compared */
  readonly afterHash?: Hex | undefined
}

/**
 * Verifies that outputs are in the set of a signed accumulator. The time does not depend on the size of the set; for
 * one output 96 bytes of the trusted setup are loaded, for more 6 KB.
 *
 * It proves that the set contains such outputs. It does not prove under which inputs (`txHash#index`), nor that the set
 * contains no others.
 *
 * @example
 * ```ts
 * import { proveMembership, verifyMembership } from 'layer-sdk/verify'
 * const output = { address: 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw', value: { lovelace: 5000000 } }
 * const key = `${'00'.repeat(32)}#0`
 * const proof = await proveMembership({ utxo: { [key]: output, [`${'00'.repeat(32)}#1`]: output }, refs: [key] })
 * console.log(await verifyMembership({ ...proof, outputs: [output] })) // { ok: true }
 * ```
 */
export function verifyMembership(options: MembershipOptions): Promise<Verdict> {
  return verdictOf(async () => {
    const { commitment, accumulatorHash, outputs, proof } = optionsOf(options)
    await checkMembership({ commitment, accumulatorHash, proof }, elementsOfOutputs(outputs, 'The outputs'))
    return { ok: true as const }
  })
}

/**
 * Verifies that an output is not in the set of a signed accumulator. Only this package makes and verifies such proofs
 * ({@link proveNonMembership}); nodes do not.
 *
 * @example
 * ```ts
 * import { proveNonMembership, verifyNonMembership } from 'layer-sdk/verify'
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const [held, spent] = [5000000, 7000000].map((lovelace) => ({ address, value: { lovelace } }))
 * const proof = await proveNonMembership({ utxo: { [`${'00'.repeat(32)}#0`]: held! }, output: spent! })
 * console.log(await verifyNonMembership({ ...proof, output: spent! })) // { ok: true }
 * ```
 */
export function verifyNonMembership(options: NonMembershipOptions): Promise<Verdict> {
  return verdictOf(async () => {
    const { commitment, accumulatorHash, output, proof, remainder } = optionsOf(options)
    await checkAbsence({ commitment, accumulatorHash, proof, remainder }, elementOfOutput(output, 'The output'))
    return { ok: true as const }
  })
}

/**
 * Verifies that removing and adding these outputs turns one accumulator into the other. The set itself is not needed.
 *
 * It proves a change only when both accumulators are signed, so pass their signed hashes, or compare the hashes
 * yourself.
 *
 * @example
 * ```ts
 * import { snapshotAccumulator, verifyUpdate } from 'layer-sdk/verify'
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const [old, paid] = [5000000, 4800000].map((lovelace) => ({ address, value: { lovelace } }))
 * const before = await snapshotAccumulator({ utxo: { [`${'00'.repeat(32)}#0`]: old! } })
 * const after = await snapshotAccumulator({ utxo: { [`${'11'.repeat(32)}#0`]: paid! } })
 * console.log(await verifyUpdate({ before: before.commitment, after: after.commitment, removed: [old!], added: [paid!] })) // { ok: true }
 * ```
 */
export function verifyUpdate(options: UpdateOptions): Promise<Verdict> {
  return verdictOf(async () => {
    const { before, after, removed, added, beforeHash, afterHash } = optionsOf(options)
    const curve = await loadCurve()
    if (beforeHash !== undefined) decodeCommitment(curve, before, beforeHash)
    if (afterHash !== undefined) decodeCommitment(curve, after, afterHash)
    await checkUpdate(
      before,
      after,
      elementsOfOutputs(removed, 'The removed outputs'),
      elementsOfOutputs(added, 'The added outputs')
    )
    return { ok: true as const }
  })
}

/** Result of {@link proveMembership}. */
export interface MembershipProof {
  /** The accumulator of the whole set: hex, 96 characters. */
  readonly commitment: Hex
  /** Its hash: hex, 64 characters. */
  readonly accumulatorHash: Hex
  /** The proof, a commitment to all other outputs of the set: hex, 96 characters. */
  readonly proof: Hex
}

/** Result of {@link proveNonMembership}. Its `proof` is a commitment to a quotient of polynomials. */
export interface NonMembershipProof extends MembershipProof {
  /** Remainder of the division that gave the quotient: hex, 64 characters. */
  readonly remainder: Hex
}

/**
 * Returns the proof that outputs are in a snapshot, for a client that does not hold it. Needs the whole set,
 * including the outputs of a pending deposit or withdrawal.
 *
 * @throws {@link VerificationError} with reason `proof` when an input of `refs` (`'txHash#index'`) is not in the set,
 * `output` when one is at a Byron address, which no proof covers, or `too-large`.
 * @example
 * ```ts
 * import { proveMembership } from 'layer-sdk/verify'
 * const output = { address: 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw', value: { lovelace: 5000000 } }
 * const { proof } = await proveMembership({ utxo: { [`${'00'.repeat(32)}#0`]: output }, refs: [`${'00'.repeat(32)}#0`] })
 * console.log(proof.length) // 96
 * ```
 */
export function proveMembership(
  options: SnapshotOutputs & AcceleratorOptions & { readonly refs: readonly string[] }
): Promise<MembershipProof> {
  return typedRejections(async () => {
    const { refs, accelerator } = optionsOf(options)
    const entries = unionOfOptions(options)
    if (!Array.isArray(refs) || refs.length === 0) return fail('input', 'The refs', "an array of 'txHash#index'", refs)
    assertCount(refs.length, MAX_PROVEN, 'A proof')
    const byKey = new Map(entries.map(({ key, data }) => [key, data]))
    const proven = new Set(
      Array.from(refs as unknown[], (ref) => {
        const key = typeof ref === 'string' ? ref : fail('input', 'A ref', "'txHash#index'", ref)
        indexOfKey(key)
        return byKey.has(key) ? key : fail('proof', `The output ${key}`, 'an output of the set', 'another')
      })
    )
    const elements = [...proven].map((key) =>
      elementOf(
        byKey.get(key) ?? fail('output', `The output ${key}`, 'an output that is not at a Byron address', 'one that is')
      )
    )
    return proveElements(
      entries.map(({ data }) => elementOf(data)),
      elements,
      assertAccelerator(accelerator)
    )
  })
}

/**
 * Returns the proof that an output is not in a snapshot, for {@link verifyNonMembership}. Needs the whole set,
 * including the outputs of a pending deposit or withdrawal.
 *
 * @throws {@link VerificationError} with reason `proof` when the output is in the set, or when the set is empty: the
 * accumulator of the empty set is a known constant, so no proof is needed.
 * @example
 * ```ts
 * import { proveNonMembership } from 'layer-sdk/verify'
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const utxo = { [`${'00'.repeat(32)}#0`]: { address, value: { lovelace: 5000000 } } }
 * console.log((await proveNonMembership({ utxo, output: { address, value: { lovelace: 1 } } })).remainder.length) // 64
 * ```
 */
export function proveNonMembership(
  options: SnapshotOutputs & AcceleratorOptions & { readonly output: AnyOutput }
): Promise<NonMembershipProof> {
  return typedRejections(async () => {
    const { output, accelerator } = optionsOf(options)
    const set = unionOfOptions(options).map(({ data }) => elementOf(data))
    return proveAbsence(set, elementOfOutput(output, 'The output'), assertAccelerator(accelerator))
  })
}

function unionOfOptions(options: unknown): ReturnType<typeof unionOf> {
  const { utxo, utxoToCommit, utxoToDecommit } = optionsOf(options)
  return unionOf(
    readUtxoSet(utxo, 'The utxo'),
    readUtxoSet(utxoToCommit, 'The utxoToCommit'),
    readUtxoSet(utxoToDecommit, 'The utxoToDecommit')
  )
}

function elementsOfOutputs(outputs: unknown, what: string): Uint8Array[] {
  return reading('input', what, () => {
    if (!Array.isArray(outputs)) return fail('input', what, 'an array', outputs)
    assertCount(outputs.length, MAX_PROVEN, what)
    return Array.from(outputs as unknown[], (output) => elementOfOutput(output, 'An output'))
  })
}

/** Returns the element of an output. Rejects Byron outputs: all have the same element, so no proof covers one. */
function elementOfOutput(output: unknown, what: string): Uint8Array {
  return elementOf(
    readOutputData(output, what) ?? fail('output', what, 'an output that is not at a Byron address', 'one that is')
  )
}
