import { type OptionNames, readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ProfileFeatures } from './profiles.js'

/** Durations of the local node's steps, ms unless said otherwise. */
export interface DevNodeTimings {
  /** Time from posting a transaction to the base ledger to seeing it there. @default 50 */
  blockMs?: number
  /** Time from seeing a deposit to including it in a snapshot. @default 100 */
  depositDelayMs?: number
  /**
   * Deposit activation (`--deposit-activation`) of profiles from 2.4 on: replaces `depositDelayMs`, and is shown in
   * `env`. @default `depositDelayMs`
   */
  depositActivationMs?: number
  /**
   * Deposit period (`depositPeriod` of the node): a deposit can be recovered after three of them; from profile 2.4 on
   * after its activation and two of them.
   * @default 3600000
   */
  depositPeriodMs?: number
  /** Time from requesting a snapshot to its signatures. @default 20 */
  snapshotIntervalMs?: number
  /** Most transactions in one snapshot. @default the profile's: 1000 from 2.4 on, 100 before */
  snapshotSize?: number
  /** Time from closing to ReadyToFanout. @default 2000 */
  contestationPeriodMs?: number
  /** Wait before a transaction that cannot be applied is tried again. @default 100 */
  invalidRetryMs?: number
  /** Number of times that such a transaction is tried again before TxInvalid. @default 5 */
  invalidRetries?: number
  /** Time after which a waiting HTTP route answers with a timeout (`--api-transaction-timeout`). @default 300000 */
  transactionTimeoutMs?: number
  /** Time between two WebSocket pings. @default 30000 */
  pingMs?: number
}

/** Timings without omitted members. */
export type ResolvedTimings = Required<Omit<DevNodeTimings, 'snapshotSize' | 'depositActivationMs'>> &
  Pick<DevNodeTimings, 'snapshotSize'>

const DEFAULT_TIMINGS: ResolvedTimings = {
  blockMs: 50,
  depositDelayMs: 100,
  depositPeriodMs: 3_600_000,
  snapshotIntervalMs: 20,
  contestationPeriodMs: 2000,
  invalidRetryMs: 100,
  invalidRetries: 5,
  transactionTimeoutMs: 300_000,
  pingMs: 30_000
}

/** The longest that timers of every runtime can wait. */
export const MAX_TIMING_MS = 2_147_483_647
const TIMING_OPTIONS: OptionNames<DevNodeTimings> = {
  blockMs: true,
  depositDelayMs: true,
  depositActivationMs: true,
  depositPeriodMs: true,
  snapshotIntervalMs: true,
  snapshotSize: true,
  contestationPeriodMs: true,
  invalidRetryMs: true,
  invalidRetries: true,
  transactionTimeoutMs: true,
  pingMs: true
}

/**
 * Fills in omitted timings.
 *
 * @throws {@link InvalidArgumentError} on an unknown name, a time that no timer can wait, or an activation where the
 * profile has none.
 */
export function resolveTimings(
  timings: DevNodeTimings,
  { version, depositActivation }: Pick<ProfileFeatures, 'version' | 'depositActivation'>
): ResolvedTimings {
  const entries: [string, unknown][] = Object.entries(readOptions(timings, TIMING_OPTIONS, 'timings')).filter(
    ([, value]) => value != null
  )
  for (const [name, value] of entries) {
    const least = name === 'pingMs' || name === 'snapshotSize' ? 1 : 0
    if (typeof value === 'number' && value >= least && value <= MAX_TIMING_MS) continue
    throw new InvalidArgumentError(`timings.${name}`, `a number from ${least} to ${MAX_TIMING_MS}`, value)
  }
  const { depositActivationMs, ...others } = Object.fromEntries(entries) as DevNodeTimings
  if (depositActivationMs === undefined) return { ...DEFAULT_TIMINGS, ...others }
  if (!depositActivation)
    throw new InvalidArgumentError('timings.depositActivationMs', "a profile from '2.4' on", version)
  return { ...DEFAULT_TIMINGS, ...others, depositDelayMs: depositActivationMs }
}
