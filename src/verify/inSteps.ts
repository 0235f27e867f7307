// Parts of the verification that a bridge needs, loaded with one import(): signatures and outputs are checked apart,
// and the outputs come encoded from their cache.
import type { Accelerator, KeptOutputs, SetEntry } from '../accumulator/inner.js'
import { MAX_ELEMENTS, accumulateRoots, assertCount, elementOf, fail, rootOf } from '../accumulator/inner.js'
import { equalBytes } from '../codec/bytes.js'
import type { Hex } from '../types/utxo.js'
import { assertAccelerator } from './accelerator.js'
import type { HashedOutputs, SignedSnapshot, SnapshotToCheck } from './checkSnapshot.js'
import { checkSignatures, snapshotMembersOf } from './checkSnapshot.js'
import { rulesToTry } from './rule.js'
import type { SignatureCheck } from './signatures.js'
import { createSignatureCheck, readParties, readSignatures } from './signatures.js'
import { pendingHashesOf, readSnapshot } from './snapshotMessage.js'
import type { VerificationRule } from './types.js'

export { KeptOutputs } from '../accumulator/inner.js'
export { OutputEncoder } from '../accumulator/inner.js'
export { checkOutputSets } from './checkSnapshot.js'
export type { SignedSnapshot } from './checkSnapshot.js'
export { partiesFromHead } from './parties.js'
export { provenTxs } from './provenTxs.js'
export { verificationRule } from './rule.js'
export type { CheckedSnapshot } from './snapshotMessage.js'

/** A snapshot without its `utxo`, and the values that are needed to check its signatures. */
export interface SignedClaim {
  readonly snapshot: unknown
  readonly signatures: unknown
  /**
   * Head keys of the parties. Pass the same array for the same parties, because the check of their keys is cached for
   * that array.
   */
  readonly parties: readonly Hex[]
  readonly rule: VerificationRule | undefined
  readonly nodeVersion: string | undefined
}

const checks = /* @__PURE__ */ new WeakMap<readonly Hex[], Promise<SignatureCheck>>()

function checkBy(parties: readonly Hex[], keys: readonly Uint8Array[]): Promise<SignatureCheck> {
  const cached = checks.get(parties)
  if (cached !== undefined) return cached
  const check = createSignatureCheck(keys)
  checks.set(parties, check)
  check.catch(() => checks.delete(parties))
  return check
}

/**
 * Checks the signatures of a snapshot. Without `utxo` they are checked over the accumulator hash that the snapshot
 * states; when it states none, or when the outputs themselves are signed, `needsOutputs` is returned.
 *
 * @param utxo - its outputs
 * @throws {@link VerificationError} as `verifySnapshot` names it, or the error that a foreign value throws
 */
export async function verifySignatures(
  { snapshot: given, signatures, parties, rule, nodeVersion }: SignedClaim,
  utxo?: HashedOutputs
): Promise<SignedSnapshot | 'needsOutputs'> {
  const keys = readParties(parties)
  const snapshot = readSnapshot(given)
  const rules = rulesToTry(rule, nodeVersion, snapshotMembersOf(snapshot, false))
  const isStated = snapshot.stated !== undefined && (rules[0] !== 'next' || snapshot.statedApplied !== undefined)
  if (utxo === undefined && (!isStated || rules[0] === '0.20-2.1')) return 'needsOutputs'
  const signed = readSignatures(signatures, keys.length)
  if (snapshot.number === 0n)
    fail('initial', 'The initial snapshot', 'a snapshot from number 1 on, which is signed', 'number 0')
  const toCheck: SnapshotToCheck = { snapshot, pending: pendingHashesOf(snapshot), rules, utxo }
  const check = await checkBy(parties, keys)
  return checkSignatures(toCheck, (message) => check(message, signed))
}

/** Options of {@link hashedKept}: how it runs long work and computes commitments. */
export interface HashingOptions {
  /** Runs a generator to its end, with pauses for other work. */
  run<T>(steps: Generator<undefined, T>): Promise<T>
  /** Lets other work run. */
  pause(): Promise<void>
  readonly accelerator: Accelerator | undefined
}

const accumulators = /* @__PURE__ */ new WeakMap<KeptOutputs, { pending: readonly SetEntry[]; hash: string }>()

/**
 * Returns the hashes of outputs that are kept encoded, as those of a snapshot's `utxo`. Their accumulator is computed
 * only once.
 */
export function hashedKept(kept: KeptOutputs, { run, pause, accelerator }: HashingOptions): HashedOutputs {
  return {
    hash: () => run(kept.hash()),
    accumulator: async (pending) => {
      const cached = accumulators.get(kept)
      if (cached !== undefined && isSame(cached.pending, pending)) return cached.hash
      const more = pending.filter((entry) => !isThere(kept, entry))
      // Before any work on them.
      assertCount(kept.size + more.length, MAX_ELEMENTS, 'The UTxO set')
      const all = [...(await run(kept.roots())), ...more.map(({ data }) => rootOf(elementOf(data)))]
      const { hash } = await accumulateRoots(all, { pause, accelerator: assertAccelerator(accelerator) })
      accumulators.set(kept, { pending, hash })
      return hash
    }
  }
}

/**
 * Returns true when a pending output is among the kept outputs already. @throws {@link VerificationError} when a
 * different output is kept under its key
 */
function isThere(kept: KeptOutputs, { key, data }: SetEntry): boolean {
  if (!kept.has(key)) return false
  if (!isSameData(kept.get(key), data))
    fail('output', `The output ${key}`, 'the same in every set', 'another output in another set')
  return true
}

function isSame(a: readonly SetEntry[], b: readonly SetEntry[]): boolean {
  return a.length === b.length && a.every(({ key, data }, at) => key === b[at]!.key && isSameData(data, b[at]!.data))
}

function isSameData(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b)
}
