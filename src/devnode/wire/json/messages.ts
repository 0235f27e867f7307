import type { HeadMessage } from '../../head/messages.js'
import type { HeadTx, SignedLocalSnapshot, LocalSnapshot } from '../../head/types.js'
import type { JsonValue } from '../../json/jsonText.js'
import { JsonText, toJson } from '../../json/jsonText.js'
import type { ProfileFeatures } from '../../settings/profiles.js'

/** Content of the messages about the fault `broadcastStalled`: one message does not get through. */
export const STALL = { pendingBroadcasts: 1, stallReason: 'NoProgress' } as const

type Fields = Record<string, JsonValue | undefined>

/** A time as the node writes it: ISO 8601, UTC. */
export function utcTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

/** A period as the node writes it: whole seconds, rounded up, at least one (ContestationPeriod.hs:14). */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

/** Parties as the node writes them. */
export function partiesJson(vkeys: readonly string[]): JsonValue {
  return vkeys.map((vkey) => ({ vkey }))
}

/**
 * A message that all clients receive and that `history=yes` replays. Its text is written when it is first sent, and not
 * kept.
 */
export class StoredMessage {
  readonly output: HeadMessage
  readonly seq: number
  readonly timeMs: number
  readonly #features: ProfileFeatures
  #text: string | undefined

  constructor(output: HeadMessage, seq: number, timeMs: number, features: ProfileFeatures) {
    this.output = output
    this.seq = seq
    this.timeMs = timeMs
    this.#features = features
  }

  /** The JSON; `withUtxo` false leaves out `snapshot.utxo` (query `snapshot-utxo=no`). */
  text(withUtxo: boolean): string {
    const { tag } = this.output
    if (!withUtxo && tag === 'SnapshotConfirmed') return this.#write(false)
    return (this.#text ??= this.#write(true))
  }

  /** Drops the text to free memory; it can be written again. */
  release(): void {
    this.#text = undefined
  }

  #write(withUtxo: boolean): string {
    const fields = outputFields(this.output, this.#features, withUtxo)
    return toJson({ tag: this.output.tag, ...fields, seq: this.seq, timestamp: utcTime(this.timeMs) })
  }
}

function outputFields(output: HeadMessage, features: ProfileFeatures, withUtxo: boolean): Fields {
  if (output.tag === 'NetworkConnected' || output.tag === 'NetworkBroadcastResumed') return {}
  if (output.tag === 'NetworkBroadcastStalled') return { ...STALL }
  if (output.tag === 'PeerConnected') return { peer: { hostname: '127.0.0.1', port: output.port } }
  if (output.tag === 'NodeSynced' || output.tag === 'NodeUnsynced') {
    return { chainSlot: output.slot, chainTime: utcTime(output.timeMs), drift: output.driftSeconds }
  }
  const { headId } = output
  switch (output.tag) {
    case 'HeadIsInitializing':
      return { headId, parties: partiesJson(output.parties) }
    case 'Committed':
      return { headId, party: { vkey: output.party }, utxo: output.utxo }
    case 'HeadIsOpen':
      return features.initializing ? { headId, utxo: output.utxo } : { headId, parties: partiesJson(output.parties) }
    case 'HeadIsAborted':
      return { headId, utxo: output.utxo }
    case 'HeadIsClosed':
    case 'HeadIsContested':
      return { headId, snapshotNumber: output.snapshotNumber, contestationDeadline: utcTime(output.deadlineMs) }
    case 'ReadyToFanout':
      return { headId }
    case 'HeadPartiallyFannedOut':
      return { headId, distributedUTxO: output.distributed, remainingUTxO: output.remaining, fanoutMode: output.mode }
    case 'HeadIsFinalized':
      return { headId, [features.finalizedKey]: output.utxo }
    case 'SnapshotConfirmed':
      return { headId, ...signedFields(output.signed, features, withUtxo) }
    case 'SnapshotSideLoaded':
      return { headId, snapshotNumber: output.snapshotNumber }
    default:
      return ledgerFields(output)
  }
}

type CommitTag = `Commit${'Recorded' | 'Approved' | 'Finalized' | 'Recovered'}`
type LedgerTag = 'TxValid' | 'TxInvalid' | CommitTag | `Deposit${string}` | `Decommit${string}`

function ledgerFields(output: Extract<HeadMessage, { tag: LedgerTag }>): Fields {
  const { headId } = output
  switch (output.tag) {
    case 'TxValid':
      return { headId, transactionId: output.txId }
    case 'TxInvalid':
      return { headId, utxo: output.utxo, transaction: output.tx.envelope, validationError: { reason: output.reason } }
    case 'CommitRecorded': {
      const { txId, deposited, deadlineMs } = output.deposit
      return { headId, utxoToCommit: deposited, pendingDeposit: txId, deadline: utcTime(deadlineMs) }
    }
    case 'DepositActivated':
    case 'DepositExpired':
      return {
        headId,
        depositTxId: output.deposit.txId,
        deadline: utcTime(output.deposit.deadlineMs),
        chainTime: utcTime(output.timeMs)
      }
    case 'CommitApproved':
      return { headId, utxoToCommit: output.utxo }
    case 'CommitFinalized':
      return { headId, depositTxId: output.depositTxId }
    case 'CommitRecovered':
      return { headId, recoveredUTxO: output.utxo, recoveredTxId: output.depositTxId }
    case 'DecommitRequested':
      return { headId, decommitTx: output.tx.envelope, utxoToDecommit: output.utxo }
    case 'DecommitApproved':
      return { headId, decommitTxId: output.txId, utxoToDecommit: output.utxo }
    case 'DecommitFinalized':
      return { headId, distributedUTxO: output.utxo }
    case 'DecommitInvalid':
      return { headId, decommitTx: output.tx.envelope, decommitInvalidReason: decommitInvalidReason(output.cause) }
  }
}

function decommitInvalidReason(cause: Extract<HeadMessage, { tag: 'DecommitInvalid' }>['cause']): JsonValue {
  if ('otherTxId' in cause) return { tag: 'DecommitAlreadyInFlight', otherDecommitTxId: cause.otherTxId }
  return { tag: 'DecommitTxInvalid', localUTxO: cause.utxo, validationError: { reason: cause.reason } }
}

/** A snapshot as the node writes it; absent parts are null. */
export function snapshotJson(snapshot: LocalSnapshot, features: ProfileFeatures, withUtxo = true): JsonValue {
  const {
    headId,
    version,
    number,
    confirmed,
    utxo,
    utxoToCommit,
    depositTxId,
    utxoToDecommit,
    accumulator,
    appliedAccumulator
  } = snapshot
  return {
    headId,
    version,
    number,
    confirmed: confirmed.map(({ envelope }: HeadTx) => envelope),
    utxo: withUtxo ? utxo : undefined,
    utxoToCommit,
    depositTxId: features.depositIdInSnapshots ? depositTxId : undefined,
    utxoToDecommit,
    accumulator: features.accumulatorInSnapshots ? accumulator : undefined,
    appliedAccumulator: features.appliedAccumulatorInSnapshots
      ? (appliedAccumulator ?? accumulator)
      : appliedAccumulator
  }
}

/** `snapshot` and `signatures` of a signed snapshot. */
export function signedFields(
  { snapshot, signatures }: SignedLocalSnapshot,
  features: ProfileFeatures,
  withUtxo = true
): Fields {
  return { snapshot: snapshotJson(snapshot, features, withUtxo), signatures: { multiSignature: signatures } }
}

/** SyncedStatusReport, which 1.3 to 2.3 send while they catch up. */
export function syncReportText(slot: number, timeMs: number, driftSeconds: number): string {
  return toJson({
    tag: 'SyncedStatusReport',
    chainSlot: slot,
    chainTime: utcTime(timeMs),
    drift: driftSeconds,
    synced: 'CatchingUp'
  })
}

/** InvalidInput has no tag since 0.21. */
export function invalidInputText(reason: string, input: string): string {
  return toJson({ reason, input })
}

/** The error of a transaction that the base ledger refused. */
export function failedToPost(failureReason: string, failingTx: JsonText | null): JsonText {
  return new JsonText(toJson({ tag: 'FailedToPostTx', failureReason, failingTx }))
}

/** Returns the error of a transaction that the node's own wallet cannot pay for (Handlers.hs, finalizeTx). */
export function withoutFuel(tag: 'NoFuelUTXOFound' | 'NotEnoughFuel', failingTx: JsonText): JsonText {
  return new JsonText(toJson({ tag, failingTx }))
}

/**
 * The error of a transaction whose script fails in the node's own wallet, which runs it before it submits (Wallet.hs,
 * estimateScriptsCost).
 */
export function failedInWallet(code: string, failingTx: JsonText): JsonText {
  const units = "WrapExUnits {unWrapExUnits = ExUnits' {exUnitsMem' = 0, exUnitsSteps' = 0}}"
  const reason =
    "CekError An error has occurred:\nThe machine terminated because of an error, either from a built-in function or from an explicit use of 'error'."
  const failureReason = `ValidationFailure (${units}) (${reason}) ["${code}"]`
  return new JsonText(
    toJson({ tag: 'ScriptFailedInWallet', redeemerPtr: 'ConwaySpending (AsIx {unAsIx = 0})', failureReason, failingTx })
  )
}
