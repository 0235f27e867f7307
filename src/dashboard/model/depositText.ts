import { depositPhase, depositTimes } from '../../codec/depositPhase.js'
import type { DepositPhase } from '../../codec/depositPhase.js'
import type { DepositRow } from '../../doctor/inner.js'
import { formatDateTime, formatDuration } from './text.js'

/** By phase of a deposit: the sentence about the phase, and the one about the phase that follows. */
const PHASES: Readonly<Record<DepositPhase, readonly [now: string, next: string]>> = {
  waiting: ['The head cannot take it yet. ', 'It can'],
  claimable: ['The head can take it. ', 'No longer'],
  expired: ['The head takes it no longer. ', 'It can be recovered'],
  recoverable: ['', '']
}

/**
 * Says in which phase a deposit is, and when the next one begins; null without a deadline. `period`: the head's deposit
 * period, ms, null where the node states none; `now`: ms since the Unix epoch, by the node's clock.
 */
export function depositText(
  { deadline, times, step }: Pick<DepositRow, 'deadline' | 'times' | 'step'>,
  period: number | null,
  now: number
): { readonly phase: DepositPhase | null; readonly text: string } | null {
  if (deadline === null) return null
  const { phase, nextAt } = depositPhase(depositTimes(deadline, period, { claimableAt: times.activated ?? null }), now)
  if (nextAt === null) return { phase, text: `It can be recovered: its deadline was ${formatDateTime(deadline)}.` }
  const recoverable = ` It can be recovered from ${formatDateTime(deadline)}.`
  // The step of the base ledger alone is due.
  if (step === 'approved') return { phase, text: `All parties have signed it.${recoverable}` }
  const [current, next] = phase === null ? ['', 'It can be recovered'] : PHASES[phase]
  const text = `${current}${next} in ${formatDuration(nextAt - now)}, from ${formatDateTime(nextAt)}.`
  return { phase, text: nextAt === deadline ? text : `${text}${recoverable}` }
}
