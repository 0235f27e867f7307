import { MAX_ELEMENTS, OutputEncoder, accumulateInParts } from '../../accumulator/inner.js'
import { accumulatorElement, unionEntries, outputSetHash } from '../rules/outputHash.js'
import type { LedgerEntry, UtxoView } from '../rules/utxoSet.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import type { LocalSnapshot, SnapshotHashes } from './types.js'

type Outputs = Pick<LocalSnapshot, 'utxo' | 'utxoToCommit' | 'utxoToDecommit'>

/** The accumulators that a snapshot shows. */
export type Accumulators = Pick<SnapshotHashes, 'accumulator' | 'applied'>

/** Receives the commitment (hex, 96 characters) to a set of outputs; the accumulator is the hash of the commitment. */
export type OnCommitment = (entries: readonly LedgerEntry[], commitment: string) => void

/** Accumulator of the empty set: blake2b-256 of the generator of G1. */
export const EMPTY_ACCUMULATOR = '34758143d508cf8e757b5298b216d453759175423c5987685c8c043713bebc31'

/**
 * Returns the hashes that stand for a snapshot's outputs; `utxo` is that of all outputs in the head, signed up to 2.1.
 */
export function snapshotHashes(
  { utxoToCommit, utxoToDecommit }: Outputs,
  utxo: string,
  accumulators: Accumulators
): SnapshotHashes {
  return { utxo, toCommit: outputSetHash(utxoToCommit), toDecommit: outputSetHash(utxoToDecommit), ...accumulators }
}

/** Outputs that are hashed between two pauses. */
const PART = 128

/**
 * Computes the true accumulators of a snapshot in parts, between which `pause` lets the node answer; the work ends when
 * `pause` rejects. Undefined for more outputs than the setup has points for: no party signs such a snapshot. One
 * accumulator covers all three sets; the source after 2.4.1 has one before the pending step and one after it
 * (hydra-tx/src/Hydra/Tx/Snapshot.hs), and both have to be within the limit.
 *
 * @see hydra-node/src/Hydra/HeadLogic.hs:498, requireValidAccumulatorSize
 */
export async function accumulatorsOf(
  { utxo, utxoToCommit, utxoToDecommit }: Outputs,
  { appliedAccumulatorInSnapshots }: ProfileFeatures,
  pause: () => Promise<void>,
  onCommitment?: OnCommitment
): Promise<Accumulators | undefined> {
  const isSplit = appliedAccumulatorInSnapshots && (utxoToCommit !== null || utxoToDecommit !== null)
  const accumulator = await accumulatorOf(
    isSplit ? [utxo, utxoToDecommit] : [utxo, utxoToCommit, utxoToDecommit],
    pause,
    onCommitment
  )
  if (accumulator === undefined || !isSplit) return accumulator === undefined ? undefined : { accumulator }
  const applied = await accumulatorOf([utxo, utxoToCommit], pause)
  return applied === undefined ? undefined : { accumulator, applied }
}

async function accumulatorOf(
  views: readonly (UtxoView | null)[],
  pause: () => Promise<void>,
  onCommitment?: OnCommitment
): Promise<string | undefined> {
  const entries = unionEntries(...views)
  if (entries.length > MAX_ELEMENTS) return undefined
  const elements: Uint8Array[] = []
  const encoder = new OutputEncoder()
  for (const [i, entry] of entries.entries()) {
    if (i > 0 && i % PART === 0) await pause()
    elements.push(accumulatorElement(entry, encoder))
  }
  const { hash, commitment } = await accumulateInParts(elements, pause)
  onCommitment?.(entries, commitment)
  return hash
}
