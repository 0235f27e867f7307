import type { HeadLedger } from '../ledger/headLedger.js'
import { utxoHash } from '../ledger/outputHash.js'
import type { ResolvedOptions } from '../options.js'
import { PROFILES } from '../profiles.js'
import type { SnapshotInFlight } from '../wire/headStateJson.js'
import { EMPTY_ACCUMULATOR, snapshotHashes } from './snapshotHashes.js'
import type { SnapshotSigner } from './snapshotSigner.js'
import type { HeadAction, HeadState } from './types.js'

/** A snapshot that has been requested, and how many of the pending changes go into it. */
export interface SnapshotRequest {
  readonly action: Extract<HeadAction, { do: 'sign' }>
  readonly count: number
}

/** What it is shown with. */
export interface InFlightContext {
  readonly head: HeadState
  readonly ledger: HeadLedger
  readonly signer: SnapshotSigner
  readonly options: ResolvedOptions
}

/** The snapshot that has been requested, with the node's own signature: the others' arrive all at once. */
export function inFlightSnapshot(request: SnapshotRequest | null, { head, ledger, signer, options }: InFlightContext): SnapshotInFlight | null {
  if (request === null || head.status !== 'Open') return null
  const { headId, number, utxoToCommit, utxoToDecommit } = request.action
  const content = { headId, number, version: head.version, utxoToCommit, utxoToDecommit, ...ledger.preview(request.count) }
  const hashesOutputs = PROFILES[options.profile].signingRule === '0.20-2.1'
  const hashes = { ...snapshotHashes(content, null, EMPTY_ACCUMULATOR), utxo: hashesOutputs ? utxoHash(content.utxo) : '' }
  const { snapshot, signatures } = signer.sign(content, hashes)
  // The true accumulator is not known yet, and nothing is signed before it is.
  const isSigned = hashesOutputs || options.accumulator === 'off'
  return { snapshot, signatories: isSigned ? { [signer.parties[0]!]: signatures[0]! } : {} }
}
