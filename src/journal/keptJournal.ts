import type { Journal } from '../types/journal.js'

/** A journal of this package: `close()` releases its file, lock or connection; the next call opens it again. */
export interface KeptJournal extends Required<Journal> {
  /** As `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
