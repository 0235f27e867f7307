import { SubmitRejectedError } from '../../errors/refusal.js'
import type { RequestOptions, Submitter } from '../../types/provider.js'
import type { RpcCall, RpcOutcome } from './client.js'
import { rpcCodeName, toRpcError } from './errors.js'
import type { RpcQuery } from './fetcher.js'
import { outputReferences } from './fetcher.js'
import type { SignedTransaction } from '../shared/signedTransaction.js'
import { readSignedTransaction } from '../shared/signedTransaction.js'
import { submitOnce } from '../shared/submitOnce.js'

/** Least size of an output in a transaction, bytes: an address of 29, a coin, and their CBOR heads. */
const MIN_OUTPUT_BYTES = 32
/**
 * Returns true for the codes with which the ledger and the mempool refuse a transaction, and for InvalidParams
 * (-32602), which means that the bytes are not a transaction.
 */
const isRefusal = (code: number): boolean => (code >= 3000 && code < 4000) || code === -32602

/** Members of the provider that submitting needs. */
export interface RpcSubmitterContext {
  /** Public name of the endpoint. */
  url: string
  call: (call: RpcCall) => Promise<RpcOutcome>
  query: RpcQuery
  /**
   * Opens a separate WebSocket for queries, on which a mempool snapshot stays acquired; undefined without a WebSocket.
   */
  openMempool: (() => RpcQuery) | undefined
}

/** Creates the submitter of `RpcProvider`, for Ogmios v6.14 and v7.0. */
export function createRpcSubmitter(context: RpcSubmitterContext): Submitter {
  return {
    async submitTx(signedTxCbor, options) {
      const transaction = readSignedTransaction(signedTxCbor)
      const send = (): Promise<string> =>
        sendTransaction(context, transaction.txId, signedTxCbor.toLowerCase(), options)
      // First the mempool: from there a transaction moves to the ledger.
      const isKnown = async (): Promise<boolean> =>
        (await isInMempool(context, transaction.txId, options).catch(() => false)) ||
        isInLedger(context, transaction, options)
      return submitOnce(transaction, { url: context.url, send, isKnown }, options?.signal)
    }
  }
}

async function sendTransaction(
  { url, call }: RpcSubmitterContext,
  txId: string,
  cbor: string,
  options?: RequestOptions
): Promise<string> {
  const method = 'submitTransaction'
  const outcome = await call({ method, params: { transaction: { cbor } }, repeatable: false, signal: options?.signal })
  if ('failure' in outcome) {
    const { code, message, data } = outcome.failure
    if (isRefusal(code)) throw new SubmitRejectedError(txId, code, rpcCodeName(code), message + data)
    throw toRpcError({ method, url }, outcome.failure)
  }
  const { result, read } = outcome
  return read.hex(read.object(read.object(result, '')['transaction'], 'transaction')['id'], 'transaction.id', 32)
}

async function isInMempool(
  { openMempool }: RpcSubmitterContext,
  txId: string,
  options?: RequestOptions
): Promise<boolean> {
  if (!openMempool) return false
  // On a connection that has a snapshot already, Ogmios would not answer before the mempool changes.
  const query = openMempool()
  await query('acquireMempool', undefined, options)
  return (await query('hasTransaction', { id: txId }, options)).result === true
}

/**
 * Returns true when the ledger has an output of the transaction. The ledger can be asked for outputs, not for
 * transaction ids, so the query names as many outputs as the transaction can have.
 */
async function isInLedger(
  { query }: RpcSubmitterContext,
  { txId, bytes }: SignedTransaction,
  options?: RequestOptions
): Promise<boolean> {
  const refs = Array.from({ length: Math.ceil(bytes.length / MIN_OUTPUT_BYTES) }, (_, index) => ({
    txHash: txId,
    index
  }))
  const { result, read } = await query('queryLedgerState/utxo', outputReferences(refs), options)
  return read.list(result, '').some((entry) => (entry as { transaction?: { id?: unknown } }).transaction?.id === txId)
}
