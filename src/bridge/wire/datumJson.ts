import { CborWriter } from '../../codec/cbor/writer.js'
import { hexToBytes } from '../../codec/hex.js'
import { isLayerError } from '../../errors/base.js'
import { ProtocolError } from '../../errors/bridge.js'
import { isRecord, own, refuse } from './check.js'

/** plutus-core, Data.hs: no byte string, nor a chunk of one, is longer. */
const CHUNK_BYTES = 64
const MAX_UINT64 = 2n ** 64n - 1n

/**
 * CBOR of an inline datum given in the detailed schema, encoded as the ledger's own library does. Only for outputs of nodes that send no
 * raw form: the datum on chain may be encoded in another way, and then have another hash.
 */
export function datumCbor(json: unknown): string {
  const writer = new CborWriter()
  try {
    writeData(writer, json)
  } catch (cause) {
    throw isLayerError(cause, 'BRIDGE_PROTOCOL') ? cause : new ProtocolError('An inline datum', { cause })
  }
  return writer.toHex()
}

function writeData(writer: CborWriter, json: unknown): void {
  const data = isRecord(json) ? json : refuse('An inline datum', 'an object', json)
  const [int, bytes, list, map, index, fields] = ['int', 'bytes', 'list', 'map', 'constructor', 'fields'].map((name) => own(data, name))
  if (typeof int === 'bigint' || Number.isSafeInteger(int)) writeInteger(writer, BigInt(int as bigint))
  else if (typeof bytes === 'string') writeBytes(writer, hexToBytes(bytes, 'bytes of a datum'))
  else if (Array.isArray(list)) writeList(writer, list)
  else if (Array.isArray(map)) {
    writer.map(map.length)
    for (const pair of map as unknown[]) {
      const { k, v } = isRecord(pair) ? pair : refuse('A pair of a datum', 'an object', pair)
      writeData(writer, k)
      writeData(writer, v)
    }
  } else if (Number.isSafeInteger(index) && Array.isArray(fields)) {
    writeConstructor(writer, index as number)
    writeList(writer, fields)
  } else refuse('An inline datum', 'int, bytes, list, map, or constructor and fields', json)
}

/** Lists are of indefinite length, but for the empty one. */
function writeList(writer: CborWriter, items: unknown[]): void {
  if (items.length === 0) writer.array(0)
  else {
    writer.arrayIndefinite()
    for (const item of items) writeData(writer, item)
    writer.break()
  }
}

/** Constructors 0 to 6 have tags from 121, 7 to 127 from 1280; others carry their number. */
function writeConstructor(writer: CborWriter, index: number): void {
  if (index < 0) refuse('An inline datum', 'a constructor from 0 on', index)
  else if (index < 7) writer.tag(121 + index)
  else if (index < 128) writer.tag(1280 + index - 7)
  else writer.tag(102).array(2).uint(index)
}

function writeBytes(writer: CborWriter, bytes: Uint8Array): void {
  if (bytes.length <= CHUNK_BYTES) {
    writer.bytes(bytes)
    return
  }
  writer.bytesIndefinite()
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) writer.bytes(bytes.subarray(at, at + CHUNK_BYTES))
  writer.break()
}

function writeInteger(writer: CborWriter, integer: bigint): void {
  const magnitude = integer < 0n ? -1n - integer : integer
  if (magnitude <= MAX_UINT64) writer.int(integer)
  else {
    const hex = magnitude.toString(16)
    writer.tag(integer < 0n ? 3 : 2)
    writeBytes(writer, hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`))
  }
}
