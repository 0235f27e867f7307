export { LayerBridge } from './LayerBridge.js'
export type { WaitOptions } from './waitForTag.js'
export { WebsocketConnector } from './connection/WebsocketConnector.js'
export type { WebSocketConstructor, WebsocketConnectorOptions } from './connection/WebsocketConnector.js'
export { GatewayConnector } from './connection/GatewayConnector.js'
export type { GatewayConnectorOptions } from './connection/GatewayConnector.js'
export type {
  Connector, ConnectorCapabilities, ConnectorChannel, ConnectorListener, ConnectorOpenOptions, ConnectorReply, ConnectorRequest
} from './connection/Connector.js'
export type { ConnectionState } from './connection/Connection.js'
export type { BridgeCommands } from './commands.js'
export type { EventHandler } from './Emitter.js'
export type { BridgeEventMap, BridgeEvents, LateConfirmation, LifecycleEvents, TxProgress } from './events.js'
export type { HeadState } from './head/reducer.js'
export type { BridgeSnapshot } from './HeadModel.js'
export type { BridgeLogger } from './log.js'
export type { CommonBridgeOptions, ConnectorBridgeOptions, DirectBridgeOptions, InitLayerBridgeOptions } from './options.js'
export { isKnownPayload, LayerHeadStatus, LayerHeadTag } from './payload.js'
export type {
  CommandFailedPayload, ConfirmedSnapshot, GreetingsPayload, HeadInfo, HeadIsClosedPayload, HeadIsFinalizedPayload, HeadIsOpenPayload, Host,
  InvalidInputPayload, LayerInput, LayerPayload, MultiSignature, NetworkInfo, NodeEnvironment, Party, PayloadOf, PostTxOnChainFailedPayload,
  Protocol, RawProtocolParameters, RejectedInputBecauseUnsyncedPayload, Snapshot, SnapshotConfirmedPayload, SubmitL2TxResponse, SyncPayload,
  TransactionJson, TxInvalidPayload, TxOutJson, TxValidPayload, UTxOObject, ValueJson, WireInteger
} from './payload.js'
export type { DecommitPayload, DecommitResult } from './tx/decommit.js'
export type {
  CardanoSubmission, CommitData, CommitRequest, DepositDraft, RecoverOptions, TransactionData
} from './tx/deposits.js'
export type { InitResult } from './tx/initSync.js'
export type { SubmitOptions, SubmitTxResult } from './tx/submit.js'
export type { SubmitL2TxOptions } from './tx/submitL2.js'
export { parseJson, stringifyJson } from '../codec/json.js'
export { utxoFromJson, utxoToJson } from './wire/utxo.js'
export type { Transaction } from '../types/transaction.js'
