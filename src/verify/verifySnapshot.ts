import type { Accelerator } from '../accumulator/curve.js'
import { accumulateElements } from '../accumulator/accumulate.js'
import { assertHex, fail, getOwn, isRecord } from '../accumulator/record.js'
import { isLayerError } from '../errors/base.js'
import { VerificationError } from '../errors/verification.js'
import { bytesToHex } from '../codec/hex.js'
import type { Hex } from '../types/utxo.js'
import { assertAccelerator } from './accelerator.js'
import type { RuleMembers } from './rule.js'
import { RULES, rulesToTry, unknownRule } from './rule.js'
import { createSignatureCheck, readParties, readSignatures } from './signatures.js'
import type { AccumulatorHashes, CheckedSnapshot, PendingHashes } from './snapshotMessage.js'
import {
  depositProblem,
  elementsOf,
  elementsOfUnion,
  pendingHashesOf,
  readDepositTxId,
  readSnapshot,
  snapshotMessage
} from './snapshotMessage.js'
import type { SnapshotToVerify, SnapshotVerdict, VerificationRule } from './types.js'
import { optionsOf, typedRejections, verdictOf } from './verdict.js'

/** What {@link signedBytes} needs. */
export interface SignedBytesOptions {
  /** The snapshot as it came. */
  readonly snapshot: SnapshotToVerify
  /** Which bytes: {@link verificationRule} gives it for a version. */
  readonly rule: VerificationRule
  /**
   * Hash of the accumulator: hex. @default computed from the outputs; as the snapshot states it where it has no `utxo`
   */
  readonly accumulator?: Hex | undefined
  /** Computes commitments faster. @default `@noble/curves`, pure JavaScript */
  readonly accelerator?: Accelerator | undefined
}

/** What {@link verifySnapshot} needs. */
export interface VerifySnapshotOptions {
  /** The snapshot as it came. */
  readonly snapshot: SnapshotToVerify
  /** Of all parties, in their order: hex, 128 characters each; or the node's `{ multiSignature }`. */
  readonly signatures: readonly Hex[] | { readonly multiSignature: readonly Hex[] }
  /** Head keys of all parties, in their order: hex, 64 characters each, or `{ vkey }`. */
  readonly parties: readonly (Hex | { readonly vkey: Hex })[]
  /** Which bytes were signed. @default from `nodeVersion`; without it, what the signatures follow */
  readonly rule?: VerificationRule | undefined
  /** `hydraNodeVersion` of the node's Greetings. */
  readonly nodeVersion?: string | undefined
  /**
   * Hash of the accumulator of these very outputs, hex, from a caller who keeps it up to date on its own
   * (`verifyUpdate`): the outputs are then not looked at. Never the one that the snapshot states.
   */
  readonly accumulator?: Hex | undefined
  /** SHA-256 of the pending outputs, hex, for a light client that holds none of them; the snapshot then has none. */
  readonly pendingHashes?: PendingHashes | undefined
  /** Computes commitments faster. @default `@noble/curves`, pure JavaScript */
  readonly accelerator?: Accelerator | undefined
}

/**
 * Whether all parties of a head have signed a snapshot with these outputs.
 *
 * Proves that the parties agreed on this head id, version and number and on these outputs. It does not prove that a
 * newer snapshot does not exist, nor the inputs (`txHash#index`) that the outputs stand under, and under rule `2.2` not
 * which of them are pending; and it is worth as much as the source of the keys.
 *
 * @example
 * ```ts
 * import { verifySnapshot } from 'layer-sdk/verify'
 * const snapshot = { headId: '11'.repeat(28), version: 0, number: 1, utxo: {}, accumulator: null }
 * const verdict = await verifySnapshot({ snapshot, signatures: ['00'.repeat(64)], parties: ['3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'], rule: '2.3' })
 * console.log(verdict.ok ? verdict.rule : verdict.reason) // signature
 * ```
 */
export function verifySnapshot(options: VerifySnapshotOptions): Promise<SnapshotVerdict> {
  return verdictOf(async () => {
    const {
      snapshot: given,
      signatures,
      parties,
      rule,
      nodeVersion,
      accumulator,
      pendingHashes,
      accelerator
    } = optionsOf(options)
    const keys = readParties(parties)
    const signed = readSignatures(signatures, keys.length)
    const read = readSnapshot(given)
    if (read.number === 0n)
      fail('initial', 'The initial snapshot', 'a snapshot from number 1 on, which is signed', 'number 0')
    const { snapshot, pending } =
      pendingHashes === undefined
        ? { snapshot: read, pending: pendingHashesOf(read) }
        : withPendingHashes(pendingHashes, read)
    const rules = rulesToTry(rule, nodeVersion, membersOf(snapshot, accumulator !== undefined))
    const checkSignatures = await createSignatureCheck(keys)
    const trusted = accumulator === undefined ? undefined : assertHex('input', 'The accumulator', accumulator, 32)
    // Signatures over a stated accumulator are checked before it is recomputed: a forger is to cause no work.
    const claimed = await claimedHashes(snapshot, rules[0]!, trusted, accelerator)
    const matched = await checkRules(rules, snapshot, pending, (each) =>
      checkSignatures(snapshotMessage(snapshot, each, claimed, pending), signed)
    )
    const outputs = snapshot.utxo === undefined ? 'absent' : trusted === undefined ? 'recomputed' : 'given'
    if (outputs === 'recomputed') await compareHashes(snapshot, matched, claimed, accelerator)
    return {
      ok: true as const,
      rule: matched,
      ...hashesOfVerdict(matched, claimed),
      outputs,
      unproven: unprovenOf(snapshot)
    } as const
  })
}

/**
 * The bytes that each party signs, in hex: CBOR items one after another, without an array around them.
 *
 * @throws {@link VerificationError}
 * @example
 * ```ts
 * import { signedBytes } from 'layer-sdk/verify'
 * const snapshot = { headId: '11'.repeat(28), version: 1, number: 42, utxo: {} }
 * console.log(await signedBytes({ snapshot, rule: '2.2' })) // 581c11…01182a5820 and the accumulator of the empty set
 * ```
 */
export function signedBytes(options: SignedBytesOptions): Promise<Hex> {
  return typedRejections(async () => {
    const { snapshot: given, rule, accumulator, accelerator } = optionsOf(options)
    const snapshot = readSnapshot(given)
    const [known] = rulesToTry(
      rule ?? fail('rule', 'The rule', `one of ${RULES.join(', ')}`, rule),
      undefined,
      membersOf(snapshot, false)
    )
    const trusted = accumulator === undefined ? undefined : assertHex('input', 'The accumulator', accumulator, 32)
    const isRebuilt = snapshot.utxo !== undefined && trusted === undefined
    const hashes = isRebuilt
      ? await rebuilt(snapshot, known!, accelerator)
      : await claimedHashes(snapshot, known!, trusted, accelerator)
    return bytesToHex(snapshotMessage(snapshot, known!, hashes, pendingHashesOf(snapshot)))
  })
}

function membersOf({ stated, statedApplied, depositTxId }: CheckedSnapshot, isGiven: boolean): RuleMembers {
  return {
    hasAccumulator: stated !== undefined || isGiven,
    hasDeposit: depositTxId !== undefined,
    hasApplied: statedApplied !== undefined
  }
}

/**
 * The accumulators that the signatures are checked against: as the caller or the snapshot states them, else rebuilt.
 */
async function claimedHashes(
  snapshot: CheckedSnapshot,
  rule: VerificationRule,
  given: string | undefined,
  accelerator: unknown
): Promise<AccumulatorHashes> {
  const { stated, statedApplied, toCommit, toDecommit } = snapshot
  if (given !== undefined) {
    if (rule === 'next' && toCommit.length + toDecommit.length > 0)
      fail(
        'rule',
        'An accumulator that is given under rule next',
        'a snapshot without pending outputs, which has but one',
        'pending outputs'
      )
    return { accumulator: given, applied: given }
  }
  if (stated === undefined || (rule === 'next' && statedApplied === undefined))
    return rebuilt(snapshot, rule, accelerator)
  return { accumulator: stated, applied: statedApplied ?? '' }
}

/** The accumulators of the snapshot's own outputs. */
async function rebuilt(
  snapshot: CheckedSnapshot,
  rule: VerificationRule,
  accelerator: unknown
): Promise<AccumulatorHashes> {
  if (rule === '0.20-2.1') return { accumulator: '', applied: '' }
  const { utxo, toCommit, toDecommit } = snapshot
  if (utxo === undefined) return fail('rule', 'A snapshot without utxo', 'its accumulator', undefined)
  const commit = async (elements: Uint8Array[]): Promise<string> =>
    (await accumulateElements(elements, assertAccelerator(accelerator))).hash
  if (rule !== 'next') return { accumulator: await commit(elementsOf(snapshot)), applied: '' }
  const accumulator = await commit(elementsOfUnion(utxo, toDecommit))
  // What the head holds before and after the pending step is the same where nothing is pending.
  const applied = toCommit.length + toDecommit.length > 0 ? await commit(elementsOfUnion(utxo, toCommit)) : accumulator
  return { accumulator, applied }
}

/** Holds stated accumulators to the outputs. */
async function compareHashes(
  snapshot: CheckedSnapshot,
  rule: VerificationRule,
  claimed: AccumulatorHashes,
  accelerator: unknown
): Promise<void> {
  if (rule === '0.20-2.1' || (snapshot.stated === undefined && snapshot.statedApplied === undefined)) return
  const { accumulator, applied } = await rebuilt(snapshot, rule, accelerator)
  if (accumulator !== claimed.accumulator)
    fail('accumulator', 'The accumulator of the snapshot', 'the accumulator of its outputs', 'another')
  if (rule === 'next' && applied !== claimed.applied)
    fail('accumulator', 'The appliedAccumulator of the snapshot', 'that of its outputs', 'another')
}

function hashesOfVerdict(
  rule: VerificationRule,
  { accumulator, applied }: AccumulatorHashes
): { accumulatorHash?: Hex; appliedAccumulatorHash?: Hex } {
  if (rule === '0.20-2.1') return {}
  return { accumulatorHash: accumulator, ...(rule === 'next' ? { appliedAccumulatorHash: applied } : {}) }
}

/** The first rule that holds; the failure of the first when none does. */
async function checkRules(
  rules: readonly VerificationRule[],
  snapshot: CheckedSnapshot,
  pending: PendingHashes,
  check: (rule: VerificationRule) => void
): Promise<VerificationRule> {
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

/** The snapshot with what a light client knows of its pending outputs. */
function withPendingHashes(
  hashes: unknown,
  snapshot: CheckedSnapshot
): { snapshot: CheckedSnapshot; pending: PendingHashes } {
  const record = isRecord(hashes) ? hashes : fail('input', 'The pendingHashes', '{ toCommit, toDecommit }', hashes)
  if (snapshot.toCommit.length + snapshot.toDecommit.length > 0)
    fail('input', 'The pendingHashes', 'a snapshot without pending outputs beside them', 'both')
  const read = (name: string): string => assertHex('input', `The pendingHashes.${name}`, getOwn(record, name), 32)
  const named = readDepositTxId(record, 'The pendingHashes.depositTxId')
  const depositTxId = named === undefined ? snapshot.depositTxId : named
  if (snapshot.depositTxId !== undefined && depositTxId !== snapshot.depositTxId)
    fail('input', 'The pendingHashes.depositTxId', 'the depositTxId of the snapshot', 'another')
  const pending = {
    toCommit: read('toCommit'),
    toDecommit: read('toDecommit'),
    ...(depositTxId === undefined ? {} : { depositTxId })
  }
  return {
    snapshot: { ...snapshot, depositTxId, hasCommit: snapshot.hasCommit || typeof depositTxId === 'string' },
    pending
  }
}

function unprovenOf({ utxo, toCommit, toDecommit }: CheckedSnapshot): string[] {
  return [...(utxo ?? []), ...toCommit, ...toDecommit].filter(({ data }) => data === undefined).map(({ key }) => key)
}
