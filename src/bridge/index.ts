/**
 * `LayerBridge` connects to one head node (hydra-node), directly or through a gateway. It keeps the head's latest
 * snapshot in memory, sends commands, and follows each submitted transaction to a verdict: confirmed, refused, or
 * unknown. The head client of `layer-sdk/client` is built on it and is the simpler choice for most applications.
 *
 * @see docs/guides/bridge.md
 * @packageDocumentation
 */
export { LayerBridge } from './LayerBridge.js'
export type { CachedHead } from './CachedHead.js'
export type { HeadQueries } from './HeadQueries.js'
export type { SideLoadRefusal } from './moves/sideLoadRefusal.js'
export type { MessageObserver } from './observe.js'
export type { WaitOptions } from './delivery/waitForTag.js'
export { WebsocketConnector } from './connection/websocket/WebsocketConnector.js'
export type { WebsocketConnectorOptions } from './connection/websocket/WebsocketConnector.js'
export type { RequestBounds } from './connection/withSignal.js'
export type { WebSocketConstructor, WebSocketLike } from '../net/webSocketTypes.js'
export { GatewayConnector } from './connection/gateway/GatewayConnector.js'
export type { GatewayConnectorOptions } from './connection/gateway/GatewayConnector.js'
export type { GatewayExtensionOptions } from './connection/gateway/extension.js'
export type {
  Connector,
  ConnectorCapabilities,
  ConnectorChannel,
  ConnectorListener,
  ConnectorOpenOptions,
  ConnectorReply,
  ConnectorRequest,
  SnapshotPosition
} from './connection/Connector.js'
export type { ConnectionState } from './connection/reconnectPolicy.js'
export type { BridgeCommands } from './commands.js'
export type { EventHandler } from './delivery/Emitter.js'
export type {
  BridgeEventMap,
  BridgeEvents,
  LateConfirmation,
  LifecycleEvents,
  MessageEventMap,
  MessageEvents,
  TxProgress
} from './delivery/events.js'
export type { HeadState } from './head/reducer.js'
export type { BridgeSnapshot } from './head/HeadModel.js'
export type { AddressUTxOOptions } from './head/selectOutputs.js'
export type { Logger } from '../types/logger.js'
export type {
  CommonBridgeOptions,
  ConnectorBridgeOptions,
  DirectBridgeOptions,
  InitLayerBridgeOptions
} from './options.js'
export { isKnownPayload, LayerHeadStatus, LayerHeadTag } from './protocol/messages.js'
export type {
  CommandFailedPayload,
  ConfirmedSnapshot,
  DecommitInvalidReason,
  GreetingsPayload,
  HeadInfo,
  HeadIsClosedPayload,
  HeadIsFinalizedPayload,
  HeadIsOpenPayload,
  Host,
  InvalidInputPayload,
  LayerInput,
  LayerPayload,
  MultiSignature,
  NetworkInfo,
  NodeEnvironment,
  Party,
  PayloadOf,
  PostTxOnChainFailedPayload,
  Protocol,
  RawProtocolParameters,
  RejectedInputBecauseBroadcastStalledPayload,
  RejectedInputBecauseUnsyncedPayload,
  Snapshot,
  SnapshotConfirmedPayload,
  SnapshotDelta,
  SubmitL2TxResponse,
  SyncPayload,
  TransactionJson,
  TxInvalidPayload,
  TxOutJson,
  TxValidPayload,
  UTxOObject,
  ValueJson,
  WireInteger
} from './protocol/messages.js'
export type { DecommitPayload, DecommitResult } from './moves/decommit.js'
export type {
  CardanoSubmission,
  CommitData,
  CommitRequest,
  DepositDraft,
  RecoverOptions,
  TransactionData
} from './moves/deposits.js'
export { assertDepositDraft } from './drafts/assertDepositDraft.js'
export type { CheckedDraft, DepositDraftRequest, DraftToCheck } from './drafts/assertDepositDraft.js'
export type { DraftDifference, DraftPart } from '../errors/money.js'
export type { FoundTransaction } from './txs/findTransaction.js'
export { LedgerDecoder } from './history/LedgerDecoder.js'
export type { EventDetails } from './history/LedgerDecoder.js'
export type { LedgerEvent, LedgerPosition } from './history/LedgerEvent.js'
export type { LedgerReading, LedgerReadingEnd } from './history/LedgerReading.js'
export type { HeadInFlight } from './txs/inFlight.js'
export type { InitOptions, InitResult } from './moves/initHead.js'
export type { TrackedTx } from './txs/TxEntry.js'
export type { TxState } from './txs/TxState.js'
export type { SubmitOptions, SubmittableTransaction, SubmitTxResult } from './txs/submitTx.js'
export type { SubmitL2TxOptions } from './txs/submitL2Tx.js'
export type { SubmitCallback } from './txs/submitTxWithCallback.js'
export { parseJson, stringifyJson } from '../codec/json.js'
export { utxoFromJson, utxoToJson } from './protocol/utxoJson.js'
export type { Transaction } from '../types/transaction.js'
export type { UnverifiedSnapshot, VerificationLag } from './delivery/events.js'
export type { BridgeVerification } from './verification/types.js'
export type { Accelerator } from '../accumulator/inner.js'
export type { VerificationReason } from '../errors/verification.js'
