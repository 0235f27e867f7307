import type { BaseApiReply, BaseApiRequest } from '../../chain/BaseApi.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import type { JsonValue } from '../../json/jsonText.js'
import { accountInfo, answerAddressInfo, addressTransactions, addressUtxos } from './addresses.js'
import { assetAddresses } from './assets.js'
import { blockInfo, blockJson, genesisJson } from './blocks.js'
import { evaluateTransaction } from './evaluate.js'
import { epochParameters } from './parameters.js'
import { failureReply, invalidPath, blockfrostReply, notFound } from './reply.js'
import { datumInfo, scriptInfo } from './scripts.js'
import {
  submitTransaction,
  transactionCbor,
  transactionJson,
  transactionMetadata,
  transactionOf,
  transactionUtxos
} from './transactions.js'

/** Answers as Blockfrost does (openapi 0.1.91), as far as wallets and transaction builders need; never rejects. */
export async function answerIndexer(request: BaseApiRequest, chain: BaseChain): Promise<BaseApiReply> {
  try {
    return blockfrostReply(await route(request, chain))
  } catch (error) {
    return failureReply(error)
  }
}

function route(request: BaseApiRequest, chain: BaseChain): JsonValue | Promise<JsonValue> {
  const { method, segments } = request
  const path = `/${segments.join('/')}`
  if (method === 'POST') {
    if (path === '/tx/submit') return submitTransaction(request, chain)
    if (path === '/utils/txs/evaluate' || path === '/utils/txs/evaluate/utxos')
      return evaluateTransaction(request, chain)
    throw invalidPath()
  }
  if (method !== 'GET' && method !== 'HEAD') throw invalidPath()
  const [room = '', ...rest] = segments
  const answer = ROOMS.get(room)?.(rest, request, chain)
  if (answer === undefined) throw invalidPath()
  return answer
}

type Room = (rest: readonly string[], request: BaseApiRequest, chain: BaseChain) => JsonValue | undefined

/** Handlers by the first segment of the path; a handler returns `undefined` for a path that does not exist. */
const ROOMS: ReadonlyMap<string, Room> = new Map<string, Room>([
  ['', (rest) => (rest.length === 0 ? { url: 'https://blockfrost.io/', version: '0.1.91' } : undefined)],
  [
    'health',
    (rest, _request, chain) =>
      rest.length === 0 ? { is_healthy: true } : rest.join('/') === 'clock' ? { server_time: chain.now() } : undefined
  ],
  ['genesis', (rest, _request, chain) => (rest.length === 0 ? genesisJson(chain) : undefined)],
  ['addresses', addressesRoom],
  ['txs', transactionsRoom],
  [
    'epochs',
    ([epoch, part, ...more], _request, chain) =>
      part === 'parameters' && more.length === 0 ? epochParameters(epoch!, chain) : undefined
  ],
  ['blocks', blocksRoom],
  [
    'accounts',
    ([stake, ...more], _request, chain) =>
      stake !== undefined && more.length === 0 ? accountInfo(stake, chain) : undefined
  ],
  [
    'assets',
    ([asset, part, ...more], request, chain) =>
      part === 'addresses' && more.length === 0 ? assetAddresses(asset!, request, chain) : undefined
  ],
  ['scripts', scriptsRoom],
  ['mempool', mempoolRoom]
])

function addressesRoom(
  [address, part, asset, ...more]: readonly string[],
  request: BaseApiRequest,
  chain: BaseChain
): JsonValue | undefined {
  if (address === undefined || more.length > 0) return undefined
  if (part === undefined) return answerAddressInfo(address, chain)
  if (part === 'utxos') return addressUtxos(address, asset, request, chain)
  return part === 'transactions' && asset === undefined ? addressTransactions(address, request, chain) : undefined
}

function transactionsRoom(
  [id, ...parts]: readonly string[],
  _request: BaseApiRequest,
  chain: BaseChain
): JsonValue | undefined {
  if (id === undefined) return undefined
  const part = parts.join('/')
  if (!['', 'utxos', 'cbor', 'metadata', 'metadata/cbor'].includes(part)) return undefined
  const tx = transactionOf(id, chain)
  switch (part) {
    case 'utxos':
      return transactionUtxos(tx, chain)
    case 'cbor':
      return transactionCbor(tx)
    case 'metadata':
    case 'metadata/cbor':
      return transactionMetadata(tx, part !== 'metadata')
    default:
      return transactionJson(tx, chain)
  }
}

function blocksRoom(
  [block, ...more]: readonly string[],
  _request: BaseApiRequest,
  chain: BaseChain
): JsonValue | undefined {
  if (block === undefined || more.length > 0) return undefined
  return block === 'latest' ? blockJson(chain.tip, chain) : blockInfo(block, chain)
}

function scriptsRoom(
  [hash, part, ...more]: readonly string[],
  _request: BaseApiRequest,
  chain: BaseChain
): JsonValue | undefined {
  if (hash === undefined) return undefined
  if (hash === 'datum') {
    const [form, ...others] = more
    return part === undefined || others.length > 0 || (form ?? 'cbor') !== 'cbor'
      ? undefined
      : datumInfo(part, form === 'cbor', chain)
  }
  if (more.length > 0 || ![undefined, 'cbor', 'json'].includes(part)) return undefined
  return scriptInfo(hash, part, chain)
}

/** The base ledger accepts a transaction at once, so that none ever waits. */
function mempoolRoom(rest: readonly string[]): JsonValue | undefined {
  if (rest.length === 0) return []
  if (rest.length > 1) return undefined
  throw notFound()
}
