/**
 * Finds out whether a head can be closed and paid out, and what stands in the way: `checkHead` reads a node and the
 * base ledger and returns findings with remedies. `watchHeadAlerts` raises alerts where money in a head needs
 * attention, and `exportEvents` writes the events of a head with cursors from which a reader continues.
 *
 * @see docs/guides/doctor.md
 * @see docs/guides/watching.md
 * @see docs/guides/export-and-replay.md
 * @packageDocumentation
 */
export { checkHead } from './checkHead.js'
export type { CheckHeadOptions, HeadReport } from './checkHead.js'
export { DOCTOR_CODES } from './codes.js'
export type { CodeText, FindingCode } from './codes.js'
export type {
  ConfigFacts,
  DepositFacts,
  GreetingsFacts,
  HeadFacts,
  HeadStateFacts,
  HistoryFacts,
  MetricsFacts,
  NodeFacts,
  ParametersFacts,
  Reading,
  SnapshotFacts,
  SnapshotNumbers
} from './facts/HeadFacts.js'
export { exportEvents } from './export/exportEvents.js'
export type {
  ExportedEvents,
  ExportEvent,
  ExportEventsOptions,
  ExportGap,
  ExportKind,
  ExportSummary,
  LogSource
} from './export/types.js'
export { readHeadFacts } from './facts/readHeadFacts.js'
export type { DoctorNode } from './gather/gatherFacts.js'
export { checkDecommit } from './judge/checkDecommit.js'
export type { CheckDecommitArgs } from './judge/checkDecommit.js'
export { diagnose } from './judge/diagnose.js'
export { reportText, reportToJson } from './print/reportText.js'
export type {
  Diagnosis,
  DiagnoseOptions,
  DoctorVerdict,
  EstimatedRange,
  ExitEstimate,
  Finding,
  FindingEvidence,
  FindingSeverity,
  PlannedStep
} from './types.js'
export { ALERT_RULES } from './watch/rules.js'
export type { BuiltInSettings } from './watch/rules.js'
export type {
  AlertRule,
  AlertSeverity,
  AlertSink,
  AlertState,
  BuiltInRule,
  HeadAlert,
  WatchedHead
} from './watch/types.js'
export { watchHeadAlerts } from './watch/watchHeadAlerts.js'
export type { WatchHeadAlertsOptions } from './watch/watchHeadAlerts.js'
export { verifyWebhook } from './watch/webhook.js'
export type { VerifyWebhookArgs, WebhookHeaders, WebhookVerdict } from './watch/webhook.js'
export type { Fetcher, ProtocolParameters, RequestOptions, Tip } from '../types/provider.js'
export type { Amount, ScriptLanguage, ScriptRef, TxInput, TxOutput, UTxO } from '../types/utxo.js'
