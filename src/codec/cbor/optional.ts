import { MAJOR } from './major.js'
import type { CborReader } from './reader.js'

const FALSE = 0xf4
const TRUE = 0xf5
const NULL = 0xf6

/** Reads the tag if it comes next, and returns true; else reads no byte and returns false. */
export function readOptionalTag(reader: CborReader, tag: number): boolean {
  if (reader.done || reader.peekMajor() !== MAJOR.TAG) return false
  const start = reader.offset
  if (reader.readTag() === tag) return true
  reader.offset = start
  return false
}

/** Reads null if it comes next, and returns true; else reads no byte and returns false. */
export function readOptionalNull(reader: CborReader): boolean {
  if (reader.done || reader.peekByte() !== NULL) return false
  reader.offset++
  return true
}

/** Reads true or false. */
export function readBool(reader: CborReader): boolean {
  const value = reader.peekByte()
  if (value !== FALSE && value !== TRUE) reader.fail('true or false', 'another item')
  reader.offset++
  return value === TRUE
}
