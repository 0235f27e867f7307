import { bytesToHex, hexToBytes } from '../../../codec/hex.js'
import { decodeAuxiliaryData } from '../../../codec/auxiliaryData.js'
import { readTransaction } from '../../../codec/transaction.js'
import type { BaseApiRequest } from '../../chain/BaseApi.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import type { BaseTransaction } from '../../chain/baseHistory.js'
import { prepareTx, type PreparedTx } from '../../rules/preparedTx.js'
import type { LedgerEntry } from '../../rules/utxoSet.js'
import type { JsonValue } from '../../json/jsonText.js'
import { JsonText } from '../../json/jsonText.js'
import { stringifyJson } from '../../../codec/json.js'
import { blockTime } from './blocks.js'
import { blockfrostOutput, sumOf } from './outputs.js'
import { hashOf, IndexerFailure, notFound } from './reply.js'

/** A transaction by the id in a path. @throws {@link IndexerFailure} */
export function transactionOf(id: string, { history }: BaseChain): BaseTransaction {
  const tx = history.get(hashOf(id, 64))
  if (tx === undefined) throw notFound()
  return tx
}

/** GET /txs/{hash} */
export function transactionJson(tx: BaseTransaction, chain: BaseChain): JsonValue {
  const { submitted } = tx
  const sum = sumOf(tx.outputs)
  return {
    hash: tx.txId,
    block: chain.blockAt(tx.slot).hash,
    block_height: tx.slot,
    block_time: blockTime(tx.slot, chain),
    slot: tx.slot,
    index: tx.index,
    output_amount: [...sum].map(([unit, quantity]) => ({ unit, quantity: String(quantity) })),
    fees: String(submitted?.fee ?? 0n),
    deposit: '0',
    size: submitted?.bytes.length ?? 0,
    invalid_before: slotText(submitted?.validityStart),
    invalid_hereafter: slotText(submitted?.ttl),
    utxo_count: tx.spent.length + tx.outputs.length,
    withdrawal_count: submitted?.withdrawals ?? 0,
    mir_cert_count: 0,
    delegation_count: 0,
    stake_cert_count: 0,
    pool_update_count: 0,
    pool_retire_count: 0,
    asset_mint_or_burn_count: submitted?.mint.size ?? 0,
    redeemer_count: submitted?.redeemers ?? 0,
    valid_contract: tx.valid,
    treasury_donation: '0'
  }
}

function slotText(slot: bigint | undefined): string | null {
  return slot === undefined ? null : String(slot)
}

/** GET /txs/{hash}/utxos */
export function transactionUtxos(tx: BaseTransaction, { history }: BaseChain): JsonValue {
  const input = (entry: LedgerEntry, kind: { collateral: boolean; reference: boolean }): JsonValue => {
    return { ...blockfrostOutput(entry), tx_hash: entry.input.txHash, ...kind }
  }
  return {
    hash: tx.txId,
    inputs: [
      ...(tx.valid ? tx.spent : []).map((entry) => input(entry, { collateral: false, reference: false })),
      ...tx.collateral.map((entry) => input(entry, { collateral: true, reference: false })),
      ...tx.referred.map((entry) => input(entry, { collateral: false, reference: true }))
    ],
    outputs: tx.outputs.map((entry) => {
      return {
        ...blockfrostOutput(entry),
        collateral: !tx.valid,
        consumed_by_tx: history.spending(entry.ref)?.tx.txId ?? null
      }
    })
  }
}

/** GET /txs/{hash}/cbor: a transaction that the node itself has made has no CBOR. */
export function transactionCbor({ submitted }: BaseTransaction): JsonValue {
  if (submitted === null) throw notFound()
  return { cbor: bytesToHex(submitted.bytes) }
}

/** GET /txs/{hash}/metadata, and `/cbor`. */
export function transactionMetadata({ submitted }: BaseTransaction, asCbor: boolean): JsonValue {
  const span = submitted === null ? null : readTransaction(submitted.bytes).auxiliaryData
  if (submitted === null || span === null) return []
  const { metadata } = decodeAuxiliaryData(submitted.bytes.subarray(span.start, span.end))
  return [...metadata].map(([label, metadatum]) => {
    const cbor = metadatum.toCbor()
    if (asCbor) return { label: String(label), cbor_metadata: `\\x${cbor}`, metadata: cbor }
    return { label: String(label), json_metadata: new JsonText(stringifyJson(metadatum.toObject())) }
  })
}

/** POST /tx/submit: the id, or the reasons as cardano-submit-api words them, which Blockfrost hands on as text. */
export async function submitTransaction({ body, headers }: BaseApiRequest, chain: BaseChain): Promise<JsonValue> {
  if (headers['content-type']?.split(';')[0]!.trim() !== 'application/cbor') {
    throw new IndexerFailure(400, 'Invalid Content-Type: expected application/cbor')
  }
  const tx = readSubmitted(body)
  const reasons = await chain.submit(tx)
  if (reasons.length === 0) return tx.txId
  const contents = { kind: 'ShelleyTxValidationError', error: reasons, era: 'ShelleyBasedEraConway' }
  throw submitFailure({
    contents: { contents, tag: 'TxValidationErrorInCardanoMode' },
    tag: 'TxCmdTxSubmitValidationError'
  })
}

/** Bytes, or their hex: some clients send it so. */
function readSubmitted(body: Uint8Array): PreparedTx {
  const isText = body.length > 0 && body.every((byte) => HEX.has(byte))
  try {
    return prepareTx(isText ? hexToBytes(new TextDecoder().decode(body)) : body)
  } catch (error) {
    const message = `DecoderErrorDeserialiseFailure "Shelley Tx" (DeserialiseFailure 0 ${JSON.stringify((error as Error).message)})`
    throw submitFailure({ contents: [message], tag: 'TxCmdTxReadError' })
  }
}

const HEX = new Set(Array.from('0123456789abcdefABCDEF', (digit) => digit.charCodeAt(0)))

function submitFailure(contents: unknown): IndexerFailure {
  return new IndexerFailure(400, JSON.stringify({ contents, tag: 'TxSubmitFail' }))
}
