import type { CborReader } from './reader.js'

/** Reads one item at the nesting level `level`. */
type Read<T> = (reader: CborReader, level: number) => T

/**
 * Reads the items of an array of definite or indefinite length. It is a loop without closures, so that a recursive
 * decoder needs only one stack frame for it.
 */
export function readItems<T>(reader: CborReader, read: Read<T>, level: number): T[] {
  const items: T[] = []
  const count = reader.readArrayHeader()
  while (count < 0 ? !reader.isBreak() : items.length < count) items.push(read(reader, level))
  if (count < 0) reader.readBreak()
  return items
}

/** Reads the entries of a map of definite or indefinite length, in order and including repeated keys. */
export function readPairs<T>(reader: CborReader, read: Read<T>, level: number): (readonly [T, T])[] {
  const pairs: (readonly [T, T])[] = []
  const count = reader.readMapHeader()
  while (count < 0 ? !reader.isBreak() : pairs.length < count) pairs.push([read(reader, level), read(reader, level)])
  if (count < 0) reader.readBreak()
  return pairs
}
