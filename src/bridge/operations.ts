import type { Transaction } from '../types/transaction.js'
import type { Connector } from './connection/Connector.js'
import { HeadSync } from './head/HeadSync.js'
import type { HeadSyncPorts } from './head/HeadSync.js'
import { createAsk } from './connection/nodeRequests.js'
import type { BridgePorts, FacadePorts } from './BridgeContext.js'
import { refusalOf } from './submissions/commandRefusal.js'
import type { Refused } from './submissions/commandRefusal.js'
import type { HeadInfo, Protocol, RawProtocolParameters, SubmitL2TxResponse } from './protocol/types.js'
import { decommit } from './submissions/decommit.js'
import type { DecommitPayload, DecommitResult } from './submissions/decommit.js'
import { commit, recoverDeposit, submitCardanoTransaction } from './submissions/deposits.js'
import type { CardanoSubmission, CommitRequest, DepositDraft, RecoverOptions, TransactionData } from './submissions/deposits.js'
import { initSync } from './submissions/initHead.js'
import type { InitResult } from './submissions/initHead.js'
import { headInfo, pendingDeposits, rawProtocolParameters, snapshotsMissed } from './submissions/nodeQueries.js'
import { submitTx } from './submissions/submitTx.js'
import type { SubmitOptions, SubmitTxResult } from './submissions/submitTx.js'
import { shareFlights } from './submissions/dedupe.js'
import { submitL2Tx } from './submissions/submitL2Tx.js'
import type { SubmitL2TxOptions } from './submissions/submitL2Tx.js'
import { TxTracker } from './submissions/TxTracker.js'
import type { TrackerPorts } from './submissions/txEvents.js'
import { toProtocol } from './protocol/headState.js'
import { versionProfile } from './protocol/versions.js'
import type { VersionProfile } from './protocol/versions.js'
import { findTransaction } from './submissions/findTransaction.js'
import type { FoundTransaction } from './submissions/findTransaction.js'

/** What the operations need of the bridge. */
export interface OperationsPorts extends FacadePorts, Omit<HeadSyncPorts, keyof BridgePorts>, Omit<TrackerPorts, 'explain'> {
  readonly connector: Connector
  readonly requestTimeout: number
  /** Ends with `disconnect()`. */
  life(): AbortSignal
}

/**
 * What follows transactions and the head's state, and the operations that wait for the node.
 */
export interface Operations {
  readonly sync: HeadSync
  readonly tracker: TxTracker
  submitTx(transaction: Transaction, options?: SubmitOptions): Promise<SubmitTxResult>
  decommit(payload: DecommitPayload): Promise<DecommitResult>
  headInfo(): Promise<HeadInfo>
  protocol(): Promise<Protocol>
  rawProtocol(): Promise<RawProtocolParameters>
  pendingDeposits(): Promise<string[]>
  snapshotsMissed(snapshotNumber: number, signal: AbortSignal): Promise<number>
  submitL2Tx(transaction: Transaction, options?: SubmitL2TxOptions): Promise<SubmitL2TxResponse>
  commit(data: CommitRequest): Promise<DepositDraft>
  submitCardanoTransaction(data: TransactionData): Promise<CardanoSubmission>
  recoverDeposit(depositTxId: string, options?: RecoverOptions): Promise<string>
  initSync(retry: number, interval: number): Promise<InitResult>
  findTransaction(txId: string): Promise<FoundTransaction>
}

/** The operations of one bridge. */
export function createOperations(base: OperationsPorts): Operations {
  const tracker = new TxTracker({ ...base, explain: (payload) => explain(refusalOf(payload, base.head())) })
  const profile = (): VersionProfile => versionProfile(base.head().layerNodeVersion)
  const ports = { ...base, tracker, profile, ask: createAsk(base.connector, base.requestTimeout, base.life) }
  return {
    sync: new HeadSync(ports),
    tracker,
    submitTx: (transaction, options) => submitTx(ports, transaction, options),
    decommit: (payload) => decommit(ports, payload),
    headInfo: () => headInfo(ports),
    protocol: async () => toProtocol(await rawProtocolParameters(ports)),
    rawProtocol: () => rawProtocolParameters(ports),
    pendingDeposits: () => pendingDeposits(ports),
    snapshotsMissed: (snapshotNumber, signal) => snapshotsMissed(ports, snapshotNumber, signal),
    submitL2Tx: shareFlights((transaction, options) => submitL2Tx(ports, transaction, options)),
    commit: (data) => commit(ports, data),
    submitCardanoTransaction: (data) => submitCardanoTransaction(ports, data),
    recoverDeposit: (depositTxId, options) => recoverDeposit(ports, depositTxId, options),
    initSync: (retry, interval) => initSync(ports, retry, interval),
    findTransaction: (txId) => findTransaction(ports, txId)
  }
}

function explain(refused: Refused | null): { reason: string; details: string[] } {
  if (refused === null) return { reason: 'no reason given', details: [] }
  const { reason, allowedStates } = refused.error
  return { reason, details: allowedStates.length === 0 ? [] : [`Allowed while the head is ${allowedStates.join(' or ')}`] }
}
