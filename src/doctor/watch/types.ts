import type { FindingCode } from '../codes.js'
import type { DoctorNode } from '../gather/gatherFacts.js'
import type { Fetcher } from '../../types/provider.js'
import type { FindingEvidence } from '../types.js'

/** Weight of an alert: money may be lost, a person should look, for information. */
export type AlertSeverity = 'critical' | 'warning' | 'info'

/** A rule that is always there; {@link AlertRule} changes or switches it off. */
export type BuiltInRule =
  | 'closed-by-other'
  | 'closed-with-older-snapshot'
  | 'contest-window'
  | 'ready-to-fanout'
  | 'deposit-recoverable'
  | 'deposit-expiring'
  | 'withdrawal-stuck'
  | 'snapshot-stalled'
  | 'node-unsynced'
  | 'fuel-low'
  | 'unverified'
  | 'post-failed'
  | 'connection-lost'
  | 'version-vulnerable'

/** An alert, or its end: plain JSON, one line of `layer-sdk watch`. */
export interface HeadAlert {
  /** Stays the same from the first line of the alert to its end, over restarts too: hex, 32 characters. */
  readonly id: string
  /** Time of this line, ms since the epoch. */
  readonly at: number
  /** Name of the rule. */
  readonly rule: string
  /** Weight, as the rule sets it. */
  readonly severity: AlertSeverity
  /** `firing` comes once, and every hour while the alert is critical; `resolved` ends it. */
  readonly state: 'firing' | 'resolved'
  /** Id of the head: hex; null where it is not known. */
  readonly headId: string | null
  /** The alert in one sentence. */
  readonly what: string
  /** Figures by name; quantities that may pass 2^53 are decimal texts. */
  readonly evidence: Readonly<Record<string, Exclude<FindingEvidence, bigint>>>
  /** Next step, with the command to type where there is one. */
  readonly remedy: string
  /** Last moment for the remedy, ms since the epoch, where there is one. */
  readonly deadline?: number
}

/**
 * Rule of alerts: a built-in rule, a code of the doctor, or an event of the node.
 *
 * @example
 * ```ts
 * import type { AlertRule } from 'layer-sdk/doctor'
 *
 * const rules: AlertRule[] = [
 *   { on: 'fuel-low', severity: 'critical' },
 *   { on: 'outputs-limit', severity: 'warning', for: 600_000 },
 *   { name: 'refused', on: 'TxInvalid', threshold: 20, for: 60_000, severity: 'info' },
 *   { on: 'closed-by-other', off: true }
 * ]
 * console.log(rules.length) // 4
 * ```
 */
export interface AlertRule {
  /** Name in the alert. @default that of `on` */
  name?: string
  /** A built-in rule, whose settings it changes; a code of the doctor; or the tag of a node's message. */
  on: BuiltInRule | FindingCode | (string & {})
  /** Weight. @default that of the built-in rule; `'warning'` */
  severity?: AlertSeverity
  /** Time for which a condition holds before it fires; of an event the time in which it is counted, ms. @default 0 */
  for?: number
  /** Outputs, nodes or deposits of a finding, or events, from which on it fires. @default 1 */
  threshold?: number
  /** Switches a built-in rule off. @default false */
  off?: boolean
}

/** Receiver of alerts. */
export interface AlertSink {
  /**
   * Receives a line. One that rejects receives the same line again, with the same id: after a kill too.
   */
  send(alert: HeadAlert): Promise<void>
}

/** Memory of a watch between two runs: a text that it reads once and then replaces. */
export interface AlertState {
  /** The text of the last run; null in the first one. */
  load(): Promise<string | null>
  /** Keeps a text; durable once it resolves. */
  save(text: string): Promise<void>
}

/** A head to watch, as one of its nodes shows it. */
export interface WatchedHead {
  /** URL of the node, a head client, a bridge or a connector. */
  node: DoctorNode
  /** Keys of all parties in their order, hex: snapshots are then verified. @default none: not verified */
  parties?: readonly string[]
  /** Reads the base ledger. @default none */
  provider?: Fetcher
  /** Address of the node's own wallet on the base ledger. @default none */
  fuelAddress?: string
  /** URL of the node's Prometheus metrics. @default none */
  metricsUrl?: string
  /**
   * Time of the base ledger, ms since the epoch: a node that states a later one is not believed. @default the time of
   * this machine
   */
  baseTime?: (signal: AbortSignal) => Promise<number>
}

/** Times that a watch needs; a test replaces them. */
export interface WatchTime {
  /** ms since the epoch. */
  now(): number
  /** Monotonic, ms: a clock that jumps does not move it. */
  monotonic(): number
  /** Waits ms; rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
