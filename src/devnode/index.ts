/**
 * A local head node to develop and test against: it serves hydra-node's API, a base ledger of its own with
 * Blockfrost's, Ogmios's and Kupo's APIs, and funded test keys. `startDevNode` listens on ports, `DevNode` runs
 * without any in the same process. For tests only: its keys are public.
 *
 * @see docs/guides/devnode.md
 * @see docs/guides/devnode-control.md
 * @see docs/guides/testing.md
 * @packageDocumentation
 */
export { DevNode } from './DevNode.js'
export { DevNodeParty } from './DevNodeParty.js'
export type { PartySettings } from './party/PartyNetwork.js'
export { RunningDevNode, startDevNode } from './startDevNode.js'
export { LoopbackConnector } from './serve/api/loopbackConnector.js'
export { driveTo } from './driveTo.js'
export type { DrivenHead, DriveToOptions } from './driveTo.js'
export { DRIVEN_STATES } from './settings/drivenStates.js'
export type { DrivenState } from './settings/drivenStates.js'
export { manualClock } from './settings/clock.js'
export type { Client, ClientSink } from './party/clientHub.js'
export type { Clock, ManualClock } from './settings/clock.js'
export type { Counters } from './party/counters.js'
export type { DevNodeFaults, SnapshotForgery } from './settings/faults.js'
export type { BaseRequest } from './serve/api/baseApi.js'
export type { ScriptEvaluationRequest, ScriptEvaluator, ScriptFailure, ScriptUnits } from '../types/scriptEvaluator.js'
export type { DevNodeReply, DevNodeRequest } from './serve/api/DevNodeReply.js'
export { ControlledNode } from './serve/control/ControlledNode.js'
export type { DevNodeAccountStatus, DevNodeEndpoints, DevNodeStatus, DevNodeTime } from './serve/control/status.js'
export type { DevNodeState } from './saved/document.js'
export type { FundedInHead } from './serve/control/fundHead.js'
export type { DevAccount, DevAccounts } from './settings/accounts.js'
export type { FundedKey, FundedKeys } from './settings/keys.js'
export type { JsonValue as DevNodeJson } from './json/jsonText.js'
export type { LoopbackNode, LoopbackOptions } from './serve/api/loopbackConnector.js'
export type {
  DevNodeOptions,
  GenesisCborUTxO,
  GenesisEntry,
  GenesisUTxO,
  GenesisUTxOMap,
  StartDevNodeOptions
} from './settings/options.js'
export type { DevNodeProfile } from './settings/profiles.js'
export type { DevNodeTimings, ResolvedTimings } from './settings/timings.js'
