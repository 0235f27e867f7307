import type { Transaction } from '../types/transaction.js'
import type { Connector } from './connection/Connector.js'
import { ageOf, snapshotChange, txEffect } from './head/delta.js'
import type { DeltaRules } from './head/delta.js'
import { HeadSync } from './HeadSync.js'
import type { HeadSyncPorts } from './HeadSync.js'
import { createAsk } from './http.js'
import type { BridgePorts, FacadePorts } from './ports.js'
import { refusalOf } from './refusal.js'
import type { Refused } from './refusal.js'
import type { HeadInfo, Protocol, RawProtocolParameters, SubmitL2TxResponse } from './shapes.js'
import { decommit } from './tx/decommit.js'
import type { DecommitPayload, DecommitResult } from './tx/decommit.js'
import { commit, recoverDeposit, submitCardanoTransaction } from './tx/deposits.js'
import type { CardanoSubmission, CommitRequest, DepositDraft, RecoverOptions, TransactionData } from './tx/deposits.js'
import { initSync } from './tx/initSync.js'
import type { InitResult } from './tx/initSync.js'
import { headInfo, pendingDeposits, rawProtocolParameters, snapshotsMissed } from './tx/queries.js'
import { submitTx } from './tx/submit.js'
import type { SubmitOptions, SubmitTxResult } from './tx/submit.js'
import { shareFlights } from './tx/shareFlights.js'
import { submitL2Tx } from './tx/submitL2.js'
import type { SubmitL2TxOptions } from './tx/submitL2.js'
import { TxTracker } from './tx/TxTracker.js'
import type { TrackerPorts } from './tx/TxTracker.js'
import { toProtocol } from './wire/headState.js'
import { versionProfile } from './wire/version.js'
import type { VersionProfile } from './wire/version.js'

/** What the operations need of the bridge. */
export interface OperationsPorts extends FacadePorts, Omit<HeadSyncPorts, keyof BridgePorts>, Omit<TrackerPorts, 'explain'> {
  readonly connector: Connector
  readonly requestTimeout: number
  /** Ends with `disconnect()`. */
  life(): AbortSignal
}

/**
 * Everything that follows, asks or decodes transactions: a part of its own, which a page loads while it connects.
 */
export interface Operations {
  readonly sync: HeadSync
  readonly tracker: TxTracker
  readonly rules: DeltaRules
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
}

/** The operations of one bridge. */
export function createOperations(base: OperationsPorts): Operations {
  const tracker = new TxTracker({ ...base, explain: (payload) => explain(refusalOf(payload, base.head())) })
  const profile = (): VersionProfile => versionProfile(base.head().layerNodeVersion)
  const ports = { ...base, tracker, profile, ask: createAsk(base.connector, base.requestTimeout, base.life) }
  return {
    sync: new HeadSync(ports),
    tracker,
    rules: { snapshotChange, ageOf, txEffect },
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
    initSync: (retry, interval) => initSync(ports, retry, interval)
  }
}

function explain(refused: Refused | null): { reason: string; details: string[] } {
  if (refused === null) return { reason: 'no reason given', details: [] }
  const { reason, allowedStates } = refused.error
  return { reason, details: allowedStates.length === 0 ? [] : [`Allowed while the head is ${allowedStates.join(' or ')}`] }
}
