import { stringifyJson } from '../../codec/json.js'
import type { Transaction } from '../../types/transaction.js'
import type { ConfirmedSnapshot, TransactionJson, UTxOObject } from '../shapes.js'
import { toEnvelope } from './inputs.js'

/** A request to the node's HTTP interface as plain data; the path follows the base URL. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** JSON. The node ignores the content type: browsers send it as `text/plain`. */
  readonly body?: string
}

/** What POST /commit takes: outputs as they are, or a transaction that says what becomes of them. */
export type CommitBody =
  | UTxOObject
  | { blueprintTx: TransactionJson; utxo: UTxOObject; changeAddress?: string }

const get = (path: string): WireRequest => ({ method: 'GET', path })
const post = (path: string, body: unknown): WireRequest => ({ method: 'POST', path, body: stringifyJson(body) })

/** Every route of the node. */
export const routes: {
  protocolParameters(): WireRequest
  head(): WireRequest
  snapshot(): WireRequest
  snapshotUtxo(): WireRequest
  lastSeenSnapshot(): WireRequest
  headInitialization(): WireRequest
  config(): WireRequest
  pendingDeposits(): WireRequest
  sideLoadSnapshot(snapshot: ConfirmedSnapshot): WireRequest
  commit(body: CommitBody): WireRequest
  recoverDeposit(depositTxId: string, quoted: boolean): WireRequest
  decommit(transaction: TransactionJson & { cborHex: string }): WireRequest
  submitCardanoTransaction(transaction: TransactionJson & { cborHex: string }): WireRequest
  submitL2Tx(transaction: Transaction): WireRequest
} = {
  protocolParameters: () => get('/protocol-parameters'),
  head: () => get('/head'),
  snapshot: () => get('/snapshot'),
  snapshotUtxo: () => get('/snapshot/utxo'),
  lastSeenSnapshot: () => get('/snapshot/last-seen'),
  headInitialization: () => get('/head-initialization'),
  config: () => get('/config'),
  pendingDeposits: () => get('/commits'),
  sideLoadSnapshot: (snapshot) => post('/snapshot', snapshot),
  commit: (body) => post('/commit', body),
  recoverDeposit: (depositTxId, quoted) => {
    const id = encodeURIComponent(depositTxId)
    return { method: 'DELETE', path: `/commits/${quoted ? `%22${id}%22` : id}` }
  },
  decommit: (transaction) => post('/decommit', toEnvelope(transaction)),
  submitCardanoTransaction: (transaction) => post('/cardano-transaction', toEnvelope(transaction)),
  submitL2Tx: (transaction) => post('/transaction', toEnvelope(transaction))
}

/** What a connection is to deliver. */
export interface ConnectionQuery {
  /** Past messages before the present ones. @default false */
  readonly history?: boolean | undefined
  /** No outputs in snapshots. @default false */
  readonly noSnapshotUtxo?: boolean | undefined
  /** Only snapshots whose transactions pay to this address (bech32). */
  readonly address?: string | undefined
}

const QUERY_KEYS: readonly string[] = ['history', 'snapshot-utxo', 'address']

/** A query without our own parameters; everything else stays as it was written, repeated keys and odd escapes included. */
function foreignQuery(url: string): { base: string; rest: string[] } {
  const [withQuery = ''] = url.split('#')
  const at = withQuery.indexOf('?')
  if (at < 0) return { base: withQuery, rest: [] }
  const rest = withQuery.slice(at + 1).split('&').filter((part) => part !== '' && !QUERY_KEYS.includes(part.split('=')[0]!))
  return { base: withQuery.slice(0, at), rest }
}

/** The WebSocket URL with our parameters merged into its query. `history` is always said: old nodes send it unless told not to. */
export function socketUrl(url: string, query: ConnectionQuery): string {
  const { base, rest } = foreignQuery(url)
  rest.push(`history=${query.history === true ? 'yes' : 'no'}`)
  if (query.noSnapshotUtxo === true) rest.push('snapshot-utxo=no')
  if (query.address !== undefined && query.address !== '') rest.push(`address=${encodeURIComponent(query.address)}`)
  return `${base}?${rest.join('&')}`
}

/** The HTTP URL of a route on the host and path of a WebSocket URL: its own query stays (a hub's key), our parameters go. */
export function httpUrl(socket: string, path: string): string {
  const { base, rest } = foreignQuery(socket)
  const http = base.replace(/^ws/i, 'http').replace(/\/+$/, '')
  return `${http}${path}${rest.length === 0 ? '' : `?${rest.join('&')}`}`
}
