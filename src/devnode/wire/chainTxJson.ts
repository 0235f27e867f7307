import { CborWriter } from '../../codec/cbor/writer.js'
import { hexToBytes } from '../../codec/hex.js'
import { prepareTx } from '../ledger/preparedTx.js'
import type { UtxoView } from '../ledger/utxoSet.js'
import type { ChainTx, HeadIdentity, HeadState, SignedSnapshot } from '../head/types.js'
import { confirmedSnapshotJson, headParametersJson } from './headStateJson.js'
import type { HeadStateDetails } from './headStateJson.js'
import type { JsonText, JsonValue } from './jsonText.js'
import { utcTime } from './messages.js'

/** What a transaction of the head shows besides itself. */
export interface ChainTxDetails extends Pick<HeadStateDetails, 'features' | 'contestationPeriodMs' | 'depositPeriodMs' | 'slot'> {
  readonly head: HeadState
  /** Everything that is in the head. */
  readonly inHead: UtxoView
  /** Verification keys, hex. */
  readonly parties: readonly string[]
  /** Hashes of the parties' keys on the base ledger. */
  readonly participants: readonly string[]
}

/** `postChainTx` of PostTxOnChainFailed. @see hydra-node/src/Hydra/Chain.hs:51, PostChainTx */
export function chainTxJson(tx: ChainTx, details: ChainTxDetails): JsonValue {
  const { tag } = tx
  switch (tx.tag) {
    case 'InitTx':
      return { tag, participants: [...details.participants], headParameters: headParametersJson(details.parties, details) }
    case 'RecoverTx': {
      const { headId, txId, deposited } = tx.deposit
      // The slot of now, whatever the field's name is (HeadLogic.hs:753).
      return { tag, headId, recoverTxId: txId, deadline: details.slot, recoverUTxO: deposited }
    }
    default:
      return headTxJson(tx, details)
  }
}

function headTxJson(tx: Exclude<ChainTx, { tag: 'InitTx' | 'RecoverTx' }>, details: ChainTxDetails): JsonValue {
  const { tag } = tx
  const { headId, headSeed, parties } = tx.head
  const { features, inHead } = details
  const { deadlineMs, confirmed, version } = stateOf(tx.head, details.head)
  const headParameters = headParametersJson(parties, details)
  const snapshot = (): JsonValue => confirmedSnapshotJson(headId, confirmed, inHead, features)
  const contestationDeadline = utcTime(deadlineMs)
  // Before 2.0 these two named no seed.
  const seed = features.initializing ? undefined : headSeed
  switch (tx.tag) {
    case 'AbortTx':
      return { tag, utxo: inHead, headSeed }
    case 'CollectComTx':
      return { tag, utxo: inHead, headId, headParameters }
    case 'IncrementTx':
      return { tag, headSeed: seed, headId, headParameters, incrementingSnapshot: snapshot(), depositTxId: tx.depositTxId }
    case 'DecrementTx':
      return { tag, headSeed: seed, headId, headParameters, decrementingSnapshot: snapshot() }
    case 'CloseTx':
      return { tag, headId, headParameters, openVersion: version, closingSnapshot: snapshot() }
    case 'FanoutTx': {
      const utxoForProof = features.signingRule === '0.20-2.1' ? undefined : inHead
      return { tag, utxo: inHead, utxoToCommit: null, utxoToDecommit: null, utxoForProof, headSeed, contestationDeadline }
    }
    case 'PartialFanoutTx':
      return { tag, utxoToDistribute: tx.selection ?? inHead, utxoForProof: inHead, headSeed, contestationDeadline }
    case 'FinalPartialFanoutTx':
      return { tag, utxoToDistribute: tx.selection ?? inHead, presettledUTxO: {}, headSeed, contestationDeadline }
  }
}

function stateOf({ headId }: HeadIdentity, head: HeadState): { deadlineMs: number; confirmed: SignedSnapshot | null; version: number } {
  const own = head.status !== 'Idle' && head.head.headId === headId && 'confirmed' in head ? head : null
  return { deadlineMs: own !== null && 'deadlineMs' in own ? own.deadlineMs : 0, confirmed: own?.confirmed ?? null, version: own?.version ?? 0 }
}

/** An envelope for the `failingTx` of a transaction of the head, which the simulated base ledger never writes out: it spends one output, no more. */
export function failingTxEnvelope(txHash: string): JsonText {
  const writer = new CborWriter().array(4).map(3).uint(0).tag(258).array(1).array(2).bytes(hexToBytes(txHash)).uint(0)
  return prepareTx(writer.uint(1).array(0).uint(2).uint(0).map(0).bool(true).null().toBytes()).envelope
}
