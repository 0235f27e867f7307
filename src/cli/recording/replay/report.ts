import type { BrokenLine, Place, RecordingHeader } from '../format.js'
import type { ReplayedVerdict, Transition } from './Snapshots.js'
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

/** Findings of a replay. Lists hold the first {@link MAX_LISTED}; the counts beside them are of all. */
export interface ReplayReport {
  readonly header: RecordingHeader
  readonly lines: number
  readonly frames: number
  readonly answers: number
  readonly connections: number
  /** Tag -> number and the first place. */
  readonly unknownTags: ReadonlyMap<string, { count: number } & Place>
  readonly unknownMembers: readonly (readonly [place: string, count: number])[]
  readonly undecodable: readonly Problem[]
  readonly undecodableCount: number
  readonly broken: readonly BrokenLine[]
  readonly brokenCount: number
  /** The end of a recording that lacks its end mark; null for a whole one. */
  readonly cutShort: Problem | null
  readonly keys: 'given' | 'recording' | 'none'
  readonly verdicts: readonly ReplayedVerdict[]
  readonly transitions: readonly Transition[]
  readonly reached: ReachedState
  readonly story: Story
}

/** Maximum number of items in a list of problems. */
export const MAX_LISTED = 50

/** Number of things that were not understood, or do not hold. */
export function notUnderstood(report: ReplayReport): number {
  const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0)
  return (
    sum([...report.unknownTags.values()].map(({ count }) => count)) +
    sum(report.unknownMembers.map(([, count]) => count)) +
    report.undecodableCount +
    report.brokenCount +
    (report.cutShort === null ? 0 : 1) +
    report.verdicts.filter(({ verdict }) => verdict === 'refused').length +
    report.transitions.filter(({ verdict }) => verdict === 'broken').length +
    (report.reached.connection === null ? 0 : 1)
  )
}
