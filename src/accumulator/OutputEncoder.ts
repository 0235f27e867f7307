import { CborWriter } from '../codec/cbor/writer.js'
import { outputData, writeAddress } from './outputData.js'
import { parseOutputAddress, readOutput } from './readOutput.js'
import type { UncheckedRecord } from './record.js'
import { ownMember, isPlainRecord } from './record.js'

/** Addresses whose bytes are kept: decoding one is slower than all the rest of an output. */
const MAX_ADDRESSES = 32_768
const POLICY_CHARACTERS = 56
const MAX_NAME_CHARACTERS = 64
/** Members that the short way does not read: an output with one of them goes the long way. */
const UNUSUAL = ['amount', 'datum', 'inlineDatum', 'inlineDatumRaw', 'inlineDatumhash', 'referenceScript'] as const
/** Bytes of an output without its address and assets, at most: with heads, datum hash and script. */
const MOST_FIXED = 96
/** Bytes of an asset at most: head and name, head of its quantity. */
const MOST_ASSET = 2 + MAX_NAME_CHARACTERS / 2 + 9
/** Head and bytes of a policy id, head of its assets. */
const MOST_POLICY = 2 + POLICY_CHARACTERS / 2 + 9

/** Value of a hex digit by its character code; -1 for all others, capital letters included. */
const DIGITS = /* @__PURE__ */ Int8Array.from({ length: 128 }, (_, code) =>
  code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : -1
)

type Assets = readonly (readonly [policy: string, names: readonly (readonly [name: string, quantity: number])[]])[]

/**
 * Encodes outputs as the parties hash them. Those of the usual form, with neither an inline datum nor a script, use a
 * short way: the bytes of an address are kept by its text, and all is written into one buffer. Every other one, and
 * every one with a fault, is read by {@link readOutput}, which names the problem.
 */
export class OutputEncoder {
  #buffer = new Uint8Array(1_024)
  #length = 0
  readonly #addresses = new Map<string, Uint8Array>()

  /** Returns the bytes of an output; undefined for a Byron output. @throws as {@link readOutput} */
  encode(output: unknown): Uint8Array | undefined {
    this.begin()
    return this.append(output) ? this.finish() : undefined
  }

  /** Drops the appended bytes. */
  begin(): void {
    this.#length = 0
  }

  /** Bytes appended since {@link begin}. */
  get length(): number {
    return this.#length
  }

  /**
   * Appends the bytes of an output to those of the outputs before it; false for a Byron output, which has none. An
   * output that throws appends no bytes. @throws as {@link readOutput}
   */
  append(output: unknown): boolean {
    const start = this.#length
    if (isPlainRecord(output)) {
      if (this.#appendUsual(output)) return true
      this.#length = start
    }
    const data = outputData(readOutput(output))
    if (data === undefined) return false
    this.#raw(data)
    return true
  }

  /** Returns the appended bytes, and begins again. */
  finish(): Uint8Array {
    const bytes = this.#buffer.slice(0, this.#length)
    this.#length = 0
    return bytes
  }

  #appendUsual(record: UncheckedRecord): boolean {
    for (const name of UNUSUAL) if (ownMember(record, name) !== undefined) return false
    const [address, value, hash] = [
      ownMember(record, 'address'),
      ownMember(record, 'value'),
      ownMember(record, 'datumhash')
    ]
    if (typeof address !== 'string' || !isPlainRecord(value)) return false
    const start = this.#addresses.get(address) ?? this.#addressBytes(address)
    if (start === null) return false
    this.#raw(start)
    return this.#appendValue(value) && this.#appendEnd(hash)
  }

  /** The datum and the script, of which there is none. */
  #appendEnd(hash: unknown): boolean {
    this.#reserve(MOST_FIXED)
    const buffer = this.#buffer
    if (hash === undefined) {
      buffer[this.#length++] = 0xd8
      buffer[this.#length++] = 0x79
      buffer[this.#length++] = 0x80
    } else {
      this.#raw([0xd8, 0x7a, 0x9f, 0x58, 0x20])
      if (typeof hash !== 'string' || hash.length !== 64 || !this.#hex(hash)) return false
      buffer[this.#length++] = 0xff
    }
    buffer[this.#length++] = 0xd8
    buffer[this.#length++] = 0x7a
    buffer[this.#length++] = 0x80
    buffer[this.#length++] = 0xff
    return true
  }

  #addressBytes(text: string): Uint8Array | null {
    const address = parseOutputAddress(text)
    if (address.payment === undefined) return null
    const writer = new CborWriter().tag(121).arrayIndefinite()
    writeAddress(writer, address)
    const bytes = writer.toBytes()
    if (this.#addresses.size >= MAX_ADDRESSES) this.#addresses.delete(this.#addresses.keys().next().value!)
    this.#addresses.set(text, bytes)
    return bytes
  }

  /** False where a part is not of the usual form. */
  #appendValue(value: UncheckedRecord): boolean {
    const lovelace = Object.hasOwn(value, 'lovelace') ? value['lovelace'] : 0
    if (!isQuantity(lovelace)) return false
    const assets = assetsOf(value)
    if (assets === null) return false
    this.#reserve(MOST_FIXED)
    this.#head(0xa0, 1 + assets.length)
    this.#buffer[this.#length++] = 0x40
    this.#buffer[this.#length++] = 0xa1
    this.#buffer[this.#length++] = 0x40
    this.#head(0x00, lovelace)
    for (const [policy, names] of assets) {
      this.#reserve(MOST_POLICY + names.length * MOST_ASSET)
      this.#buffer[this.#length++] = 0x58
      this.#buffer[this.#length++] = POLICY_CHARACTERS / 2
      if (!this.#hex(policy)) return false
      this.#head(0xa0, names.length)
      for (const [name, quantity] of names) {
        this.#head(0x40, name.length >> 1)
        if (!this.#hex(name)) return false
        this.#head(0x00, quantity)
      }
    }
    return true
  }

  /** A head in its shortest form; there is room for it. */
  #head(type: number, argument: number): void {
    const buffer = this.#buffer
    if (argument < 24) {
      buffer[this.#length++] = type | argument
      return
    }
    const size = argument < 0x100 ? 1 : argument < 0x10000 ? 2 : argument <= 0xffffffff ? 4 : 8
    buffer[this.#length++] = type | (size === 1 ? 24 : size === 2 ? 25 : size === 4 ? 26 : 27)
    let rest = argument
    for (let i = size - 1; i >= 0; i--) {
      buffer[this.#length + i] = rest & 0xff
      rest = Math.floor(rest / 0x100)
    }
    this.#length += size
  }

  /** False where the text is not lower-case hex of whole bytes; there is room for it. */
  #hex(text: string): boolean {
    const { length } = text
    if (length % 2 !== 0) return false
    const buffer = this.#buffer
    let at = this.#length
    let all = 0
    for (let i = 0; i < length; i += 2) {
      const high = DIGITS[text.charCodeAt(i)] ?? -1
      const low = DIGITS[text.charCodeAt(i + 1)] ?? -1
      all |= high | low
      buffer[at++] = (high << 4) | low
    }
    this.#length = at
    return all >= 0
  }

  #raw(bytes: ArrayLike<number>): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #reserve(extra: number): void {
    if (this.#length + extra <= this.#buffer.length) return
    const grown = new Uint8Array(2 * (this.#length + extra))
    grown.set(this.#buffer.subarray(0, this.#length))
    this.#buffer = grown
  }
}

function isQuantity(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Assets in the order of their bytes, without those of quantity 0; null where one is not of the usual form. */
function assetsOf(value: UncheckedRecord): Assets | null {
  const assets: [string, [string, number][]][] = []
  for (const policy of Object.keys(value)) {
    if (policy === 'lovelace') continue
    const held = value[policy]
    if (policy.length !== POLICY_CHARACTERS || !isPlainRecord(held)) return null
    const names: [string, number][] = []
    for (const name of Object.keys(held)) {
      const quantity = held[name]
      // Its name and policy are still to be checked.
      if (!isQuantity(quantity) || quantity === 0 || name.length > MAX_NAME_CHARACTERS) return null
      names.push([name, quantity])
    }
    if (names.length === 0) return null
    assets.push([policy, names.length === 1 ? names : names.sort(byText)])
  }
  return assets.length <= 1 ? assets : assets.sort(byText)
}

const byText = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0
