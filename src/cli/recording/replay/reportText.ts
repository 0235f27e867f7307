import type { ReplayReport } from './report.js'
import { notUnderstood } from './report.js'
import type { ReplayedVerdict, Transition } from './Snapshots.js'
import { storyLines } from './storyText.js'

/** Level of detail of a report. */
export interface Shown {
  /** True to list each payment instead of the number of payments per minute. */
  readonly all: boolean
  /** True to list every check of a snapshot instead of the failed ones. */
  readonly check: boolean
}

/** Returns a report as one object that can be written as JSON. */
export function jsonReport(report: ReplayReport, { check }: Shown): Record<string, unknown> {
  const { verdicts, transitions, unknownTags, unknownMembers, story, broken, ...rest } = report
  return {
    understood: notUnderstood(report) === 0,
    ...rest,
    broken: broken.map(({ line, byte, reason }) => ({ line, byte, reason })),
    unknownTags: [...unknownTags].map(([tag, found]) => ({ tag, ...found })),
    unknownMembers: unknownMembers.map(([member, count]) => ({ member, count })),
    snapshots: {
      ...verdicts.counts,
      list: verdicts.list.filter(({ verdict }) => check || verdict === 'refused')
    },
    transitions: {
      ...transitions.counts,
      list: transitions.list.filter(({ verdict }) => check || verdict !== 'follows')
    },
    firstBroken: transitions.firstBroken ?? verdicts.firstBroken,
    heads: story.chapters.map(({ headId, steps, passages, minutes, refusals }) => ({
      headId,
      steps,
      passages: [...passages.values()],
      payments: minutes.map(({ minuteMs, count }) => ({ minuteMs, count })),
      refusals: [...refusals].map(([reason, count]) => ({ reason, count }))
    })),
    starts: story.starts,
    dropped: [...story.dropped].map(([reason, count]) => ({ reason, count })),
    absences: story.absences,
    open: story.open
  }
}

/** Returns a report as text for people: the events of each head, the checks of snapshots, and the problems. */
export function plainReport(report: ReplayReport, shown: Shown): string {
  const { frames, answers, connections, lines } = report
  return [
    report.header.source === undefined
      ? `${lines} lines: ${plural(frames, 'message')}, ${plural(answers, 'answer')}, ${plural(connections, 'connection')}.`
      : `${plural(lines, 'line')}: ${plural(frames, 'message')}.`,
    ...storyLines(report.story, shown.all),
    '',
    ...snapshotLines(report, shown),
    ...reachedLines(report),
    '',
    ...problemLines(report)
  ].join('\n')
}

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ')

const KEYS = {
  given: 'by the given keys',
  recording: 'by the keys that the recording names',
  none: 'without keys'
} as const

function snapshotLines({ verdicts, transitions, keys }: ReplayReport, { check }: Shown): string[] {
  const verdictLine = ({ number, verdict, reason, line }: ReplayedVerdict): string =>
    `  snapshot ${number}, line ${line}: ${verdict} (${reason})`
  const transitionLine = ({ from, to, verdict, reason, line }: Transition): string =>
    `  snapshot ${from} to ${to}, line ${line}: ${verdict} (${reason})`
  const { firstBroken } = transitions
  return [
    ...(verdicts.list.length === 0 ? [] : [`Signatures, ${KEYS[keys]}: ${countsText(verdicts.counts)}.`]),
    ...verdicts.list.filter(({ verdict }) => check || verdict === 'refused').map(verdictLine),
    ...(transitions.list.length === 0 ? [] : [`Transitions: ${countsText(transitions.counts)}.`]),
    ...transitions.list.filter(({ verdict }) => check || verdict !== 'follows').map(transitionLine),
    ...(firstBroken === null
      ? []
      : [
          `The first pair that does not hold: snapshots ${firstBroken.from} and ${firstBroken.to} of head ${firstBroken.headId}.`
        ])
  ]
}

function reachedLines({ reached }: ReplayReport): string[] {
  const { headStatus, snapshotNumber, outputs, unverified, connection } = reached
  if (connection !== null) return [`The bridge did not connect: ${connection}`]
  const kept = unverified === 0 ? '' : `; ${plural(unverified, 'snapshot')} kept back by the verification`
  const shown = outputs === null ? '' : `, ${plural(outputs, 'output')}`
  return [
    `The client shows: ${headStatus ?? 'no head'}, ${snapshotNumber === null ? 'no snapshot' : `snapshot ${snapshotNumber}`}${shown}${kept}.`
  ]
}

function problemLines(report: ReplayReport): string[] {
  const { unknownTags, unknownMembers, undecodable, undecodableCount, broken, brokenCount, cutShort } = report
  const { gaps, gapCount } = report
  const rows = [
    ...[...unknownTags].map(
      ([tag, { count, line, byte }]) => `  unknown tag ${tag}: ${count} times, first ${at(line, byte)}`
    ),
    ...unknownMembers.map(([member, count]) => `  unknown member ${member}: ${count} times`),
    ...undecodable.map(({ line, byte, reason }) => `  not readable, ${at(line, byte)}: ${reason}`),
    ...more(undecodableCount - undecodable.length),
    ...broken.map(({ line, byte, reason }) => `  broken line, ${at(line, byte)}: ${reason}`),
    ...more(brokenCount - broken.length),
    ...(cutShort === null ? [] : [`  cut short, ${at(cutShort.line, cutShort.byte)}: ${cutShort.reason}`])
  ]
  const gapRows = [
    ...gaps.map(({ line, byte, reason }) => `Gap, ${at(line, byte)}: ${reason}`),
    ...more(gapCount - gaps.length)
  ]
  return [...gapRows, ...(rows.length === 0 ? ['All frames were understood.'] : ['Not understood', ...rows])]
}

const at = (line: number, byte: number): string => `line ${line}, byte ${byte}`
const more = (count: number): string[] => (count > 0 ? [`  and ${count} more`] : [])
