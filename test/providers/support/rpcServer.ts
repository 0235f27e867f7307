import type { ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import { parseJson, stringifyJson } from '../../../src/codec/json.js'
import { readTransaction, toTransactionBytes, transactionId } from '../../../src/codec/transaction.js'
import { HttpTestServer } from './httpServer.js'
import { assertSchema, OGMIOS } from './schema.js'

type Json = Record<string, any>

/** An answer in place of the server's own: text, or null for silence. */
export type RpcFault = (request: Json, socket: WebSocket | null) => string | null | undefined

const SCHEMAS: Record<string, [request: string, response: string]> = {
  'queryLedgerState/utxo': ['QueryLedgerStateUtxo', 'QueryLedgerStateUtxoResponse'],
  'queryLedgerState/protocolParameters': [
    'QueryLedgerStateProtocolParameters',
    'QueryLedgerStateProtocolParametersResponse'
  ],
  'queryNetwork/tip': ['QueryNetworkTip', 'QueryNetworkTipResponse'],
  'queryNetwork/blockHeight': ['QueryNetworkBlockHeight', 'QueryNetworkBlockHeightResponse'],
  submitTransaction: ['SubmitTransaction', 'SubmitTransactionSuccess'],
  acquireMempool: ['AcquireMempool', 'AcquireMempoolResponse'],
  hasTransaction: ['HasTransaction', 'HasTransactionResponse']
}

/**
 * Ogmios v6.14 over lists in memory, HTTP and WebSocket on one port. As in its server (Http.hs), an HTTP request is one
 * message on a connection of its own, and an error object is sent with status 400. Requests and answers are checked
 * against the published schemas.
 */
export class RpcServer extends HttpTestServer {
  utxos: Json[] = []
  readonly mempool = new Set<string>()
  parameters: Json = PARAMETERS
  tips: Json[] = [{ slot: 9687986, id: '4ea1ba291e8eef538635a53e59fddba7810d1679631cc3aed7c8e6c4091a516a' }]
  height: unknown = 3_000_001
  refuse: ((txId: string) => Json | null) | null = null
  rpcFault: RpcFault | null = null
  readonly methods: string[] = []
  readonly sockets = new Set<WebSocket>()
  connections = 0
  readonly #upgrades: WebSocketServer

  constructor() {
    super((response, seen) => this.#post(response, seen.body.toString()))
    this.#upgrades = new WebSocketServer({ server: this.server })
    this.#upgrades.on('connection', (socket) => {
      this.connections++
      this.sockets.add(socket)
      const session = { acquired: null as Set<string> | null }
      socket.on('close', () => this.sockets.delete(socket))
      socket.on('message', (data: Buffer) => {
        const answer = this.answer(data.toString(), session, socket)
        if (answer !== null) socket.send(answer)
      })
    })
  }

  get wsOrigin(): string {
    return this.origin.replace('http', 'ws')
  }

  override async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate()
    this.#upgrades.close()
    await super.close()
  }

  #post(response: ServerResponse, text: string): void {
    const answer = this.answer(text, { acquired: null }, null)
    if (answer === null) return
    response
      .writeHead(/"error":/.test(answer) ? 400 : 200, { 'content-type': 'application/json; charset=utf-8' })
      .end(answer)
  }

  answer(text: string, session: { acquired: Set<string> | null }, socket: WebSocket | null): string | null {
    try {
      const request = parseJson(text) as Json
      const method = request['method'] as string
      this.methods.push(method)
      const fault = this.rpcFault?.(request, socket)
      if (fault !== undefined) return fault
      const [requestSchema, responseSchema] = SCHEMAS[method] ?? []
      if (!requestSchema)
        return this.#failure(request, { code: -32601, message: `Invalid request: no such method.` }, 'RpcError')
      assertSchema(OGMIOS['messages'][requestSchema], request, `the request ${method}`)
      const outcome = this.#run(method, request['params'] ?? {}, session)
      if ('silence' in outcome) return null
      if ('error' in outcome) return this.#failure(request, outcome['error'] as Json)
      const answer = { jsonrpc: '2.0', method, result: outcome['result'], id: request['id'] }
      assertSchema(OGMIOS['messages'][responseSchema!], answer, `the answer to ${method}`)
      return stringifyJson(answer)
    } catch (error) {
      this.failures.push(error)
      return JSON.stringify({ jsonrpc: '2.0', error: { code: -32603, message: String(error) } })
    }
  }

  #failure(request: Json, error: Json, schema?: string): string {
    // The published RpcError requires a key "string" that no server sends, so only the outer shape is checked.
    if (schema && !OGMIOS['messages'][schema]) throw new Error('no schema')
    return stringifyJson({ jsonrpc: '2.0', method: request['method'], error, id: request['id'] })
  }

  #run(method: string, params: Json, session: { acquired: Set<string> | null }): Json {
    switch (method) {
      case 'queryLedgerState/utxo': {
        const refs = params['outputReferences'] as Json[] | undefined
        const wanted = (utxo: Json): boolean =>
          refs
            ? refs.some((ref) => ref['transaction'].id === utxo['transaction'].id && ref['index'] === utxo['index'])
            : params['addresses'].includes(utxo['address'])
        return { result: this.utxos.filter(wanted) }
      }
      case 'queryLedgerState/protocolParameters':
        return { result: this.parameters }
      case 'queryNetwork/tip':
        return { result: this.tips.length > 1 ? this.tips.shift() : this.tips[0] }
      case 'queryNetwork/blockHeight':
        return { result: this.height }
      case 'submitTransaction': {
        const id = transactionId(readTransaction(toTransactionBytes(params['transaction'].cbor)))
        const error = this.refuse?.(id)
        if (error) return { error }
        this.mempool.add(id)
        return { result: { transaction: { id } } }
      }
      case 'acquireMempool':
        // "This is blocking until a new (i.e. different) snapshot is available."
        if (session.acquired?.size === this.mempool.size) return { silence: true }
        session.acquired = new Set(this.mempool)
        return { result: { acquired: 'mempool', slot: 1 } }
      default:
        if (!session.acquired)
          return { error: { code: 4000, message: 'You must acquire a mempool snapshot prior to accessing it.' } }
        return { result: session.acquired.has(params['id']) }
    }
  }
}

/** Today's parameters of preprod in the shape of the published schema. */
export const PARAMETERS: Json = {
  minFeeCoefficient: 44,
  minFeeConstant: { ada: { lovelace: 155381 } },
  minFeeReferenceScripts: { base: 15, range: 25600, multiplier: 1.2 },
  maxBlockBodySize: { bytes: 90112 },
  maxBlockHeaderSize: { bytes: 1100 },
  maxTransactionSize: { bytes: 16384 },
  maxValueSize: { bytes: 5000 },
  stakeCredentialDeposit: { ada: { lovelace: 2000000 } },
  stakePoolDeposit: { ada: { lovelace: 500000000 } },
  stakePoolRetirementEpochBound: 18,
  desiredNumberOfStakePools: 500,
  stakePoolPledgeInfluence: '3/10',
  monetaryExpansion: '3/1000',
  treasuryExpansion: '1/5',
  minStakePoolCost: { ada: { lovelace: 170000000 } },
  minUtxoDepositConstant: { ada: { lovelace: 0 } },
  minUtxoDepositCoefficient: 4310,
  plutusCostModels: {
    'plutus:v1': [100788, 420, 1],
    'plutus:v2': [100788, 420, 1, 1],
    'plutus:v3': [100788, 420, 1, 1, 1000]
  },
  scriptExecutionPrices: { memory: '577/10000', cpu: '721/10000000' },
  maxExecutionUnitsPerTransaction: { memory: 14000000, cpu: 10000000000 },
  maxExecutionUnitsPerBlock: { memory: 62000000, cpu: 20000000000 },
  collateralPercentage: 150,
  maxCollateralInputs: 3,
  version: { major: 10, minor: 0 }
}
