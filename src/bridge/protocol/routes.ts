import { stringifyJson } from '../../codec/json.js'
import type { Transaction } from '../../types/transaction.js'
import type { TransactionJson, UTxOObject } from './types.js'
import { toEnvelope } from './clientInput.js'

/** A request to the node's HTTP interface as plain data; the path follows the base URL. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** JSON. The node ignores the content type: browsers send it as `text/plain`. */
  readonly body?: string
}

/** Body of POST /commit: outputs as they are, or a transaction that spends them. */
export type CommitBody = UTxOObject | { blueprintTx: TransactionJson; utxo: UTxOObject; changeAddress?: string }

const get = (path: string): WireRequest => ({ method: 'GET', path })
const post = (path: string, body: unknown): WireRequest => ({ method: 'POST', path, body: stringifyJson(body) })

/** The routes of the node that the bridge uses; it decommits and side-loads over the WebSocket. */
export const routes: {
  protocolParameters(): WireRequest
  head(): WireRequest
  snapshot(): WireRequest
  snapshotUtxo(): WireRequest
  lastSeenSnapshot(): WireRequest
  pendingDeposits(): WireRequest
  commit(body: CommitBody): WireRequest
  recoverDeposit(depositTxId: string, quoted: boolean): WireRequest
  submitCardanoTransaction(transaction: TransactionJson & { cborHex: string }): WireRequest
  submitL2Tx(transaction: Transaction): WireRequest
} = {
  protocolParameters: () => get('/protocol-parameters'),
  head: () => get('/head'),
  snapshot: () => get('/snapshot'),
  snapshotUtxo: () => get('/snapshot/utxo'),
  lastSeenSnapshot: () => get('/snapshot/last-seen'),
  pendingDeposits: () => get('/commits'),
  commit: (body) => post('/commit', body),
  recoverDeposit: (depositTxId, quoted) => {
    const id = encodeURIComponent(depositTxId)
    return { method: 'DELETE', path: `/commits/${quoted ? `%22${id}%22` : id}` }
  },
  submitCardanoTransaction: (transaction) => post('/cardano-transaction', toEnvelope(transaction)),
  submitL2Tx: (transaction) => post('/transaction', toEnvelope(transaction))
}
