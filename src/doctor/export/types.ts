import type { DoctorNode } from '../gather/gatherFacts.js'

/** Subject of an exported event; `gap`: events before it are missing. */
export type ExportKind = 'head' | 'deposit' | 'withdrawal' | 'tx' | 'snapshot' | 'peer' | 'node' | 'refusal' | 'gap'

/** One event of a head or its node. */
export interface ExportEvent {
  /**
   * Text for the option `after`, to continue directly after this event; null before the first event that the source
   * keeps. An event that the source does not keep (such as `CommandFailed`) has the cursor of the one before it.
   */
  readonly cursor: string | null
  /** Time of the source, ms since the epoch; null where it states none. */
  readonly at: number | null
  /** `node`: its history or live messages; `log`: the lines that it logged. */
  readonly source: 'node' | 'log'
  /** Hex; null where the event belongs to no head. */
  readonly headId: string | null
  /** Subject of the event. */
  readonly kind: ExportKind
  /**
   * Message of the node with all its members; integers beyond 2^53 are bigint. For the kind `gap`: {@link ExportGap}.
   */
  readonly data: Readonly<Record<string, unknown>>
}

/** Members of `data` of a gap. */
export interface ExportGap {
  /**
   * `rotated`: the source begins later than the cursor; `unreadable`: a line cannot be read; `incomplete`: the request
   * for a confirmed snapshot, which holds its content, is not in the log.
   */
  readonly reason: 'rotated' | 'unreadable' | 'incomplete'
  /** Last known event before the gap: `seq` of a node, line of a log; null where the source is read from its start. */
  readonly from: { readonly seq: number | null; readonly at: number | null } | null
  /** First known event after the gap. */
  readonly to: { readonly seq: number | null; readonly at: number | null }
  /** Facts that the state after the gap still proves; null where there is none. */
  readonly proves: {
    readonly headId: string | null
    readonly snapshotNumber: number
    /** Number of outputs in the head; null: not stated. */
    readonly outputs: number | null
  } | null
}

/** Counts of an export so far. */
export interface ExportSummary {
  /** Events that were yielded, gaps included. */
  readonly events: number
  /** Gaps among them. */
  readonly gaps: number
  /**
   * Unknown tags of a log, with the number of their occurrences; after the first 100 tags, others count under `others`.
   */
  readonly unknownTags: Readonly<Record<string, number>>
  /** Lines of a log that cannot be read: how many, and the numbers of the first 50. */
  readonly unreadable: { readonly count: number; readonly lines: readonly number[] }
}

/** Log of a node as the source of an export. */
export interface LogSource {
  /** The lines without their line ends, the oldest first; null stands for a line that is too long to be read. */
  readonly log: AsyncIterable<string | null> | Iterable<string | null>
}

/** Options of {@link exportEvents}. */
export interface ExportEventsOptions {
  /** URL of a node, a head client, a bridge or a connector; or the lines of a node's log. */
  readonly source: DoctorNode | LogSource
  /** Cursor of the last event that you have: the export continues after it. @default from the first event on */
  readonly after?: string | undefined
  /**
   * Goes on with live events of a node until the signal aborts, and reconnects when the connection is lost.
   * @default false
   */
  readonly follow?: boolean | undefined
  /** Ids of the heads whose events are wanted, hex; gaps are always included. @default all events */
  readonly heads?: readonly string[] | undefined
  /** Aborts the export. */
  readonly signal?: AbortSignal | undefined
}

/** An export: the events, and their counts so far. */
export interface ExportedEvents extends AsyncIterable<ExportEvent> {
  /** Returns the counts so far. */
  summary(): ExportSummary
}
