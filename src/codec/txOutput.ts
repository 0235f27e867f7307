import { described } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { ScriptLanguage, ScriptRef, TxOutput } from '../types/utxo.js'
import { addressToString, parseAddress } from './address.js'
import { CborReader, MAJOR } from './cbor/reader.js'
import { CborWriter } from './cbor/writer.js'
import { bytesToHex, hexToBytes } from './hex.js'
import { decodeValue, encodeValue, LOVELACE, valueFromAmounts, valueToAmounts } from './value.js'

/** Script languages in the order of their numbers in the Conway CDDL: `script = [0, native_script // 1, ...]`. */
const SCRIPT_LANGUAGES: readonly ScriptLanguage[] = ['native', 'PlutusV1', 'PlutusV2', 'PlutusV3']
const CBOR_TAG_ENCODED = 24
/** Bytes the ledger adds to each output for its entry in the UTxO set (Babbage, section "min UTxO"). */
const OUTPUT_OVERHEAD_BYTES = 160n

/** Reads an output in either form: `[address, value, ?datum hash]`, or a map of them (Babbage and later). */
export function decodeTxOutput(reader: CborReader): TxOutput {
  return reader.peekMajor() === MAJOR.ARRAY ? decodeArrayOutput(reader) : decodeMapOutput(reader)
}

/**
 * Writes an output in the map form, as the ledger's tools have done since Babbage.
 *
 * @throws {@link InvalidArgumentError} when an amount, datum or script is not well formed.
 */
export function encodeTxOutput(output: TxOutput): Uint8Array {
  const writer = new CborWriter()
  const value = valueFromAmounts(output.amount)
  const { datumHash, inlineDatum, scriptRef } = output
  if (datumHash !== undefined && inlineDatum !== undefined)
    throw new InvalidArgumentError('output', 'a datum hash or an inline datum', described('both'))
  const fields = 2 + (datumHash === undefined && inlineDatum === undefined ? 0 : 1) + (scriptRef === undefined ? 0 : 1)
  writer.map(fields).uint(0).bytes(parseAddress(output.address, 'output.address').bytes).uint(1)
  encodeValue(writer, value)
  if (datumHash !== undefined)
    writer
      .uint(2)
      .array(2)
      .uint(0)
      .bytes(hexToBytes(datumHash, 'datumHash', 32))
  if (inlineDatum !== undefined)
    writer.uint(2).array(2).uint(1).tag(CBOR_TAG_ENCODED).bytes(hexToBytes(inlineDatum, 'inlineDatum'))
  if (scriptRef !== undefined) writer.uint(3).tag(CBOR_TAG_ENCODED).bytes(encodeScriptRef(scriptRef))
  return writer.toBytes()
}

/**
 * Returns the least lovelace that an output must hold. The size of the output depends on its lovelace, so the amount is
 * raised until it covers its own size.
 *
 * @param coinsPerUtxoByte - lovelace per byte, from the protocol parameters.
 */
export function minLovelace(output: TxOutput, coinsPerUtxoByte: bigint): bigint {
  const value = valueFromAmounts(output.amount)
  for (;;) {
    const sizeBytes = encodeTxOutput({ ...output, amount: valueToAmounts(value) }).length
    const minimum = minLovelaceOfSize(sizeBytes, coinsPerUtxoByte)
    if (minimum <= (value.get(LOVELACE) ?? 0n)) return minimum
    value.set(LOVELACE, minimum)
  }
}

/** Returns the least lovelace of an output of `sizeBytes` bytes: (160 + size) x the price of a byte. */
export function minLovelaceOfSize(sizeBytes: number, coinsPerUtxoByte: bigint): bigint {
  return (OUTPUT_OVERHEAD_BYTES + BigInt(sizeBytes)) * coinsPerUtxoByte
}

function decodeArrayOutput(reader: CborReader): TxOutput {
  const count = reader.readArrayHeader()
  const address = addressToString(reader.readBytes())
  const output: TxOutput = { address, amount: valueToAmounts(decodeValue(reader)) }
  if (count === 3 || (count < 0 && !reader.isBreak())) output.datumHash = decodeHash(reader)
  else if (count !== 2 && count >= 0) reader.fail('[address, value, ?datum hash]', `${count} items`)
  if (count < 0) reader.readBreak()
  return output
}

function decodeMapOutput(reader: CborReader): TxOutput {
  const start = reader.offset
  const output: Partial<TxOutput> = {}
  const seen = new Set<number>()
  reader.eachEntry(() => {
    const key = reader.readSafeUint()
    if (seen.has(key)) reader.fail('each key once', `key ${key} again`)
    seen.add(key)
    switch (key) {
      case 0:
        output.address = addressToString(reader.readBytes())
        break
      case 1:
        output.amount = valueToAmounts(decodeValue(reader))
        break
      case 2:
        decodeDatum(reader, output)
        break
      case 3:
        output.scriptRef = decodeScriptRef(encodedCbor(reader))
        break
      default:
        reader.fail('key 0, 1, 2 or 3', `key ${key}`)
    }
  })
  if (output.address === undefined || output.amount === undefined)
    reader.fail('an output with address and value', 'one without', start)
  return output as TxOutput
}

function decodeDatum(reader: CborReader, output: Partial<TxOutput>): void {
  const count = reader.readArrayHeader()
  const kind = reader.readSafeUint()
  if (kind === 0) output.datumHash = decodeHash(reader)
  else if (kind === 1) output.inlineDatum = bytesToHex(encodedCbor(reader))
  else reader.fail('[0, hash] or [1, data]', `[${kind}, ...]`)
  if (count < 0) reader.readBreak()
  else if (count !== 2) reader.fail('2 items', `${count}`)
}

function decodeHash(reader: CborReader): string {
  const hash = reader.readBytes()
  if (hash.length !== 32) reader.fail('a hash of 32 bytes', `${hash.length} bytes`)
  return bytesToHex(hash)
}

function encodedCbor(reader: CborReader): Uint8Array {
  if (reader.readTag() !== CBOR_TAG_ENCODED) reader.fail('tag 24', 'another tag')
  return reader.readBytes()
}

function decodeScriptRef(bytes: Uint8Array): ScriptRef {
  const reader = new CborReader(bytes, 'The reference script')
  const count = reader.readArrayHeader()
  if (count >= 0 && count !== 2) reader.fail('[language, script]', `${count} items`)
  const language = SCRIPT_LANGUAGES[reader.readSafeUint()]
  if (language === undefined) return reader.fail('script language 0 to 3', 'another')
  const cborHex = bytesToHex(reader.slice(reader.skip()))
  if (count < 0) reader.readBreak()
  reader.finish()
  return { language, cborHex }
}

/** Encodes a reference script as `[language, script]`; the script's own CBOR is not changed. */
export function encodeScriptRef({ language, cborHex }: ScriptRef): Uint8Array {
  const number = SCRIPT_LANGUAGES.indexOf(language)
  if (number < 0) throw new InvalidArgumentError('scriptRef.language', SCRIPT_LANGUAGES.join(', '), language)
  return new CborWriter().array(2).uint(number).raw(hexToBytes(cborHex, 'scriptRef.cborHex')).toBytes()
}
