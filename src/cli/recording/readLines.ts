import type { Place } from './format.js'
import { readBytes } from './readBytes.js'

/** Line of a file. */
export interface Line extends Place {
  /** Text of the line; null when it is longer than the limit. */
  readonly text: string | null
  /** Length in bytes, without the line end. */
  readonly length: number
  /** False for a last line without an end of line. */
  readonly isWhole: boolean
}

const END = 10

/**
 * Reads a file, or the standard input (`-`), line by line; data that gzip compressed is decompressed. It keeps at most
 * one line in memory; a line that is longer than `maxBytes` has the text null.
 */
export async function* readLines(path: string, maxBytes: number): AsyncGenerator<Line> {
  let parts: Uint8Array[] = []
  let [line, byte, length] = [1, 0, 0]
  const add = (part: Uint8Array): void => {
    length += part.length
    if (length > maxBytes) parts = []
    else parts.push(part)
  }
  const finish = (isWhole: boolean): Line => {
    const text = length > maxBytes ? null : decode(parts, length)
    const found: Line = { line, byte, text, length, isWhole }
    byte += length + (isWhole ? 1 : 0)
    line++
    length = 0
    parts = []
    return found
  }
  for await (const chunk of readBytes(path)) {
    let start = 0
    for (let end = chunk.indexOf(END); end >= 0; end = chunk.indexOf(END, start)) {
      add(chunk.subarray(start, end))
      start = end + 1
      yield finish(true)
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (length > 0) yield finish(false)
}

function decode(parts: readonly Uint8Array[], length: number): string {
  if (parts.length === 1) return new TextDecoder().decode(parts[0])
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return new TextDecoder().decode(all)
}
