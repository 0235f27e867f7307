import { addressToString, enterpriseAddress } from '../../codec/address.js'
import { decodeAuxiliaryData, encodeAuxiliaryData } from '../../codec/auxiliaryData.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import { encodeDepositDatum } from '../../codec/depositDatum.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { Metadatum } from '../../codec/metadatum.js'
import type { NativeScript } from '../../codec/nativeScript.js'
import { nativeScriptFromBytes } from '../../codec/nativeScript.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import { readTransaction, transactionHash } from '../../codec/transaction.js'
import { setVkeyWitnesses, readNativeScripts, readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import { BODY_KEY, decodeTransactionBody } from '../../codec/transactionBody.js'
import { encodeTxOutput, minLovelace } from '../../codec/txOutput.js'
import type { Value } from '../../codec/value.js'
import { addValue, LOVELACE, valueToAmounts } from '../../codec/value.js'
import { signWithSeed } from '../../crypto/ed25519.js'
import type { TxInput, TxOutput } from '../../types/utxo.js'
import { deriveId, type DevKey, keyAddress } from '../settings/keys.js'
import type { LedgerParameters } from '../rules/LedgerParameters.js'
import { blake2b224, blake2b256 } from '../../hash/blake2b.js'
import type { LedgerEntry, UtxoView } from '../rules/utxoSet.js'

/** What a deposit is drafted from. */
export interface DepositRequest {
  readonly headId: string
  /** Null for the commit that opens a head before 2.0: no deadline, and it may be empty. */
  readonly deadlineMs: number | null
  /** First slot at which the draft is no longer valid; null keeps the blueprint's interval. */
  readonly ttl: bigint | null
  /** What the node's metadata says, e.g. `HydraV2/DepositTx`. */
  readonly name: string
  /** The outputs that are spent besides the fuel. */
  readonly spent: readonly LedgerEntry[]
  /** What goes into the head. */
  readonly deposited: UtxoView
  /** Gets what is spent and not deposited. */
  readonly changeAddress: string | null
  /** The user's own transaction; its scripts, signers, reference inputs and auxiliary data are taken over. */
  readonly blueprint: TransactionSpans | null
  /** Whether too little lovelace is refused; else the base ledger refuses the transaction. */
  readonly rejectsLow: boolean
  /** An output of the node that pays the fee. */
  readonly fuel: LedgerEntry
  readonly nodeKey: DevKey
  readonly networkId: 0 | 1
  readonly parameters: LedgerParameters
}

/** A deposit cannot be drafted; `error` is the node's own postTxError. */
export type DraftResult =
  | { readonly cbor: Uint8Array; readonly error?: never }
  | { readonly cbor?: never; readonly error: { readonly tag: string; readonly [key: string]: string | bigint } }

/** Bytes of a key witness: `[key of 32 bytes, signature of 64 bytes]`. */
const WITNESS_BYTES = 101
/** Bytes around the key witnesses: key 0, tag 258 and an array head of up to 65,535. */
const WITNESS_SET_BYTES = 7
/** The coin that stands for the fee while it is settled: five bytes, as any fee up to 4,294 ada takes at most. */
const COSTING_FEE = 10_000_000n
/** Parts of a blueprint's body that a draft keeps; of the commit that opens a head the interval too. */
const { TTL, AUXILIARY_DATA_HASH, VALIDITY_START, REQUIRED_SIGNERS, REFERENCE_INPUTS } = BODY_KEY
const KEPT_KEYS = [REQUIRED_SIGNERS, REFERENCE_INPUTS]
const INTERVAL_KEYS = [TTL, VALIDITY_START]
/** Label under which the node's metadata says what a transaction is (Hydra.Tx.Utils). */
const METADATA_LABEL = 55_555n
const ALONZO_TAG = 259

/** Address of the script that holds deposits. Nothing but the node spends from it. */
export function depositAddress(networkId: 0 | 1): string {
  return addressToString(
    enterpriseAddress(networkId, { kind: 'script', hash: deriveId('script', 'deposit', blake2b224) })
  )
}

/** The output of a deposit that holds what was deposited. */
export function depositOutput(depositTxId: string): TxInput {
  return { txHash: depositTxId, index: 0 }
}

/**
 * Drafts the deposit transaction: the node's fuel pays the fee and the node has signed for it; the user's witnesses are
 * still missing.
 */
export function draftDeposit(request: DepositRequest): DraftResult {
  const { spent, deposited, parameters, networkId, fuel, nodeKey } = request
  const value = sum(deposited.entries)
  const output: TxOutput = {
    address: depositAddress(networkId),
    amount: valueToAmounts(value),
    inlineDatum: depositDatum(request)
  }
  const provided = value.get(LOVELACE) ?? 0n
  const least = minLovelace(output, parameters.coinsPerUtxoByte)
  const empty = request.deadlineMs === null && deposited.size === 0
  if (request.rejectsLow && provided < least)
    return { error: { tag: 'DepositTooLow', providedValue: provided, minimumValue: least } }
  const change: Value = sum(spent)
  addValue(change, value, -1n)
  if ([...change.values()].some((quantity) => quantity < 0n) || (change.size > 0 && request.changeAddress === null)) {
    return failedDraft('the blueprint transaction is not balanced and there is no changeAddress')
  }
  const returned = change.size > 0 ? [{ address: request.changeAddress!, amount: valueToAmounts(change) }] : []
  const outputs = [...(empty ? [] : [output]), ...returned]
  // Wallet.hs, coverFee_: the fee is settled on the whole fuel as change, so that the draft itself is no longer than
  // what was counted.
  const fuelChange = (fee: bigint): TxOutput => {
    return {
      address: keyAddress(nodeKey, networkId),
      amount: [{ unit: LOVELACE, quantity: String((fuel.value.get(LOVELACE) ?? 0n) - fee) }]
    }
  }
  const inputs = sortedInputs(request)
  const costing = assemble(request, inputs, { outputs: [...outputs, fuelChange(0n)], fee: COSTING_FEE })
  const sizeBytes = costing.length + WITNESS_SET_BYTES + WITNESS_BYTES * signersOf(request).size
  const fee = BigInt(parameters.minFeeA) * BigInt(sizeBytes) + BigInt(parameters.minFeeB)
  return { cbor: signedByNode(assemble(request, inputs, { outputs: [...outputs, fuelChange(fee)], fee }), nodeKey) }
}

/** Hashes of all keys that may sign: of inputs, those that the blueprint demands, and those that its scripts name. */
function signersOf({ spent, nodeKey, blueprint }: DepositRequest): Set<string> {
  const signers = new Set([nodeKey.keyHash])
  for (const { payment } of spent) if (payment?.kind === 'key') signers.add(payment.hash)
  if (blueprint === null) return signers
  for (const hash of decodeTransactionBody(blueprint).requiredSigners) signers.add(hash)
  for (const { start, end } of readNativeScripts(blueprint))
    collectKeys(nativeScriptFromBytes(blueprint.bytes.subarray(start, end)), signers)
  return signers
}

function collectKeys(script: NativeScript, hashes: Set<string>): void {
  if (script.type === 'sig') hashes.add(script.keyHash)
  else if ('scripts' in script) for (const each of script.scripts) collectKeys(each, hashes)
}

/** The node's error when a deposit cannot be built. */
export function failedDraft(failureReason: string): { error: { tag: string; failureReason: string } } {
  return { error: { tag: 'FailedToConstructDepositTx', failureReason } }
}

function sum(entries: readonly LedgerEntry[]): Value {
  const value: Value = new Map()
  for (const entry of entries) addValue(value, entry.value)
  return value
}

function depositDatum({ headId, deadlineMs, deposited }: DepositRequest): string {
  return bytesToHex(
    encodeDepositDatum({
      headId,
      deadlineMs: deadlineMs ?? 0,
      deposited: deposited.entries.filter(({ payment }) => payment !== null)
    })
  )
}

/** What is spent, in the order of the ledger. */
function sortedInputs({ spent, fuel }: DepositRequest): TxInput[] {
  // Ids have one length and indexes are padded, so texts sort as the ledger does; the start of a node may bring in
  // outputs by the 100,000.
  const keyed = [...spent, fuel].map(({ input }) => ({
    input,
    key: input.txHash + String(input.index).padStart(5, '0')
  }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ input }) => input)
}

function assemble(
  request: DepositRequest,
  inputs: readonly TxInput[],
  { outputs, fee }: { outputs: readonly TxOutput[]; fee: bigint }
): Uint8Array {
  const { blueprint, ttl } = request
  const auxiliaryData = withName(request)
  const kept =
    blueprint === null ? [] : keptParts(blueprint, ttl === null ? [...KEPT_KEYS, ...INTERVAL_KEYS] : KEPT_KEYS)
  const own: [number, Uint8Array][] = [
    [AUXILIARY_DATA_HASH, new CborWriter().bytes(blake2b256(auxiliaryData)).toBytes()]
  ]
  if (ttl !== null) own.push([TTL, new CborWriter().uint(ttl).toBytes()])
  const parts = [...own, ...kept].sort(([x], [y]) => x - y)
  const writer = new CborWriter().array(4).map(3 + parts.length)
  writer.uint(BODY_KEY.INPUTS).tag(258).array(inputs.length)
  for (const { txHash, index } of inputs) writer.array(2).bytes(hexToBytes(txHash)).uint(index)
  writer.uint(BODY_KEY.OUTPUTS).array(outputs.length)
  for (const output of outputs) writer.raw(encodeTxOutput(output))
  writer.uint(BODY_KEY.FEE).uint(fee)
  for (const [key, bytes] of parts) writer.uint(key).raw(bytes)
  const scripts = blueprint === null ? undefined : readWitnessEntries(blueprint).get(WITNESS_KEY.NATIVE_SCRIPTS)
  if (scripts === undefined) writer.map(0)
  else writer.map(1).uint(WITNESS_KEY.NATIVE_SCRIPTS).raw(blueprint!.bytes.subarray(scripts.start, scripts.end))
  return writer.bool(true).raw(auxiliaryData).toBytes()
}

/**
 * The blueprint's auxiliary data with the node's name of the transaction, in the form that the ledger library writes.
 */
function withName({ blueprint, name }: DepositRequest): Uint8Array {
  const span = blueprint?.auxiliaryData ?? null
  const own =
    span === null
      ? { metadata: new Map<bigint, Metadatum>(), scripts: [] }
      : decodeAuxiliaryData(blueprint!.bytes.subarray(span.start, span.end))
  const labels = new Map([[METADATA_LABEL, Metadatum.from(name)], ...own.metadata])
  const metadata = new Map([...labels].sort(([a], [b]) => (a < b ? -1 : 1)))
  const encoded = encodeAuxiliaryData({ metadata, scripts: own.scripts })
  return own.scripts.length > 0 ? encoded : new CborWriter().tag(ALONZO_TAG).map(1).uint(0).raw(encoded).toBytes()
}

function keptParts(blueprint: TransactionSpans, keys: readonly number[]): [number, Uint8Array][] {
  const { entries } = decodeTransactionBody(blueprint)
  const parts: [number, Uint8Array][] = []
  for (const key of keys) {
    const span = entries.get(key)
    if (span !== undefined) parts.push([key, blueprint.bytes.subarray(span.start, span.end)])
  }
  return parts
}

function signedByNode(cbor: Uint8Array, { seed, publicKey }: DevKey): Uint8Array {
  const spans = readTransaction(cbor)
  return setVkeyWitnesses(spans, [
    { vkey: publicKey, signature: signWithSeed(transactionHash(spans), seed, publicKey) }
  ])
}
