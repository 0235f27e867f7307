import type { DepositTimes } from '../codec/depositPhase.js'
import { depositPhase } from '../codec/depositPhase.js'

const timeText = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

/** Returns a text about the phase of a deposit, and when the next one begins. `now`: ms since the Unix epoch. */
export function phaseText(times: DepositTimes, now: number): string {
  const { phase, nextAt } = depositPhase(times, now)
  if (phase === 'recoverable') return 'recoverable: `layer-sdk recover` brings it back'
  const recoverable = times.recoverableAt === null ? '' : `; recoverable from ${timeText(times.recoverableAt)}`
  if (phase === 'waiting')
    return `waiting, the head can take it from ${timeText(nextAt!)} at the earliest${recoverable}`
  if (phase === 'claimable') return `claimable, the head can take it until ${timeText(nextAt!)}${recoverable}`
  if (phase === 'expired') return `expired, the head takes it no longer${recoverable}`
  return recoverable === '' ? 'its times are not known' : recoverable.slice(2)
}

/** Returns a text about the times at which the phases of a newly recorded deposit begin. */
export function phasesText({ claimableAt, expiresAt, recoverableAt }: DepositTimes): string {
  const clauses = [
    claimableAt === null || expiresAt === null
      ? []
      : [`the head can take it from ${timeText(claimableAt)} until ${timeText(expiresAt)}`],
    recoverableAt === null ? [] : [`recoverable from ${timeText(recoverableAt)}`]
  ].flat()
  return clauses.length === 0 ? 'its times are not known' : clauses.join('; ')
}
