import { integerToHex } from '../../codec/integer.js'
import { isHex } from '../../codec/isHex.js'
import { isRecord, getOwn, protocolError } from './wireRecord.js'

/** plutus-core, Data.hs: no byte string, nor a chunk of one, is longer. In hex digits. */
const CHUNK_DIGITS = 2 * 64
const MAX_UINT64 = 2n ** 64n - 1n
const BREAK = 'ff'

// CBOR's major types (RFC 8949, 3.1).
const [UINT, NEGATIVE, BYTES, ARRAY, MAP, TAG] = [0, 1, 2, 4, 5, 6] as const

/**
 * CBOR, in hex, of an inline datum given in the detailed schema, encoded as the ledger's own library does. Only for outputs of nodes that
 * send no raw form: the datum on chain may be encoded in another way, and then have another hash.
 *
 * The datum comes in hex and leaves in hex, so it is put together as text.
 *
 * @throws {@link ProtocolError} when it is not of the schema.
 */
export function datumCbor(json: unknown): string {
  const data = isRecord(json) ? json : protocolError('An inline datum', 'an object', json)
  const [int, bytes, list, map, index, fields] = ['int', 'bytes', 'list', 'map', 'constructor', 'fields'].map((name) => getOwn(data, name))
  if (typeof int === 'bigint' || Number.isSafeInteger(int)) return integer(BigInt(int as bigint))
  if (typeof bytes === 'string' && isHex(bytes)) return byteString(bytes.toLowerCase())
  if (Array.isArray(list)) return items(list)
  if (Array.isArray(map)) return head(MAP, BigInt(map.length)) + map.map(pair).join('')
  if (Number.isSafeInteger(index) && (index as number) >= 0 && Array.isArray(fields)) return constructorTag(index as number) + items(fields)
  return protocolError('An inline datum', 'int, bytes in hex, list, map, or constructor from 0 on and fields', json)
}

function pair(json: unknown): string {
  const { k, v } = isRecord(json) ? json : protocolError('A pair of a datum', 'an object', json)
  return datumCbor(k) + datumCbor(v)
}

/** Lists are of indefinite length, but for the empty one. */
const items = (list: unknown[]): string => (list.length === 0 ? head(ARRAY, 0n) : `9f${list.map(datumCbor).join('')}${BREAK}`)

/** Constructors 0 to 6 have tags from 121, 7 to 127 from 1280; others carry their number. */
function constructorTag(index: number): string {
  if (index < 7) return head(TAG, BigInt(121 + index))
  if (index < 128) return head(TAG, BigInt(1280 + index - 7))
  return head(TAG, 102n) + head(ARRAY, 2n) + head(UINT, BigInt(index))
}

function byteString(hex: string): string {
  if (hex.length <= CHUNK_DIGITS) return head(BYTES, BigInt(hex.length / 2)) + hex
  const chunks = Array.from({ length: Math.ceil(hex.length / CHUNK_DIGITS) }, (_, i) => hex.slice(i * CHUNK_DIGITS, (i + 1) * CHUNK_DIGITS))
  return `5f${chunks.map(byteString).join('')}${BREAK}`
}

function integer(value: bigint): string {
  const magnitude = value < 0n ? -1n - value : value
  if (magnitude <= MAX_UINT64) return head(value < 0n ? NEGATIVE : UINT, magnitude)
  return head(TAG, value < 0n ? 3n : 2n) + byteString(integerToHex(magnitude))
}

/** The shortest head of an item: its type and its argument, in hex. */
function head(major: number, argument: bigint): string {
  const type = BigInt(major << 5)
  if (argument < 24n) return (type | argument).toString(16).padStart(2, '0')
  const size = argument < 0x100n ? 0 : argument < 0x10000n ? 1 : argument < 0x100000000n ? 2 : 3
  return (type | BigInt(24 + size)).toString(16) + argument.toString(16).padStart(2 << size, '0')
}
