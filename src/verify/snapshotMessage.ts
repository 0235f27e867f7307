import { CborWriter } from '../codec/cbor/writer.js'
import { hexToBytes } from '../codec/hex.js'
import { elementOf, readUtxoSet, unionOf, utxoSetHash } from '../accumulator/utxoSet.js'
import type { SetEntry } from '../accumulator/utxoSet.js'
import { assertHex, fail, getOwn, isRecord } from '../accumulator/record.js'
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
  /** The accumulator's hash as the sender states it. */
  readonly stated: string | undefined
}

/** Hashes of the pending outputs, for who does not hold them. */
export interface PendingHashes {
  /** Of the outputs being added: hex, 64 characters. */
  readonly toCommit: string
  /** Of the outputs being taken out: hex, 64 characters. */
  readonly toDecommit: string
}

/** @throws {@link VerificationError} */
export function readSnapshot(snapshot: unknown): CheckedSnapshot {
  const record = isRecord(snapshot) ? snapshot : fail('input', 'The snapshot', 'an object', snapshot)
  const [headId, version, number, utxo, toCommit, toDecommit, stated] = [
    'headId',
    'version',
    'number',
    'utxo',
    'utxoToCommit',
    'utxoToDecommit',
    'accumulator'
  ].map((name) => getOwn(record, name))
  return {
    headId: assertHex('input', 'The headId of the snapshot', headId, 28),
    version: assertCount('version', version),
    number: assertCount('number', number),
    utxo: utxo === undefined ? undefined : readUtxoSet(utxo, 'The utxo of the snapshot'),
    toCommit: readUtxoSet(toCommit, 'The utxoToCommit of the snapshot'),
    toDecommit: readUtxoSet(toDecommit, 'The utxoToDecommit of the snapshot'),
    stated: stated === undefined ? undefined : assertHex('input', 'The accumulator of the snapshot', stated, 32)
  }
}

function assertCount(name: string, value: unknown): bigint {
  const exact = typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as bigint) : -1n
  return exact >= 0n && exact <= MAX_UINT64 ? exact : fail('input', `The ${name} of the snapshot`, 'a whole number from 0 on', value)
}

/** Hashes of the pending outputs of a snapshot. */
export function pendingHashesOf({ toCommit, toDecommit }: CheckedSnapshot): PendingHashes {
  return { toCommit: utxoSetHash(toCommit), toDecommit: utxoSetHash(toDecommit) }
}

/** The elements that a snapshot's accumulator covers. */
export function elementsOf({ utxo, toCommit, toDecommit }: Pick<CheckedSnapshot, 'utxo' | 'toCommit' | 'toDecommit'>): Uint8Array[] {
  return unionOf(utxo ?? [], toCommit, toDecommit).map(({ data }) => elementOf(data))
}

/**
 * What the parties sign: CBOR items one after another, no array around them.
 *
 * @param accumulator - its hash in hex; not used by rule `0.20-2.1`.
 * @see cardano-scaling/hydra, Tx/Snapshot.hs, getSignableRepresentation
 */
export function snapshotMessage(snapshot: CheckedSnapshot, rule: VerificationRule, accumulator: string, pending: PendingHashes): Uint8Array {
  const writer = new CborWriter().bytes(hexToBytes(snapshot.headId)).uint(snapshot.version).uint(snapshot.number)
  for (const hash of hashesOf(snapshot, rule, accumulator, pending)) writer.bytes(hexToBytes(hash))
  return writer.toBytes()
}

function hashesOf({ utxo }: CheckedSnapshot, rule: VerificationRule, accumulator: string, { toCommit, toDecommit }: PendingHashes): string[] {
  switch (rule) {
    case '0.20-2.1':
      return [utxoSetHash(utxo ?? fail('rule', 'A snapshot of rule 0.20-2.1', 'its utxo, which is signed as a whole', undefined)), toCommit, toDecommit]
    case '2.2':
      return [accumulator]
    case '2.3':
      // Decommit first.
      return [accumulator, toDecommit, toCommit]
  }
}
