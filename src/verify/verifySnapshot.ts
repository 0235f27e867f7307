import type { Accelerator } from '../accumulator/inner.js'
import { assertHex, fail, isPlainRecord, ownMember } from '../accumulator/inner.js'
import { bytesToHex } from '../codec/hex.js'
import type { Hex } from '../types/utxo.js'
import type { SignedSnapshot } from './checkSnapshot.js'
import {
  checkOutputSets,
  checkSignatures,
  claimedHashes,
  hashedList,
  snapshotMembersOf,
  rebuiltHashes
} from './checkSnapshot.js'
import { RULES, rulesToTry } from './rule.js'
import { createSignatureCheck, readParties, readSignatures } from './signatures.js'
import type { CheckedSnapshot, PendingHashes } from './snapshotMessage.js'
import { pendingHashesOf, readDepositTxId, readSnapshot, snapshotMessage } from './snapshotMessage.js'
import type { SnapshotToVerify, SnapshotVerdict, VerificationRule } from './types.js'
import { optionsOf, typedRejections, verdictOf } from './verdict.js'

/** Arguments of {@link signedBytes}. */
export interface SignedBytesOptions {
  /** The snapshot, as received. */
  readonly snapshot: SnapshotToVerify
  /** Rule for the signed bytes; {@link verificationRule} returns it for a version of the node. */
  readonly rule: VerificationRule
  /**
   * Hash of the accumulator: hex. @default computed from the outputs; the one that the snapshot states when it has no
   * `utxo`
   */
  readonly accumulator?: Hex | undefined
  /** Faster replacement for the code that computes the accumulator. @default `@noble/curves`, pure JavaScript */
  readonly accelerator?: Accelerator | undefined
}

/** Arguments of {@link verifySnapshot}. */
export interface VerifySnapshotOptions {
  /** The snapshot, as received. */
  readonly snapshot: SnapshotToVerify
  /** Signatures of all parties, in their order: hex, 128 characters each; or the node's `{ multiSignature }`. */
  readonly signatures: readonly Hex[] | { readonly multiSignature: readonly Hex[] }
  /** Head keys of all parties, in their order: hex, 64 characters each, or `{ vkey }`. */
  readonly parties: readonly (Hex | { readonly vkey: Hex })[]
  /** Rule of the signed bytes. @default from `nodeVersion`; without it, the rule that the signatures follow */
  readonly rule?: VerificationRule | undefined
  /** `hydraNodeVersion` of the node's Greetings. */
  readonly nodeVersion?: string | undefined
  /**
   * Hash of the accumulator of exactly these outputs, hex, if you keep it up to date yourself (`verifyUpdate`); the
   * outputs are then not checked. Never pass the hash that the snapshot itself states.
   */
  readonly accumulator?: Hex | undefined
  /**
   * SHA-256 of the pending outputs, hex, for a light client that holds none of them. The snapshot must then contain no
   * pending outputs.
   */
  readonly pendingHashes?: PendingHashes | undefined
  /** Faster replacement for the code that computes the accumulator. @default `@noble/curves`, pure JavaScript */
  readonly accelerator?: Accelerator | undefined
}

/**
 * Verifies that all parties of a head have signed a snapshot with these outputs.
 *
 * It proves that the parties agreed on this head id, version and number and on these outputs. It does not prove that
 * there is no newer snapshot, nor under which inputs (`txHash#index`) the outputs are, nor, under rule `2.2`, which of
 * them are pending. The result is only as trustworthy as the source of the keys.
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
    const rules = rulesToTry(rule, nodeVersion, snapshotMembersOf(snapshot, accumulator !== undefined))
    const check = await createSignatureCheck(keys)
    const trusted = accumulator === undefined ? undefined : assertHex('input', 'The accumulator', accumulator, 32)
    const utxo = hashedList(snapshot.utxo, accelerator)
    const proven = await checkSignatures({ snapshot, pending, rules, utxo, given: trusted }, (message) =>
      check(message, signed)
    )
    const outputs = utxo === undefined ? 'absent' : trusted === undefined ? 'recomputed' : 'given'
    if (outputs === 'recomputed') await checkOutputSets(proven, utxo!)
    return {
      ok: true as const,
      rule: proven.rule,
      ...hashesOfVerdict(proven),
      outputs,
      unproven: unprovenOf(snapshot)
    } as const
  })
}

/**
 * Returns the bytes that each party signs, in hex: CBOR items one after another, without an array around them.
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
      snapshotMembersOf(snapshot, false)
    )
    const trusted = accumulator === undefined ? undefined : assertHex('input', 'The accumulator', accumulator, 32)
    const utxo = hashedList(snapshot.utxo, accelerator)
    const isRebuilt = utxo !== undefined && trusted === undefined
    const hashes = isRebuilt
      ? await rebuiltHashes(snapshot, known!, utxo)
      : await claimedHashes(snapshot, known!, utxo, trusted)
    return bytesToHex(snapshotMessage(snapshot, known!, hashes, pendingHashesOf(snapshot)))
  })
}

function hashesOfVerdict({ rule, hashes: { accumulator, applied } }: SignedSnapshot): {
  accumulatorHash?: Hex
  appliedAccumulatorHash?: Hex
} {
  if (rule === '0.20-2.1') return {}
  return { accumulatorHash: accumulator, ...(rule === 'next' ? { appliedAccumulatorHash: applied } : {}) }
}

/** Combines a snapshot with the hashes of its pending outputs that a light client has passed. */
function withPendingHashes(
  hashes: unknown,
  snapshot: CheckedSnapshot
): { snapshot: CheckedSnapshot; pending: PendingHashes } {
  const record = isPlainRecord(hashes) ? hashes : fail('input', 'The pendingHashes', '{ toCommit, toDecommit }', hashes)
  if (snapshot.toCommit.length + snapshot.toDecommit.length > 0)
    fail('input', 'The pendingHashes', 'a snapshot without pending outputs beside them', 'both')
  const read = (name: string): string => assertHex('input', `The pendingHashes.${name}`, ownMember(record, name), 32)
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
