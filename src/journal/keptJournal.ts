import type { Journal } from '../types/journal.js'

/**
 * A journal that this package implements, with all methods of {@link Journal}. `close()` releases the file, lock or
 * connection, and the next call of a method opens the journal again.
 */
export interface KeptJournal extends Required<Journal> {
  /** Same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
