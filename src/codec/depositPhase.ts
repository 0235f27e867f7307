/**
 * Times at which the phases of a deposit begin (see {@link DepositPhase}): ms since the Unix epoch, null if unknown.
 */
export interface DepositTimes {
  /** Time at which the node saw the deposit on the base ledger, ms since the Unix epoch. */
  readonly recordedAt: number | null
  /**
   * Time from which the head can include the deposit, ms since the Unix epoch. Exact once the node has reported it
   * (`activated`). Before, it is the earliest time: the validity of the deposit's transaction, at most 200 seconds, can
   * delay it. Null where the node states no deposit period.
   */
  readonly claimableAt: number | null
  /**
   * Time from which the head no longer includes the deposit, ms since the Unix epoch: one deposit period before
   * `recoverableAt`. Null where the node states no deposit period.
   */
  readonly expiresAt: number | null
  /**
   * Deadline of the deposit, from which `recover` brings it back, ms since the Unix epoch. Null where neither the draft
   * nor the node states it.
   */
  readonly recoverableAt: number | null
}

/**
 * Phase of a deposit that is on the base ledger and not in the head yet: `waiting`, the head cannot include it yet;
 * `claimable`, the head can include it; `expired`, the head no longer includes it, and it cannot be recovered yet;
 * `recoverable`, `recover` brings it back.
 */
export type DepositPhase = 'waiting' | 'claimable' | 'expired' | 'recoverable'

/**
 * Completes the times of a deposit from its deadline (`recoverableAt`) and the deposit period (`period`, ms, null if
 * unknown). A head includes a deposit from two periods before the deadline until one period before it, however the
 * deadline was set (HeadLogic.hs, determineNextDepositStatus).
 */
export function depositTimes(
  recoverableAt: number | null,
  period: number | null,
  { recordedAt = null, claimableAt = null }: Partial<Pick<DepositTimes, 'recordedAt' | 'claimableAt'>> = {}
): DepositTimes {
  const expiresAt = recoverableAt === null || period === null ? null : recoverableAt - period
  return {
    recordedAt,
    claimableAt: claimableAt ?? (expiresAt === null || period === null ? null : expiresAt - period),
    expiresAt,
    recoverableAt
  }
}

/**
 * Returns the phase of a deposit at the time `now`, and in `nextAt` the time at which the next phase begins. When the
 * times do not suffice, the phase is null and `nextAt` is the deadline, if known. Times are ms since the Unix epoch, by
 * the clock of the node.
 *
 * @example
 * ```ts
 * import { depositPhase } from 'layer-sdk/client'
 *
 * const times = { recordedAt: 5_000, claimableAt: 60_000, expiresAt: 120_000, recoverableAt: 180_000 }
 * console.log(depositPhase(times, 90_000)) // { phase: 'claimable', nextAt: 120000 }
 * ```
 */
export function depositPhase(
  { claimableAt, expiresAt, recoverableAt }: DepositTimes,
  now: number
): { readonly phase: DepositPhase | null; readonly nextAt: number | null } {
  if (recoverableAt !== null && now > recoverableAt) return { phase: 'recoverable', nextAt: null }
  if (expiresAt === null || claimableAt === null) return { phase: null, nextAt: recoverableAt }
  if (now > expiresAt) return { phase: 'expired', nextAt: recoverableAt }
  return now > claimableAt ? { phase: 'claimable', nextAt: expiresAt } : { phase: 'waiting', nextAt: claimableAt }
}
