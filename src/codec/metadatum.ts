import { METADATA_MAX_BYTES } from '../constants.js'
import { describeValue } from '../errors/base.js'
import { InvalidMetadatumError } from '../errors/documents.js'
import { CborReader } from './cbor/reader.js'
import { readItems, readPairs } from './cbor/sequence.js'
import { CborWriter } from './cbor/writer.js'
import { bytesToHex, copyBytes } from './hex.js'
import { jsonInteger } from './integer.js'
import { partPath } from './path.js'
import { bytesToUtf8, utf8ToBytes } from './utf8.js'
import { typedErrors } from './typedErrors.js'

/** Metadata as JSON in cardano-cli's detailed schema. Integers beyond 2^53 - 1 are bigint. */
export type MetadatumJson =
  /** A whole number: `{ int }`. */
  | { int: number | bigint }
  /** Hex: `{ bytes }`. */
  | { bytes: string }
  /** Text: `{ string }`. */
  | { string: string }
  /** Items in order: `{ list }`. */
  | { list: MetadatumJson[] }
  /** Entries in order: `{ map: [{ k, v }] }`. */
  | { map: { k: MetadatumJson; v: MetadatumJson }[] }

/** Plain values from which metadata is made. Keys of plain objects become text; a Map keeps the types of its keys. */
export type MetadatumInput =
  | number
  | bigint
  | string
  | Uint8Array
  | Metadatum
  | readonly MetadatumInput[]
  | ReadonlyMap<MetadatumInput, MetadatumInput>
  | { readonly [key: string]: MetadatumInput }

/** Metadata as plain values. A map becomes an object when all its keys are text, else a `Map`. */
export type MetadatumObject =
  | number
  | bigint
  | string
  | Uint8Array
  | MetadatumObject[]
  | Map<MetadatumObject, MetadatumObject>
  | { [key: string]: MetadatumObject }

type Pair = readonly [Metadatum, Metadatum]
type Content = bigint | string | Uint8Array | readonly Metadatum[] | { readonly entries: readonly Pair[] }

/** Maximum nesting of one Metadatum, which keeps the recursive functions below from overflowing the stack. */
const MAX_DEPTH = 1_024
const MIN_INT = -(2n ** 64n)
const MAX_INT = 2n ** 64n - 1n

/**
 * A value of transaction metadata. Immutable; decoded metadata keeps its original bytes.
 *
 * @example
 * ```ts
 * import { Metadatum } from 'layer-sdk/utils'
 * const metadatum = Metadatum.from({ name: 'hosky', edition: 7 })
 * console.log(metadatum.toCbor(), Metadatum.fromCbor(metadatum.toCbor()).toObject())
 * ```
 * @see Conway CDDL, `metadatum`: integers of 64 bits and a sign, bytes and text of at most 64 bytes, arrays, maps.
 */
export class Metadatum {
  readonly #content: Content
  readonly #source: Uint8Array | undefined
  /** Levels of nesting. */
  readonly #depth: number

  private constructor(content: Content, source?: Uint8Array) {
    this.#content = content
    this.#source = source
    let depth = 0
    if (typeof content === 'object' && !(content instanceof Uint8Array)) {
      for (const part of isList(content) ? content : content.entries.flat()) depth = Math.max(depth, part.#depth)
    }
    this.#depth = depth + 1
  }

  /**
   * Makes a metadatum from plain values; see `metadataObjToMetadatum` in layer-sdk/utils.
   *
   * @throws {@link InvalidMetadatumError} that names the place.
   */
  static from(value: unknown, path = 'metadata'): Metadatum {
    return typedErrors('metadata', () => Metadatum.#from(value, path, 1))
  }

  /**
   * Decodes CBOR (hex, or bytes, which are copied). The metadatum keeps these bytes as its encoding.
   *
   * @throws {@link InvalidCborError} on other CBOR, and beyond 1,024 levels. @throws {@link InvalidHexError}
   */
  static fromCbor(cbor: string | Uint8Array): Metadatum {
    const reader = new CborReader(copyBytes(cbor, 'metadatum'), 'metadatum')
    const metadatum = Metadatum.read(reader)
    reader.finish()
    return metadatum
  }

  /** Reads the next item of a reader, whose bytes must not change afterwards. @internal */
  static read(reader: CborReader): Metadatum {
    return Metadatum.#read(reader, 1)
  }

  /** Returns the value as CBOR hex: the original bytes if it was decoded. */
  toCbor(): string {
    return bytesToHex(this.toBytes())
  }

  /** Returns the value as CBOR in a new array of bytes. */
  toBytes(): Uint8Array {
    const writer = new CborWriter()
    this.#write(writer)
    return writer.toBytes()
  }

  /** Returns the value in cardano-cli's detailed schema, which keeps all types. */
  toJson(): MetadatumJson {
    const content = this.#content
    if (typeof content === 'bigint') return { int: jsonInteger(content) }
    if (typeof content === 'string') return { string: content }
    if (content instanceof Uint8Array) return { bytes: bytesToHex(content) }
    if (isList(content)) return { list: content.map((item) => item.toJson()) }
    return { map: content.entries.map(([k, v]) => ({ k: k.toJson(), v: v.toJson() })) }
  }

  /**
   * Returns the value as plain values: integers as number where exact, else bigint; a map as an object when all its
   * keys are text, else as a Map. Of a key that occurs twice the last value is kept.
   */
  toObject(): MetadatumObject {
    const content = this.#content
    if (typeof content === 'bigint') return jsonInteger(content)
    if (typeof content === 'string') return content
    if (content instanceof Uint8Array) return content.slice()
    if (isList(content)) return content.map((item) => item.toObject())
    const entries = content.entries.map(([key, value]) => [key.toObject(), value.toObject()] as const)
    const textual = entries.every(([key]) => typeof key === 'string')
    // fromEntries defines each key, so "__proto__" is plain data.
    return textual ? Object.fromEntries(entries as [string, MetadatumObject][]) : new Map(entries)
  }

  #write(writer: CborWriter): void {
    const content = this.#content
    if (this.#source !== undefined) writer.raw(this.#source)
    else if (typeof content === 'bigint') writer.int(content)
    else if (typeof content === 'string') writer.text(content)
    else if (content instanceof Uint8Array) writer.bytes(content)
    else if (isList(content)) {
      writer.array(content.length)
      for (const item of content) item.#write(writer)
    } else {
      writer.map(content.entries.length)
      for (const [key, value] of content.entries) {
        key.#write(writer)
        value.#write(writer)
      }
    }
  }

  static #from(value: unknown, path: string, level: number): Metadatum {
    const depth = value instanceof Metadatum ? value.#depth : 1
    if (level + depth - 1 > MAX_DEPTH) throw invalid(path, `at most ${MAX_DEPTH} levels and no cycle`, 'more')
    if (value instanceof Metadatum) return value
    if (typeof value === 'bigint' || typeof value === 'number') {
      const exact = Number.isSafeInteger(value) ? BigInt(value) : value
      if (typeof exact === 'bigint' && exact >= MIN_INT && exact <= MAX_INT) return new Metadatum(exact)
      throw invalid(path, 'a whole number from -2^64 to 2^64-1', value)
    }
    if (typeof value === 'string') return new Metadatum(assertSize(value, utf8ToBytes(value, path).length, path))
    if (Array.isArray(value)) {
      return new Metadatum(Array.from(value, (item, i) => Metadatum.#from(item, partPath(path, `[${i}]`), level + 1)))
    }
    // By tag, not instanceof: values may come from another realm, such as an iframe.
    const tag = Object.prototype.toString.call(value)
    if (ArrayBuffer.isView(value) && tag === '[object Uint8Array]') {
      const bytes = Uint8Array.from(value as Uint8Array)
      return new Metadatum(assertSize(bytes, bytes.length, path))
    }
    if (tag === '[object Map]') {
      // Map's own getter throws on an object that only claims to be a Map.
      return Metadatum.#fromEntries([...Map.prototype.entries.call(value)], path, level)
    }
    if (isPlainObject(value)) return Metadatum.#fromEntries(Object.entries(value), path, level)
    throw invalid(path, 'a number, bigint, text, Uint8Array, array, Map or plain object', value)
  }

  static #fromEntries(entries: (readonly [unknown, unknown])[], path: string, level: number): Metadatum {
    return new Metadatum({
      entries: entries.map(([key, value], i) => {
        const name =
          typeof key === 'string' && /^[A-Za-z_$][\w$]{0,23}$/.test(key) ? `.${key}` : `[${describeValue(key)}]`
        return [
          Metadatum.#from(key, partPath(path, ` (key ${i + 1})`), level + 1),
          Metadatum.#from(value, partPath(path, name), level + 1)
        ]
      })
    })
  }

  static #read(reader: CborReader, level: number): Metadatum {
    const start = reader.offset
    if (level > MAX_DEPTH) reader.fail(`at most ${MAX_DEPTH} levels`, 'more')
    const content = Metadatum.#readContent(reader, level)
    return new Metadatum(content, reader.bytes.subarray(start, reader.offset))
  }

  static #readContent(reader: CborReader, level: number): Content {
    const start = reader.offset
    switch (reader.peekMajor()) {
      case 0:
      case 1:
        return reader.readInt()
      case 2: {
        const bytes = reader.readBytes()
        return bytes.length <= METADATA_MAX_BYTES ? bytes : reader.fail('at most 64 bytes', 'more', start)
      }
      case 3: {
        const text = reader.readText()
        return utf8ToBytes(text).length <= METADATA_MAX_BYTES ? text : reader.fail('at most 64 bytes', 'more', start)
      }
      case 4:
        return readItems(reader, Metadatum.#read, level + 1)
      case 5:
        return { entries: readPairs(reader, Metadatum.#read, level + 1) }
      default:
        return reader.fail('metadata', 'another item')
    }
  }
}

/**
 * Cuts text into pieces of at most 64 bytes of UTF-8, never inside a character: the usual way to put longer text into
 * metadata. Empty text gives one empty piece.
 *
 * @throws {@link InvalidUtf8Error} on a lone surrogate.
 * @example
 * ```ts
 * import { chunkMetadataText } from 'layer-sdk/utils'
 * console.log(chunkMetadataText('x'.repeat(100)).map(({ length }) => length)) // [ 64, 36 ]
 * ```
 */
export function chunkMetadataText(text: string): string[] {
  const bytes = utf8ToBytes(text)
  const chunks: string[] = []
  let start = 0
  do {
    let end = Math.min(start + METADATA_MAX_BYTES, bytes.length)
    // 10xxxxxx continues a character; step back to its first byte.
    while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--
    chunks.push(bytesToUtf8(bytes.subarray(start, end)))
    start = end
  } while (start < bytes.length)
  return chunks
}

function invalid(path: string, expected: string, got: unknown): InvalidMetadatumError {
  return new InvalidMetadatumError(path, { expected, got: describeValue(got) })
}

function assertSize<T extends string | Uint8Array>(value: T, sizeBytes: number, path: string): T {
  if (sizeBytes <= METADATA_MAX_BYTES) return value
  throw new InvalidMetadatumError(path, {
    expected: `at most ${METADATA_MAX_BYTES} bytes (of UTF-8)`,
    got: `${sizeBytes} bytes`
  })
}

function isList(content: Content): content is readonly Metadatum[] {
  return Array.isArray(content)
}

/** Returns true for an object without a class, of any realm. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value) as object | null
  // Of any realm: its prototype is the root of the chain.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
