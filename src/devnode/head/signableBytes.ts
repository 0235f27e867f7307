import { CborWriter } from '../../codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { createSha256 } from '../../crypto/inner.js'
import type { SigningRule } from '../settings/profiles.js'
import type { LocalSnapshot, SnapshotHashes } from './types.js'

/**
 * Returns the bytes that each party signs: CBOR items one after another, no array around them.
 *
 * @see cardano-scaling/hydra, hydra-tx/src/Hydra/Tx/Snapshot.hs, getSignableRepresentation
 */
export function signableBytes(
  {
    headId,
    version,
    number,
    depositTxId = null
  }: Pick<LocalSnapshot, 'headId' | 'version' | 'number'> & Partial<Pick<LocalSnapshot, 'depositTxId'>>,
  rule: SigningRule,
  hashes: SnapshotHashes
): Uint8Array {
  const writer = new CborWriter().bytes(hexToBytes(headId)).uint(version).uint(number)
  for (const hash of signedHashes(rule, hashes, depositTxId)) writer.bytes(hexToBytes(hash))
  return writer.toBytes()
}

function signedHashes(
  rule: SigningRule,
  { utxo, toCommit, toDecommit, accumulator, applied }: SnapshotHashes,
  depositTxId: string | null
): readonly string[] {
  switch (rule) {
    case '0.20-2.1':
      return [utxo, toCommit, toDecommit]
    case '2.2':
      return [accumulator]
    case '2.3':
      // The other way round than before 2.2 (hydra 082f26c85).
      return [accumulator, toDecommit, toCommit]
    case '2.4':
      return [accumulator, toDecommit, commitOf(toCommit, depositTxId)]
    case 'next':
      return [accumulator, applied ?? accumulator, toDecommit, commitOf(toCommit, depositTxId)]
  }
}

/**
 * Returns the hash that binds the outputs of a deposit to the deposit itself; without a deposit the hash of the outputs
 * is hashed once more, too (340eb113e, Tx/Snapshot.hs:97).
 */
function commitOf(toCommit: string, depositTxId: string | null): string {
  const hash = createSha256()
  hash.update(hexToBytes(toCommit))
  hash.update(hexToBytes(depositTxId ?? ''))
  return bytesToHex(hash.digest())
}
