import type { TxInput } from '../types/utxo.js'
import { readOptionalTag } from './cbor/optional.js'
import type { Span } from './cbor/reader.js'
import { CborReader } from './cbor/reader.js'
import { bytesToHex } from './hex.js'
import type { TransactionSpans } from './transaction.js'

/** Keys of a transaction body (Conway CDDL, `transaction_body`). */
export const BODY_KEY = {
  INPUTS: 0,
  OUTPUTS: 1,
  FEE: 2,
  TTL: 3,
  CERTIFICATES: 4,
  WITHDRAWALS: 5,
  AUXILIARY_DATA_HASH: 7,
  VALIDITY_START: 8,
  MINT: 9,
  SCRIPT_DATA_HASH: 11,
  COLLATERAL: 13,
  REQUIRED_SIGNERS: 14,
  NETWORK_ID: 15,
  COLLATERAL_RETURN: 16,
  TOTAL_COLLATERAL: 17,
  REFERENCE_INPUTS: 18,
  VOTING_PROCEDURES: 19,
  PROPOSAL_PROCEDURES: 20,
  TREASURY: 21,
  DONATION: 22
} as const

/** CBOR tag of sets (Conway CDDL, `set`). */
export const TAG_SET = 258

/** A withdrawal of rewards. */
export interface BodyWithdrawal {
  /** Bytes of the reward address. */
  readonly address: Uint8Array
  /** Lovelace. */
  readonly amount: bigint
}

/** The parts of a transaction body that signing needs. Each getter decodes its part when it is called. */
export class BodyEntries {
  readonly #bytes: Uint8Array
  /** Byte range of each value in the body, by key. */
  readonly entries: ReadonlyMap<number, Span>

  /** @throws {@link InvalidCborError} on a key that occurs twice. */
  constructor({ bytes, body }: Pick<TransactionSpans, 'bytes' | 'body'>) {
    this.#bytes = bytes
    this.entries = readEntries(new CborReader(bytes, 'The transaction body', body.start, body.end))
  }

  get inputs(): TxInput[] {
    return this.items(BODY_KEY.INPUTS, readInput)
  }

  get certificates(): Span[] {
    return this.items(BODY_KEY.CERTIFICATES, (reader) => reader.skip())
  }

  get withdrawals(): BodyWithdrawal[] {
    const withdrawals: BodyWithdrawal[] = []
    const reader = this.reader(BODY_KEY.WITHDRAWALS)
    reader?.eachEntry(() => withdrawals.push({ address: reader.readBytes(), amount: reader.readUint() }))
    return withdrawals
  }

  /** True when any of the body's sets is written with tag 258. */
  get usesSetTag(): boolean {
    const setKeys = [
      BODY_KEY.INPUTS,
      BODY_KEY.CERTIFICATES,
      BODY_KEY.COLLATERAL,
      BODY_KEY.REQUIRED_SIGNERS,
      BODY_KEY.REFERENCE_INPUTS,
      BODY_KEY.PROPOSAL_PROCEDURES
    ]
    return setKeys.some((key) => {
      const reader = this.reader(key)
      return reader !== undefined && readOptionalTag(reader, TAG_SET)
    })
  }

  /** Returns a reader of the value of a key; undefined when the body does not have the key. */
  protected reader(key: number): CborReader | undefined {
    const span = this.entries.get(key)
    return span && new CborReader(this.#bytes, 'The transaction body', span.start, span.end)
  }

  /** Reads the items of an array or set; returns an empty list when the body does not have the key. */
  protected items<T>(key: number, read: (reader: CborReader) => T): T[] {
    const items: T[] = []
    const reader = this.reader(key)
    if (reader === undefined) return items
    readOptionalTag(reader, TAG_SET)
    reader.eachItem(() => items.push(read(reader)))
    return items
  }
}

/** Reads a map with integer keys, and returns the byte range of each value by key. Rejects a repeated key. */
export function readEntries(reader: CborReader): Map<number, Span> {
  const entries = new Map<number, Span>()
  reader.eachEntry(() => {
    const start = reader.offset
    const key = reader.readSafeUint()
    if (entries.has(key)) reader.fail('each key once', `key ${key} again`, start)
    entries.set(key, reader.skip())
  })
  return entries
}

/** Reads an input: `[transaction id, index]`. */
export function readInput(reader: CborReader): TxInput {
  const count = reader.readArrayHeader()
  if (count >= 0 && count !== 2) reader.fail('[transaction id, index]', `${count} items`)
  const input = { txHash: bytesToHex(readSized(reader, 32)), index: reader.readSafeUint() }
  if (count < 0) reader.readBreak()
  return input
}

/** Reads a byte string, which must have the given length. */
export function readSized(reader: CborReader, length: number): Uint8Array {
  const start = reader.offset
  const bytes = reader.readBytes()
  if (bytes.length !== length) reader.fail(`${length} bytes`, `${bytes.length} bytes`, start)
  return bytes
}
