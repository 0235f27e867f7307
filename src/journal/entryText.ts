import { InvalidArgumentError } from '../errors/input.js'
import type { JournalEntry } from '../types/journal.js'

/** An entry as it is stored, and its id. */
export interface StoredEntry {
  readonly id: string
  readonly text: string
}

/** Returns an entry as JSON. @throws {@link InvalidArgumentError} on a value that is not an entry */
export function toStored(entry: JournalEntry): StoredEntry {
  const id: unknown = entry?.id
  if (typeof id !== 'string' || id === '')
    throw new InvalidArgumentError('entry.id', 'a text of 1 character or more', id)
  return { id, text: JSON.stringify(entry) }
}

/** Reads a stored entry; null where the text is not an entry. The client checks its version and its members. */
export function fromStored(text: string): JournalEntry | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && typeof (value as { id?: unknown }).id === 'string'
      ? (value as JournalEntry)
      : null
  } catch {
    return null
  }
}
