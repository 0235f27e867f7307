import { concatBytes } from '../codec/bytes.js'
import { readOptionalTag } from '../codec/cbor/optional.js'
import { CborReader, MAJOR } from '../codec/cbor/reader.js'
import { bytesToHex } from '../codec/hex.js'
import { decodeNativeScript, nativeScriptHash } from '../codec/nativeScript.js'
import { PlutusData } from '../codec/plutusData.js'
import type { TransactionSpans } from '../codec/transaction.js'
import { REDEEMER_TAGS } from '../codec/redeemer.js'
import { TAG_SET } from '../codec/transactionBody.js'
import { readWitnessEntries, WITNESS_KEY } from '../codec/witnessSet.js'
import { blake2b224, blake2b256 } from '../hash/blake2b.js'
import type { ScriptLanguage } from '../types/utxo.js'

/** Key that has signed a transaction. Its signature is not verified here. */
export interface DecodedSigner {
  /** Key hash, blake2b-224 of the public key: hex, 56 characters. */
  readonly keyHash: string
  /** Public key: hex, 64 characters. */
  readonly vkey: string
  /** Ed25519 signature of the transaction id: hex, 128 characters. */
  readonly signature: string
  /** True for a bootstrap witness, which signs for a Byron address. */
  readonly bootstrap: boolean
}

/** Script in the witness set of a transaction. */
export interface DecodedScript {
  /** Hex, 56 characters. */
  readonly hash: string
  /** `native`, or the version of Plutus. */
  readonly language: ScriptLanguage
  /** Original CBOR of the script: hex; for Plutus a byte string. */
  readonly cborHex: string
}

/** Datum in the witness set of a transaction. */
export interface DecodedDatum {
  /** Blake2b-256 of its bytes: hex, 64 characters. */
  readonly hash: string
  /** Original CBOR: hex. */
  readonly cborHex: string
}

/** Redeemer: the argument and the execution units of one script in a transaction. */
export interface DecodedRedeemer {
  /** Kind of the item for which the script decides. */
  readonly purpose: 'spend' | 'mint' | 'cert' | 'reward' | 'vote' | 'propose'
  /** Position of that item among the inputs, policies, certificates, reward accounts, voters or proposals. */
  readonly index: number
  /** Original CBOR of the argument: hex. */
  readonly cborHex: string
  /** Units of memory that it may use. */
  readonly mem: bigint
  /** CPU steps that it may use. */
  readonly cpu: bigint
}

/** The witness set of a transaction. */
export interface DecodedWitnesses {
  /** Keys that have signed, in the transaction's order. */
  readonly signers: readonly DecodedSigner[]
  /** Scripts: the native ones first, then those of Plutus. */
  readonly scripts: readonly DecodedScript[]
  /** Datums that outputs name by their hash. */
  readonly datums: readonly DecodedDatum[]
  /** Redeemers of the transaction's scripts. */
  readonly redeemers: readonly DecodedRedeemer[]
}

const PLUTUS: readonly (readonly [key: number, prefix: number, language: ScriptLanguage])[] = [
  [WITNESS_KEY.PLUTUS_V1, 1, 'PlutusV1'],
  [WITNESS_KEY.PLUTUS_V2, 2, 'PlutusV2'],
  [WITNESS_KEY.PLUTUS_V3, 3, 'PlutusV3']
]

/** Decodes the witness set of a transaction. @throws {@link InvalidCborError} */
export function decodeWitnesses(spans: TransactionSpans): DecodedWitnesses {
  const entries = readWitnessEntries(spans)
  const itemsOf = <T>(key: number, read: (reader: CborReader) => T): T[] => {
    const span = entries.get(key)
    if (span === undefined) return []
    const reader = new CborReader(spans.bytes, 'The witness set', span.start, span.end)
    const items: T[] = []
    readOptionalTag(reader, TAG_SET)
    reader.eachItem(() => items.push(read(reader)))
    return items
  }
  const redeemers = entries.get(WITNESS_KEY.REDEEMERS)
  return {
    signers: [
      ...itemsOf(WITNESS_KEY.VKEYS, (reader) => readSigner(reader, 2)),
      ...itemsOf(WITNESS_KEY.BOOTSTRAP, (reader) => readSigner(reader, 4))
    ],
    scripts: [
      ...itemsOf(WITNESS_KEY.NATIVE_SCRIPTS, readNativeScript),
      ...PLUTUS.flatMap(([key, prefix, language]) =>
        itemsOf(key, (reader) => readPlutusScript(reader, prefix, language))
      )
    ],
    datums: itemsOf(WITNESS_KEY.DATA, (reader) => {
      const cborHex = readData(reader)
      return { hash: hashOf(reader, cborHex), cborHex: cborHex.hex }
    }),
    redeemers:
      redeemers === undefined
        ? []
        : readRedeemers(new CborReader(spans.bytes, 'The redeemers', redeemers.start, redeemers.end))
  }
}

/** Reads a key witness `[vkey, signature]`, or a bootstrap witness `[vkey, signature, chain code, attributes]`. */
function readSigner(reader: CborReader, items: 2 | 4): DecodedSigner {
  return readTuple(reader, items, () => {
    const start = reader.offset
    const vkey = reader.readBytes()
    const signature = reader.readBytes()
    if (vkey.length !== 32 || signature.length !== 64)
      reader.fail('a key of 32 bytes and a signature of 64', 'other lengths', start)
    if (items === 4) {
      reader.readBytes()
      reader.readBytes()
    }
    return {
      keyHash: bytesToHex(blake2b224(vkey)),
      vkey: bytesToHex(vkey),
      signature: bytesToHex(signature),
      bootstrap: items === 4
    }
  })
}

function readNativeScript(reader: CborReader): DecodedScript {
  const start = reader.offset
  decodeNativeScript(reader)
  const cbor = reader.slice({ start, end: reader.offset })
  return { hash: nativeScriptHash(cbor), language: 'native', cborHex: bytesToHex(cbor) }
}

/**
 * Reads a Plutus script. `prefix`: tag of the language, which is hashed before its bytes (Conway CDDL, `script_hash`).
 */
function readPlutusScript(reader: CborReader, prefix: number, language: ScriptLanguage): DecodedScript {
  const start = reader.offset
  const script = reader.readBytes()
  return {
    hash: bytesToHex(blake2b224(concatBytes(Uint8Array.of(prefix), script))),
    language,
    cborHex: bytesToHex(reader.slice({ start, end: reader.offset }))
  }
}

interface DataSpan {
  readonly start: number
  readonly end: number
  readonly hex: string
}

/** Reads one item of Plutus data: checks it, and keeps its original bytes. */
function readData(reader: CborReader): DataSpan {
  const span = reader.skip()
  const bytes = reader.slice(span)
  PlutusData.fromCbor(bytes)
  return { ...span, hex: bytesToHex(bytes) }
}

const hashOf = (reader: CborReader, span: DataSpan): string => bytesToHex(blake2b256(reader.slice(span)))

/** Reads redeemers in both forms: the list `[+ [tag, index, data, ex_units]]`, and the map of Conway. */
function readRedeemers(reader: CborReader): DecodedRedeemer[] {
  const redeemers: DecodedRedeemer[] = []
  if (reader.peekMajor() === MAJOR.MAP)
    reader.eachEntry(() => {
      const pointer = readTuple(reader, 2, () => readPointer(reader))
      redeemers.push({ ...pointer, ...readTuple(reader, 2, () => readArgument(reader)) })
    })
  else
    reader.eachItem(() =>
      redeemers.push(readTuple(reader, 4, () => ({ ...readPointer(reader), ...readArgument(reader) })))
    )
  return redeemers
}

function readPointer(reader: CborReader): Pick<DecodedRedeemer, 'purpose' | 'index'> {
  const start = reader.offset
  const purpose = REDEEMER_TAGS[reader.readSafeUint()]
  if (purpose === undefined) return reader.fail('a redeemer tag from 0 to 5', 'another tag', start)
  return { purpose, index: reader.readSafeUint() }
}

function readArgument(reader: CborReader): Pick<DecodedRedeemer, 'cborHex' | 'mem' | 'cpu'> {
  const { hex } = readData(reader)
  return { cborHex: hex, ...readTuple(reader, 2, () => ({ mem: reader.readUint(), cpu: reader.readUint() })) }
}

/** Reads an array that must have `items` items, of definite or indefinite length. */
function readTuple<T>(reader: CborReader, items: number, read: () => T): T {
  const start = reader.offset
  const count = reader.readArrayHeader()
  if (count >= 0 && count !== items) reader.fail(`${items} items`, `${count}`, start)
  const result = read()
  if (count < 0) reader.readBreak()
  return result
}
