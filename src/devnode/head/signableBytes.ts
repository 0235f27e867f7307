import { CborWriter } from '../../codec/cbor/writer.js'
import { hexToBytes } from '../../codec/hex.js'
import type { SigningRule } from '../profiles.js'
import type { Snapshot } from './types.js'

/** The hashes that stand for the outputs of a snapshot: hex, 64 characters each. */
export interface SnapshotHashes {
  /** Of `utxo`; signed up to 2.1 only. */
  readonly utxo: string
  /** Of `utxoToCommit`. */
  readonly toCommit: string
  /** Of `utxoToDecommit`. */
  readonly toDecommit: string
  /** Of the accumulator of all three; signed from 2.2 on. */
  readonly accumulator: string
}

/**
 * What each party signs: CBOR items one after another, no array around them.
 *
 * @see cardano-scaling/hydra, hydra-tx/src/Hydra/Tx/Snapshot.hs, getSignableRepresentation
 */
export function signableBytes(
  { headId, version, number }: Pick<Snapshot, 'headId' | 'version' | 'number'>,
  rule: SigningRule,
  hashes: SnapshotHashes
): Uint8Array {
  const writer = new CborWriter().bytes(hexToBytes(headId)).uint(version).uint(number)
  for (const hash of signedHashes(rule, hashes)) writer.bytes(hexToBytes(hash))
  return writer.toBytes()
}

function signedHashes(rule: SigningRule, { utxo, toCommit, toDecommit, accumulator }: SnapshotHashes): readonly string[] {
  switch (rule) {
    case '0.20-2.1':
      return [utxo, toCommit, toDecommit]
    case '2.2':
      return [accumulator]
    case '2.3':
      // The other way round than before 2.2 (hydra 082f26c85).
      return [accumulator, toDecommit, toCommit]
  }
}
