import { CborWriter } from '../codec/cbor/writer.js'
import { hexToBytes } from '../codec/hex.js'
import { BODY_KEY, TAG_SET } from '../codec/transactionBody.js'
import { encodeTxOutput } from '../codec/txOutput.js'
import { encodeMultiAsset } from '../codec/value.js'
import { WITNESS_KEY } from '../codec/witnessSet.js'
import { blake2b256 } from '../hash/blake2b.js'
import type { TxInput, TxOutput } from '../types/utxo.js'

/** Complete content of a transaction, from which {@link encodeTransaction} makes its bytes. */
export interface TransactionDraft {
  inputs: readonly TxInput[]
  outputs: readonly TxOutput[]
  fee: bigint
  ttl?: bigint | undefined
  validityStart?: bigint | undefined
  mint: ReadonlyMap<string, bigint>
  requiredSigners: readonly string[]
  networkId?: number | undefined
  auxiliaryData?: Uint8Array | undefined
  nativeScripts: readonly Uint8Array[]
}

/** Size of a key witness, `[key of 32 bytes, signature of 64 bytes]`, with its heads. */
const VKEY_WITNESS_BYTES = 101
/** Size of the heads around the key witnesses: key 0, tag 258, and the head of an array of up to 65,535 items. */
const VKEY_SET_BYTES = 7

/** Encodes an unsigned transaction as CBOR in the form of Conway: body keys in ascending order, sets with tag 258. */
export function encodeTransaction(draft: TransactionDraft): Uint8Array {
  const writer = new CborWriter().array(4)
  encodeBody(writer, draft)
  writer.map(draft.nativeScripts.length === 0 ? 0 : 1)
  if (draft.nativeScripts.length > 0) {
    writer.uint(WITNESS_KEY.NATIVE_SCRIPTS).tag(TAG_SET).array(draft.nativeScripts.length)
    for (const script of draft.nativeScripts) writer.raw(script)
  }
  writer.bool(true)
  return (draft.auxiliaryData === undefined ? writer.null() : writer.raw(draft.auxiliaryData)).toBytes()
}

/** Returns the size of a transaction after `signers` keys have signed it, bytes. */
export function signedSizeBytes(unsigned: Uint8Array, signers: number): number {
  return unsigned.length + (signers === 0 ? 0 : VKEY_SET_BYTES + VKEY_WITNESS_BYTES * signers)
}

/** Returns inputs in the ledger's order: by transaction id, then by index. */
export function sortInputs(inputs: readonly TxInput[]): TxInput[] {
  const ids = new Map(inputs.map((input) => [input, input.txHash.toLowerCase()]))
  return [...inputs].sort((a, b) =>
    ids.get(a) === ids.get(b) ? a.index - b.index : ids.get(a)! < ids.get(b)! ? -1 : 1
  )
}

function encodeBody(writer: CborWriter, draft: TransactionDraft): void {
  const { ttl, validityStart, mint, requiredSigners, networkId, auxiliaryData } = draft
  const entries: [key: number, write: () => void][] = [
    [BODY_KEY.INPUTS, () => encodeInputs(writer, draft.inputs)],
    [BODY_KEY.OUTPUTS, () => encodeOutputs(writer, draft.outputs)],
    [BODY_KEY.FEE, () => writer.uint(draft.fee)]
  ]
  if (ttl !== undefined) entries.push([BODY_KEY.TTL, () => writer.uint(ttl)])
  if (auxiliaryData !== undefined)
    entries.push([BODY_KEY.AUXILIARY_DATA_HASH, () => writer.bytes(blake2b256(auxiliaryData))])
  if (validityStart !== undefined) entries.push([BODY_KEY.VALIDITY_START, () => writer.uint(validityStart)])
  if (mint.size > 0) entries.push([BODY_KEY.MINT, () => encodeMultiAsset(writer, mint)])
  if (requiredSigners.length > 0) entries.push([BODY_KEY.REQUIRED_SIGNERS, () => encodeHashes(writer, requiredSigners)])
  if (networkId !== undefined) entries.push([BODY_KEY.NETWORK_ID, () => writer.uint(networkId)])
  writer.map(entries.length)
  for (const [key, write] of entries) {
    writer.uint(key)
    write()
  }
}

function encodeInputs(writer: CborWriter, inputs: readonly TxInput[]): void {
  writer.tag(TAG_SET).array(inputs.length)
  for (const { txHash, index } of sortInputs(inputs))
    writer
      .array(2)
      .bytes(hexToBytes(txHash, 'input.txHash', 32))
      .uint(index)
}

function encodeOutputs(writer: CborWriter, outputs: readonly TxOutput[]): void {
  writer.array(outputs.length)
  for (const output of outputs) writer.raw(encodeTxOutput(output))
}

function encodeHashes(writer: CborWriter, hashes: readonly string[]): void {
  writer.tag(TAG_SET).array(hashes.length)
  for (const hash of hashes) writer.bytes(hexToBytes(hash, 'required signer', 28))
}
