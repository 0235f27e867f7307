import { addressToString, parseAddress } from '../../../codec/address.js'
import { CborReader } from '../../../codec/cbor/reader.js'
import { CborWriter } from '../../../codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../../../codec/hex.js'
import { parseJson } from '../../../codec/json.js'
import { decodeTxOutput, encodeTxOutput } from '../../../codec/txOutput.js'
import { encodeValue, valueFromAmounts, valueToAmounts } from '../../../codec/value.js'
import type { Amount, ScriptLanguage, TxOutput } from '../../../types/utxo.js'
import { isObject } from '../../json/isObject.js'
import { txOutJson } from '../../json/txOutJson.js'
import type { Shape } from './shapes.js'
import { mismatch, narrow } from './shapes.js'

const PICOS = 1_000_000_000_000n
const DAY_MS = 86_400_000

/** A transaction: its CBOR in a byte string; JSON has the text envelope. */
export const transaction: Shape = {
  write: (writer, value) =>
    void writer.bytes(
      hexToBytes(
        isObject(value) && typeof value['cborHex'] === 'string' ? value['cborHex'] : mismatch('a transaction', value)
      )
    ),
  read: (reader) => ({ cborHex: bytesToHex(reader.readBytes()) })
}

/** UTCTime: `[year, day of the year, picoseconds of the day]`. */
export const utcTimeValue: Shape = {
  write(writer, value) {
    const match =
      typeof value === 'string' ? /^(\d{4,})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?Z$/.exec(value) : null
    if (match === null) mismatch('a time', value)
    const [, year, month, day, hour, minute, second, fraction = ''] = match!
    const dayOfYear =
      (Date.UTC(Number(year), Number(month) - 1, Number(day)) - Date.UTC(Number(year), 0, 1)) / DAY_MS + 1
    const seconds = BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second))
    writer
      .array(3)
      .uint(BigInt(year!))
      .uint(dayOfYear)
      .uint(seconds * PICOS + BigInt(fraction.padEnd(12, '0')))
  },
  read(reader) {
    const parts: bigint[] = []
    reader.eachItem(() => parts.push(reader.readUint()))
    const [year = 0n, day = 0n, picos = 0n] = parts
    const date = new Date(Date.UTC(Number(year), 0, Number(day))).toISOString().slice(0, 10)
    const clock = new Date(Number(picos / PICOS) * 1000).toISOString().slice(11, 19)
    const fraction = String(picos % PICOS)
      .padStart(12, '0')
      .replace(/0+$/, '')
    return `${date}T${clock}${fraction === '' ? '' : `.${fraction}`}Z`
  }
}

/** NominalDiffTime: picoseconds; JSON has seconds. */
export const duration: Shape = {
  write(writer, value) {
    const seconds = typeof value === 'number' && Number.isFinite(value) ? value : mismatch('seconds', value)
    writer.int(BigInt(Math.round(seconds * Number(PICOS))))
  },
  read: (reader) => Number(reader.readInt()) / Number(PICOS)
}

/** An address of Byron; JSON has it in base58. */
export const byronAddress: Shape = {
  write: (writer, value) =>
    void writer.bytes(parseAddress(typeof value === 'string' ? value : mismatch('an address', value)).bytes),
  read: (reader) => addressToString(reader.readBytes())
}

/** A UTxO: the ledger's map of inputs and outputs, in the order of the inputs; JSON has it keyed `txHash#index`. */
export const utxo: Shape = {
  write(writer, value) {
    const entries = Object.entries(isObject(value) ? value : mismatch('a UTxO', value)).map(([ref, output]) => {
      const [id = '', index = ''] = ref.split('#')
      return { id, index: Number(index), output: outputBytes(outputOf(output)) }
    })
    entries.sort((a, b) => (a.id === b.id ? a.index - b.index : a.id < b.id ? -1 : 1))
    // The ledger's library writes long maps without a length.
    const isShort = entries.length <= 23
    if (isShort) writer.map(entries.length)
    else writer.mapIndefinite()
    for (const { id, index, output } of entries) writer.array(2).bytes(hexToBytes(id)).uint(index).raw(output)
    if (!isShort) writer.break()
  },
  read(reader) {
    const entries: [string, unknown][] = []
    reader.eachEntry(() => {
      const input: string[] = []
      reader.eachItem((i) => input.push(i === 0 ? bytesToHex(reader.readBytes()) : String(reader.readUint())))
      const output = reader.skip()
      entries.push([input.join('#'), parseJson(txOutJson(decodeTxOutput(new CborReader(reader.slice(output)))))])
    })
    return Object.fromEntries(entries)
  }
}

/** An output as the ledger's library writes it: a list, or a map where it has an inline datum or a script. */
function outputBytes(output: TxOutput): Uint8Array {
  const { address, amount, datumHash, inlineDatum, scriptRef } = output
  if (inlineDatum !== undefined || scriptRef !== undefined) return encodeTxOutput(output)
  const writer = new CborWriter().array(datumHash === undefined ? 2 : 3).bytes(parseAddress(address).bytes)
  encodeValue(writer, valueFromAmounts(amount))
  if (datumHash !== undefined) writer.bytes(hexToBytes(datumHash))
  return writer.toBytes()
}

/** An output of its JSON, to the byte: with its datum as it stands, and its script. */
function outputOf(json: unknown): TxOutput {
  if (!isObject(json) || typeof json['address'] !== 'string' || !isObject(json['value']))
    return mismatch('an output', json)
  const { address, value, datumhash, inlineDatumRaw, referenceScript } = json
  const amounts: Amount[] = []
  for (const [policy, quantity] of Object.entries(value as Record<string, unknown>)) {
    if (!isObject(quantity)) amounts.push({ unit: policy, quantity: String(quantity) })
    else
      for (const [name, amount] of Object.entries(quantity))
        amounts.push({ unit: policy + name, quantity: String(amount) })
  }
  const output: TxOutput = { address: address as string, amount: valueToAmounts(valueFromAmounts(amounts)) }
  if (typeof inlineDatumRaw === 'string') output.inlineDatum = inlineDatumRaw
  else if (typeof datumhash === 'string') output.datumHash = datumhash
  const script = isObject(referenceScript) ? referenceScript['script'] : undefined
  if (isObject(script)) {
    const type = String(script['type'])
    const language = (type === 'SimpleScript' ? 'native' : type.replace('PlutusScript', 'Plutus')) as ScriptLanguage
    output.scriptRef = { language, cborHex: String(script['cborHex']) }
  }
  return output
}

/** JSON as CBOR: integers exactly, other numbers as doubles. @see cborg-json, Codec.CBOR.JSON */
export const json: Shape = {
  write(writer, value) {
    if (value === null || value === undefined) writer.null()
    else if (typeof value === 'string') writer.text(value)
    else if (typeof value === 'boolean') writer.bool(value)
    else if (typeof value === 'bigint' || Number.isInteger(value)) writer.int(value as number | bigint)
    else if (typeof value === 'number') writer.raw(doubleOf(value))
    else if (Array.isArray(value)) {
      writer.array(value.length)
      for (const each of value as unknown[]) json.write(writer, each)
    } else {
      const entries = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1))
      writer.map(entries.length)
      for (const [name, each] of entries) json.write(writer.text(name), each)
    }
  },
  read: (reader) => narrow(reader.readInt())
}

function doubleOf(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(9))
  view.setUint8(0, 0xfb)
  view.setFloat64(1, value)
  return new Uint8Array(view.buffer)
}
