import { EMPTY_SET_HASH, commitmentHash, fail, isPlainRecord, ownMember, readPoint } from '../accumulator/inner.js'
import type { Hex } from '../types/utxo.js'
import { proveMembership, verifyMembership } from './membership.js'
import type { AcceleratorOptions } from './sets.js'
import type { PendingHashes } from './snapshotMessage.js'
import { pendingHashesOf, readSnapshot } from './snapshotMessage.js'
import type { NodeOutput, Refutation, SnapshotToVerify, VerificationRule } from './types.js'
import { optionsOf, typedRejections, verdictOf } from './verdict.js'
import { verifySnapshot } from './verifySnapshot.js'
import type { VerifySnapshotOptions } from './verifySnapshot.js'

/**
 * Proof that an output is in a signed snapshot of a head, made by {@link getProof}: JSON of about 1 KB, however large
 * the head is.
 */
export interface OutputProof {
  /** Hex, 56 characters. */
  readonly headId: Hex
  /** Version of the snapshot; decimal text beyond 2^53 - 1. */
  readonly version: number | string
  /** Number of the snapshot; decimal text beyond 2^53 - 1. */
  readonly number: number | string
  /** Signatures of all parties over the snapshot: hex, 128 characters each. */
  readonly signatures: readonly Hex[]
  /**
   * Hashes of the snapshot's pending outputs, and their deposit; absent when there are none and the node is older than
   * 2.4.
   */
  readonly pendingHashes?: PendingHashes
  /** The accumulator: hex, 96 characters. */
  readonly commitment: Hex
  /** Proof of membership, a commitment to all other outputs: hex, 96 characters. */
  readonly proof: Hex
  /** The output, its large quantities as decimal text. */
  readonly output: NodeOutput
}

/**
 * Source of the snapshot for {@link getProof}: a `LayerBridge`, or a SnapshotConfirmed message, or the answer of GET
 * /snapshot, with all outputs.
 */
export type ProofSource =
  | {
      /** Returns the newest confirmed snapshot in the form of GET /snapshot; null while there is none. */
      confirmedSnapshot(): Promise<unknown>
    }
  | Pick<VerifySnapshotOptions, 'snapshot' | 'signatures'>

/** Arguments of {@link verifyOutputProof}. */
export interface VerifyOutputProofOptions extends Pick<VerifySnapshotOptions, 'parties' | 'rule' | 'nodeVersion'> {
  /** The proof, as received. */
  readonly proof: OutputProof
  /** The head's id: hex, 56 characters. */
  readonly headId: Hex
}

/** The answer of {@link verifyOutputProof}. */
export type OutputProofVerdict =
  | {
      /** True: the output was in this snapshot, which all parties signed. */
      readonly ok: true
      /** The rule that the signatures follow. */
      readonly rule: VerificationRule
      /** Version of the snapshot. */
      readonly version: bigint
      /** Number of the snapshot: keep the highest (version, number) seen, and refuse to go back. */
      readonly number: bigint
    }
  | Refutation

/**
 * Returns the proof that an output is in a signed snapshot, for a client that holds only the parties' keys. For nodes
 * from 2.2.
 *
 * @param source - a connected `LayerBridge`, whose newest snapshot is requested; or that snapshot: a SnapshotConfirmed
 * message, or the answer of GET /snapshot, with all outputs.
 * @param ref - `'txHash#index'`.
 * @throws {@link VerificationError} with reason `proof` when the output is not in the snapshot, `initial` when no
 * snapshot is signed yet, `accumulator` when the snapshot states another accumulator than that of its outputs; and the
 * errors of the bridge.
 * @example
 * ```ts
 * import { getProof } from 'layer-sdk/verify'
 * const output = { address: 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw', value: { lovelace: 5000000 } }
 * const ref = `${'00'.repeat(32)}#0`
 * const snapshot = { headId: '11'.repeat(28), version: 0, number: 1, utxo: { [ref]: output } }
 * const proof = await getProof({ snapshot, signatures: ['00'.repeat(64)] }, ref)
 * console.log(JSON.stringify(proof).length < 1024) // true
 * ```
 */
export async function getProof(
  source: ProofSource,
  ref: string,
  options: AcceleratorOptions = {}
): Promise<OutputProof> {
  const isBridge = typeof (source as { confirmedSnapshot?: unknown } | null)?.confirmedSnapshot === 'function'
  const confirmed = isBridge ? await (source as { confirmedSnapshot(): Promise<unknown> }).confirmedSnapshot() : source
  return typedRejections(async () => {
    const { tag, snapshot, signatures } = optionsOf(confirmed) as {
      tag: unknown
      snapshot: SnapshotToVerify
      signatures: unknown
    }
    if (tag === 'InitialSnapshot' || (isBridge && confirmed === null))
      fail('initial', 'The head', 'a signed snapshot, from number 1 on', 'none yet')
    const { accelerator } = optionsOf(options) as AcceleratorOptions
    const { headId, version, number, utxo, stated, ...checked } = readSnapshot(snapshot)
    if (utxo === undefined) fail('rule', 'A snapshot without utxo', 'all its outputs', undefined)
    const sets = [snapshot.utxo, snapshot.utxoToCommit, snapshot.utxoToDecommit]
    const { commitment, accumulatorHash, proof } = await proveMembership({
      utxo: sets[0],
      utxoToCommit: sets[1],
      utxoToDecommit: sets[2],
      refs: [ref],
      accelerator
    })
    if (stated !== undefined && stated !== accumulatorHash)
      fail('accumulator', 'The accumulator of the snapshot', 'that of its outputs', 'another')
    const pendingHashes = pendingHashesOf({ headId, version, number, utxo, stated, ...checked })
    // From 2.4 on they show the rule, too.
    const isNeeded =
      pendingHashes.toCommit !== EMPTY_SET_HASH ||
      pendingHashes.toDecommit !== EMPTY_SET_HASH ||
      pendingHashes.depositTxId !== undefined
    const list = isPlainRecord(signatures) ? ownMember(signatures, 'multiSignature') : signatures
    return {
      headId,
      version: plainNumber(version),
      number: plainNumber(number),
      signatures: [...(list as Hex[])],
      ...(isNeeded ? { pendingHashes } : {}),
      commitment,
      proof,
      output: plainOutput(sets.map((set) => outputOf(set, ref)).find((output) => output !== undefined)) as NodeOutput
    }
  })
}

/**
 * Verifies that an output was in a snapshot of this head that all parties signed, from a proof of {@link getProof}.
 *
 * It does not prove that the output is unspent now: a later snapshot may have spent it. Compare the verdict's
 * `number` with the newest that you know.
 *
 * @example
 * ```ts
 * import { verifyOutputProof } from 'layer-sdk/verify'
 * const parties = ['3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c']
 * const verdict = await verifyOutputProof({ proof: JSON.parse('{}'), headId: '11'.repeat(28), parties })
 * console.log(verdict.ok ? verdict.number : verdict.reason) // point
 * ```
 */
export function verifyOutputProof(options: VerifyOutputProofOptions): Promise<OutputProofVerdict> {
  return verdictOf<Exclude<OutputProofVerdict, Refutation>>(async () => {
    const {
      proof: given,
      headId,
      parties,
      rule,
      nodeVersion
    } = optionsOf(options) as unknown as VerifyOutputProofOptions
    const {
      headId: named,
      version,
      number,
      signatures,
      pendingHashes,
      commitment,
      proof,
      output
    } = optionsOf(given) as unknown as OutputProof
    if (named !== undefined && named !== headId) fail('input', 'The proof', 'one of this head', 'one of another')
    // The hash that the signatures are held to is that of the commitment itself.
    const accumulatorHash = commitmentHash(readPoint(commitment, 'The commitment'))
    const snapshot = {
      headId,
      version: exactNumber(version),
      number: exactNumber(number),
      accumulator: accumulatorHash
    }
    // It has two accumulators, and a proof covers the first alone.
    if (rule === 'next') fail('rule', 'The rule', 'that of a released node', rule)
    const none = { toCommit: EMPTY_SET_HASH, toDecommit: EMPTY_SET_HASH }
    const signed = await verifySnapshot({
      snapshot,
      signatures,
      parties,
      rule,
      nodeVersion,
      pendingHashes: pendingHashes ?? none
    })
    if (!signed.ok) return signed as never
    if (signed.rule === '0.20-2.1')
      fail('rule', 'The rule', '2.2 or later: earlier nodes sign no accumulator', signed.rule)
    const member = await verifyMembership({ commitment, accumulatorHash, outputs: [output], proof })
    if (!member.ok) return member as never
    return { ok: true, rule: signed.rule, version: snapshot.version, number: snapshot.number }
  })
}

function outputOf(set: unknown, ref: string): unknown {
  if (Array.isArray(set))
    return (set as { input: { txHash: string; index: number }; output: unknown }[]).find(
      ({ input }) => `${input.txHash}#${input.index}` === ref
    )?.output
  return isPlainRecord(set) ? ownMember(set, ref) : undefined
}

/** Returns the output in a form that JSON holds without loss: no empty fields, large integers as decimal text. */
function plainOutput(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(plainOutput)
  if (!isPlainRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, held]) => held !== null && held !== undefined)
      .map(([name, held]) => [name, plainOutput(held)])
  )
}

function plainNumber(value: bigint): number | string {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value)
}

function exactNumber(value: unknown): bigint {
  const isExact = Number.isSafeInteger(value) || (typeof value === 'string' && /^\d{1,20}$/.test(value))
  return isExact ? BigInt(value as string) : fail('input', 'The number of a snapshot', 'a whole number', value)
}
