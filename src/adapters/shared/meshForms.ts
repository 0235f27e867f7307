import { CborReader } from '../../codec/cbor/reader.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { readTransaction, toTransactionBytes, transactionId } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import type { HeadRules } from '../../client/inner.js'
import type { ScriptLanguage, TxInput, TxOutput, UTxO } from '../../types/utxo.js'
import type { PassedTxs } from './PassedTxs.js'

/** An output in Mesh's form. */
export interface MeshUTxO {
  /** Reference: `txHash` (hex, 64 characters) and `outputIndex` from 0. */
  input: { outputIndex: number; txHash: string }
  /** Content of the output. */
  output: {
    /** Bech32. */
    address: string
    /** Amounts by `unit` (`lovelace`, or policy id and asset name in hex); each `quantity` in decimal digits. */
    amount: { unit: string; quantity: string }[]
    /** Hash of its datum: hex, 64 characters. */
    dataHash?: string
    /** Inline datum: CBOR hex. */
    plutusData?: string
    /** Reference script, `[language, script]`: CBOR hex. */
    scriptRef?: string
  }
}

/** A transaction in Mesh's form. A head has no blocks: `block` is empty and `index` is 0. */
export interface MeshTxInfo {
  /** Always 0. */
  index: number
  /** Always empty. */
  block: string
  /** Transaction id: hex, 64 characters. */
  hash: string
  /** Slot at which the node accepted it; empty where the head's slots are not known. */
  slot: string
  /** Lovelace, decimal digits. */
  fees: string
  /** Bytes. */
  size: number
  /** Always 0. */
  deposit: string
  /** First slot at which it is valid; empty without a bound. */
  invalidBefore: string
  /** First slot at which it is not valid; empty without a bound. */
  invalidAfter: string
  /** Outputs that it spends; one that is not known has an empty address and no amounts. */
  inputs: MeshUTxO[]
  /** Outputs that it makes. */
  outputs: MeshUTxO[]
}

const LANGUAGES: readonly ScriptLanguage[] = ['native', 'PlutusV1', 'PlutusV2', 'PlutusV3']

/** Converts an output to Mesh's form. */
export function toMesh({ input, output }: UTxO): MeshUTxO {
  return {
    input: { outputIndex: input.index, txHash: input.txHash },
    output: {
      address: output.address,
      amount: output.amount.map(({ unit, quantity }) => ({ unit, quantity })),
      ...(output.datumHash === undefined ? {} : { dataHash: output.datumHash }),
      ...(output.inlineDatum === undefined ? {} : { plutusData: output.inlineDatum }),
      ...(output.scriptRef === undefined ? {} : { scriptRef: scriptCbor(output.scriptRef) })
    }
  }
}

/** Encodes a reference script as `script = [language, script]` (CDDL), in hex. */
function scriptCbor({ language, cborHex }: NonNullable<TxOutput['scriptRef']>): string {
  return `820${LANGUAGES.indexOf(language)}${cborHex}`
}

/**
 * Converts an output from Mesh's form. @throws {@link InvalidHexError}, {@link InvalidCborError} on an invalid
 * reference script
 */
export function fromMesh({ input, output }: MeshUTxO): UTxO {
  const { address, amount, dataHash, plutusData, scriptRef } = output
  const result: TxOutput = { address, amount: amount.map(({ unit, quantity }) => ({ unit, quantity })) }
  // Mesh gives the hash of an inline datum too.
  if (plutusData != null) result.inlineDatum = plutusData
  else if (dataHash != null) result.datumHash = dataHash
  if (scriptRef != null) result.scriptRef = readScript(hexToBytes(scriptRef, 'scriptRef'))
  return { input: { txHash: input.txHash, index: input.outputIndex }, output: result }
}

/** Reads `[language, script]`, in a tagged byte string or bare (CDDL, `script_ref`). */
function readScript(bytes: Uint8Array): NonNullable<TxOutput['scriptRef']> {
  const reader = new CborReader(bytes, 'The reference script')
  if (bytes[0] === 0xd8) {
    reader.readTag()
    return readScript(reader.readBytes())
  }
  reader.readArrayHeader()
  const language = LANGUAGES[reader.readSafeUint()] ?? reader.fail('a language from 0 to 3', 'another', 0)
  return { language, cborHex: bytesToHex(reader.slice(reader.skip())) }
}

/** Returns the outputs of a transaction (CBOR hex). @throws {@link InvalidCborError} */
export function meshOutputsOf(cborHex: string): UTxO[] {
  const spans = readTransaction(toTransactionBytes(cborHex))
  const txHash = transactionId(spans)
  return decodeTransactionBody(spans).outputs.map((output, index) => ({ input: { txHash, index }, output }))
}

/**
 * Returns a kept transaction in Mesh's form. `unspent`: outputs of the head, to look up those that it spends. @throws
 * {@link InvalidArgumentError} when it is not kept
 */
export function txInfo(
  hash: string,
  passed: PassedTxs,
  unspent: readonly UTxO[],
  ledger: Pick<HeadRules, 'slotAt'>
): MeshTxInfo {
  const { cborHex, at } = passed.get(hash)
  const spans = readTransaction(toTransactionBytes(cborHex))
  const body = decodeTransactionBody(spans)
  const outputs = meshOutputsOf(cborHex)
  return {
    index: 0,
    block: '',
    hash: transactionId(spans),
    slot: String(ledger.slotAt(at) ?? ''),
    fees: String(body.fee),
    size: spans.bytes.length,
    deposit: '0',
    invalidBefore: String(body.validityStart ?? ''),
    invalidAfter: String(body.ttl ?? ''),
    inputs: body.inputs.map((input) => toMesh(spentOutput(input, passed, unspent))),
    outputs: outputs.map(toMesh)
  }
}

function spentOutput(input: TxInput, passed: PassedTxs, unspent: readonly UTxO[]): UTxO {
  const parent = passed.find(input.txHash)
  const found =
    parent === undefined
      ? unspent.find((utxo) => utxo.input.txHash === input.txHash && utxo.input.index === input.index)
      : meshOutputsOf(parent.cborHex)[input.index]
  return found ?? { input, output: { address: '', amount: [] } }
}
