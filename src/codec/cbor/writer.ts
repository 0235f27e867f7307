import { InvalidArgumentError } from '../../errors/input.js'
import { bytesToHex } from '../hex.js'
import { utf8ToBytes } from '../utf8.js'
import { MAJOR } from './major.js'

const MAX_UINT64 = 0xffffffffffffffffn

/**
 * Writes CBOR with the shortest heads (RFC 8949, section 4.2.1), as the ledger's own serialiser does. Every writing
 * method returns the writer, so that calls can be chained.
 */
export class CborWriter {
  // Most writes are an output or smaller: engines make arrays of so few bytes at little cost.
  #buffer = new Uint8Array(64)
  #length = 0

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** Writes an integer from 0 to 2^64-1. */
  uint(value: number | bigint): this {
    return this.#head(MAJOR.UINT, value)
  }

  /** Writes an integer from -2^64 to 2^64-1. */
  int(value: number | bigint): this {
    return value < 0 ? this.#head(MAJOR.NEGATIVE, -1n - BigInt(value)) : this.#head(MAJOR.UINT, value)
  }

  bytes(value: Uint8Array): this {
    return this.#head(MAJOR.BYTES, value.length).raw(value)
  }

  text(value: string): this {
    const bytes = utf8ToBytes(value)
    return this.#head(MAJOR.TEXT, bytes.length).raw(bytes)
  }

  array(count: number): this {
    return this.#head(MAJOR.ARRAY, count)
  }

  map(count: number): this {
    return this.#head(MAJOR.MAP, count)
  }

  tag(number: number): this {
    return this.#head(MAJOR.TAG, number)
  }

  arrayIndefinite(): this {
    return this.#byte(0x9f)
  }

  mapIndefinite(): this {
    return this.#byte(0xbf)
  }

  bytesIndefinite(): this {
    return this.#byte(0x5f)
  }

  break(): this {
    return this.#byte(0xff)
  }

  bool(value: boolean): this {
    return this.#byte(value ? 0xf5 : 0xf4)
  }

  null(): this {
    return this.#byte(0xf6)
  }

  /** Appends bytes that are CBOR already, unchanged. */
  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
    return this
  }

  toBytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length)
  }

  toHex(): string {
    return bytesToHex(this.#buffer.subarray(0, this.#length))
  }

  #byte(value: number): this {
    this.#reserve(1)
    this.#buffer[this.#length++] = value
    return this
  }

  #head(major: number, argument: number | bigint): this {
    if (argument < 0 || argument > MAX_UINT64 || (typeof argument === 'number' && !Number.isSafeInteger(argument))) {
      throw new InvalidArgumentError('integer', 'a whole number of 64 bits', argument)
    }
    this.#reserve(9)
    const type = major << 5
    if (argument > 0xffffffff) {
      const wide = BigInt(argument)
      this.#buffer[this.#length++] = type | 27
      this.#append(Number(wide >> 32n), 4)
      this.#append(Number(wide & 0xffffffffn), 4)
      return this
    }
    const small = Number(argument)
    const size = small < 24 ? 0 : small < 0x100 ? 1 : small < 0x10000 ? 2 : 4
    this.#buffer[this.#length++] = type | (size === 0 ? small : size === 1 ? 24 : size === 2 ? 25 : 26)
    this.#append(small, size)
    return this
  }

  /** Appends a number in `size` bytes, big-endian. */
  #append(value: number, size: number): void {
    for (let shift = 8 * (size - 1); shift >= 0; shift -= 8) this.#buffer[this.#length++] = (value >>> shift) & 0xff
  }

  #reserve(extra: number): void {
    if (this.#length + extra <= this.#buffer.length) return
    const grown = new Uint8Array(Math.max(this.#buffer.length * 4, this.#length + extra))
    grown.set(this.#buffer.subarray(0, this.#length))
    this.#buffer = grown
  }
}
