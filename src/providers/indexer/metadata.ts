import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { Metadatum } from '../../codec/metadatum.js'
import type { ResponseReader } from '../shared/ResponseReader.js'

/**
 * Reads the metadata of a transaction by label. Some services return the bare content of a label, others a map with the
 * label as its only key, as the chain's database stores it; both are read.
 */
export function readMetadata(value: unknown, read: ResponseReader): ReadonlyMap<bigint, string> {
  const found = new Map<bigint, string>()
  for (const entry of read.list(value, '')) {
    const { label, metadata } = read.object(entry, '')
    const text = read.quantity(label, 'label')
    const cbor = read.hex(metadata, 'metadata')
    found.set(BigInt(text), contentOf(cbor, BigInt(text), read))
  }
  return found
}

function contentOf(cbor: string, label: bigint, read: ResponseReader): string {
  try {
    Metadatum.fromCbor(cbor)
    const bytes = hexToBytes(cbor)
    const reader = new CborReader(bytes)
    const isMap = reader.peekMajor() === MAJOR.MAP && reader.readMapHeader() === 1
    if (!isMap || reader.peekMajor() !== MAJOR.UINT || reader.readUint() !== label) return cbor
    const { start, end } = reader.skip()
    return bytesToHex(bytes.subarray(start, end))
  } catch {
    return read.check<never>(false, 'metadata', 'a metadatum as CBOR', undefined as never)
  }
}
