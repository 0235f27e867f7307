import { CborWriter } from '../../codec/cbor/writer.js'

/** Encodes inputs and their outputs, each already CBOR, as one CBOR map. */
export function utxoMap(pairs: readonly (readonly [input: Uint8Array, output: Uint8Array])[]): Uint8Array {
  const writer = new CborWriter().map(pairs.length)
  for (const [input, output] of pairs) writer.raw(input).raw(output)
  return writer.toBytes()
}
