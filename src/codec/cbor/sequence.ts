import type { CborReader } from './reader.js'

/** Reads one item that stands `level` levels deep. */
type Read<T> = (reader: CborReader, level: number) => T

/** The items of an array of either form. A plain loop without closures: a recursive decoder spends one frame on it. */
export function readItems<T>(reader: CborReader, read: Read<T>, level: number): T[] {
  const items: T[] = []
  const count = reader.readArrayHeader()
  while (count < 0 ? !reader.isBreak() : items.length < count) items.push(read(reader, level))
  if (count < 0) reader.readBreak()
  return items
}

/** The entries of a map of either form, in order, repeated keys included. */
export function readPairs<T>(reader: CborReader, read: Read<T>, level: number): (readonly [T, T])[] {
  const pairs: (readonly [T, T])[] = []
  const count = reader.readMapHeader()
  while (count < 0 ? !reader.isBreak() : pairs.length < count) pairs.push([read(reader, level), read(reader, level)])
  if (count < 0) reader.readBreak()
  return pairs
}
