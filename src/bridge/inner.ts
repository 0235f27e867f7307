// The door of this room for other rooms; index.ts is the public one.

export { LayerBridge } from './LayerBridge.js'
export { connectorOf } from './connection/connectorOf.js'
export type { Connector, ConnectorChannel, ConnectorReply } from './connection/Connector.js'
export { GatewayConnector } from './connection/gateway/GatewayConnector.js'
export type { GatewayConnectorOptions } from './connection/gateway/GatewayConnector.js'
export {
  CONNECT,
  DISCONNECT,
  EVENT_PACKET,
  Encoder,
  PacketListeners,
  readPacket
} from './connection/gateway/packets.js'
export type { SocketIoPacket } from './connection/gateway/packets.js'
export { WebsocketConnector } from './connection/websocket/WebsocketConnector.js'
export { assertFunction } from './delivery/Emitter.js'
export type { MessageEventMap } from './delivery/events.js'
export { assertDepositDraft } from './drafts/assertDepositDraft.js'
export type { CheckedDraft } from './drafts/assertDepositDraft.js'
export type { ConnectionState } from './connection/reconnectPolicy.js'
export { snapshotChange, txEffect } from './head/delta.js'
export { LedgerDecoder } from './history/LedgerDecoder.js'
export type { LedgerEvent, LedgerPosition } from './history/LedgerEvent.js'
export type { LedgerReading, LedgerReadingEnd } from './history/LedgerReading.js'
export type { CommitRequest, DepositDraft } from './moves/deposits.js'
export { BRIDGE_OPTION_NAMES } from './options.js'
export type { DirectBridgeOptions, InitLayerBridgeOptions } from './options.js'
export { parseNodeTime } from './head/slotClock.js'
export { COMMANDS } from './protocol/commandTable.js'
export type { CommandRow } from './protocol/commandTable.js'
export { decodePayload } from './protocol/decode.js'
export type { LayerHeadStatus } from './protocol/types.js'
export { messageRow } from './protocol/messageTable.js'
export type { LayerPayload, PayloadOf } from './protocol/messages.js'
export {
  decodeHeadReply,
  decodeLastSeenReply,
  decodePendingDepositsReply,
  decodeProtocolParametersReply,
  decodeSnapshotReply,
  decodeUtxoReply
} from './protocol/replies.js'
export type {
  ConfirmedSnapshot,
  NodeEnvironment,
  RawProtocolParameters,
  Snapshot,
  TransactionJson,
  TxOutJson,
  UTxOObject
} from './protocol/types.js'
export { utxoFromJson, utxoToJson } from './protocol/utxoJson.js'
export { isLocalHead, isNewerThanHeld, versionEvidence, versionProfile, versionWarning } from './protocol/versions.js'
export { getOwn, isRecord, textIn } from './protocol/wireRecord.js'
export type { WireRecord } from './protocol/wireRecord.js'
export type { TxState } from './txs/TxState.js'
export type { FoundTransaction } from './txs/findTransaction.js'
export type { HeadInFlight } from './txs/inFlight.js'
export { replayHistory } from './txs/replayHistory.js'
