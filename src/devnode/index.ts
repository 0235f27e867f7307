export { DevNode } from './DevNode.js'
export { DevNodeParty } from './DevNodeParty.js'
export type { PartySettings } from './head/PartyNetwork.js'
export { RunningDevNode, startDevNode } from './startDevNode.js'
export { LoopbackConnector } from './api/loopbackConnector.js'
export { manualClock } from './clock.js'
export type { Client, ClientSink } from './api/clientHub.js'
export type { Clock, ManualClock } from './clock.js'
export type { Counters } from './counters.js'
export type { DevNodeFaults } from './faults.js'
export type { SnapshotForgery } from './head/forgeSnapshot.js'
export type { BaseRequest } from './api/baseApi.js'
export type { ScriptEvaluationRequest, ScriptEvaluator, ScriptFailure, ScriptUnits } from '../types/scriptEvaluator.js'
export type { DevNodeReply, DevNodeRequest } from './api/httpApi.js'
export { ControlledNode } from './control/ControlledNode.js'
export type { DevNodeAccountStatus, DevNodeEndpoints, DevNodeStatus, DevNodeTime } from './control/status.js'
export type { DevNodeState } from './state/document.js'
export type { FundedInHead } from './control/fundHead.js'
export type { DevAccount, DevAccounts } from './accounts.js'
export type { FundedKey, FundedKeys } from './keys.js'
export type { JsonValue as DevNodeJson } from './wire/jsonText.js'
export type { LoopbackNode, LoopbackOptions } from './api/loopbackConnector.js'
export type {
  DevNodeOptions,
  GenesisCborUTxO,
  GenesisEntry,
  GenesisUTxO,
  GenesisUTxOMap,
  StartDevNodeOptions
} from './options.js'
export type { DevNodeProfile } from './profiles.js'
export type { DevNodeTimings } from './timings.js'
