import type { BrokenLine, Place, RecordingHeader } from '../format.js'
import type { ReplayedVerdict, Transition } from './Snapshots.js'
import type { Tally } from './Tally.js'
import type { Story } from './Story.js'

/** Something at a place of the file that was not understood. */
export interface Problem extends Place {
  readonly reason: string
}

/** The state that bridge and client reached. */
export interface ReachedState {
  readonly headStatus: string | null
  readonly headId: string | null
  /** Number of the newest snapshot; null before the first. */
  readonly snapshotNumber: number | null
  readonly outputs: number | null
  /** Messages that the bridge could not read. */
  readonly protocolErrors: number
  /** Snapshots that a verifying bridge kept back. */
  readonly unverified: number
  /** Error of the connection; null where it was made. */
  readonly connection: string | null
}

/** Findings about the lines of a file. Lists hold the first {@link MAX_LISTED}; the counts beside them are of all. */
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
  /** Places before which something is not told. */
  readonly gaps: readonly Problem[]
  readonly gapCount: number
  /** The end of a recording that lacks its end mark; null for a whole one. */
  readonly cutShort: Problem | null
}

/** Findings of a replay. */
export interface ReplayReport extends FileReport {
  /** Tag -> number and the first place. */
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
 * Number of things that were not understood, or do not hold. A recording is made to find what this package does not
 * know; in a log or an export tags and members that are not known count for nothing.
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
