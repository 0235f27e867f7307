import { readInput } from '../../codec/bodyEntries.js'
import { CborReader } from '../../codec/cbor/reader.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import { hexToBytes } from '../../codec/hex.js'
import { decodeTxOutput, encodeTxOutput } from '../../codec/txOutput.js'
import type { UTxO } from '../../types/utxo.js'

/** Decodes an unspent output `[input, output]` of CIP-30. */
export function decodeUtxo(bytes: Uint8Array): UTxO {
  const reader = new CborReader(bytes, 'The unspent output')
  const count = reader.readArrayHeader()
  if (count >= 0 && count !== 2) reader.fail('[input, output]', `${count} items`)
  const input = readInput(reader)
  const output = decodeTxOutput(reader)
  if (count < 0) reader.readBreak()
  reader.finish()
  return { input, output }
}

/** Encodes an unspent output as `[input, output]` of CIP-30. */
export function encodeUtxo({ input, output }: UTxO): string {
  const writer = new CborWriter()
    .array(2)
    .array(2)
    .bytes(hexToBytes(input.txHash, 'txHash', 32))
    .uint(input.index)
  return writer.raw(encodeTxOutput(output)).toHex()
}
