import { SubmitRejectedError } from '../../errors/refusal.js'
import type { RequestOptions } from '../../types/provider.js'
import type { HttpClient } from '../shared/httpClient.js'
import { sendHttp, serverMessage } from '../shared/httpClient.js'
import { ResponseReader } from '../shared/ResponseReader.js'
import { readSignedTransaction } from '../shared/signedTransaction.js'
import { submitOnce } from '../shared/submitOnce.js'

/** Submits through the Indexer (Blockfrost openapi 0.1.91) and resolves with the transaction's id. */
export async function submitToIndexer(
  client: HttpClient,
  signedTxCbor: string,
  options?: RequestOptions
): Promise<string> {
  const signal = options?.signal
  const transaction = readSignedTransaction(signedTxCbor)
  const { txId } = transaction
  const send = async (): Promise<string> => {
    const { status, text, url } = await sendHttp(client, {
      method: 'POST',
      path: '/tx/submit',
      body: transaction.bytes as BodyInit,
      contentType: 'application/cbor',
      repeatable: false,
      accept: [400],
      signal
    })
    if (status === 400) throw new SubmitRejectedError(txId, status, 'Bad Request', serverMessage(text, client.endpoint))
    const read = new ResponseReader(url, client.endpoint.redact)
    return read.hex(read.parse(text), '', 32)
  }
  const has = async (path: string): Promise<boolean> => {
    const { status, text, url } = await sendHttp(client, {
      method: 'GET',
      path,
      repeatable: true,
      accept: [404],
      signal
    })
    if (status === 404) return false
    const read = new ResponseReader(url, client.endpoint.redact)
    const { hash, tx } = read.object(read.parse(text), '') as { hash?: unknown; tx?: { hash?: unknown } }
    return (hash ?? tx?.hash) === txId
  }
  // First the mempool: from there a transaction moves to the ledger. Not every server has that route.
  const isKnown = async (): Promise<boolean> =>
    (await has(`/mempool/${txId}`).catch(() => false)) || has(`/txs/${txId}`)
  return submitOnce(transaction, { url: `${client.endpoint.label}/tx/submit`, send, isKnown }, signal)
}
