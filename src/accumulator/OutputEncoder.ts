import { LOVELACE } from '../codec/value.js'
import { MAX_OUTPUT_START, writeOutputStart } from './addressData.js'
import { grown, writeHead, writeHex } from './bytesInPlace.js'
import { outputData } from './outputData.js'
import { readOutput } from './readOutput.js'
import type { UncheckedRecord } from './record.js'
import { isPlainRecord } from './record.js'
import type { UsualAssets } from './usualForm.js'
import {
  usualAssets,
  isQuantity,
  isSet,
  isSamePolicy,
  isUsualNodeForm,
  isUsualPackageForm,
  usualNames,
  POLICY_CHARACTERS,
  usualQuantity
} from './usualForm.js'

/** Maximum number of addresses whose bytes are cached: decoding an address is slower than all the rest of an output. */
const MAX_ADDRESSES = 32_768
const MAX_NAME_CHARACTERS = 64
const HASH_CHARACTERS = 64
/** Bytes of an output without its address and assets, at most: with heads, datum hash and script. */
const MOST_FIXED = 96
/** Bytes of an asset at most: head and name, head of its quantity. */
const MOST_ASSET = 2 + MAX_NAME_CHARACTERS / 2 + 9
/** Head and bytes of a policy id, head of its assets. */
const MOST_POLICY = 2 + POLICY_CHARACTERS / 2 + 9
/** End of an output that has neither a datum nor a script: Constr 0 [], Constr 1 [], break. */
const NO_DATUM_NO_SCRIPT = /* @__PURE__ */ Uint8Array.of(0xd8, 0x79, 0x80, 0xd8, 0x7a, 0x80, 0xff)
/** Bytes before a datum hash: Constr 1 and the CBOR head of the hash. */
const DATUM_HASH = /* @__PURE__ */ Uint8Array.of(0xd8, 0x7a, 0x9f, 0x58, 0x20)

/**
 * Encodes outputs as the parties hash them. Outputs of the usual form, with neither an inline datum nor a script, use a
 * fast path, which caches the bytes of addresses and writes into one buffer. All other outputs, and faulty ones, are
 * read by {@link readOutput}, which names the problem.
 *
 * The fast path reads members by name, which engines optimize, and checks that the members it uses are the output's
 * own. Both paths thus treat null, absent and inherited members alike.
 */
export class OutputEncoder {
  #buffer = new Uint8Array(256)
  #length = 0
  /**
   * Position in {@link #starts} of the encoded beginning of an output, by its address. The byte before it is its
   * length.
   */
  readonly #addresses = new Map<string, number>()
  /**
   * Encoded beginnings of outputs in one array, because a small array for each would cost more than decoding the
   * address.
   */
  #starts = new Uint8Array(MAX_OUTPUT_START + 1)
  #startsLength = 0

  /** Returns the bytes of an output; undefined for a Byron output. @throws as {@link readOutput} */
  encode(output: unknown): Uint8Array | undefined {
    this.begin()
    return this.append(output) ? this.finish() : undefined
  }

  /** Discards the appended bytes, to begin a new encoding. */
  begin(): void {
    this.#length = 0
  }

  /** Number of bytes appended since {@link begin}. */
  get length(): number {
    return this.#length
  }

  /**
   * Appends the bytes of an output to those of the outputs before it. Returns false for a Byron output, which has no
   * bytes. An output that causes an error appends none. @throws as {@link readOutput}
   */
  append(output: unknown): boolean {
    const start = this.#length
    if (isPlainRecord(output)) {
      if (this.#appendUsual(output)) return true
      this.#length = start
    }
    const data = outputData(readOutput(output))
    if (data === undefined) return false
    this.#reserve(data.length)
    this.#raw(data)
    return true
  }

  /** Returns the appended bytes and empties the encoder. */
  finish(): Uint8Array {
    const bytes = this.#buffer.slice(0, this.#length)
    this.#length = 0
    return bytes
  }

  #appendUsual(record: UncheckedRecord): boolean {
    const { address, amount } = record
    const isPackageForm = isSet(amount)
    if (typeof address !== 'string' || !Object.hasOwn(record, 'address')) return false
    if (isPackageForm ? !isUsualPackageForm(record) : !isUsualNodeForm(record)) return false
    const start = this.#addresses.get(address) ?? this.#addAddress(address)
    if (start < 0) return false
    this.#reserve(MAX_OUTPUT_START + MOST_FIXED)
    this.#raw(this.#starts.subarray(start, start + this.#starts[start - 1]!))
    if (isPackageForm ? !this.#appendAmounts(amount) : !this.#appendValue(record['value'])) return false
    return this.#appendEnd(record[isPackageForm ? 'datumHash' : 'datumhash'])
  }

  /**
   * Appends the end of an output without a script: its datum hash, if it has one. Returns false when the hash is
   * invalid.
   */
  #appendEnd(hash: unknown): boolean {
    this.#reserve(MOST_FIXED)
    if (!isSet(hash)) {
      this.#raw(NO_DATUM_NO_SCRIPT)
      return true
    }
    if (typeof hash !== 'string' || hash.length !== HASH_CHARACTERS) return false
    this.#raw(DATUM_HASH)
    if (!this.#hex(hash, 0, HASH_CHARACTERS)) return false
    this.#buffer[this.#length++] = 0xff
    this.#raw(NO_DATUM_NO_SCRIPT.subarray(3))
    return true
  }

  /**
   * Caches the encoded beginning of an output at an address and returns its position in {@link #starts}; -1 for a Byron
   * address.
   */
  #addAddress(text: string): number {
    if (this.#addresses.size >= MAX_ADDRESSES) {
      this.#addresses.clear()
      this.#startsLength = 0
    }
    const at = this.#startsLength + 1
    if (at + MAX_OUTPUT_START > this.#starts.length) this.#starts = grown(this.#starts, 4 * this.#starts.length)
    const length = writeOutputStart(text, this.#starts, at)
    if (length === 0) return -1
    this.#starts[at - 1] = length
    this.#startsLength = at + length
    this.#addresses.set(text, at)
    return at
  }

  /** Appends a value of the node's JSON. Returns false when a part of it is not of the usual form. */
  #appendValue(value: unknown): boolean {
    if (!isPlainRecord(value)) return false
    let lovelace: unknown = 0
    let policies = 0
    let policy = ''
    for (const name in value) {
      if (!Object.hasOwn(value, name)) return false
      if (name === LOVELACE) lovelace = value[name]
      else {
        policies++
        policy = name
      }
    }
    if (!isQuantity(lovelace)) return false
    if (policies > 1) return this.#appendAssets(lovelace, usualAssets(value))
    this.#beginValue(lovelace, policies)
    return policies === 0 || this.#appendPolicy(policy, value[policy])
  }

  /**
   * Appends the only policy of a value; {@link usualNames} sorts its asset names if there are several. Returns false
   * when a part is not of the usual form.
   */
  #appendPolicy(policy: string, assets: unknown): boolean {
    if (!isPlainRecord(assets)) return false
    let only = ''
    let count = 0
    for (const name in assets) {
      if (!Object.hasOwn(assets, name)) return false
      only = name
      count++
    }
    if (count !== 1) {
      const names = usualNames(assets)
      return names !== null && this.#appendNames(policy, names)
    }
    const quantity = assets[only]
    if (!isQuantity(quantity) || quantity === 0) return false
    this.#reserve(MOST_POLICY + MOST_ASSET)
    return this.#beginPolicy(policy, 0, policy.length, 1) && this.#appendAsset(only, 0, quantity)
  }

  #appendAssets(lovelace: number, assets: UsualAssets | null): boolean {
    if (assets === null) return false
    this.#beginValue(lovelace, assets.length)
    return assets.every(([policy, names]) => this.#appendNames(policy, names))
  }

  #appendNames(policy: string, names: UsualAssets[number][1]): boolean {
    this.#reserve(MOST_POLICY + names.length * MOST_ASSET)
    return (
      this.#beginPolicy(policy, 0, policy.length, names.length) &&
      names.every(([name, quantity]) => this.#appendAsset(name, 0, quantity))
    )
  }

  /**
   * Appends amounts in the package's form: lovelace first, then units in ascending order, which is the order of their
   * bytes. Returns false for any other list.
   */
  #appendAmounts(amounts: unknown): boolean {
    if (!Array.isArray(amounts) || amounts.length === 0) return false
    const units: string[] = []
    const quantities: number[] = []
    for (const entry of amounts as unknown[]) {
      if (!isPlainRecord(entry)) return false
      const { unit, quantity } = entry
      const exact = usualQuantity(quantity)
      if (typeof unit !== 'string' || exact < 0) return false
      const at = units.push(unit) - 1
      quantities.push(exact)
      if (at === 0 ? unit !== LOVELACE : exact === 0 || (at > 1 && unit <= units[at - 1]!)) return false
    }
    return this.#appendUnits(units, quantities)
  }

  #appendUnits(units: readonly string[], quantities: readonly number[]): boolean {
    let policies = 0
    for (let at = 1; at < units.length; at++) if (at === 1 || !isSamePolicy(units[at]!, units[at - 1]!)) policies++
    this.#beginValue(quantities[0]!, policies)
    for (let at = 1; at < units.length;) {
      let end = at + 1
      while (end < units.length && isSamePolicy(units[end]!, units[at]!)) end++
      this.#reserve(MOST_POLICY + (end - at) * MOST_ASSET)
      if (!this.#beginPolicy(units[at]!, 0, POLICY_CHARACTERS, end - at)) return false
      for (; at < end; at++) if (!this.#appendAsset(units[at]!, POLICY_CHARACTERS, quantities[at]!)) return false
    }
    return true
  }

  /** Appends the beginning of a value, its lovelace and number of policies, to room that is reserved. */
  #beginValue(lovelace: number, policies: number): void {
    this.#head(0xa0, 1 + policies)
    const buffer = this.#buffer
    buffer[this.#length++] = 0x40
    buffer[this.#length++] = 0xa1
    buffer[this.#length++] = 0x40
    this.#head(0x00, lovelace)
  }

  /** Appends a policy id and its number of names to room that is reserved. Returns false for an invalid policy id. */
  #beginPolicy(text: string, from: number, to: number, names: number): boolean {
    if (to - from !== POLICY_CHARACTERS || text.length < to) return false
    this.#buffer[this.#length++] = 0x58
    this.#buffer[this.#length++] = POLICY_CHARACTERS / 2
    if (!this.#hex(text, from, to)) return false
    this.#head(0xa0, names)
    return true
  }

  /** Appends an asset name and its quantity to room that is reserved. Returns false for an invalid name. */
  #appendAsset(text: string, from: number, quantity: number): boolean {
    const digits = text.length - from
    if (digits > MAX_NAME_CHARACTERS || digits % 2 !== 0) return false
    this.#head(0x40, digits >> 1)
    if (!this.#hex(text, from, text.length)) return false
    this.#head(0x00, quantity)
    return true
  }

  /** Appends a CBOR head to room that is reserved. */
  #head(type: number, argument: number): void {
    this.#length = writeHead(this.#buffer, this.#length, type, argument)
  }

  /** Appends an even part of a text as bytes to room that is reserved. Returns false if it is not lower-case hex. */
  #hex(text: string, from: number, to: number): boolean {
    const isHex = writeHex(this.#buffer, this.#length, text, from, to)
    this.#length += (to - from) >> 1
    return isHex
  }

  /** Appends bytes to room that is reserved. */
  #raw(bytes: Uint8Array): void {
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #reserve(extra: number): void {
    if (this.#length + extra <= this.#buffer.length) return
    this.#buffer = grown(this.#buffer, 2 * (this.#length + extra))
  }
}
