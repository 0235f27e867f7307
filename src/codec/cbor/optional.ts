import { MAJOR } from './major.js'
import type { CborReader } from './reader.js'

const NULL = 0xf6
const FALSE = 20
const TRUE = 21

/** Reads a tag if it is the next item. */
export function readOptionalTag(reader: CborReader, tag: number): boolean {
  if (reader.done || reader.peekMajor() !== MAJOR.TAG) return false
  const start = reader.offset
  if (reader.readTag() === tag) return true
  reader.offset = start
  return false
}

/** Reads null if it is the next item. */
export function readOptionalNull(reader: CborReader): boolean {
  if (reader.done || reader.peekByte() !== NULL) return false
  reader.offset++
  return true
}

/** Reads true or false. */
export function readBool(reader: CborReader): boolean {
  const start = reader.offset
  const value = reader.readSimple()
  if (value !== FALSE && value !== TRUE) reader.fail('true or false', `simple value ${value}`, start)
  return value === TRUE
}
