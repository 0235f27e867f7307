/** Times of a deposit: ms since the Unix epoch, null where not known. Between them it is in one of four phases. */
export interface DepositTimes {
  /** When the node saw it on the base ledger, ms since the Unix epoch. */
  readonly recordedAt: number | null
  /**
   * From then on the head can take it, ms since the Unix epoch. Exact once the node has said so (`activated`); before,
   * the earliest moment: the validity of its transaction, 200 seconds at most, can move it. Null where the node states
   * no deposit period.
   */
  readonly claimableAt: number | null
  /**
   * From then on the head no longer takes it, ms since the Unix epoch: one deposit period before `recoverableAt`. Null
   * where none is stated.
   */
  readonly expiresAt: number | null
  /**
   * From then on `recover` brings it back, ms since the Unix epoch: its deadline. Null where neither draft nor node
   * states it.
   */
  readonly recoverableAt: number | null
}

/**
 * Phase of a deposit that is on the base ledger and not in the head: `waiting`, the head cannot take it yet;
 * `claimable`; `expired`, neither taken nor recoverable; `recoverable`.
 */
export type DepositPhase = 'waiting' | 'claimable' | 'expired' | 'recoverable'

/**
 * Computes what is not known of a deposit's times from its deadline and the deposit period: a head takes it from two
 * periods before the deadline on, and no longer in the last one (HeadLogic.hs, determineNextDepositStatus), however the
 * deadline was set. `period`: ms, null where unknown.
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
 * Returns the phase of a deposit at a time, and when the next phase begins, ms since the Unix epoch. Times that are not
 * known give no phase, and the next one that is known. `now`: ms since the Unix epoch, by the clock of the node.
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
