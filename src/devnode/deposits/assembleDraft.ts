import { concatBytes } from '../../codec/bytes.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import { decodeAuxiliaryData, encodeAuxiliaryData } from '../../codec/auxiliaryData.js'
import { hexToBytes } from '../../codec/hex.js'
import { Metadatum } from '../../codec/metadatum.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import { BODY_KEY, BodyEntries, TAG_SET } from '../../codec/bodyEntries.js'
import { encodeTxOutput } from '../../codec/txOutput.js'
import { readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import { REDEEMER_TAGS } from '../../codec/redeemer.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { TxInput, TxOutput } from '../../types/utxo.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import type { Redeemer } from '../rules/txScripts.js'

/** The blueprint: the user's own transaction, as bytes and decoded. */
export interface DraftBlueprint {
  readonly spans: TransactionSpans
  readonly tx: PreparedTx
}

/** Parts of a draft that the node writes instead of the blueprint's. */
export interface DraftBody {
  readonly blueprint: DraftBlueprint | null
  /** In the ledger's order. */
  readonly inputs: readonly TxInput[]
  readonly outputs: readonly TxOutput[]
  /**
   * The fuel, an output of the node's wallet, which it uses as collateral of every transaction (Wallet.hs, coverFee_).
   */
  readonly collateral: TxInput
  readonly fee: bigint
  /** First slot at which the draft is no longer valid; null keeps the blueprint's interval. */
  readonly ttl: bigint | null
  /** In the ledger's order. */
  readonly redeemers: readonly Redeemer[]
  readonly scriptDataHash: Uint8Array | null
  /** Text of the node's metadata, e.g. `HydraV2/DepositTx`. */
  readonly name: string
}

/** Label under which the node's metadata names the kind of a transaction (Hydra.Tx.Utils). */
const METADATA_LABEL = 55_555n
const ALONZO_TAG = 259
/** Most entries of a map that is written with its length (cardano-ledger-binary, variableMapLenEncoding). */
const MAX_COUNTED = 23

/**
 * Writes a draft without the node's signature. Parts that the node does not write itself stay as the blueprint has
 * them: mint, withdrawals, required signers, reference inputs and the like of the body, and all of the witness set but
 * the redeemers.
 *
 * @see Hydra.Tx.Deposit, depositTx
 */
export function assembleDraft(draft: DraftBody): Uint8Array {
  const { blueprint } = draft
  const auxiliaryData = withName(draft)
  const body = bodyEntries(draft, auxiliaryData)
  const writer = new CborWriter().array(4)
  writeMap(writer, body)
  writeMap(writer, witnessEntries(draft))
  return writer
    .bool(blueprint?.tx.isValid ?? true)
    .raw(auxiliaryData)
    .toBytes()
}

/** Encodes redeemers as the ledger library does from Conway on: as a map. */
export function encodeRedeemers(redeemers: readonly Redeemer[]): Uint8Array {
  const entries = redeemers.map(({ tag, index, data, mem, cpu }) => {
    const writer = new CborWriter().array(2).uint(REDEEMER_TAGS.indexOf(tag)).uint(index)
    return writer.array(2).raw(data).array(2).uint(mem).uint(cpu).toBytes()
  })
  if (entries.length <= MAX_COUNTED) return concatBytes(new CborWriter().map(entries.length).toBytes(), ...entries)
  return concatBytes(new CborWriter().mapIndefinite().toBytes(), ...entries, new Uint8Array([0xff]))
}

function bodyEntries(draft: DraftBody, auxiliaryData: Uint8Array): Map<number, Uint8Array> {
  const { blueprint, inputs, outputs, collateral, fee, ttl, scriptDataHash } = draft
  const body = blueprint === null ? new Map<number, Uint8Array>() : entriesOf(blueprint.spans)
  if (ttl !== null) {
    body.delete(BODY_KEY.VALIDITY_START)
    body.set(BODY_KEY.TTL, new CborWriter().uint(ttl).toBytes())
  }
  body.set(BODY_KEY.INPUTS, inputSet(inputs))
  const written = new CborWriter().array(outputs.length)
  for (const output of outputs) written.raw(encodeTxOutput(output))
  body.set(BODY_KEY.OUTPUTS, written.toBytes())
  body.set(BODY_KEY.FEE, new CborWriter().uint(fee).toBytes())
  body.set(BODY_KEY.AUXILIARY_DATA_HASH, new CborWriter().bytes(blake2b256(auxiliaryData)).toBytes())
  body.set(BODY_KEY.COLLATERAL, inputSet([collateral]))
  if (scriptDataHash === null) body.delete(BODY_KEY.SCRIPT_DATA_HASH)
  else body.set(BODY_KEY.SCRIPT_DATA_HASH, new CborWriter().bytes(scriptDataHash).toBytes())
  return body
}

function entriesOf(spans: TransactionSpans): Map<number, Uint8Array> {
  const entries = new Map<number, Uint8Array>()
  for (const [key, { start, end }] of new BodyEntries(spans).entries) entries.set(key, spans.bytes.subarray(start, end))
  return entries
}

function witnessEntries({ blueprint, redeemers }: DraftBody): Map<number, Uint8Array> {
  const entries = new Map<number, Uint8Array>()
  if (blueprint === null) return entries
  const { bytes } = blueprint.spans
  for (const [key, { start, end }] of readWitnessEntries(blueprint.spans)) entries.set(key, bytes.subarray(start, end))
  if (redeemers.length > 0) entries.set(WITNESS_KEY.REDEEMERS, encodeRedeemers(redeemers))
  return entries
}

function writeMap(writer: CborWriter, entries: ReadonlyMap<number, Uint8Array>): void {
  writer.map(entries.size)
  for (const [key, bytes] of [...entries].sort(([a], [b]) => a - b)) writer.uint(key).raw(bytes)
}

function inputSet(inputs: readonly TxInput[]): Uint8Array {
  const writer = new CborWriter().tag(TAG_SET).array(inputs.length)
  for (const { txHash, index } of inputs) writer.array(2).bytes(hexToBytes(txHash)).uint(index)
  return writer.toBytes()
}

/**
 * Returns the blueprint's auxiliary data with the node's name for the transaction, in the form that the ledger library
 * writes.
 */
function withName({ blueprint, name }: DraftBody): Uint8Array {
  const span = blueprint?.spans.auxiliaryData ?? null
  const blueprintData =
    span === null
      ? { metadata: new Map<bigint, Metadatum>(), scripts: [] }
      : decodeAuxiliaryData(blueprint!.spans.bytes.subarray(span.start, span.end))
  const labels = new Map([[METADATA_LABEL, Metadatum.from(name)], ...blueprintData.metadata])
  const metadata = new Map([...labels].sort(([a], [b]) => (a < b ? -1 : 1)))
  const encoded = encodeAuxiliaryData({ metadata, scripts: blueprintData.scripts })
  return blueprintData.scripts.length > 0
    ? encoded
    : new CborWriter().tag(ALONZO_TAG).map(1).uint(0).raw(encoded).toBytes()
}
