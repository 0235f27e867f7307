import { readOptionalTag } from '../../codec/cbor/optional.js'
import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import type { PlutusLanguage } from '../../codec/costModels.js'
import { PLUTUS_LANGUAGES } from '../../codec/costModels.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import type { NativeScript } from '../../codec/nativeScript.js'
import { nativeScriptFromBytes, nativeScriptHash } from '../../codec/nativeScript.js'
import { PlutusData } from '../../codec/plutusData.js'
import { REDEEMER_TAGS, type RedeemerTag } from '../../codec/redeemer.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import type { TransactionBody } from '../../codec/transactionBody.js'
import { TAG_SET } from '../../codec/transactionBody.js'
import { readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { ScriptRef } from '../../types/utxo.js'
import type { PlutusScript } from './plutusScript.js'
import { plutusHashOf } from './plutusScript.js'

/** Points at the subject of a script, with the units that it may use. */
export interface Redeemer {
  readonly tag: RedeemerTag
  readonly index: number
  /** Its argument: CBOR of Plutus data as it stands. */
  readonly data: Uint8Array
  readonly mem: bigint
  readonly cpu: bigint
}

/** The part of a transaction that is about Plutus scripts. */
export interface TxScripts {
  /** Scripts of the witness set by hash. */
  readonly plutus: ReadonlyMap<string, PlutusScript>
  /** Hashes of the datums of the witness set. */
  readonly datums: ReadonlySet<string>
  /** By {@link redeemerKey}, in the ledger's order. */
  readonly redeemers: ReadonlyMap<string, Redeemer>
  /** CBOR of datums and redeemers as they stand: hex. */
  readonly datumsCbor: string | undefined
  readonly redeemersCbor: string | undefined
  /** Hex, 64 characters. */
  readonly integrityHash: string | undefined
  /** True when the transaction has any of these parts. */
  readonly isUsed: boolean
}

/** A script that an output carries. */
export interface CarriedScript {
  /** Hex, 56 characters. */
  readonly hash: string
  /** Bytes that the ledger charges for. */
  readonly sizeBytes: number
  readonly script: { readonly native: NativeScript } | { readonly plutus: PlutusScript }
}

const PLUTUS_KEYS: readonly (readonly [number, PlutusLanguage])[] = [
  [WITNESS_KEY.PLUTUS_V1, 'PlutusV1'],
  [WITNESS_KEY.PLUTUS_V2, 'PlutusV2'],
  [WITNESS_KEY.PLUTUS_V3, 'PlutusV3']
]

/** Names a redeemer: `spend#0`. */
export const redeemerKey = ({ tag, index }: Pick<Redeemer, 'tag' | 'index'>): string => `${tag}#${index}`

/**
 * Reads the Plutus scripts, datums and redeemers of a transaction. @throws a codec error on bytes that the ledger's
 * decoder refuses.
 */
export function readTxScripts(spans: TransactionSpans, body: TransactionBody): TxScripts {
  const { bytes } = spans
  const witnesses = readWitnessEntries(spans)
  const readerOf = (key: number): CborReader | undefined => {
    const span = witnesses.get(key)
    return span && new CborReader(bytes, 'The witness set', span.start, span.end)
  }
  const cborOf = (key: number): string | undefined => {
    const span = witnesses.get(key)
    return span && bytesToHex(bytes.subarray(span.start, span.end))
  }
  const plutus = new Map<string, PlutusScript>()
  for (const [key, language] of PLUTUS_KEYS) {
    eachOfSet(readerOf(key), (reader) => {
      const script = { language, bytes: reader.readBytes() }
      const hash = plutusHashOf(script)
      // Unlike native scripts, keys and datums (TxWits.hs:745, scriptDecoderV9).
      if (plutus.has(hash)) reader.fail('each Plutus script once', `script ${hash} again`)
      plutus.set(hash, script)
    })
  }
  const datums = new Set<string>()
  eachOfSet(readerOf(WITNESS_KEY.DATA), (reader) => datums.add(bytesToHex(blake2b256(readData(reader)))))
  const redeemers = readRedeemers(readerOf(WITNESS_KEY.REDEEMERS))
  const integrityHash = body.scriptDataHash
  return {
    plutus,
    datums,
    redeemers,
    datumsCbor: cborOf(WITNESS_KEY.DATA),
    redeemersCbor: cborOf(WITNESS_KEY.REDEEMERS),
    integrityHash,
    isUsed: plutus.size > 0 || datums.size > 0 || redeemers.size > 0 || integrityHash !== undefined
  }
}

/** Returns a script with its hash and size. @throws a codec error on a script that cannot be read. */
export function carriedScript({ language, cborHex }: ScriptRef): CarriedScript {
  const cbor = hexToBytes(cborHex)
  if (language === 'native')
    return { hash: nativeScriptHash(cbor), sizeBytes: cbor.length, script: { native: nativeScriptFromBytes(cbor) } }
  const plutus = { language, bytes: plutusBytes(cbor) }
  return { hash: plutusHashOf(plutus), sizeBytes: plutus.bytes.length, script: { plutus } }
}

/**
 * Plutus scripts that auxiliary data publishes, in the tagged map alone. Its metadata is another rule's subject.
 *
 * @throws a codec error on a script that cannot be read.
 */
export function auxiliaryScripts(data: Uint8Array): PlutusScript[] {
  const scripts: PlutusScript[] = []
  const reader = new CborReader(data, 'The auxiliary data')
  if (reader.peekMajor() !== MAJOR.TAG) return scripts
  reader.readTag()
  reader.eachEntry(() => {
    const language = PLUTUS_LANGUAGES[reader.readSafeUint() - FIRST_PLUTUS_KEY]
    if (language === undefined) reader.skip()
    // A plain list, which may be empty (TxAuxData.hs:296).
    else reader.eachItem(() => scripts.push({ language, bytes: reader.readBytes() }))
  })
  return scripts
}

/** Conway CDDL, `auxiliary_data`: 2, 3 and 4 are Plutus scripts. */
const FIRST_PLUTUS_KEY = 2

function plutusBytes(cbor: Uint8Array): Uint8Array {
  const reader = new CborReader(cbor, 'The Plutus script')
  const bytes = reader.readBytes()
  reader.finish()
  return bytes
}

/** Sets of the witness set hold one item at least (Conway CDDL, `nonempty_set`). */
function eachOfSet(reader: CborReader | undefined, read: (reader: CborReader) => void): void {
  if (reader === undefined) return
  let count = 0
  readOptionalTag(reader, TAG_SET)
  reader.eachItem(() => {
    count++
    read(reader)
  })
  if (count === 0) reader.fail('at least one item', 'none')
}

/** CBOR of PlutusData that the ledger can decode. */
function readData(reader: CborReader): Uint8Array {
  const data = reader.slice(reader.skip())
  PlutusData.fromCbor(data)
  return data
}

/**
 * Both forms: `[+ [tag, index, data, ex_units]]`, and the map of Conway. The last of two equal keys counts.
 */
function readRedeemers(reader: CborReader | undefined): Map<string, Redeemer> {
  const redeemers: Redeemer[] = []
  if (reader === undefined) return new Map()
  if (reader.peekMajor() === MAJOR.MAP) {
    reader.eachEntry(() => {
      const { tag, index } = fixedArray(reader, 2, () => readPointer(reader))
      redeemers.push(fixedArray(reader, 2, () => ({ tag, index, data: readData(reader), ...readExUnits(reader) })))
    })
  } else {
    reader.eachItem(() => {
      redeemers.push(
        fixedArray(reader, 4, () => ({ ...readPointer(reader), data: readData(reader), ...readExUnits(reader) }))
      )
    })
  }
  if (redeemers.length === 0) reader.fail('at least one redeemer', 'none')
  const byKey = new Map(redeemers.map((redeemer) => [redeemerKey(redeemer), redeemer]))
  return new Map(
    [...byKey].sort(([, a], [, b]) => REDEEMER_TAGS.indexOf(a.tag) - REDEEMER_TAGS.indexOf(b.tag) || a.index - b.index)
  )
}

function readPointer(reader: CborReader): Pick<Redeemer, 'tag' | 'index'> {
  const start = reader.offset
  const tag = REDEEMER_TAGS[reader.readSafeUint()]
  const index = reader.readSafeUint()
  if (tag === undefined || index > MAX_INDEX)
    return reader.fail('a redeemer tag from 0 to 5 and an index of 32 bits', 'another pointer', start)
  return { tag, index }
}

function readExUnits(reader: CborReader): Pick<Redeemer, 'mem' | 'cpu'> {
  return fixedArray(reader, 2, () => {
    const start = reader.offset
    const units = { mem: reader.readUint(), cpu: reader.readUint() }
    // Data.hs, ExUnits: both fit an Int64.
    if (units.mem > MAX_INT64 || units.cpu > MAX_INT64) reader.fail('execution units below 2^63', 'more', start)
    return units
  })
}

const MAX_INDEX = 2 ** 32 - 1
const MAX_INT64 = 2n ** 63n - 1n

function fixedArray<T>(reader: CborReader, length: number, read: () => T): T {
  const start = reader.offset
  const count = reader.readArrayHeader()
  if (count >= 0 && count !== length) reader.fail(`${length} items`, `${count}`, start)
  const result = read()
  if (count < 0) reader.readBreak()
  return result
}
