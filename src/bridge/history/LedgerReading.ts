import type { LedgerDecoder } from './LedgerDecoder.js'
import type { LedgerEvent, LedgerPosition } from './LedgerEvent.js'

/** Options of a reading of the ledger, with the receiver of its {@link LedgerEvent}s. */
export interface LedgerReading {
  /** Receives each event. @throws an error to end the reading, which then rejects with it */
  onEvent(event: LedgerEvent): void
  /**
   * Returns true when a node's message is of interest by its text; others are not decoded. @default all @throws no
   * error
   */
  concerns?(text: string): boolean
  /**
   * Returns null while the receiver has room for events, else a promise that resolves when it has room again. @throws
   * no error
   */
  room(): Promise<void> | null
  /**
   * Start of the reading, for a source that can begin later than at its oldest event: the snapshot `position` from
   * which on (inclusive) events are needed, or the `place` where an earlier reading ended.
   */
  readonly from: { readonly position: LedgerPosition | null; readonly place: string | null }
  /** Ends the reading. */
  readonly signal: AbortSignal
  /** Converts messages into events. Pass the decoder of an earlier reading to continue after it. */
  readonly decoder: LedgerDecoder
}

/** End of a reading. */
export interface LedgerReadingEnd {
  /**
   * `present`: all events so far were read. `full`: the receiver had no room and the connection could not wait; the
   * next reading begins at the oldest event again.
   */
  readonly end: 'present' | 'full'
  /** Place at which the next reading can go on; null: it begins at the oldest event again. */
  readonly place: string | null
}
