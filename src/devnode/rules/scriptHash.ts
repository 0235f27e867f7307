import { CborReader } from '../../codec/cbor/reader.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { nativeScriptHash } from '../../codec/nativeScript.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { ScriptRef, TxOutput } from '../../types/utxo.js'
import { plutusHashOf } from './plutusScript.js'

/** The bytes that the ledger hashes: of a Plutus script those inside the byte string, of a native script all. */
export function scriptBytes({ language, cborHex }: ScriptRef): Uint8Array {
  const cbor = hexToBytes(cborHex)
  return language === 'native' ? cbor : new CborReader(cbor, 'The script').readBytes()
}

/** Hash of a script: hex, 56 characters. */
export function scriptHash(script: ScriptRef): string {
  const bytes = scriptBytes(script)
  return script.language === 'native' ? nativeScriptHash(bytes) : plutusHashOf({ language: script.language, bytes })
}

/** A Plutus script's bytes as the byte string that an output holds: CBOR hex. */
export function scriptCbor(bytes: Uint8Array): string {
  return bytesToHex(new CborWriter().bytes(bytes).toBytes())
}

// An output never changes, and those of a large ledger are read again and again.
const datumHashes = new WeakMap<TxOutput, string>()
const scriptHashes = new WeakMap<TxOutput, string>()

/** Hash of an output's datum, inline or not; null when it has none. */
export function datumHashOf(output: TxOutput): string | null {
  const { inlineDatum, datumHash } = output
  if (inlineDatum === undefined) return datumHash ?? null
  return remembered(datumHashes, output, () => bytesToHex(blake2b256(hexToBytes(inlineDatum))))
}

/** Hash of the script that an output carries; null when it carries none. */
export function scriptHashOf(output: TxOutput): string | null {
  const { scriptRef } = output
  return scriptRef === undefined ? null : remembered(scriptHashes, output, () => scriptHash(scriptRef))
}

function remembered(cache: WeakMap<TxOutput, string>, output: TxOutput, make: () => string): string {
  const found = cache.get(output) ?? make()
  cache.set(output, found)
  return found
}
