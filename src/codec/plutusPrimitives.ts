import { CborReader } from './cbor/reader.js'
import type { CborWriter } from './cbor/writer.js'
import { bytesToHex, hexToBytes } from './hex.js'
import { integerToHex } from './integer.js'

// plutus-core's Data.hs: no byte string, nor a chunk of one, is longer.
const CHUNK_BYTES = 64

/** Largest integer that CBOR encodes without a bignum (tags 2 and 3). */
export const MAX_UINT64: bigint = 2n ** 64n - 1n

/** Returns the bytes as a big-endian number; 0 for no bytes. */
export function bytesToBigInt(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`)
}

/** Writes an integer of any size; beyond 64 bits as a bignum, in chunks of 64 bytes. */
export function writeInteger(writer: CborWriter, value: bigint): void {
  const magnitude = value < 0n ? -1n - value : value
  if (magnitude <= MAX_UINT64) {
    writer.int(value)
    return
  }
  writeChunked(writer.tag(value < 0n ? 3 : 2), hexToBytes(integerToHex(magnitude)))
}

/** Writes a byte string, in chunks of 64 bytes when it is longer. */
export function writeChunked(writer: CborWriter, bytes: Uint8Array): void {
  if (bytes.length <= CHUNK_BYTES) {
    writer.bytes(bytes)
    return
  }
  writer.bytesIndefinite()
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) writer.bytes(bytes.subarray(at, at + CHUNK_BYTES))
  writer.break()
}

/** Reads a byte string; refuses one that has, or is a chunk with, more than 64 bytes in one piece. */
export function readChunked(reader: CborReader): Uint8Array {
  const start = reader.offset
  const isChunked = reader.peekByte() === 0x5f
  const bytes = reader.readBytes()
  const assertLength = (length: number, at: number): void => {
    if (length > CHUNK_BYTES) reader.fail(`chunks of at most ${CHUNK_BYTES} bytes`, `${length} bytes`, at)
  }
  if (!isChunked) {
    assertLength(bytes.length, start)
    return bytes
  }
  // The reader has joined the chunks; a second walk bounds each one.
  const chunks = new CborReader(reader.bytes, 'PlutusData', start + 1, reader.offset - 1)
  while (!chunks.done) {
    const at = chunks.offset
    assertLength(chunks.readBytes().length, at)
  }
  return bytes
}
