import { utxoHash } from '../rules/outputHash.js'
import type { NodeContext } from './NodeContext.js'
import type { SnapshotInFlight } from '../wire/json/headStateJson.js'
import { EMPTY_ACCUMULATOR, snapshotHashes } from '../head/snapshotHashes.js'
import type { HeadAction } from '../head/types.js'

/** A snapshot that has been requested, and how many of the pending changes go into it. */
export interface SnapshotRequest {
  readonly action: Extract<HeadAction, { do: 'sign' }>
  readonly count: number
}

type InFlightParts = Pick<NodeContext, 'options' | 'features' | 'signer' | 'ledger' | 'runtime'>

/** The snapshot that has been requested, with the signatures of the parties that have signed. */
export function inFlightSnapshot(
  request: SnapshotRequest | null,
  { options, features, signer, ledger, runtime }: InFlightParts,
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
  const { accumulatorInSnapshots } = features
  const hashes = snapshotHashes(content, accumulatorInSnapshots ? '' : utxoHash(content.utxo), {
    accumulator: EMPTY_ACCUMULATOR
  })
  const { snapshot, signatures } = signer.sign(content, hashes)
  // The true accumulator is not known yet, and nothing is signed before it is.
  const isSigned = !accumulatorInSnapshots || options.accumulator === 'off'
  const signatories = Object.fromEntries(signed.map((party) => [signer.parties[party]!, signatures[party]!]))
  return { snapshot, signatories: isSigned ? signatories : {} }
}
