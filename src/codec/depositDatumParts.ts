import { CborReader, MAJOR } from './cbor/reader.js'
import { CborWriter } from './cbor/writer.js'
import { bytesToHex, hexToBytes } from './hex.js'

/** Content of a deposit's datum. Its outputs stay encoded as Plutus data. */
export interface DepositDatumParts {
  /** Hex, 56 characters. */
  readonly headId: string
  /** Time from which the owner can recover the deposit: ms since the Unix epoch. */
  readonly deadlineMs: bigint
  /**
   * Outputs that enter the head: each reference (`txHash#index`) with its output as Plutus data, CBOR hex in the form
   * of {@link plainForm}.
   */
  readonly deposited: readonly (readonly [ref: string, output: string])[]
}

/** CBOR tag of `Constr 0`. */
const CONSTR_TAG = 121
const HEAD_ID_BYTES = 28
const TX_ID_BYTES = 32
/** Maximum nesting, far more than real outputs have. It keeps the recursion from overflowing the stack. */
const MAX_DEPTH = 256

/** Reads the datum of a deposit (`inlineDatum`: CBOR hex). Returns null for any other datum, also for invalid CBOR. */
export function depositDatumParts(inlineDatum: string): DepositDatumParts | null {
  try {
    const reader = new CborReader(hexToBytes(inlineDatum, 'inlineDatum'), 'The datum of a deposit')
    const datum = readConstr(reader, () => {
      const headId = readSized(reader, HEAD_ID_BYTES)
      const deadlineMs = reader.readUint()
      const deposited: (readonly [string, string])[] = []
      reader.eachItem(() => deposited.push(readDeposited(reader)))
      return { headId, deadlineMs, deposited }
    })
    reader.finish()
    return datum
  } catch {
    // Another contract's datum.
    return null
  }
}

/**
 * Encodes Plutus data or a metadatum again in one fixed form, so that equal values can be compared as CBOR hex however
 * they were encoded: strings in one piece, lists and maps of definite length.
 */
export function plainForm(cbor: Uint8Array): string {
  const reader = new CborReader(cbor, 'The data')
  const writer = new CborWriter()
  copyPlain(reader, writer, 0)
  reader.finish()
  return bytesToHex(writer.toBytes())
}

function readDeposited(reader: CborReader): readonly [string, string] {
  return readConstr(reader, () => {
    const ref = readConstr(reader, () => `${readSized(reader, TX_ID_BYTES)}#${reader.readSafeUint()}`)
    return [ref, plainForm(reader.readBytes())] as const
  })
}

function readConstr<T>(reader: CborReader, read: () => T): T {
  if (reader.readTag() !== CONSTR_TAG) reader.fail('Constr 0', 'another tag')
  const count = reader.readArrayHeader()
  const start = reader.offset
  const value = read()
  if (count < 0) reader.readBreak()
  else if (count !== countItems(reader, start)) reader.fail('no further fields', 'some')
  return value
}

function countItems(reader: CborReader, start: number): number {
  const end = reader.offset
  let count = 0
  for (reader.offset = start; reader.offset < end; count++) reader.skip()
  return count
}

function readSized(reader: CborReader, length: number): string {
  const bytes = reader.readBytes()
  if (bytes.length !== length) reader.fail(`${length} bytes`, `${bytes.length}`)
  return bytesToHex(bytes)
}

function copyPlain(reader: CborReader, writer: CborWriter, depth: number): void {
  if (depth > MAX_DEPTH) reader.fail('shallower data', 'deeper data')
  switch (reader.peekMajor()) {
    case MAJOR.UINT:
    case MAJOR.NEGATIVE:
      return void writer.int(reader.readInt())
    case MAJOR.BYTES:
      return void writer.bytes(reader.readBytes())
    case MAJOR.TEXT:
      return void writer.text(reader.readText())
    case MAJOR.TAG:
      writer.tag(reader.readTag())
      return copyPlain(reader, writer, depth + 1)
    case MAJOR.ARRAY: {
      const inner = new CborWriter()
      let count = 0
      reader.eachItem(() => {
        copyPlain(reader, inner, depth + 1)
        count++
      })
      return void writer.array(count).raw(inner.toBytes())
    }
    case MAJOR.MAP: {
      const inner = new CborWriter()
      let count = 0
      reader.eachEntry(() => {
        copyPlain(reader, inner, depth + 1)
        copyPlain(reader, inner, depth + 1)
        count++
      })
      return void writer.map(count).raw(inner.toBytes())
    }
    default:
      return reader.fail('Plutus data or a metadatum', 'another item')
  }
}
