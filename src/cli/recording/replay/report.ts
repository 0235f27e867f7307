import type { BrokenLine, Place, RecordingHeader } from '../format.js'
import type { ReplayedVerdict, Transition } from './Snapshots.js'
import type { Tally } from './Tally.js'
import type { Story } from './Story.js'

/** Problem at a place of the file, e.g. a message that cannot be decoded. */
export interface Problem extends Place {
  readonly reason: string
}

/** State that bridge and client show at the end of the replay. */
export interface ReachedState {
  readonly headStatus: string | null
  readonly headId: string | null
  /** Number of the newest snapshot; null before the first. */
  readonly snapshotNumber: number | null
  readonly outputs: number | null
  /** Number of messages that the bridge could not read. */
  readonly protocolErrors: number
  /** Number of snapshots that the bridge did not pass on because they could not be verified. */
  readonly unverified: number
  /** Error of the bridge's connection; null when it connected. */
  readonly connection: string | null
}

/** Facts about the lines of a file. Lists contain the first {@link MAX_LISTED} items; the counts next to them all. */
export interface FileReport {
  readonly header: RecordingHeader
  readonly lines: number
  readonly frames: number
  readonly answers: number
  readonly connections: number
  readonly undecodable: readonly Problem[]
  readonly undecodableCount: number
  readonly broken: readonly BrokenLine[]
  readonly brokenCount: number
  /** Places before which events are missing. */
  readonly gaps: readonly Problem[]
  readonly gapCount: number
  /** Last place of a recording without an end mark, which was cut short; null for a complete one. */
  readonly cutShort: Problem | null
}

/** Findings of a replay. */
export interface ReplayReport extends FileReport {
  /** Unknown tags, each with its number and first place. */
  readonly unknownTags: ReadonlyMap<string, { count: number } & Place>
  readonly unknownMembers: readonly (readonly [place: string, count: number])[]
  readonly keys: 'given' | 'recording' | 'none'
  readonly verdicts: Tally<ReplayedVerdict>
  readonly transitions: Tally<Transition>
  readonly reached: ReachedState
  readonly story: Story
}

/** Maximum number of items in a list of problems. */
export const MAX_LISTED = 50

/**
 * Returns the number of problems of a replay: lines and messages that cannot be read, and checks that failed. Unknown
 * tags and members count only for a recording, which is made to find them.
 */
export function notUnderstood(report: ReplayReport): number {
  const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0)
  const { source = 'recording' } = report.header
  const unknown =
    sum([...report.unknownTags.values()].map(({ count }) => count)) +
    sum(report.unknownMembers.map(([, count]) => count))
  return (
    (source === 'recording' ? unknown : 0) +
    report.undecodableCount +
    report.brokenCount +
    (report.cutShort === null ? 0 : 1) +
    report.verdicts.countOf('refused') +
    report.transitions.countOf('broken') +
    (report.reached.connection === null ? 0 : 1)
  )
}
