import { addressToString, enterpriseAddress } from '../codec/address.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import type { TransactionSpans } from '../codec/transaction.js'
import { readTransaction, transactionHash } from '../codec/transaction.js'
import { setVkeyWitnesses, readWitnessEntries, WITNESS_KEY } from '../codec/witnessSet.js'
import { BODY_KEY, decodeTransactionBody } from '../codec/transactionBody.js'
import { encodeTxOutput, minLovelace } from '../codec/txOutput.js'
import type { Value } from '../codec/value.js'
import { addValue, LOVELACE, valueToAmounts } from '../codec/value.js'
import { signWithSeed } from '../crypto/ed25519.js'
import type { TxInput, TxOutput } from '../types/utxo.js'
import { deriveId, type DevKey, keyAddress } from './keys.js'
import type { LedgerParameters } from './ledger.js'
import { blake2b224 } from '../hash/blake2b.js'
import type { LedgerEntry, UtxoView } from './utxoSet.js'

/** What a deposit is drafted from. */
export interface DepositRequest {
  readonly headId: string
  /** Null for the commit that opens a head before 2.0: no deadline, and it may be empty. */
  readonly deadlineMs: number | null
  /** The outputs that are spent besides the fuel. */
  readonly spent: readonly LedgerEntry[]
  /** What goes into the head. */
  readonly deposited: UtxoView
  /** Gets what is spent and not deposited. */
  readonly changeAddress: string | null
  /** The user's own transaction; its scripts, signers, interval and auxiliary data are taken over. */
  readonly blueprint: TransactionSpans | null
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

const WITNESS_BYTES = 102
/** Parts of a blueprint's body that the deposit keeps: interval, auxiliary data, signers, reference inputs. */
const { TTL, AUXILIARY_DATA_HASH, VALIDITY_START, REQUIRED_SIGNERS, REFERENCE_INPUTS } = BODY_KEY
const KEPT_KEYS = [TTL, AUXILIARY_DATA_HASH, VALIDITY_START, REQUIRED_SIGNERS, REFERENCE_INPUTS]

/** Address of the script that holds deposits. Nothing but the node spends from it. */
export function depositAddress(networkId: 0 | 1): string {
  return addressToString(enterpriseAddress(networkId, { kind: 'script', hash: deriveId('script', 'deposit', blake2b224) }))
}

/** The output of a deposit that holds what was deposited. */
export function depositOutput(depositTxId: string): TxInput {
  return { txHash: depositTxId, index: 0 }
}

/** Drafts the deposit transaction: the node's fuel pays the fee and the node has signed for it; the user's witnesses are still missing. */
export function draftDeposit(request: DepositRequest): DraftResult {
  const { spent, deposited, parameters, networkId, fuel, nodeKey } = request
  const value = sum(deposited.entries)
  const output: TxOutput = { address: depositAddress(networkId), amount: valueToAmounts(value), inlineDatum: depositDatum(request) }
  const provided = value.get(LOVELACE) ?? 0n
  const least = minLovelace(output, parameters.coinsPerUtxoByte)
  const empty = request.deadlineMs === null && deposited.size === 0
  if (provided < least && !empty) return { error: { tag: 'DepositTooLow', providedValue: provided, minimumValue: least } }
  const change: Value = sum(spent)
  addValue(change, value, -1n)
  if ([...change.values()].some((quantity) => quantity < 0n) || (change.size > 0 && request.changeAddress === null)) {
    return failedDraft('the blueprint transaction is not balanced and there is no changeAddress')
  }
  const returned = change.size > 0 ? [{ address: request.changeAddress!, amount: valueToAmounts(change) }] : []
  const outputs = [...(empty ? [] : [output]), ...returned]
  let fee = 0n
  for (;;) {
    const quantity = String((fuel.value.get(LOVELACE) ?? 0n) - fee)
    const fuelChange = { address: keyAddress(nodeKey, networkId), amount: [{ unit: LOVELACE, quantity }] }
    const cbor = assemble(request, [...outputs, fuelChange], fee)
    // Room for one witness of each input: the node cannot know how many of them share a key.
    const needed = BigInt(parameters.minFeeA) * BigInt(cbor.length + WITNESS_BYTES * (spent.length + 1)) + BigInt(parameters.minFeeB)
    if (fee >= needed) return { cbor: signedByNode(cbor, nodeKey) }
    fee = needed + 100n
  }
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

/** Constr 0 [head id, deadline, [references of what is deposited]] */
function depositDatum({ headId, deadlineMs, deposited }: DepositRequest): string {
  const writer = new CborWriter().tag(121).arrayIndefinite().bytes(hexToBytes(headId)).uint(deadlineMs ?? 0)
  if (deposited.size === 0) writer.array(0)
  else {
    writer.arrayIndefinite()
    for (const { input } of deposited.entries) writer.tag(121).arrayIndefinite().bytes(hexToBytes(input.txHash)).uint(input.index).break()
    writer.break()
  }
  return bytesToHex(writer.break().toBytes())
}

function assemble({ spent, fuel, blueprint }: DepositRequest, outputs: readonly TxOutput[], fee: bigint): Uint8Array {
  const kept = blueprint === null ? [] : keptParts(blueprint)
  // Ids have one length and indexes are padded, so texts sort as the ledger does.
  const sortKey = ({ input: { txHash, index } }: LedgerEntry): string => txHash + String(index).padStart(5, '0')
  const inputs = [...spent, fuel].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  const writer = new CborWriter().array(4).map(3 + kept.length)
  writer.uint(BODY_KEY.INPUTS).tag(258).array(inputs.length)
  for (const { input } of inputs) writer.array(2).bytes(hexToBytes(input.txHash)).uint(input.index)
  writer.uint(BODY_KEY.OUTPUTS).array(outputs.length)
  for (const output of outputs) writer.raw(encodeTxOutput(output))
  writer.uint(BODY_KEY.FEE).uint(fee)
  for (const [key, bytes] of kept) writer.uint(key).raw(bytes)
  const scripts = blueprint === null ? undefined : readWitnessEntries(blueprint).get(WITNESS_KEY.NATIVE_SCRIPTS)
  if (scripts === undefined) writer.map(0)
  else writer.map(1).uint(WITNESS_KEY.NATIVE_SCRIPTS).raw(blueprint!.bytes.subarray(scripts.start, scripts.end))
  writer.bool(true)
  const data = blueprint?.auxiliaryData ?? null
  return (data === null ? writer.null() : writer.raw(blueprint!.bytes.subarray(data.start, data.end))).toBytes()
}

function keptParts(blueprint: TransactionSpans): [number, Uint8Array][] {
  const { entries } = decodeTransactionBody(blueprint)
  const parts: [number, Uint8Array][] = []
  for (const key of KEPT_KEYS) {
    const span = entries.get(key)
    if (span !== undefined) parts.push([key, blueprint.bytes.subarray(span.start, span.end)])
  }
  return parts
}

function signedByNode(cbor: Uint8Array, { seed, publicKey }: DevKey): Uint8Array {
  const spans = readTransaction(cbor)
  return setVkeyWitnesses(spans, [{ vkey: publicKey, signature: signWithSeed(transactionHash(spans), seed, publicKey) }])
}
