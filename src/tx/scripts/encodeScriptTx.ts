import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import type { PlutusLanguage } from '../../codec/costModels.js'
import { Costmdls, hashScriptData } from '../../codec/costModels.js'
import { REDEEMER_TAGS } from '../../codec/redeemer.js'
import { plutusScriptBytes } from '../../codec/scriptHash.js'
import { BODY_KEY, TAG_SET } from '../../codec/transactionBody.js'
import { encodeTxOutput } from '../../codec/txOutput.js'
import { encodeMultiAsset } from '../../codec/value.js'
import { WITNESS_KEY } from '../../codec/witnessSet.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { ScriptRef, TxInput, TxOutput } from '../../types/utxo.js'
import { sortInputs } from '../encodeTransaction.js'

/** CBOR of an empty map of redeemers. */
const NO_REDEEMERS = Uint8Array.of(0xa0)
const NO_BYTES = new Uint8Array()

/** A redeemer with its index and units. */
export interface PlacedRedeemer {
  readonly tag: 'spend' | 'mint' | 'reward'
  readonly index: number
  /** Argument of the script: CBOR. */
  readonly data: Uint8Array
  readonly mem: bigint
  readonly cpu: bigint
}

/** Complete content of a transaction with scripts, from which {@link encodeScriptTx} makes its bytes. */
export interface ScriptTransactionDraft {
  readonly inputs: readonly TxInput[]
  readonly outputs: readonly TxOutput[]
  readonly fee: bigint
  readonly ttl?: bigint | undefined
  readonly validityStart?: bigint | undefined
  readonly auxiliaryData?: Uint8Array | undefined
  readonly mint: ReadonlyMap<string, bigint>
  readonly requiredSigners: readonly string[]
  readonly networkId?: number | undefined
  /** Lovelace by the bytes of the reward address, hex. */
  readonly withdrawals: ReadonlyMap<string, bigint>
  readonly collateral: readonly TxInput[]
  readonly collateralReturn?: TxOutput | undefined
  readonly totalCollateral?: bigint | undefined
  readonly referenceInputs: readonly TxInput[]
  /** CBOR of each. */
  readonly nativeScripts: readonly Uint8Array[]
  readonly plutusScripts: readonly ScriptRef[]
  /** CBOR of each. */
  readonly datums: readonly Uint8Array[]
  /** In the ledger's order. */
  readonly redeemers: readonly PlacedRedeemer[]
  /** Languages of the scripts that run. */
  readonly languages: ReadonlySet<PlutusLanguage>
  /** Cost models for the script data hash; null for a blueprint, whose hash the node computes when it completes it. */
  readonly costModels: Readonly<Record<PlutusLanguage, readonly number[]>> | null
}

const SCRIPT_KEYS: Readonly<Record<PlutusLanguage, number>> = {
  PlutusV1: WITNESS_KEY.PLUTUS_V1,
  PlutusV2: WITNESS_KEY.PLUTUS_V2,
  PlutusV3: WITNESS_KEY.PLUTUS_V3
}

/**
 * Encodes an unsigned transaction as CBOR in the form of Conway: keys in ascending order, sets with tag 258, redeemers
 * as a map.
 *
 * @returns `bytes`: the transaction; `seen`: its body without the script data hash, the part that scripts can see
 */
export function encodeScriptTx(draft: ScriptTransactionDraft): { bytes: Uint8Array; seen: string } {
  const witnesses = witnessEntries(draft)
  const body = bodyEntries(draft)
  const seen = bytesToHex(encodeMap(body))
  const redeemers = witnesses.get(WITNESS_KEY.REDEEMERS)
  const datums = witnesses.get(WITNESS_KEY.DATA)
  if (draft.costModels !== null && (redeemers !== undefined || datums !== undefined)) {
    const views = languageViews(draft.costModels, draft.languages)
    const hash = hashScriptData(redeemers ?? NO_REDEEMERS, datums ?? NO_BYTES, views)
    body.set(BODY_KEY.SCRIPT_DATA_HASH, new CborWriter().bytes(hexToBytes(hash)).toBytes())
  }
  const writer = new CborWriter().array(4).raw(encodeMap(body)).raw(encodeMap(witnesses)).bool(true)
  const { auxiliaryData } = draft
  return { bytes: (auxiliaryData === undefined ? writer.null() : writer.raw(auxiliaryData)).toBytes(), seen }
}

/** Cache of language views by cost models. Encoding their hundreds of numbers is slow, and they do not change. */
const viewsOf = new WeakMap<object, Map<string, Uint8Array>>()

function languageViews(
  costModels: Readonly<Record<PlutusLanguage, readonly number[]>>,
  languages: ReadonlySet<PlutusLanguage>
): Uint8Array {
  const cache = viewsOf.get(costModels) ?? new Map<string, Uint8Array>()
  viewsOf.set(costModels, cache)
  const key = [...languages].sort().join()
  const views = cache.get(key) ?? hexToBytes(new Costmdls(costModels).languageViews(languages))
  cache.set(key, views)
  return views
}

function encodeMap(entries: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const writer = new CborWriter().map(entries.size)
  for (const [key, value] of [...entries].sort(([a], [b]) => a - b)) writer.uint(key).raw(value)
  return writer.toBytes()
}

function bodyEntries(draft: ScriptTransactionDraft): Map<number, Uint8Array> {
  const { ttl, validityStart, auxiliaryData, mint, networkId, withdrawals, collateralReturn, totalCollateral } = draft
  const body = new Map<number, Uint8Array>([
    [BODY_KEY.INPUTS, inputSet(draft.inputs)],
    [BODY_KEY.OUTPUTS, list(draft.outputs.map(encodeTxOutput))],
    [BODY_KEY.FEE, uint(draft.fee)]
  ])
  if (ttl !== undefined) body.set(BODY_KEY.TTL, uint(ttl))
  if (withdrawals.size > 0) body.set(BODY_KEY.WITHDRAWALS, encodeWithdrawals(withdrawals))
  if (auxiliaryData !== undefined) body.set(BODY_KEY.AUXILIARY_DATA_HASH, bytes(blake2b256(auxiliaryData)))
  if (validityStart !== undefined) body.set(BODY_KEY.VALIDITY_START, uint(validityStart))
  if (mint.size > 0) {
    const writer = new CborWriter()
    encodeMultiAsset(writer, mint)
    body.set(BODY_KEY.MINT, writer.toBytes())
  }
  if (draft.collateral.length > 0) body.set(BODY_KEY.COLLATERAL, inputSet(draft.collateral))
  if (draft.requiredSigners.length > 0)
    body.set(BODY_KEY.REQUIRED_SIGNERS, set(draft.requiredSigners.map((hash) => bytes(hexToBytes(hash)))))
  if (networkId !== undefined) body.set(BODY_KEY.NETWORK_ID, uint(networkId))
  if (collateralReturn !== undefined) body.set(BODY_KEY.COLLATERAL_RETURN, encodeTxOutput(collateralReturn))
  if (totalCollateral !== undefined) body.set(BODY_KEY.TOTAL_COLLATERAL, uint(totalCollateral))
  if (draft.referenceInputs.length > 0) body.set(BODY_KEY.REFERENCE_INPUTS, inputSet(draft.referenceInputs))
  return body
}

function witnessEntries(draft: ScriptTransactionDraft): Map<number, Uint8Array> {
  const witnesses = new Map<number, Uint8Array>()
  if (draft.nativeScripts.length > 0) witnesses.set(WITNESS_KEY.NATIVE_SCRIPTS, set(draft.nativeScripts))
  for (const [language, key] of Object.entries(SCRIPT_KEYS)) {
    const scripts = draft.plutusScripts.filter((script) => script.language === language)
    if (scripts.length > 0) witnesses.set(key, set(scripts.map((script) => bytes(plutusScriptBytes(script)))))
  }
  if (draft.datums.length > 0) witnesses.set(WITNESS_KEY.DATA, set(draft.datums))
  if (draft.redeemers.length > 0) {
    const writer = new CborWriter().map(draft.redeemers.length)
    for (const { tag, index, data, mem, cpu } of draft.redeemers)
      writer.array(2).uint(REDEEMER_TAGS.indexOf(tag)).uint(index).array(2).raw(data).array(2).uint(mem).uint(cpu)
    witnesses.set(WITNESS_KEY.REDEEMERS, writer.toBytes())
  }
  return witnesses
}

const uint = (value: bigint | number): Uint8Array => new CborWriter().uint(value).toBytes()
const bytes = (value: Uint8Array): Uint8Array => new CborWriter().bytes(value).toBytes()

function list(items: readonly Uint8Array[], writer = new CborWriter()): Uint8Array {
  writer.array(items.length)
  for (const item of items) writer.raw(item)
  return writer.toBytes()
}

const set = (items: readonly Uint8Array[]): Uint8Array => list(items, new CborWriter().tag(TAG_SET))

function inputSet(inputs: readonly TxInput[]): Uint8Array {
  return set(
    sortInputs(inputs).map(({ txHash, index }) =>
      new CborWriter()
        .array(2)
        .bytes(hexToBytes(txHash, 'input.txHash', 32))
        .uint(index)
        .toBytes()
    )
  )
}

function encodeWithdrawals(withdrawals: ReadonlyMap<string, bigint>): Uint8Array {
  const writer = new CborWriter().map(withdrawals.size)
  for (const [address, amount] of [...withdrawals].sort(([a], [b]) => (a < b ? -1 : 1)))
    writer.bytes(hexToBytes(address)).uint(amount)
  return writer.toBytes()
}
