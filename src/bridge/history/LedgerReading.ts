import type { LedgerDecoder } from './LedgerDecoder.js'
import type { LedgerEvent, LedgerPosition } from './LedgerEvent.js'

/** Receiver of {@link LedgerEvent}s. */
export interface LedgerReading {
  /** Receives each event. @throws an error that ends the reading with it */
  onEvent(event: LedgerEvent): void
  /** True for messages that are of interest by their text; the others are not decoded. @default all @throws no error */
  concerns?(text: string): boolean
  /** Resolves when the receiver has room again; null while it has. @throws no error */
  room(): Promise<void> | null
  /**
   * Start of a source that can begin later than at its oldest event: the snapshot `position` from which on (inclusive)
   * the events are wanted, or the `place` where an earlier reading ended.
   */
  readonly from: { readonly position: LedgerPosition | null; readonly place: string | null }
  /** Ends the reading. */
  readonly signal: AbortSignal
  /** Makes the events; one that is kept goes on where an earlier reading ended. */
  readonly decoder: LedgerDecoder
}

/** End of a reading. */
export interface LedgerReadingEnd {
  /** `present`: all events so far were read. `full`: the receiver has no room; the next reading begins again. */
  readonly end: 'present' | 'full'
  /** Place at which the next reading can go on; null: it begins at the oldest event again. */
  readonly place: string | null
}
