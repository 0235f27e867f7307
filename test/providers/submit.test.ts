import { IndexerProvider, RpcProvider } from 'layer-sdk/providers'
import { loadVectors, setsHere } from '../support/vectors.js'
import { readSignedTransaction } from '../../src/providers/shared/signedTransaction.js'
import { error, IndexerServer, KEY } from './support/indexerServer.js'
import { RpcServer } from './support/rpcServer.js'
import { TX, TX_ID, TX_SIGNED } from './support/transaction.js'

// What cardano-node's submit API says, as Blockfrost hands it on.
const SPENT =
  '"transaction submit error ShelleyTxValidationError ShelleyBasedEraConway (ApplyTxError (ConwayUtxowFailure (UtxoFailure (BadInputsUTxO (fromList [...])))))"'

describe('the Indexer submits', () => {
  let server: IndexerServer
  beforeEach(async () => (server = await new IndexerServer().listen()))
  afterEach(async () => {
    await server.close()
    expect(server.failures).toEqual([])
  })
  const submit = (cbor = TX, more: object = {}, options: object = {}): Promise<string> =>
    new IndexerProvider({
      apiKey: KEY,
      network: 'preprod',
      baseUrl: server.baseUrl,
      retry: { delay: 1 },
      ...more
    }).submitter.submitTx(cbor, options)
  const posts = (): number => server.seen.filter(({ method }) => method === 'POST').length

  it('the bytes as they are, and resolves with the id', async () => {
    expect(await submit(TX_SIGNED)).toBe(TX_ID)
    expect(server.seen).toHaveLength(1)
    expect(server.seen[0]!.body.toString('hex')).toBe(TX_SIGNED)
    expect(server.seen[0]!.headers['content-type']).toBe('application/cbor')
  })

  it("and hands on the node's own words when it refuses", async () => {
    server.refuse = () => SPENT
    await expect(submit()).rejects.toMatchObject({
      code: 'PROVIDER_SUBMIT_REJECTED',
      txId: TX_ID,
      reason: SPENT,
      nodeCode: 400
    })
    expect(posts()).toBe(1)
  })

  it('and does not call refused what nobody could be asked about', async () => {
    server.refuse = () => SPENT
    server.fault = (response, { method }) => (method === 'GET' ? void response.socket!.resetAndDestroy() : false)
    await expect(submit()).rejects.toMatchObject({
      code: 'PROVIDER_SUBMIT_UNKNOWN',
      txId: TX_ID,
      cause: { code: 'PROVIDER_SUBMIT_REJECTED', reason: SPENT }
    })
  })

  it.each(['mempool', 'ledger'] as const)(
    'and takes a refusal for success when the same transaction is in the %s already',
    async (place) => {
      server.refuse = (txId) => (server[place].has(txId) ? SPENT : null)
      server[place].add(TX_ID)
      expect(await submit()).toBe(TX_ID)
      expect(await submit(TX_SIGNED)).toBe(TX_ID)
      expect(posts()).toBe(2)
    }
  )

  it('and not when another body spends the same inputs', async () => {
    const other = TX.replace('1a0002917d', '1a0002917e')
    server.ledger.add(TX_ID)
    server.refuse = () => SPENT
    await expect(submit(other)).rejects.toMatchObject({ code: 'PROVIDER_SUBMIT_REJECTED' })
  })

  it.each<[string, (server: IndexerServer) => void]>([
    [
      'the connection is reset',
      (each) =>
        (each.fault = (response, { method }) =>
          method === 'POST' ? void (each.mempool.add(TX_ID), response.socket!.resetAndDestroy()) : false)
    ],
    [
      'a 502 comes',
      (each) =>
        (each.fault = (response, { method }) =>
          method === 'POST' ? void (each.mempool.add(TX_ID), response.writeHead(502).end('<html>')) : false)
    ],
    [
      'HTML comes with 200',
      (each) =>
        (each.fault = (response, { method }) =>
          method === 'POST' ? void (each.mempool.add(TX_ID), response.end('<html>')) : false)
    ],
    [
      'another id comes',
      (each) =>
        (each.fault = (response, { method }) =>
          method === 'POST' ? void (each.ledger.add(TX_ID), response.end(JSON.stringify('0'.repeat(64)))) : false)
    ]
  ])('once, and asks for the id when %s', async (_, arrange) => {
    arrange(server)
    expect(await submit()).toBe(TX_ID)
    expect(posts()).toBe(1)
  })

  it('once, and asks for the id when the time is up', async () => {
    server.fault = (_, { method }) => (method === 'POST' ? void server.mempool.add(TX_ID) : false)
    expect(await submit(TX, { timeout: 150 })).toBe(TX_ID)
    expect(posts()).toBe(1)
  })

  it('once, and says that the outcome is unknown when nobody knows the id', async () => {
    server.fault = (response, { method }) => (method === 'POST' ? void response.socket!.resetAndDestroy() : false)
    await expect(submit()).rejects.toMatchObject({
      code: 'PROVIDER_SUBMIT_UNKNOWN',
      outcome: 'unknown',
      txId: TX_ID,
      cause: { code: 'PROVIDER_NETWORK' }
    })
    expect(posts()).toBe(1)
  })

  it.each([402, 403, 404, 418, 425, 429])(
    'once, and says so when status %i tells that it was not taken',
    async (status) => {
      server.fault = (response) => error(response, status)
      await expect(submit()).rejects.toMatchObject({ status })
      expect(server.seen).toHaveLength(1)
    }
  )

  it('and says that no connection was made, when the server is down', async () => {
    const { baseUrl } = server
    await server.close()
    await expect(submit(TX, { baseUrl })).rejects.toMatchObject({ code: 'PROVIDER_NETWORK', reason: 'ECONNREFUSED' })
    await server.listen()
  })

  it("until the caller's signal ends it", async () => {
    const controller = new AbortController()
    const reason = new Error('stop')
    server.fault = () => controller.abort(reason)
    await expect(submit(TX, {}, { signal: controller.signal })).rejects.toBe(reason)
    expect(server.seen).toHaveLength(1)
  })

  it.each(['', '84', 'zz', 'a0', '80', TX.slice(0, -2), `${TX}00`, '84a3', '9fff', `84${'9f'.repeat(60000)}`])(
    'nothing that is no transaction (%#)',
    async (cbor) => {
      await expect(submit(cbor)).rejects.toMatchObject({ code: expect.stringMatching(/^INPUT_(CBOR|HEX)$/) })
      await expect(submit(null as never)).rejects.toMatchObject({ code: 'INPUT_HEX' })
      expect(server.seen).toEqual([])
    }
  )
})

describe.each(['http', 'ws'])('the Rpc submits over %s', (scheme) => {
  let server: RpcServer
  beforeEach(async () => (server = await new RpcServer().listen()))
  afterEach(async () => {
    await server.close()
    expect(server.failures).toEqual([])
  })
  const submit = (cbor = TX, more: object = {}): Promise<string> =>
    new RpcProvider({
      apiEndpoint: scheme === 'ws' ? server.wsOrigin : server.origin,
      network: 'preprod',
      retry: { delay: 1 },
      ...more
    }).submitter.submitTx(cbor)
  const submissions = (): number => server.methods.filter((method) => method === 'submitTransaction').length
  const spent = {
    code: 3117,
    message: 'The transaction contains unknown UTxO references.',
    data: { unknownOutputReferences: [{ transaction: { id: '0a'.repeat(32) }, index: 0 }] }
  }
  const utxo = (index: number): object => ({
    transaction: { id: TX_ID },
    index,
    address: 'addr_test1vr8nl4u0u6fmtfnawx2rxfz95dy7m46t6dhzdftp2uha87syeufdg',
    value: { ada: { lovelace: 1 } }
  })

  it('and resolves with the id', async () => {
    expect(await submit(TX_SIGNED.toUpperCase())).toBe(TX_ID)
    expect(server.methods).toEqual(['submitTransaction'])
  })

  it('and hands on reason, code and name when the node refuses', async () => {
    server.refuse = () => spent
    await expect(submit()).rejects.toMatchObject({
      code: 'PROVIDER_SUBMIT_REJECTED',
      txId: TX_ID,
      nodeCode: 3117,
      nodeCodeName: 'UnknownOutputReferences',
      reason: expect.stringMatching(/unknown UTxO references.*0a0a0a/)
    })
    expect(submissions()).toBe(1)
  })

  it('and takes a refusal for success when the same transaction is in the mempool already', async () => {
    server.refuse = (txId) =>
      server.mempool.has(txId)
        ? { code: 3997, message: 'Rejected by the mempool.', data: { error: 'All inputs are spent.' } }
        : null
    expect(await submit()).toBe(TX_ID)
    expect(await submit(TX_SIGNED)).toBe(TX_ID)
    expect(server.methods).toEqual(['submitTransaction', 'submitTransaction', 'acquireMempool', 'hasTransaction'])
  })

  it('and asks the mempool each time anew, also at once and when nothing has changed in it', async () => {
    server.refuse = () => spent
    server.mempool.add(TX_ID)
    const endpoint = scheme === 'ws' ? server.wsOrigin : server.origin
    const { submitter } = new RpcProvider({ apiEndpoint: endpoint, network: 'preprod', timeout: 1000 })
    expect(await Promise.all([submitter.submitTx(TX), submitter.submitTx(TX)])).toEqual([TX_ID, TX_ID])
    expect(await submitter.submitTx(TX)).toBe(TX_ID)
  })

  it('and takes a refusal for success when an output of the transaction is in the ledger', async () => {
    server.refuse = () => spent
    server.utxos = [utxo(1) as never]
    expect(await submit()).toBe(TX_ID)
  })

  it('and not when another body spends the same inputs', async () => {
    server.refuse = () => spent
    server.utxos = [utxo(1) as never]
    server.mempool.add(TX_ID)
    await expect(submit(TX.replace('1a0002917d', '1a0002917e'))).rejects.toMatchObject({
      code: 'PROVIDER_SUBMIT_REJECTED'
    })
  })

  it('and reports a transaction that the node cannot read', async () => {
    server.refuse = () => ({ code: -32602, message: 'Invalid transaction.', data: { conway: 'unexpected bytes' } })
    await expect(submit()).rejects.toMatchObject({ code: 'PROVIDER_SUBMIT_REJECTED', nodeCodeName: 'InvalidParams' })
  })

  it('and reports a failure of the server as such', async () => {
    server.refuse = () => ({ code: -32603, message: 'Internal error.' })
    await expect(submit()).rejects.toMatchObject({ code: 'PROVIDER_RPC', rpcName: 'InternalError' })
    expect(server.methods).toEqual(['submitTransaction'])
  })

  it.each([
    ['the mempool', true],
    ['nowhere', false]
  ])('once when the answer is lost: the transaction is in %s', async (_, arrives) => {
    server.rpcFault = ({ method, id }, socket) => {
      if (method !== 'submitTransaction') return undefined
      if (arrives) server.mempool.add(TX_ID)
      socket?.terminate()
      return socket
        ? null
        : JSON.stringify({ jsonrpc: '2.0', method, id: (id as number) + 1, result: { transaction: { id: TX_ID } } })
    }
    if (arrives) expect(await submit()).toBe(TX_ID)
    else await expect(submit()).rejects.toMatchObject({ code: 'PROVIDER_SUBMIT_UNKNOWN', txId: TX_ID })
    expect(submissions()).toBe(1)
  })

  it('and asks the ledger where there is no mempool to ask', async () => {
    server.refuse = () => spent
    server.utxos = [utxo(0) as never]
    const inner = server.rpcFault
    server.rpcFault = (request, socket) =>
      request['method'] === 'acquireMempool'
        ? JSON.stringify({ jsonrpc: '2.0', id: request['id'], error: { code: -32601, message: 'No.' } })
        : inner?.(request, socket)
    expect(await submit()).toBe(TX_ID)
  })
})

describe("the Rpc submits over a fetch of the user's own", () => {
  it('and opens no WebSocket of its own behind it', async () => {
    const asked: string[] = []
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      const { id, method } = JSON.parse(init.body as string)
      asked.push(`${url} ${method}`)
      const error = { code: 3117, message: 'Unknown.', data: {} }
      return new Response(
        JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'submitTransaction' ? { error } : { result: [] }) }),
        {
          status: method === 'submitTransaction' ? 400 : 200
        }
      )
    }
    const { submitter } = new RpcProvider({ apiEndpoint: 'https://rpc.example/x', network: 'preprod', fetch })
    await expect(submitter.submitTx(TX)).rejects.toMatchObject({ nodeCode: 3117 })
    expect(asked).toEqual(['https://rpc.example/x submitTransaction', 'https://rpc.example/x queryLedgerState/utxo'])
  })
})

describe('the id of a transaction that is submitted', () => {
  it.each(setsHere('tx_conway', 'tx_conway_conformance', 'tx_hydra_generated', 'tx_older_eras'))(
    "is the ledger's, for every vector of %s",
    (set) => {
      const vectors = loadVectors(set)
      for (const { cborHex, txId } of vectors) expect(readSignedTransaction(cborHex).txId).toBe(txId)
      expect(vectors.length).toBeGreaterThan(30)
    }
  )
})
