import { InvalidCborError } from '../../errors/input.js'
import { bytesToUtf8 } from '../utf8.js'
import { MAJOR } from './major.js'

/** Byte range of an item: from `start`, up to but without `end`. */
export interface Span {
  /** First byte. */
  readonly start: number
  /** First byte after it. */
  readonly end: number
}

export { MAJOR }

const MAJOR_NAMES = [
  'an unsigned integer',
  'a negative integer',
  'a byte string',
  'a text string',
  'an array',
  'a map',
  'a tag',
  'a simple value'
]
const INDEFINITE = -1
/** States of a map of indefinite length: the next item is a key (`OPEN_KEY`), or a value (`OPEN_VALUE`). */
const OPEN_KEY = -2
const OPEN_VALUE = -3
const BREAK = 0xff
/** Limit of nesting; the largest transaction of the ledger cannot nest deeper than its bytes. */
const MAX_DEPTH = 65_535

/**
 * Reads CBOR from left to right and knows the position of each item, so that a caller can cut out the original bytes
 * instead of encoding them again. It never recurses and never allocates by a declared length, so hostile input ends in
 * an {@link InvalidCborError}.
 */
export class CborReader {
  /** All bytes. */
  readonly bytes: Uint8Array
  /** Position at which reading ends. */
  readonly end: number
  /** Position of the next item. */
  offset: number
  readonly #what: string
  #wide = 0n

  constructor(bytes: Uint8Array, what = 'CBOR', offset = 0, end: number = bytes.length) {
    this.bytes = bytes
    this.#what = what
    this.offset = offset
    this.end = end
  }

  /** True when all bytes have been read. */
  get done(): boolean {
    return this.offset >= this.end
  }

  /** Throws an {@link InvalidCborError} with the position `offset`, by default the current one. */
  fail(expected: string, got: string, offset: number = this.offset): never {
    throw new InvalidCborError(this.#what, offset, expected, got)
  }

  /** Returns the major type of the next item, 0 to 7, without reading it. */
  peekMajor(): number {
    return this.peekByte() >> 5
  }

  /** Returns the first byte of the next item without reading it. */
  peekByte(): number {
    if (this.done) this.fail('another item', 'the end')
    return this.bytes[this.offset]!
  }

  /** Returns true when the next byte is the break that ends an item of indefinite length. */
  isBreak(): boolean {
    return this.bytes[this.offset] === BREAK && this.offset < this.end
  }

  /** Reads the break that ends an item of indefinite length. */
  readBreak(): void {
    if (!this.isBreak()) this.fail('a break', this.#describeNext())
    this.offset++
  }

  /** Reads an unsigned integer up to 2^64-1. */
  readUint(): bigint {
    return this.#integer(MAJOR.UINT)
  }

  /** Reads an unsigned integer that a JavaScript number holds exactly. */
  readSafeUint(): number {
    const start = this.offset
    const value = this.#head(MAJOR.UINT)
    if (value < 0) this.fail('an integer below 2^53', 'a larger one', start)
    return value
  }

  /** Reads an integer from -2^64 to 2^64-1. */
  readInt(): bigint {
    return this.peekMajor() === MAJOR.NEGATIVE ? -1n - this.#integer(MAJOR.NEGATIVE) : this.readUint()
  }

  /** Reads a byte string. One of definite length is a view, not a copy; the chunks of an indefinite one are joined. */
  readBytes(): Uint8Array {
    return this.#readString(MAJOR.BYTES)
  }

  /** Reads a text string of definite or indefinite length. */
  readText(): string {
    const start = this.offset
    const bytes = this.#readString(MAJOR.TEXT)
    try {
      return bytesToUtf8(bytes)
    } catch {
      return this.fail('UTF-8 text', 'other bytes', start)
    }
  }

  /** Reads the head of an array. Returns the number of items, or -1 for indefinite length. */
  readArrayHeader(): number {
    return this.#readCount(MAJOR.ARRAY)
  }

  /** Reads the head of a map. Returns the number of entries, or -1 for indefinite length. */
  readMapHeader(): number {
    return this.#readCount(MAJOR.MAP)
  }

  /** Reads a tag and returns its number; the tagged item comes next. */
  readTag(): number {
    const start = this.offset
    const tag = this.#head(MAJOR.TAG)
    if (tag < 0) this.fail('a tag number below 2^53', 'another', start)
    return tag
  }

  /** Reads an array of definite or indefinite length; `read` must read one item. */
  eachItem(read: (index: number) => void): void {
    this.#each(this.readArrayHeader(), read)
  }

  /** Reads a map of definite or indefinite length; `read` must read one key and its value. */
  eachEntry(read: (index: number) => void): void {
    this.#each(this.readMapHeader(), read)
  }

  /** Skips one item of any kind and returns its byte range. */
  skip(): Span {
    const start = this.offset
    // Items still to come on each open level; negative where the level is indefinite and ends with a break.
    const open: number[] = []
    let left = 1
    for (;;) {
      if (left < 0 && this.isBreak()) {
        if (left === OPEN_VALUE) this.fail('the value of the last key', 'a break')
        this.offset++
        left = 0
      } else if (left !== 0) {
        if (left > 0) left--
        else if (left !== INDEFINITE) left = left === OPEN_KEY ? OPEN_VALUE : OPEN_KEY
        const children = this.#skipHead()
        if (children !== 0) {
          if (open.length >= MAX_DEPTH) this.fail(`at most ${MAX_DEPTH} levels`, 'more')
          open.push(left)
          left = children
        }
      }
      while (left === 0) {
        const outer = open.pop()
        if (outer === undefined) return { start, end: this.offset }
        left = outer
      }
    }
  }

  /** Returns the bytes of a span: a view, not a copy. */
  slice(span: Span): Uint8Array {
    return this.bytes.subarray(span.start, span.end)
  }

  /** Throws unless all bytes have been read. */
  finish(): void {
    if (!this.done) this.fail('the end', `${this.end - this.offset} more bytes`)
  }

  #each(count: number, read: (index: number) => void): void {
    for (let i = 0; count < 0 ? !this.isBreak() : i < count; i++) read(i)
    if (count < 0) this.readBreak()
  }

  #integer(major: number): bigint {
    const value = this.#head(major)
    return value < 0 ? this.#wide : BigInt(value)
  }

  /** Reads past one item's head and, for strings, its content; returns how many child items follow. */
  #skipHead(): number {
    const initial = this.peekByte()
    const major = initial >> 5
    if (major === MAJOR.SIMPLE) {
      const info = initial & 31
      if (info >= 28) this.fail('an item', info === 31 ? 'a break' : 'a reserved byte')
      return this.#advance(info < 24 ? 1 : 1 + (1 << (info - 24)))
    }
    if (major === MAJOR.ARRAY || major === MAJOR.MAP) {
      const count = this.#readCount(major)
      if (major === MAJOR.ARRAY) return count
      return count === INDEFINITE ? OPEN_KEY : count * 2
    }
    const value = this.#head(major)
    if (major === MAJOR.TAG) return 1
    if (major < MAJOR.BYTES) return 0
    return value === INDEFINITE ? this.#skipChunks(major) : this.#advance(value)
  }

  #skipChunks(major: number): number {
    while (!this.isBreak()) {
      const start = this.offset
      const length = this.#head(major)
      if (length < 0) this.fail('chunks of definite length', 'another item', start)
      this.#advance(length)
    }
    this.offset++
    return 0
  }

  /** Skips `length` bytes; a length beyond 2^53 is negative here. */
  #advance(length: number): 0 {
    const left = this.end - this.offset
    if (length < 0 || length > left) this.fail('as many bytes as declared', `${left}`)
    this.offset += length
    return 0
  }

  #readCount(major: number): number {
    const start = this.offset
    const count = this.#head(major)
    // Each item has at least one byte, so a larger count cannot be true.
    const least = major === MAJOR.MAP ? count * 2 : count
    if (count !== INDEFINITE && (count < 0 || least > this.end - this.offset))
      this.fail('as many items as declared', 'fewer bytes than items', start)
    return count
  }

  #readString(major: number): Uint8Array {
    const length = this.#head(major)
    if (length !== INDEFINITE) {
      const start = this.offset
      this.#advance(length)
      return this.bytes.subarray(start, this.offset)
    }
    const from = this.offset
    this.#skipChunks(major)
    const to = this.offset - 1
    const joined = new Uint8Array(to - from)
    let size = 0
    for (this.offset = from; this.offset < to;) {
      const chunk = this.#head(major)
      joined.set(this.bytes.subarray(this.offset, this.offset + chunk), size)
      this.offset += chunk
      size += chunk
    }
    this.offset = to + 1
    return joined.subarray(0, size)
  }

  /**
   * Reads an item's head, which must be of the given major type. Returns its argument; -1 for an indefinite length;
   * -2 when the argument is beyond 2^53 and was stored in `#wide`.
   */
  #head(major: number): number {
    const start = this.offset
    const initial = this.peekByte()
    if (initial >> 5 !== major) this.fail(MAJOR_NAMES[major]!, this.#describeNext())
    const info = initial & 31
    this.offset = start + 1
    if (info < 24) return info
    if (info === 31) {
      if (major < MAJOR.BYTES || major > MAJOR.MAP) this.fail(MAJOR_NAMES[major]!, 'an indefinite length', start)
      return INDEFINITE
    }
    if (info > 27) this.fail('a CBOR item', 'a reserved byte', start)
    const size = 1 << (info - 24)
    this.#advance(size)
    return this.#argument(start + 1, size)
  }

  #argument(at: number, size: number): number {
    const bytes = this.bytes
    if (size === 1) return bytes[at]!
    if (size === 2) return (bytes[at]! << 8) | bytes[at + 1]!
    const high = ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
    if (size === 4) return high
    const low = ((bytes[at + 4]! << 24) | (bytes[at + 5]! << 16) | (bytes[at + 6]! << 8) | bytes[at + 7]!) >>> 0
    if (high < 0x200000) return high * 0x100000000 + low
    this.#wide = (BigInt(high) << 32n) | BigInt(low)
    return -2
  }

  #describeNext(): string {
    if (this.done) return 'the end'
    return this.isBreak() ? 'a break' : MAJOR_NAMES[this.bytes[this.offset]! >> 5]!
  }
}
