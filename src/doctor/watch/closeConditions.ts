import type { HeadRecord } from './HeadRecord.js'
import type { Holding } from './Conditions.js'
import type { BuiltInRule } from './types.js'

const LAST_MINUTES_MS = 600_000

/** Returns the conditions of a head's close that hold at the time `now` (ms since the epoch), by rule. */
export function closeConditions(
  record: HeadRecord,
  newest: number | undefined,
  now: number
): Partial<Record<BuiltInRule, readonly Holding[]>> {
  const { close, contestUntil: until, isReady, isFinal } = record
  if (close === null) return {}
  const isOlder = record.isOlderThan(newest)
  const evidence = { snapshotNumber: close.number, newest: newest ?? null, closedAt: close.at, contestUntil: until }
  const named = close.number === null ? 'a snapshot that is not known' : `snapshot ${close.number}`
  const closed: Holding = {
    subject: 'close',
    what: `The head was closed with ${named}; the message of a node does not say by whom.`,
    evidence: { ...evidence, contestationDeadline: close.deadline },
    remedy: 'Compare the snapshot with your own: layer-sdk doctor. After the contestation period: layer-sdk fanout.'
  }
  const older: Holding = {
    subject: 'older',
    what: isFinal
      ? `The head was paid out with ${named}, and snapshot ${newest} was seen.`
      : `The head was closed with ${named}, and snapshot ${newest} was seen: contest until ${isoOf(until)}.`,
    evidence: { ...evidence, contestationDeadline: close.deadline },
    remedy: isFinal
      ? 'Keep the persistence of all nodes: it proves the newer snapshot. No command brings the difference back.'
      : 'Start your node now, or a mirror with the same keys: a node contests by itself about 4 s after its start. A watch sends nothing.',
    ...(until === null ? {} : { deadline: until })
  }
  const ready: Holding = {
    subject: 'ready',
    what: 'The contestation period is over: the head can be paid out.',
    evidence: { contestationDeadline: close.deadline },
    remedy: 'layer-sdk fanout'
  }
  return {
    'closed-by-other': isFinal ? [] : [closed],
    'closed-with-older-snapshot': isOlder ? [older] : [],
    'contest-window': isOlder && !isFinal ? windows(close.at, until, now, named) : [],
    'ready-to-fanout': isReady && !isFinal ? [ready] : []
  }
}

function windows(closedAt: number, until: number | null, now: number, named: string): readonly Holding[] {
  if (until === null || now >= until) return []
  const leftMs = until - now
  const remedy = 'Start your node now, or a mirror with the same keys: it contests by itself.'
  const parts = { evidence: { closedAt, contestUntil: until }, remedy, deadline: until }
  const isHalf = now >= closedAt + (until - closedAt) / 2
  const isLast = leftMs <= LAST_MINUTES_MS
  const what = `A close with ${named} is not contested: contest until ${isoOf(until)}.`
  return [
    ...(isHalf ? [{ subject: 'half', what: `Half of the time is over. ${what}`, ...parts }] : []),
    ...(isLast ? [{ subject: 'last', what: `At most 10 minutes are left. ${what}`, ...parts }] : [])
  ]
}

const isoOf = (ms: number | null): string =>
  ms === null || Math.abs(ms) > 8.64e15 ? 'a time that is not known' : new Date(ms).toISOString()
