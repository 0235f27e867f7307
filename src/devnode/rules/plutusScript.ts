import { concatBytes } from '../../codec/bytes.js'
import { CborReader } from '../../codec/cbor/reader.js'
import { PLUTUS_LANGUAGES, type PlutusLanguage } from '../../codec/costModels.js'
import { bytesToHex } from '../../codec/hex.js'
import { PlutusData } from '../../codec/plutusData.js'
import { bytesToUtf8 } from '../../codec/utf8.js'
import { blake2b224 } from '../../hash/blake2b.js'

/** A Plutus script: its bytes are those that the ledger hashes, a CBOR byte string of the program. */
export interface PlutusScript {
  readonly language: PlutusLanguage
  readonly bytes: Uint8Array
}

/**
 * Hash of a Plutus script, with the tag of its language before its bytes (Conway CDDL, `script_hash`): hex, 56
 * characters.
 */
export function plutusHashOf({ language, bytes }: PlutusScript): string {
  return bytesToHex(blake2b224(concatBytes(Uint8Array.of(PLUTUS_LANGUAGES.indexOf(language) + 1), bytes)))
}

/**
 * True when the ledger can decode a script at a protocol version: a flat-encoded program whose term constructors,
 * builtins and constants the language has by then.
 *
 * @see plutus-ledger-api PlutusLedgerApi/Common/SerialisedScript.hs, deserialiseScript; Versions.hs,
 * builtinsIntroducedIn
 */
export function isWellFormedScript({ language, bytes }: PlutusScript, protocolVersion: number): boolean {
  try {
    const reader = new CborReader(bytes, 'The Plutus script')
    // An indefinite byte string is none of cborg's `decodeBytes`.
    if (bytes[0] === 0x5f) return false
    const program = reader.readBytes()
    // Before PlutusV3 bytes after the program are ignored.
    if (language === 'PlutusV3') reader.finish()
    new FlatProgram(program, language, protocolVersion).read()
    return true
  } catch {
    return false
  }
}

/** First protocol version at which each batch of builtins is available; Infinity: not in any yet. */
interface Introduced {
  readonly [batch: number]: number
}
const INTRODUCED: Readonly<Record<PlutusLanguage, Introduced>> = {
  PlutusV1: { 1: 5, 2: 11, 3: 11, 4: 11, 4.5: 11, 5: 11, 6: 11 },
  PlutusV2: { 1: 7, 2: 7, 3: 8, 4: 11, 4.5: 10, 5: 11, 6: 11 },
  PlutusV3: { 1: 9, 2: 9, 3: 9, 4: 9, 4.5: 9, 5: 10, 6: 11 }
}
/**
 * Last flat tag of each batch, in the order of the tags; 4.5 are integerToByteString and byteStringToInteger, 6 ends
 * with scaleValue.
 */
const BATCHES: readonly (readonly [lastTag: number, batch: number])[] = [
  [50, 1],
  [51, 2],
  [53, 3],
  [72, 4],
  [74, 4.5],
  [86, 5],
  [100, 6]
]
const VAN_ROSSEM = 11
/** Versions.hs, maxBoundsByPV: tags of a constant's type, fields of a constructor. */
const MAX_TYPE_TAGS = 32
const MAX_FIELDS = 1024
const MAX_WORD64 = 2n ** 64n - 1n
/** No type of a real script is deeper, and the bound keeps recursion far from the stack's end. */
const MAX_DEPTH = 512

/** A constant's type, applied: `list` and `array` have one part, `pair` two. */
interface FlatType {
  readonly tag: number
  readonly parts: readonly FlatType[]
}
const TYPE = {
  INTEGER: 0,
  BYTES: 1,
  STRING: 2,
  UNIT: 3,
  BOOL: 4,
  LIST: 5,
  PAIR: 6,
  APPLY: 7,
  DATA: 8,
  ARRAY: 12,
  VALUE: 13
} as const
const PARTS_OF: Readonly<Record<number, number>> = { [TYPE.LIST]: 1, [TYPE.ARRAY]: 1, [TYPE.PAIR]: 2 }
const leaf = (tag: number): FlatType => ({ tag, parts: [] })
const listOf = (part: FlatType): FlatType => ({ tag: TYPE.LIST, parts: [part] })
const pairOf = (first: FlatType, second: FlatType): FlatType => ({ tag: TYPE.PAIR, parts: [first, second] })
/** A value is a list of policies, each with a list of names and quantities. */
const VALUE_CONTENT = listOf(pairOf(leaf(TYPE.BYTES), listOf(pairOf(leaf(TYPE.BYTES), leaf(TYPE.INTEGER)))))

const TERM = -1

class MalformedScript extends Error {}

/** Reads a program in the flat encoding, bit by bit, without keeping it. */
class FlatProgram {
  readonly #bytes: Uint8Array
  readonly #language: PlutusLanguage
  readonly #protocolVersion: number
  #bit = 0

  constructor(bytes: Uint8Array, language: PlutusLanguage, protocolVersion: number) {
    this.#bytes = bytes
    this.#language = language
    this.#protocolVersion = protocolVersion
  }

  read(): void {
    const version = [this.#natural(), this.#natural(), this.#natural()].join('.')
    // Versions.hs keeps the versions that a language accepts, but decoding looks at constr and case alone.
    const hasSums = compareVersions(version, '1.1.0') >= 0
    this.#terms(hasSums)
    this.#filler()
    if (this.#bit !== 8 * this.#bytes.length) throw new MalformedScript('bytes after the program')
  }

  /**
   * Terms come before their parts, so the terms still to be read are a stack: deep programs never exhaust the call
   * stack.
   */
  #terms(hasSums: boolean): void {
    // One term, or a list of terms that has had so many items.
    const open: number[] = [TERM]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next !== TERM) {
        if (this.#readBits(1) === 1) open.push(next + 1, TERM)
        else if (next > MAX_FIELDS && this.#protocolVersion >= VAN_ROSSEM) throw new MalformedScript('too many fields')
        continue
      }
      const tag = this.#readBits(4)
      switch (tag) {
        case 0:
          this.#word64()
          break
        case 1:
        case 2:
        case 5:
          open.push(TERM)
          break
        case 3:
          open.push(TERM, TERM)
          break
        case 4:
          this.#constant()
          break
        case 6:
          break
        case 7:
          this.#builtin()
          break
        case 8:
          if (!hasSums) throw new MalformedScript('constr')
          this.#word64()
          open.push(0)
          break
        case 9:
          if (!hasSums) throw new MalformedScript('case')
          // The branches come after the scrutinee; they are not counted.
          open.push(Number.MIN_SAFE_INTEGER, TERM)
          break
        default:
          throw new MalformedScript('term')
      }
    }
  }

  #builtin(): void {
    const tag = this.#readBits(7)
    const batch = BATCHES.find(([last]) => tag <= last)?.[1]
    if (batch === undefined || INTRODUCED[this.#language][batch]! > this.#protocolVersion)
      throw new MalformedScript('builtin')
  }

  #constant(): void {
    const tags: number[] = []
    while (this.#readBits(1) === 1) tags.push(this.#readBits(4))
    if (this.#protocolVersion >= VAN_ROSSEM && tags.length > MAX_TYPE_TAGS) throw new MalformedScript('type')
    const type = typeOf(tags)
    if (tags.length > 0) throw new MalformedScript('type')
    this.#value(type, 0)
  }

  #value(type: FlatType, depth: number): void {
    if (depth > MAX_DEPTH) throw new MalformedScript('depth')
    switch (type.tag) {
      case TYPE.INTEGER:
        this.#natural()
        return
      case TYPE.BYTES:
        this.#chunks()
        return
      case TYPE.STRING:
        bytesToUtf8(this.#chunks())
        return
      case TYPE.UNIT:
        return
      case TYPE.BOOL:
        this.#readBits(1)
        return
      case TYPE.LIST:
      case TYPE.ARRAY:
        while (this.#readBits(1) === 1) this.#value(type.parts[0]!, depth + 1)
        return
      case TYPE.PAIR:
        for (const part of type.parts) this.#value(part, depth + 1)
        return
      case TYPE.DATA:
        PlutusData.fromCbor(this.#chunks())
        return
      case TYPE.VALUE:
        this.#value(VALUE_CONTENT, depth + 1)
        return
      default:
        // Points and results of pairings have no encoding.
        throw new MalformedScript('constant')
    }
  }

  #chunks(): Uint8Array {
    this.#filler()
    const chunks: Uint8Array[] = []
    let at = this.#bit / 8
    for (;;) {
      const length = this.#bytes[at]
      if (length === undefined || at + length >= this.#bytes.length) throw new MalformedScript('the end')
      if (length === 0) break
      chunks.push(this.#bytes.subarray(at + 1, at + 1 + length))
      at += 1 + length
    }
    this.#bit = 8 * (at + 1)
    return concatBytes(...chunks)
  }

  /** Reads a filler: zero bits and a one, up to the end of a byte. */
  #filler(): void {
    while (this.#readBits(1) === 0);
    if (this.#bit % 8 !== 0) throw new MalformedScript('filler')
  }

  #word64(): void {
    if (this.#natural() > MAX_WORD64) throw new MalformedScript('number')
  }

  /** Reads a number in groups of seven bits, the least first; the first bit of each says if more come. */
  #natural(): bigint {
    const groups: number[] = []
    let more: number
    do {
      more = this.#readBits(1)
      groups.push(this.#readBits(7))
    } while (more === 1)
    // More than 64 bits are read for their length alone.
    return groups.length > 10
      ? MAX_WORD64 + 1n
      : groups.reduceRight((value, group) => (value << 7n) | BigInt(group), 0n)
  }

  #readBits(bits: number): number {
    let value = 0
    for (let i = 0; i < bits; i++) {
      const byte = this.#bytes[this.#bit >> 3]
      if (byte === undefined) throw new MalformedScript('the end')
      value = (value << 1) | ((byte >> (7 - (this.#bit & 7))) & 1)
      this.#bit++
    }
    return value
  }
}

/** Removes the tags of one type from the front; the type must be whole, e.g. a list of a type. */
function typeOf(tags: number[]): FlatType {
  const { tag, parts } = partialType(tags)
  if (parts.length !== (PARTS_OF[tag] ?? 0)) throw new MalformedScript('type')
  return { tag, parts }
}

function partialType(tags: number[]): FlatType {
  const tag = tags.shift()
  if (tag === undefined || tag > TYPE.VALUE) throw new MalformedScript('type')
  if (tag !== TYPE.APPLY) return leaf(tag)
  const applied = partialType(tags)
  const parts = [...applied.parts, typeOf(tags)]
  if (parts.length > (PARTS_OF[applied.tag] ?? 0)) throw new MalformedScript('type')
  return { tag: applied.tag, parts }
}

function compareVersions(a: string, b: string): number {
  const [x, y] = [a.split('.').map(BigInt), b.split('.').map(BigInt)]
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return x[i]! < y[i]! ? -1 : 1
  return 0
}
