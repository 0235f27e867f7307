import { InvalidArgumentError } from '../errors/input.js'
import { blake2b256 } from '../hash/blake2b.js'
import { readBool, readOptionalNull } from './cbor/optional.js'
import type { Span } from './cbor/reader.js'
import { CborReader, MAJOR } from './cbor/reader.js'
import { bytesToHex, hexToBytes } from './hex.js'

/** A transaction's bytes and the byte ranges of its parts. The parts are not decoded, so that no byte changes. */
export interface TransactionSpans {
  readonly bytes: Uint8Array
  readonly body: Span
  readonly witnessSet: Span
  /** Null before Alonzo, whose transactions have three parts. */
  readonly isValid: Span | null
  /** Null when the transaction carries none. */
  readonly auxiliaryData: Span | null
}

/** Returns a transaction's CBOR, hex or bytes, as bytes. */
export function toTransactionBytes(transaction: string | Uint8Array): Uint8Array {
  if (transaction instanceof Uint8Array) return transaction
  if (typeof transaction !== 'string') throw new InvalidArgumentError('transaction', 'CBOR as hex', transaction)
  return hexToBytes(transaction, 'The transaction')
}

/**
 * Finds the parts of a transaction of any era from Shelley on: `[body, witness set, auxiliary data]`, or with `isValid`
 * before the last.
 *
 * @throws {@link InvalidCborError} when the bytes are not one whole transaction, or further bytes follow it.
 */
export function readTransaction(bytes: Uint8Array): TransactionSpans {
  const reader = new CborReader(bytes, 'The transaction')
  const count = reader.readArrayHeader()
  if (count >= 0 && count !== 3 && count !== 4) reader.fail('an array of 3 or 4 items', `${count} items`, 0)
  const body = skipMap(reader)
  const witnessSet = skipMap(reader)
  const isValid =
    count === 4 || (count < 0 && reader.peekMajor() === MAJOR.SIMPLE && !readOptionalNull(reader))
      ? skipBool(reader)
      : null
  // In an indefinite array of three a null auxiliary data has just been read.
  const auxiliaryData = count < 0 && reader.isBreak() ? null : readOptionalNull(reader) ? null : reader.skip()
  if (count < 0) reader.readBreak()
  reader.finish()
  return { bytes, body, witnessSet, isValid, auxiliaryData }
}

/** Returns a transaction's id: blake2b-256 of the original bytes of its body, hex. */
export function transactionId({ bytes, body }: Pick<TransactionSpans, 'bytes' | 'body'>): string {
  return bytesToHex(transactionHash({ bytes, body }))
}

/** Returns a transaction's id as bytes, which are the message that its witnesses sign. */
export function transactionHash({ bytes, body }: Pick<TransactionSpans, 'bytes' | 'body'>): Uint8Array {
  return blake2b256(bytes.subarray(body.start, body.end))
}

/**
 * Checks that `txId` is the id of a transaction, and returns it in lower case. With a wrong id, a caller would wait for
 * a different transaction.
 *
 * @throws {@link InvalidArgumentError} on a wrong id. @throws {@link InvalidHexError} {@link InvalidCborError} on bytes
 * that are not a transaction.
 */
export function assertTransactionId(cborHex: string, txId: string, what = 'txId'): string {
  const id = transactionId(readTransaction(toTransactionBytes(cborHex)))
  if (txId.toLowerCase() === id) return id
  throw new InvalidArgumentError(what, "the transaction's own id: blake2b-256 of its body, 64 hexadecimal digits", txId)
}

function skipMap(reader: CborReader): Span {
  if (reader.peekMajor() !== MAJOR.MAP) reader.fail('a map', 'another item')
  return reader.skip()
}

function skipBool(reader: CborReader): Span {
  const start = reader.offset
  readBool(reader)
  return { start, end: reader.offset }
}
