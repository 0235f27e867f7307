import { CborWriter } from '../../../codec/cbor/writer.js'
import { hexToBytes } from '../../../codec/hex.js'
import { prepareTx } from '../../rules/preparedTx.js'
import type { UtxoView } from '../../rules/utxoSet.js'
import { vkeysOf } from '../../settings/keys.js'
import { currentSlot } from '../../chain/chainTime.js'
import { remainingOf } from '../../head/remaining.js'
import type { HeadLedger } from '../../head/headLedger.js'
import type { ChainTx, HeadIdentity, LocalHeadState, SignedLocalSnapshot } from '../../head/types.js'
import { participantsOf, snapshotUtxo } from './greetings.js'
import { confirmedSnapshotJson, headParametersJson } from './headStateJson.js'
import type { JsonText, JsonValue } from '../../json/jsonText.js'
import { utcTime } from './messages.js'
import type { PartyView } from './PartyView.js'

/** `postChainTx` of PostTxOnChainFailed. @see hydra-node/src/Hydra/Chain.hs:51, PostChainTx */
export function chainTxJson(tx: ChainTx, party: PartyView): JsonValue {
  const { tag } = tx
  switch (tx.tag) {
    case 'InitTx': {
      const { keys } = party.head
      return {
        tag,
        participants: [...participantsOf(keys, party.chain.options.seed)],
        headParameters: headParametersJson({ parties: vkeysOf(keys) }, party.chain)
      }
    }
    case 'RecoverTx': {
      const { headId, txId, deposited } = tx.deposit
      // The present slot, despite the field's name (HeadLogic.hs:753).
      return { tag, headId, recoverTxId: txId, deadline: currentSlot(party.chain), recoverUTxO: deposited }
    }
    default:
      return headTxJson(tx, party)
  }
}

function headTxJson(tx: Exclude<ChainTx, { tag: 'InitTx' | 'RecoverTx' }>, party: PartyView): JsonValue {
  const { tag } = tx
  const { headId, headSeed } = tx.head
  const { chain, ledger, runtime } = party
  const { features } = chain
  const { head } = runtime.state
  const inHead = everythingIn(head, ledger)
  const { deadlineMs, confirmed, version } = stateOf(tx.head, head)
  const headParameters = headParametersJson(tx.head, chain)
  const snapshot = (): JsonValue => confirmedSnapshotJson(headId, confirmed, inHead, features)
  const contestationDeadline = utcTime(deadlineMs)
  const seed = features.seedInHeadTxs ? headSeed : undefined
  switch (tx.tag) {
    case 'AbortTx':
      return { tag, utxo: inHead, headSeed }
    case 'CollectComTx':
      return { tag, utxo: inHead, headId, headParameters }
    case 'IncrementTx':
      return {
        tag,
        headSeed: seed,
        headId,
        headParameters,
        incrementingSnapshot: snapshot(),
        depositTxId: tx.depositTxId
      }
    case 'DecrementTx':
      return { tag, headSeed: seed, headId, headParameters, decrementingSnapshot: snapshot() }
    case 'CloseTx':
      return { tag, headId, headParameters, openVersion: version, closingSnapshot: snapshot() }
    case 'FanoutTx': {
      const utxoForProof = features.proofInFanoutTx ? inHead : undefined
      return {
        tag,
        utxo: inHead,
        utxoToCommit: null,
        utxoToDecommit: null,
        utxoForProof,
        headSeed,
        contestationDeadline
      }
    }
    case 'PartialFanoutTx':
      return { tag, utxoToDistribute: tx.selection ?? inHead, utxoForProof: inHead, headSeed, contestationDeadline }
    case 'FinalPartialFanoutTx':
      return { tag, utxoToDistribute: tx.selection ?? inHead, presettledUTxO: {}, headSeed, contestationDeadline }
  }
}

function everythingIn(head: LocalHeadState, ledger: HeadLedger): UtxoView {
  return head.status === 'Initializing' ? snapshotUtxo(head)! : remainingOf(head, ledger)
}

function stateOf(
  { headId }: HeadIdentity,
  head: LocalHeadState
): { deadlineMs: number; confirmed: SignedLocalSnapshot | null; version: number } {
  const current = head.status !== 'Idle' && head.head.headId === headId && 'confirmed' in head ? head : null
  return {
    deadlineMs: current !== null && 'deadlineMs' in current ? current.deadlineMs : 0,
    confirmed: current?.confirmed ?? null,
    version: current?.version ?? 0
  }
}

/**
 * Returns an envelope for the `failingTx` of a transaction of the head. The simulated base ledger never writes that
 * transaction out, so the envelope spends one output and holds no more.
 */
export function failingTxEnvelope(txHash: string): JsonText {
  const writer = new CborWriter().array(4).map(3).uint(0).tag(258).array(1).array(2).bytes(hexToBytes(txHash)).uint(0)
  return prepareTx(writer.uint(1).array(0).uint(2).uint(0).map(0).bool(true).null().toBytes()).envelope
}
