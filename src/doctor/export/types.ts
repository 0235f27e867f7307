import type { DoctorNode } from '../gather/gatherFacts.js'

/** Subject of an exported event; `gap`: something before it cannot be told. */
export type ExportKind = 'head' | 'deposit' | 'withdrawal' | 'tx' | 'snapshot' | 'peer' | 'node' | 'refusal' | 'gap'

/** One event of a head or its node. */
export interface ExportEvent {
  /**
   * Text that `after` continues from, exactly behind this event; null before the first event that the source keeps. An
   * event that the source does not keep (such as `CommandFailed`) has the cursor of the one before it.
   */
  readonly cursor: string | null
  /** Time of the source, ms since the epoch; null where it states none. */
  readonly at: number | null
  /** `node`: its history or live messages; `log`: the lines that it logged. */
  readonly source: 'node' | 'log'
  /** Hex; null where the event belongs to no head. */
  readonly headId: string | null
  /** Subject. */
  readonly kind: ExportKind
  /**
   * Message of the node with all members; integers beyond 2^53 as bigint. For `gap`: {@link ExportGap}.
   */
  readonly data: Readonly<Record<string, unknown>>
}

/** Members of `data` of a gap. */
export interface ExportGap {
  /** `rotated`: the source begins later than asked; `unreadable`: a line that cannot be read; `incomplete`: half of it. */
  readonly reason: 'rotated' | 'unreadable' | 'incomplete'
  /** Last known end: `seq` of a node, line of a log; null where the source is read from its start. */
  readonly from: { readonly seq: number | null; readonly at: number | null } | null
  /** First known event behind the gap. */
  readonly to: { readonly seq: number | null; readonly at: number | null }
  /** Facts that the state behind the gap still proves; null where there is none. */
  readonly proves: {
    readonly headId: string | null
    readonly snapshotNumber: number
    /** Number of outputs in the head; null: not stated. */
    readonly outputs: number | null
  } | null
}

/** Counts of an export so far. */
export interface ExportSummary {
  /** Events handed out. */
  readonly events: number
  /** Gaps among them. */
  readonly gaps: number
  /** Unknown tags of a log with their numbers, the first 100; later ones count under `others`. */
  readonly unknownTags: Readonly<Record<string, number>>
  /** Lines of a log that cannot be read: their number, and the first 50 by number. */
  readonly unreadable: { readonly count: number; readonly lines: readonly number[] }
}

/** Lines of a node's log, without their ends; null stands for a line that is too long to be read. */
export interface LogSource {
  /** The lines, the oldest first. */
  readonly log: AsyncIterable<string | null> | Iterable<string | null>
}

/** Options of {@link exportEvents}. */
export interface ExportEventsOptions {
  /** URL of a node, a head client, a bridge or a connector; or the lines of a node's log. */
  readonly source: DoctorNode | LogSource
  /** Cursor of the last event that is known. @default from the first event on */
  readonly after?: string | undefined
  /** Goes on with live events of a node, over lost connections, until the signal ends it. @default false */
  readonly follow?: boolean | undefined
  /** Ids of the heads whose events are wanted, hex; gaps come always. @default all events */
  readonly heads?: readonly string[] | undefined
  /** Ends the export. */
  readonly signal?: AbortSignal | undefined
}

/** An export: the events, and their counts so far. */
export interface ExportedEvents extends AsyncIterable<ExportEvent> {
  /** Returns the counts so far. */
  summary(): ExportSummary
}
