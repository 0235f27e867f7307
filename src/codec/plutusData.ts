import { describeValue } from '../errors/base.js'
import { InvalidPlutusDataError } from '../errors/documents.js'
import { InvalidArgumentError } from '../errors/input.js'
import { blake2b256 } from '../hash/blake2b.js'
import { isBytes } from './bytes.js'
import { CborReader } from './cbor/reader.js'
import { readItems, readPairs } from './cbor/sequence.js'
import { CborWriter } from './cbor/writer.js'
import { bytesToHex, copyBytes, hexToBytes } from './hex.js'
import { exactInteger, jsonInteger } from './integer.js'
import { parseJsonWithin } from './json.js'
import { partPath } from './path.js'
import { bytesToBigInt, MAX_UINT64, readChunked, writeChunked, writeInteger } from './plutusPrimitives.js'
import { typedErrors } from './typedErrors.js'

/** Form of a PlutusData: integer, bytes, list, map or constructor. */
export type PlutusDataKind = 'int' | 'bytes' | 'list' | 'map' | 'constr'

/**
 * Plutus data as JSON in cardano-cli's detailed schema: `{ int }`, `{ bytes }` (hex), `{ list }`, `{ map: [{ k, v }] }`
 * or `{ constructor, fields }`. Integers beyond 2^53 - 1 are bigint.
 */
export type PlutusDataJson =
  | { int: number | bigint }
  | { bytes: string }
  | { list: PlutusDataJson[] }
  | { map: { k: PlutusDataJson; v: PlutusDataJson }[] }
  | { constructor: number | bigint; fields: PlutusDataJson[] }

interface Constr {
  readonly index: bigint
  readonly fields: readonly PlutusData[]
}
type Pair = readonly [PlutusData, PlutusData]
interface Values {
  int: bigint
  bytes: Uint8Array
  list: readonly PlutusData[]
  map: readonly Pair[]
  constr: Constr
}

const MAX_DEPTH = 1_024 // Every walk below recurses: none can reach the end of the stack.
// Three levels of JSON make one of these; 40,000 digits fill a whole transaction.
const JSON_BOUNDS = { what: 'PlutusData', depth: 4 * MAX_DEPTH, digits: 40_000 }

/**
 * A Plutus datum, redeemer or script parameter. Immutable. Decoded data and its parts keep their original bytes, so
 * that the hash is the one on the chain. Data that was built is encoded as the ledger encodes it.
 *
 * @example
 * ```ts
 * import { PlutusData, mkConstr, mkInt } from 'layer-sdk/utils'
 * const datum = mkConstr(0, [mkInt(42)])
 * console.log(datum.toCbor()) // d8799f182aff
 * console.log(PlutusData.fromCbor('d8799f182aff').asConstr().fields[0]?.asInt()) // 42n
 * ```
 * @see plutus-core, PlutusCore/Data.hs
 */
export class PlutusData {
  /** Form of the data. */
  readonly kind: PlutusDataKind
  /** Levels of nesting: 1 for an integer, bytes, an empty list and an empty map. */
  readonly depth: number
  readonly #value: Values[PlutusDataKind]
  #source: Uint8Array | undefined
  readonly #start: number
  readonly #end: number

  private constructor(
    kind: PlutusDataKind,
    value: Values[PlutusDataKind],
    parts: readonly PlutusData[] = [],
    source?: Uint8Array,
    start = 0,
    end = 0
  ) {
    this.kind = kind
    this.depth = depthAbove(parts)
    this.#value = value
    this.#source = source
    this.#start = start
    this.#end = end
  }

  /** Makes an integer of any size. @throws {@link InvalidArgumentError} on anything but a whole number. */
  static int(value: number | bigint): PlutusData {
    if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) {
      throw new InvalidArgumentError('value', 'a whole number', value)
    }
    return new PlutusData('int', BigInt(value))
  }

  /** Makes bytes of any length, from a copy. @throws {@link InvalidArgumentError} on anything but bytes. */
  static bytes(value: Uint8Array): PlutusData {
    if (!isBytes(value)) throw new InvalidArgumentError('value', 'a Uint8Array', value)
    return new PlutusData('bytes', copyBytes(value, 'value'))
  }

  /** Makes a list of items, from a copy of the array. */
  static list(items: readonly PlutusData[]): PlutusData {
    const copy = PlutusData.#copyParts(items)
    return new PlutusData('list', copy, copy)
  }

  /** Makes a map of entries. Their order and repeated keys are kept. */
  static map(entries: readonly (readonly [PlutusData, PlutusData])[]): PlutusData {
    const pairs = copyArray('pairs', entries, (entry): Pair => {
      if (!Array.isArray(entry) || entry.length !== 2)
        throw new InvalidArgumentError('pairs', 'an array of [key, value]', entry)
      return Object.freeze([PlutusData.#assert(entry[0]), PlutusData.#assert(entry[1])])
    })
    return new PlutusData('map', pairs, pairs.flat())
  }

  /**
   * Makes the constructor `index`, 0 to 2^64-1, with its fields.
   *
   * @throws {@link InvalidArgumentError} on an index out of range, or fields that are not PlutusData.
   */
  static constr(index: number | bigint, fields: readonly PlutusData[]): PlutusData {
    const exact = typeof index === 'bigint' || Number.isSafeInteger(index) ? BigInt(index) : -1n
    if (exact < 0n || exact > MAX_UINT64)
      throw new InvalidArgumentError('index', 'a whole number from 0 to 2^64-1', index)
    const copy = PlutusData.#copyParts(fields)
    return new PlutusData('constr', Object.freeze({ index: exact, fields: copy }), copy)
  }

  /**
   * Decodes CBOR (hex, or bytes, which are copied). The data keeps these bytes as its encoding.
   *
   * @throws {@link InvalidCborError} on anything the ledger's own decoder refuses, and beyond 1,024 levels.
   * @throws {@link InvalidHexError}
   */
  static fromCbor(cbor: string | Uint8Array): PlutusData {
    const reader = new CborReader(copyBytes(cbor, 'PlutusData'), 'PlutusData')
    const data = PlutusData.#read(reader, 1)
    reader.finish()
    return data
  }

  /**
   * Reads cardano-cli's detailed schema: the JSON text (integers of any size), or the object.
   *
   * @throws {@link InvalidPlutusDataError} that names the place. @throws {@link InvalidJsonError} on malformed text.
   */
  static fromJson(json: PlutusDataJson | string): PlutusData {
    return typedErrors('PlutusData', () =>
      fromDetailed(typeof json === 'string' ? parseJsonWithin(json, JSON_BOUNDS) : json, 'data', 1)
    )
  }

  /** Returns the integer. @throws {@link InvalidArgumentError} when the data has another form. */
  asInt(): bigint {
    return this.#as('int')
  }

  /** Returns a copy of the bytes. @throws {@link InvalidArgumentError} when the data has another form. */
  asBytes(): Uint8Array {
    return this.#as('bytes').slice()
  }

  /** Returns the items. @throws {@link InvalidArgumentError} when the data has another form. */
  asList(): readonly PlutusData[] {
    return this.#as('list')
  }

  /** Returns the entries in order. @throws {@link InvalidArgumentError} when the data has another form. */
  asMap(): readonly (readonly [PlutusData, PlutusData])[] {
    return this.#as('map')
  }

  /** Returns the constructor's `index` and `fields`. @throws {@link InvalidArgumentError} for data of another form. */
  asConstr(): { readonly index: bigint; readonly fields: readonly PlutusData[] } {
    return this.#as('constr')
  }

  /** Returns the data as CBOR hex: the original bytes if it was decoded. */
  toCbor(): string {
    return bytesToHex(this.#bytes())
  }

  /** Returns the data as CBOR in a new array of bytes. */
  toBytes(): Uint8Array {
    return this.#bytes().slice()
  }

  /** Returns the datum hash, blake2b-256 of the CBOR: hex, 64 characters. */
  hash(): string {
    return bytesToHex(blake2b256(this.#bytes()))
  }

  /**
   * Returns the data in cardano-cli's detailed schema; integers beyond 2^53 - 1 are bigint, which `stringifyJson` of
   * layer-sdk/bridge writes.
   */
  toJson(): PlutusDataJson {
    switch (this.kind) {
      case 'int':
        return { int: jsonInteger(this.#as('int')) }
      case 'bytes':
        return { bytes: bytesToHex(this.#as('bytes')) }
      case 'list':
        return { list: this.#as('list').map((item) => item.toJson()) }
      case 'map':
        return { map: this.#as('map').map(([key, value]) => ({ k: key.toJson(), v: value.toJson() })) }
      case 'constr': {
        const { index, fields } = this.#as('constr')
        return { constructor: jsonInteger(index), fields: fields.map((field) => field.toJson()) }
      }
    }
  }

  #as<K extends PlutusDataKind>(kind: K): Values[K] {
    if (this.kind !== kind) throw new InvalidArgumentError('PlutusData', `kind "${kind}"`, this.kind)
    return this.#value as Values[K]
  }

  #bytes(): Uint8Array {
    if (this.#source !== undefined) return this.#source.subarray(this.#start, this.#end || this.#source.length)
    const writer = new CborWriter()
    this.#write(writer)
    this.#source = writer.toBytes()
    return this.#source
  }

  #write(writer: CborWriter): void {
    if (this.#source !== undefined) {
      writer.raw(this.#bytes())
      return
    }
    switch (this.kind) {
      case 'int':
        return writeInteger(writer, this.#as('int'))
      case 'bytes':
        return writeChunked(writer, this.#as('bytes'))
      case 'list':
        return PlutusData.#writeList(writer, this.#as('list'))
      case 'map': {
        const entries = this.#as('map')
        writer.map(entries.length)
        for (const [key, value] of entries) {
          key.#write(writer)
          value.#write(writer)
        }
        return
      }
      case 'constr': {
        const { index, fields } = this.#as('constr')
        if (index <= 6n) writer.tag(121 + Number(index))
        else if (index <= 127n) writer.tag(1280 - 7 + Number(index))
        else writer.tag(102).array(2).uint(index)
        PlutusData.#writeList(writer, fields)
      }
    }
  }

  static #writeList(writer: CborWriter, items: readonly PlutusData[]): void {
    if (items.length === 0) {
      writer.array(0)
      return
    }
    writer.arrayIndefinite()
    for (const item of items) item.#write(writer)
    writer.break()
  }

  static #read(reader: CborReader, level: number): PlutusData {
    const start = reader.offset
    if (level > MAX_DEPTH) reader.fail(`at most ${MAX_DEPTH} levels`, 'more')
    const made = (kind: PlutusDataKind, value: Values[PlutusDataKind], parts?: readonly PlutusData[]): PlutusData =>
      new PlutusData(kind, value, parts, reader.bytes, start, reader.offset)
    switch (reader.peekMajor()) {
      case 0:
      case 1:
        return made('int', reader.readInt())
      case 2:
        return made('bytes', readChunked(reader))
      case 4: {
        const items = PlutusData.#readList(reader, level)
        return made('list', items, items)
      }
      case 5: {
        const entries = readPairs(reader, PlutusData.#read, level + 1)
        return made('map', Object.freeze(entries.map((pair) => Object.freeze(pair))), entries.flat())
      }
      case 6: {
        const tag = reader.readTag()
        if (tag === 2) return made('int', bytesToBigInt(readChunked(reader)))
        if (tag === 3) return made('int', -1n - bytesToBigInt(readChunked(reader)))
        const constr = PlutusData.#readConstr(reader, tag, start, level)
        return made('constr', Object.freeze(constr), constr.fields)
      }
      default:
        return reader.fail('PlutusData', 'another item')
    }
  }

  static #readConstr(reader: CborReader, tag: number, start: number, level: number): Constr {
    const index = tag >= 121 && tag <= 127 ? tag - 121 : tag >= 1280 && tag <= 1400 ? tag - 1280 + 7 : -1
    if (index >= 0) return { index: BigInt(index), fields: PlutusData.#readList(reader, level) }
    if (tag !== 102) reader.fail('a tag of PlutusData', `tag ${tag}`, start)
    const count = reader.readArrayHeader()
    const constr = { index: reader.readUint(), fields: PlutusData.#readList(reader, level) }
    if (count < 0) reader.readBreak()
    else if (count !== 2) reader.fail('[index, fields]', `${count} items`, start)
    return constr
  }

  static #copyParts(parts: unknown): readonly PlutusData[] {
    return copyArray('PlutusData', parts, (part) => PlutusData.#assert(part))
  }

  static #assert(part: unknown): PlutusData {
    // By its private field, which neither a look-alike nor a Proxy has.
    if (typeof part === 'object' && part !== null && #value in part) return part
    throw new InvalidArgumentError('PlutusData', 'PlutusData', part)
  }

  static #readList(reader: CborReader, level: number): readonly PlutusData[] {
    return Object.freeze(readItems(reader, PlutusData.#read, level + 1))
  }
}

/**
 * Returns a frozen copy of an array, which a later change of the caller's array does not affect. Each part, also a
 * hole, is checked before the next one is read.
 */
function copyArray<T>(what: string, parts: unknown, check: (part: unknown) => T): readonly T[] {
  return typedErrors(what, () => {
    if (!Array.isArray(parts)) throw new InvalidArgumentError(what, 'an array', parts)
    return Object.freeze(Array.from(parts, check))
  })
}

function depthAbove(items: readonly PlutusData[]): number {
  let depth = 1
  for (const item of items) {
    if (item.depth >= depth) depth = item.depth + 1
  }
  if (depth > MAX_DEPTH) throw new InvalidArgumentError('PlutusData', `at most ${MAX_DEPTH} levels`, depth)
  return depth
}

function fromDetailed(json: unknown, path: string, level: number): PlutusData {
  const fail = (part: string, expected: string, got: unknown): never => {
    throw new InvalidPlutusDataError(partPath(path, part), { expected, got: describeValue(got) })
  }
  const inner = (part: string, value: unknown): PlutusData => fromDetailed(value, partPath(path, part), level + 1)
  if (typeof json !== 'object' || json === null) return fail('', 'an object', json)
  if (level > MAX_DEPTH) return fail('', `at most ${MAX_DEPTH} levels`, 'more')
  // `constructor` would be found on every object's prototype.
  const form = Object.keys(json).sort().join()
  const { int, bytes, list, map, constructor: index, fields } = json as Record<string, unknown>
  const each = (part: string, value: unknown): PlutusData[] =>
    Array.isArray(value) ? Array.from(value, (item, i) => inner(`${part}[${i}]`, item)) : fail(part, 'an array', value)
  switch (form) {
    case 'int':
      return PlutusData.int(exactInteger(int) ?? fail('.int', 'a whole number', int))
    case 'bytes':
      return PlutusData.bytes(
        typeof bytes === 'string' ? hexToBytes(bytes, `${path}.bytes`) : fail('.bytes', 'hex', bytes)
      )
    case 'list':
      return PlutusData.list(each('.list', list))
    case 'constructor,fields': {
      const exact = exactInteger(index) ?? -1n
      if (exact < 0n || exact > MAX_UINT64) return fail('.constructor', 'a whole number from 0 to 2^64-1', index)
      return PlutusData.constr(exact, each('.fields', fields))
    }
    case 'map': {
      if (!Array.isArray(map)) return fail('.map', 'an array', map)
      return PlutusData.map(
        Array.from(map, (entry: unknown, i): [PlutusData, PlutusData] => {
          const part = `.map[${i}]`
          if (typeof entry !== 'object' || entry === null || !('k' in entry) || !('v' in entry))
            return fail(part, '{ k, v }', entry)
          return [inner(`${part}.k`, entry.k), inner(`${part}.v`, entry.v)]
        })
      )
    }
    default:
      return fail('', "cardano-cli's detailed schema", `the keys ${describeValue(form)}`)
  }
}
