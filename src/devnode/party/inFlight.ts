import { outputSetHash } from '../rules/outputHash.js'
import type { HeadLedger } from '../head/headLedger.js'
import type { SnapshotSigner } from '../head/snapshotSigner.js'
import { EMPTY_ACCUMULATOR, snapshotHashes } from '../head/snapshotHashes.js'
import type { HeadAction } from '../head/HeadAction.js'
import type { NodeState, SnapshotInFlight } from '../head/types.js'

/** A snapshot that has been requested, and how many of the pending changes go into it. */
export interface SnapshotRequest {
  readonly action: Extract<HeadAction, { do: 'sign' }>
  readonly count: number
}

/** A party that shows a snapshot in flight, and the settings that it depends on. */
interface InFlightSource {
  readonly party: { readonly ledger: HeadLedger; readonly runtime: { readonly state: NodeState } }
  readonly signer: SnapshotSigner
  readonly chain: {
    readonly options: { readonly accumulator: 'real' | 'off' }
    readonly features: { readonly accumulatorInSnapshots: boolean }
  }
}

/** Returns the requested snapshot, with the signatures of the parties that have signed. */
export function inFlightSnapshot(
  request: SnapshotRequest | null,
  { party: { ledger, runtime }, signer, chain }: InFlightSource,
  signed: readonly number[]
): SnapshotInFlight | null {
  const { head } = runtime.state
  if (request === null || head.status !== 'Open') return null
  const { headId, number, utxoToCommit, depositTxId, utxoToDecommit } = request.action
  const content = {
    headId,
    number,
    version: head.version,
    utxoToCommit,
    depositTxId,
    utxoToDecommit,
    ...ledger.preview(request.count)
  }
  const { accumulatorInSnapshots } = chain.features
  const hashes = snapshotHashes(content, accumulatorInSnapshots ? '' : outputSetHash(content.utxo), {
    accumulator: EMPTY_ACCUMULATOR
  })
  const { snapshot, signatures } = signer.sign(content, hashes)
  // The true accumulator is not known yet, and no snapshot is signed before it is.
  const isSigned = !accumulatorInSnapshots || chain.options.accumulator === 'off'
  const signatories = Object.fromEntries(signed.map((party) => [signer.parties[party]!, signatures[party]!]))
  return { snapshot, signatories: isSigned ? signatories : {} }
}
