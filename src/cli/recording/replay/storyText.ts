import type { Chapter, Passage, StoryStep, Story } from './Story.js'

/**
 * Returns the events of a replayed recording as lines: those of each head, then starts of the node, refusals and absent
 * peers. The last line names the heads, deposits, withdrawals and peers that are unfinished at the end. `all`: lists
 * each payment instead of the number of payments per minute.
 */
export function storyLines(story: Story, all: boolean): string[] {
  const { heads, passages, peers } = story.open
  const open = [
    ...heads.map((head) => `head ${head}`),
    ...passages.map(({ kind, txId, steps }) => `${kind} ${txId} (${steps.at(-1)!.name})`),
    ...peers.map((peer) => `peer ${peer} away`)
  ]
  return [
    ...story.chapters.flatMap((chapter) => ['', ...chapterLines(chapter, all)]),
    ...story.starts.map((timeMs) => `  ${time(timeMs)}  the node started`),
    ...[...story.dropped].map(([reason, count]) => `  ${count} times refused, ${reason}`),
    ...story.absences.map(
      ({ peer, sinceMs, untilMs }) =>
        `  peer ${peer} away ${untilMs === null ? `since ${time(sinceMs)}` : `for ${duration(untilMs - sinceMs)}`}`
    ),
    '',
    open.length === 0 ? 'No transaction or move is open at the end.' : `Open at the end: ${open.join('; ')}.`
  ]
}

function chapterLines({ headId, steps, passages, minutes, refusals }: Chapter, all: boolean): string[] {
  return [
    `Head ${headId}`,
    ...steps.map(({ name, timeMs }) => `  ${time(timeMs)}  ${name}`),
    ...[...passages.values()].map(passageLine),
    ...minutes.flatMap(({ minuteMs, count, txIds }) =>
      all
        ? txIds.map((txId) => `  ${time(minuteMs).slice(0, 16)}Z  payment ${txId}`)
        : [`  ${time(minuteMs).slice(0, 16)}Z  ${count} payment${count === 1 ? '' : 's'}`]
    ),
    ...[...refusals].map(([reason, count]) => `  ${count} times refused, ${reason}`)
  ]
}

/** Returns a line such as `deposit TXID: recorded 2026-01-01T00:00:00.000Z, activated +1.2 s, in the head +3.0 s`. */
function passageLine({ kind, txId, steps }: Passage): string {
  const shown = steps.map(({ name, timeMs }: StoryStep, i) =>
    i === 0 ? `${name} ${time(timeMs)}` : `${name} +${duration(timeMs - steps[i - 1]!.timeMs)}`
  )
  return `  ${kind} ${txId}: ${shown.join(', ')}`
}

const time = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : 'at an unknown time')

const duration = (ms: number): string =>
  Math.abs(ms) < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
