import type { FindingCode } from '../codes.js'
import type { DoctorNode } from '../gather/gatherFacts.js'
import type { Fetcher } from '../../types/provider.js'
import type { FindingEvidence } from '../types.js'

/**
 * Weight of an alert. `critical`: money may be lost; `warning`: a person should look at it; `info`: for information.
 */
export type AlertSeverity = 'critical' | 'warning' | 'info'

/** Name of a built-in rule, which applies unless an {@link AlertRule} changes it or switches it off. */
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

/** An alert, or the notice that it has ended: plain JSON, one line of `layer-sdk watch`. */
export interface HeadAlert {
  /** Id of the alert: hex, 32 characters; the same from its first line to its end, also over restarts. */
  readonly id: string
  /** Time at which this line was made, ms since the epoch. */
  readonly at: number
  /** Name of the rule. */
  readonly rule: string
  /** Weight, as the rule sets it. */
  readonly severity: AlertSeverity
  /** `firing`: the alert begins; a critical one is repeated every hour. `resolved`: it has ended. */
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
  /** Name of the rule in its alerts. @default that of `on` */
  name?: string
  /**
   * Subject of the rule: a built-in rule, whose settings it changes; a code of the doctor; or the tag of a message of
   * the node.
   */
  on: BuiltInRule | FindingCode | (string & {})
  /** Weight. @default that of the built-in rule; `'warning'` */
  severity?: AlertSeverity
  /**
   * Time for which a condition has to hold before the alert fires, ms; for a message of the node, the time within which
   * its occurrences are counted.
   * @default 0
   */
  for?: number
  /** Number from which on the alert fires: of outputs, nodes or deposits in a finding, or of messages. @default 1 */
  threshold?: number
  /** Switches a built-in rule off. @default false */
  off?: boolean
}

/** Receiver of alerts, such as a webhook or a log. */
export interface AlertSink {
  /**
   * Receives one alert line. If it rejects, the same line is sent again with the same id; after the process was killed,
   * a line may come again too.
   */
  send(alert: HeadAlert): Promise<void>
}

/** Storage of a watch between two runs: a text that is read once at the start, and replaced at each change. */
export interface AlertState {
  /** Returns the text that the last run saved; null in the first run. */
  load(): Promise<string | null>
  /** Saves a text, which has to be durable once the promise resolves. */
  save(text: string): Promise<void>
}

/** A head to watch, as one of its nodes shows it. */
export interface WatchedHead {
  /** URL of the node, a head client, a bridge or a connector. */
  node: DoctorNode
  /**
   * Keys of all parties in their order, hex: with them, the signatures of snapshots are verified.
   * @default none: not verified
   */
  parties?: readonly string[]
  /** Reads the base ledger. @default none */
  provider?: Fetcher
  /** Address of the node's own wallet on the base ledger. @default none */
  fuelAddress?: string
  /** URL of the node's Prometheus metrics. @default none */
  metricsUrl?: string
  /**
   * Returns the time of the base ledger, ms since the epoch: a close that a node states to be later counts as of this
   * time.
   * @default the local time
   */
  baseTime?: (signal: AbortSignal) => Promise<number>
}

/** Clock that a watch uses; a test replaces it. */
export interface WatchTime {
  /** ms since the epoch. */
  now(): number
  /** Monotonic time, ms, which a change of the clock does not affect. */
  monotonic(): number
  /** Waits ms; rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
