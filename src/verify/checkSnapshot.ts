import type { SetEntry } from '../accumulator/inner.js'
import { accumulateElements, elementOf, fail, unionOf, utxoSetHash } from '../accumulator/inner.js'
import { isLayerError } from '../errors/base.js'
import { VerificationError } from '../errors/verification.js'
import { assertAccelerator } from './accelerator.js'
import type { RuleMembers } from './rule.js'
import { unknownRule } from './rule.js'
import type { CheckedSnapshot, PendingHashes, SignedHashes } from './snapshotMessage.js'
import { depositProblem, snapshotMessage } from './snapshotMessage.js'
import type { VerificationRule } from './types.js'

/** Hashes of a snapshot's `utxo`, computed when they are needed. */
export interface HashedOutputs {
  /** Returns the SHA-256 of the outputs in their order: hex. */
  hash(): Promise<string>
  /** Returns the hash of the accumulator of these outputs and of pending ones: hex. */
  accumulator(pending: readonly SetEntry[]): Promise<string>
}

/** A snapshot whose signatures are to be checked. */
export interface SnapshotToCheck {
  readonly snapshot: CheckedSnapshot
  readonly pending: PendingHashes
  /** Rules to try, strictest first. */
  readonly rules: readonly VerificationRule[]
  /** Its outputs; undefined where it has none. */
  readonly utxo: HashedOutputs | undefined
  /** Hash of the accumulator from the caller, used in place of the one that the snapshot states. */
  readonly given?: string | undefined
}

/** A snapshot that all parties have signed. Its outputs are still to be compared with the signed ones. */
export interface SignedSnapshot {
  readonly snapshot: CheckedSnapshot
  readonly rule: VerificationRule
  readonly hashes: SignedHashes
}

/** Returns the hashes of outputs that are a list; undefined without outputs. */
export function hashedList(utxo: readonly SetEntry[] | undefined, accelerator: unknown): HashedOutputs | undefined {
  if (utxo === undefined) return undefined
  return {
    hash: () => Promise.resolve(utxoSetHash(utxo)),
    accumulator: async (pending) => {
      const elements = unionOf(utxo, pending).map(({ data }) => elementOf(data))
      return (await accumulateElements(elements, assertAccelerator(accelerator))).hash
    }
  }
}

/**
 * Checks the signatures of a snapshot over the accumulator hashes that the caller or the snapshot states, so that a
 * forged snapshot causes no further work; if none is stated, over those computed from its outputs.
 *
 * @param check - throws where a message is not signed by all parties
 * @throws {@link VerificationError}
 */
export async function checkSignatures(
  { snapshot, pending, rules, utxo, given }: SnapshotToCheck,
  check: (message: Uint8Array) => void
): Promise<SignedSnapshot> {
  const hashes = await claimedHashes(snapshot, rules[0]!, utxo, given)
  const rule = firstRule(rules, snapshot, pending, (each) => check(snapshotMessage(snapshot, each, hashes, pending)))
  return { snapshot, rule, hashes }
}

/**
 * Compares outputs with those that the parties have signed. @throws {@link VerificationError} with reason `accumulator`
 */
export async function checkOutputSets({ snapshot, rule, hashes }: SignedSnapshot, utxo: HashedOutputs): Promise<void> {
  const { stated, statedApplied } = snapshot
  if (rule === '0.20-2.1' || (stated === undefined && statedApplied === undefined)) return
  const { accumulator, applied } = await rebuiltHashes(snapshot, rule, utxo)
  if (accumulator !== hashes.accumulator)
    fail('accumulator', 'The accumulator of the snapshot', 'the accumulator of its outputs', 'another')
  if (rule === 'next' && applied !== hashes.applied)
    fail('accumulator', 'The appliedAccumulator of the snapshot', 'that of its outputs', 'another')
}

/** Tells which members of a snapshot, by which verification rules differ, are present. */
export function snapshotMembersOf(
  { stated, statedApplied, depositTxId }: CheckedSnapshot,
  isGiven: boolean
): RuleMembers {
  return {
    hasAccumulator: stated !== undefined || isGiven,
    hasDeposit: depositTxId !== undefined,
    hasApplied: statedApplied !== undefined
  }
}

/**
 * Returns the hashes that the signatures are checked against: as the caller or the snapshot states them, else computed
 * from the outputs.
 */
export async function claimedHashes(
  snapshot: CheckedSnapshot,
  rule: VerificationRule,
  utxo: HashedOutputs | undefined,
  callerHash: string | undefined
): Promise<SignedHashes> {
  const { stated, statedApplied, toCommit, toDecommit } = snapshot
  // Under this rule the outputs themselves are signed.
  if (rule === '0.20-2.1') return rebuiltHashes(snapshot, rule, utxo)
  if (callerHash !== undefined) {
    if (rule === 'next' && toCommit.length + toDecommit.length > 0)
      fail(
        'rule',
        'An accumulator that is given under rule next',
        'a snapshot without pending outputs, which has but one',
        'pending outputs'
      )
    return { accumulator: callerHash, applied: callerHash }
  }
  if (stated === undefined || (rule === 'next' && statedApplied === undefined))
    return rebuiltHashes(snapshot, rule, utxo)
  return { accumulator: stated, applied: statedApplied ?? '' }
}

/** Computes the hashes from the snapshot's own outputs. */
export async function rebuiltHashes(
  { toCommit, toDecommit }: CheckedSnapshot,
  rule: VerificationRule,
  utxo: HashedOutputs | undefined
): Promise<SignedHashes> {
  if (rule === '0.20-2.1') {
    if (utxo === undefined)
      return fail('rule', 'A snapshot of rule 0.20-2.1', 'its utxo, which is signed as a whole', undefined)
    return { accumulator: '', applied: '', utxo: await utxo.hash() }
  }
  if (utxo === undefined) return fail('rule', 'A snapshot without utxo', 'its accumulator', undefined)
  if (rule !== 'next') return { accumulator: await utxo.accumulator(unionOf(toCommit, toDecommit)), applied: '' }
  const accumulator = await utxo.accumulator(toDecommit)
  // The head's outputs before and after the pending step are the same without a pending one.
  const isPending = toCommit.length + toDecommit.length > 0
  return { accumulator, applied: isPending ? await utxo.accumulator(toCommit) : accumulator }
}

/** Returns the first rule under which the check passes. When there is none, throws the error of the first rule. */
function firstRule(
  rules: readonly VerificationRule[],
  snapshot: CheckedSnapshot,
  pending: PendingHashes,
  check: (rule: VerificationRule) => void
): VerificationRule {
  let first: unknown
  for (const rule of rules) {
    const problem = depositProblem(snapshot, rule, pending)
    try {
      check(rule)
    } catch (error) {
      if (!isLayerError(error)) throw error
      first ??= problem !== null && isLayerError(error, 'VERIFICATION') ? contradiction(error.reason, problem) : error
      continue
    }
    // All have signed it, and yet its unsigned members say something else.
    if (problem !== null) throw contradiction('input', problem)
    return rule
  }
  // A build of the later source between two releases: neither a forgery nor known.
  if (snapshot.statedApplied !== undefined && !rules.includes('next')) throw unknownRule(null)
  throw first
}

function contradiction(reason: VerificationError['reason'], problem: string): VerificationError {
  return new VerificationError(reason, 'The snapshot contradicts itself.', {
    expected: 'depositTxId and utxoToCommit together, or neither of them',
    got: problem
  })
}
