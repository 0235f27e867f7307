import { concatBytes } from '../codec/bytes.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import type { SetEntry } from '../accumulator/inner.js'
import {
  EMPTY_SET_HASH,
  assertHex,
  elementOf,
  fail,
  isPlainRecord,
  ownMember,
  readUtxoSet,
  sha256,
  unionOf,
  utxoSetHash
} from '../accumulator/inner.js'
import type { VerificationRule } from './types.js'

const MAX_UINT64 = 2n ** 64n - 1n

/** A snapshot with every field checked and its outputs as the parties hash them. */
export interface CheckedSnapshot {
  readonly headId: string
  readonly version: bigint
  readonly number: bigint
  /** Undefined where the snapshot has none. */
  readonly utxo: readonly SetEntry[] | undefined
  readonly toCommit: readonly SetEntry[]
  readonly toDecommit: readonly SetEntry[]
  /** True when the member `utxoToCommit` is present, even without outputs. */
  readonly hasCommit: boolean
  /** The accumulator's hash as the sender states it. */
  readonly stated: string | undefined
  /** The second accumulator's hash as the sender states it. */
  readonly statedApplied: string | undefined
  /** The deposit of `utxoToCommit`; null where there is none, undefined where the snapshot has no such member. */
  readonly depositTxId: string | null | undefined
}

/** Hashes of the pending outputs, for a client that does not hold them. */
export interface PendingHashes {
  /** Hash of the outputs being added: hex, 64 characters. */
  readonly toCommit: string
  /** Hash of the outputs being removed: hex, 64 characters. */
  readonly toDecommit: string
  /**
   * Deposit that the outputs being added come from: hex, 64 characters; null when there is none. Nodes from 2.4 sign
   * it, too.
   */
  readonly depositTxId?: string | null
}

/**
 * Hashes of the outputs that the parties sign, in hex: of the accumulator and, under rule `next`, of the second one
 * (`applied`).
 */
export interface SignedHashes {
  readonly accumulator: string
  readonly applied: string
  /** SHA-256 of the outputs, under rule `0.20-2.1`. */
  readonly utxo?: string
}

/** Reads a snapshot and checks every field. @throws {@link VerificationError} */
export function readSnapshot(snapshot: unknown): CheckedSnapshot {
  const record = isPlainRecord(snapshot) ? snapshot : fail('input', 'The snapshot', 'an object', snapshot)
  const utxo = ownMember(record, 'utxo')
  const toCommit = ownMember(record, 'utxoToCommit')
  const hash = (name: string): string | undefined => {
    const stated = ownMember(record, name)
    return stated === undefined ? undefined : assertHex('input', `The ${name} of the snapshot`, stated, 32)
  }
  return {
    headId: assertHex('input', 'The headId of the snapshot', ownMember(record, 'headId'), 28),
    version: assertCount('version', ownMember(record, 'version')),
    number: assertCount('number', ownMember(record, 'number')),
    utxo: utxo === undefined ? undefined : readUtxoSet(utxo, 'The utxo of the snapshot'),
    toCommit: readUtxoSet(toCommit, 'The utxoToCommit of the snapshot'),
    toDecommit: readUtxoSet(ownMember(record, 'utxoToDecommit'), 'The utxoToDecommit of the snapshot'),
    hasCommit: toCommit !== undefined,
    stated: hash('accumulator'),
    statedApplied: hash('appliedAccumulator'),
    depositTxId: readDepositTxId(record, 'The depositTxId of the snapshot')
  }
}

/**
 * Reads the member `depositTxId`. Returns undefined when it is absent, and null when it is null, as nodes from 2.4
 * write it when there is no deposit.
 */
export function readDepositTxId(record: Readonly<Record<string, unknown>>, what: string): string | null | undefined {
  if (!Object.hasOwn(record, 'depositTxId') || record['depositTxId'] === undefined) return undefined
  const id = ownMember(record, 'depositTxId')
  return id === undefined ? null : assertHex('input', what, id, 32)
}

function assertCount(name: string, value: unknown): bigint {
  const exact = typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as bigint) : -1n
  return exact >= 0n && exact <= MAX_UINT64
    ? exact
    : fail('input', `The ${name} of the snapshot`, 'a whole number from 0 on', value)
}

/** Computes the hashes of the pending outputs of a snapshot. */
export function pendingHashesOf({ toCommit, toDecommit, depositTxId }: CheckedSnapshot): PendingHashes {
  return {
    toCommit: utxoSetHash(toCommit),
    toDecommit: utxoSetHash(toDecommit),
    ...(depositTxId === undefined ? {} : { depositTxId })
  }
}

/** Returns the elements (hashes of outputs) that a snapshot's accumulator covers. */
export function elementsOf({
  utxo,
  toCommit,
  toDecommit
}: Pick<CheckedSnapshot, 'utxo' | 'toCommit' | 'toDecommit'>): Uint8Array[] {
  return elementsOfUnion(utxo ?? [], toCommit, toDecommit)
}

/** Returns the elements of the union of sets, which an accumulator covers. */
export function elementsOfUnion(...sets: readonly (readonly SetEntry[])[]): Uint8Array[] {
  return unionOf(...sets).map(({ data }) => elementOf(data))
}

/**
 * Describes a contradiction between a deposit and the outputs that it brings: the two members, in words; null where
 * they agree. Rules before 2.4 sign no deposit, so under them none may be stated.
 */
export function depositProblem(
  { hasCommit, depositTxId }: CheckedSnapshot,
  rule: VerificationRule,
  { toCommit }: PendingHashes
): string | null {
  const deposit = depositTxId ?? null
  if (rule !== '2.4' && rule !== 'next')
    return deposit === null ? null : `a depositTxId, which rule ${rule} does not sign`
  const brings = hasCommit || toCommit !== EMPTY_SET_HASH
  if (deposit !== null) return brings ? null : 'a depositTxId without utxoToCommit'
  return toCommit === EMPTY_SET_HASH ? null : 'outputs in utxoToCommit without a depositTxId'
}

/**
 * Encodes the message that the parties sign: CBOR items one after another, no array around them.
 *
 * @see cardano-scaling/hydra, Tx/Snapshot.hs, getSignableRepresentation
 */
export function snapshotMessage(
  snapshot: CheckedSnapshot,
  rule: VerificationRule,
  hashes: SignedHashes,
  pending: PendingHashes
): Uint8Array {
  const writer = new CborWriter().bytes(hexToBytes(snapshot.headId)).uint(snapshot.version).uint(snapshot.number)
  for (const hash of itemsOf(rule, hashes, pending)) writer.bytes(hexToBytes(hash))
  return writer.toBytes()
}

function itemsOf(
  rule: VerificationRule,
  { accumulator, applied, utxo }: SignedHashes,
  { toCommit, toDecommit, depositTxId }: PendingHashes
): string[] {
  switch (rule) {
    case '0.20-2.1':
      return [utxo!, toCommit, toDecommit]
    case '2.2':
      return [accumulator]
    case '2.3':
      // Decommit first.
      return [accumulator, toDecommit, toCommit]
    case '2.4':
      return [accumulator, toDecommit, commitHash(toCommit, depositTxId)]
    case 'next':
      return [accumulator, applied, toDecommit, commitHash(toCommit, depositTxId)]
  }
}

/**
 * Binds the hash of the outputs being added to their deposit, as rules from 2.4 on do: both are hashed together.
 * Without a deposit, the hash alone is hashed once more.
 */
function commitHash(toCommit: string, depositTxId: string | null | undefined): string {
  return bytesToHex(sha256(concatBytes(hexToBytes(toCommit), hexToBytes(depositTxId ?? ''))))
}
