import { readOptionalTag } from '../../codec/cbor/optional.js'
import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import type { PlutusLanguage } from '../../codec/costModels.js'
import { bytesToHex } from '../../codec/hex.js'
import { nativeScriptHash } from '../../codec/nativeScript.js'
import { REDEEMER_TAGS } from '../../codec/redeemer.js'
import type { RedeemerTag } from '../../codec/redeemer.js'
import { plutusHash } from '../../codec/scriptHash.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import { TAG_SET } from '../../codec/transactionBody.js'
import { readNativeScripts, readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { ScriptRef } from '../../types/utxo.js'

/** A redeemer with the units that it declares. */
export interface DeclaredRedeemer {
  readonly tag: RedeemerTag
  readonly index: number
  readonly mem: bigint
  readonly cpu: bigint
}

/** The witnesses of a transaction that concern scripts. */
export interface WitnessScripts {
  /** Languages of the scripts by hash. */
  readonly scripts: ReadonlyMap<string, ScriptRef['language']>
  /** Hashes of the datums. */
  readonly datums: ReadonlySet<string>
  /** In the order of the witness set. */
  readonly redeemers: readonly DeclaredRedeemer[]
}

const PLUTUS_KEYS: readonly (readonly [number, PlutusLanguage])[] = [
  [WITNESS_KEY.PLUTUS_V1, 'PlutusV1'],
  [WITNESS_KEY.PLUTUS_V2, 'PlutusV2'],
  [WITNESS_KEY.PLUTUS_V3, 'PlutusV3']
]

/** Reads the scripts, datums and redeemers of a witness set. @throws {@link InvalidCborError} */
export function readWitnessScripts(spans: TransactionSpans): WitnessScripts {
  const entries = readWitnessEntries(spans)
  const readerOf = (key: number): CborReader | undefined => {
    const span = entries.get(key)
    return span && new CborReader(spans.bytes, 'The witness set', span.start, span.end)
  }
  const scripts = new Map<string, ScriptRef['language']>()
  for (const { start, end } of readNativeScripts(spans))
    scripts.set(nativeScriptHash(spans.bytes.subarray(start, end)), 'native')
  for (const [key, language] of PLUTUS_KEYS)
    eachOfSet(readerOf(key), (reader) => scripts.set(plutusHash(language, reader.readBytes()), language))
  const datums = new Set<string>()
  eachOfSet(readerOf(WITNESS_KEY.DATA), (reader) => datums.add(bytesToHex(blake2b256(reader.slice(reader.skip())))))
  return { scripts, datums, redeemers: readRedeemers(readerOf(WITNESS_KEY.REDEEMERS)) }
}

function eachOfSet(reader: CborReader | undefined, read: (reader: CborReader) => void): void {
  if (reader === undefined) return
  readOptionalTag(reader, TAG_SET)
  reader.eachItem(() => read(reader))
}

/** Reads redeemers in both forms: `[+ [tag, index, data, ex_units]]`, and the map of Conway. */
function readRedeemers(reader: CborReader | undefined): DeclaredRedeemer[] {
  const redeemers: DeclaredRedeemer[] = []
  if (reader === undefined) return redeemers
  const isMap = reader.peekMajor() === MAJOR.MAP
  const readOne = (): void => {
    const pointer = isMap ? inArray(reader, () => readPointer(reader)) : readPointer(reader)
    const readRest = (): DeclaredRedeemer => {
      reader.skip()
      return { ...pointer, ...inArray(reader, () => ({ mem: reader.readUint(), cpu: reader.readUint() })) }
    }
    redeemers.push(isMap ? inArray(reader, readRest) : readRest())
  }
  if (isMap) reader.eachEntry(readOne)
  else reader.eachItem(() => inArray(reader, readOne))
  return redeemers
}

function readPointer(reader: CborReader): Pick<DeclaredRedeemer, 'tag' | 'index'> {
  const start = reader.offset
  const tag = REDEEMER_TAGS[reader.readSafeUint()]
  if (tag === undefined) return reader.fail('a redeemer tag from 0 to 5', 'another tag', start)
  return { tag, index: reader.readSafeUint() }
}

/** Reads the items of an array of either form; the items decide how many there are. */
function inArray<T>(reader: CborReader, read: () => T): T {
  const count = reader.readArrayHeader()
  const result = read()
  if (count < 0) reader.readBreak()
  return result
}
