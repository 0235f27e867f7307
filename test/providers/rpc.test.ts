// Answers are those of Ogmios v6.14 (docs/static/api/v6.14), commit 435189aea2d9a047dc395a6f1cdef737d52f1cbe. The first
// outputs below are records of its own test vectors (server/test/vectors/QueryLedgerStateUtxo, MPL-2.0), which are
// random data.
import { WebSocket } from 'ws'
import { RpcProvider } from 'layer-sdk/providers'
import { rpcCodeName } from '../../src/providers/rpc/errors.js'
import { PARAMETERS, RpcServer } from './support/rpcServer.js'
import { READ_PARAMETERS } from '../support/protocolParameters.js'
import { OGMIOS } from './support/schema.js'

const ADDRESS =
  'addr_test1qz8e80xgmrud72t8gv8f5eaz5neutcg8u804nj29l280xl67t7unjkzrcat8s0p8xcah6uun78jutua7wu6hatets23qx9mrl7'
const SCRIPT_ADDRESS =
  'addr_test1xr6defkm7fa0h406wxfjxn5n9htkcgtv6fyj23fcxvpjvehl0svracemule5c7tjk88402mde6xjyg57hfhdwwqr3drsfnryr2'
const BYRON =
  'EqGAuA8vHnPGPAKbyVaw5cm3rPngXBrAV9G18dfC2uAoNcT2t2dMyek2jt3k5jPMWm8oQkZiRDLMtnNocsEHaJrgwj9uQXNi3aeu7DpyMPxHE8eAHbyoTUk'
const id = (digit: string): string => digit.repeat(64)
const UTXOS = [
  {
    transaction: { id: '02ac0e72b8185e9323bb8323dace23260a5d5a353e3a75a440a6bcddb309b18c' },
    index: 871,
    address: ADDRESS,
    value: {
      ada: { lovelace: 0 },
      '4d50a11e297e7783383bf06dd6e4e481230323bd96cd8b8d9ee3888d': { 33: 3192481696642874350n }
    },
    script: { language: 'native', json: { clause: 'before', slot: 9687986 }, cbor: '82051a0093d3b2' }
  },
  {
    transaction: { id: '03791d1533b68f38d8e6da11ab6d464c4dcc391b146cb7081b92eb30c99240aa' },
    index: 137,
    address: SCRIPT_ADDRESS,
    value: { ada: { lovelace: 1 }, '122075906a9e476955b8074b8791f2aca65b8b3bfd5d2f3658d1af60': { 35: 1 } },
    script: { language: 'plutus:v2', cbor: '450100002261' }
  },
  {
    transaction: { id: '0a82f5ed81a9cbf5dfdecafdb7fa507ab1d2b9edf9ecabb774fd960ca485313a' },
    index: 5900,
    address: BYRON,
    value: { ada: { lovelace: 222212345937314627n } },
    datumHash: 'be111f53b15aac4305e6f09afa7735b9f23eb94d794641d1cd0166d026bb3a7c'
  },
  {
    transaction: { id: id('d') },
    index: 0,
    address: ADDRESS,
    value: { ada: { lovelace: 9223372036854775807n }, ['b0'.repeat(28)]: { '': 9223372036854775807n, '6e': 2 } },
    datum: '19a6aa',
    script: {
      language: 'native',
      json: {
        clause: 'some',
        atLeast: 1,
        from: [
          { clause: 'signature', from: 'ab'.repeat(28) },
          { clause: 'any', from: [{ clause: 'after', slot: 70000 }] }
        ]
      }
    }
  }
]

let server: RpcServer
beforeEach(async () => {
  server = await new RpcServer().listen()
  server.utxos = UTXOS
})
afterEach(async () => {
  await server.close()
  expect(server.failures).toEqual([])
})

describe.each(['http', 'ws'])('RpcProvider over %s', (scheme) => {
  const provider = (more: object = {}): RpcProvider =>
    new RpcProvider({
      apiEndpoint: scheme === 'ws' ? server.wsOrigin : server.origin,
      network: 'preprod',
      retry: { delay: 1 },
      ...more
    })

  it('reads every kind of output, with integers beyond 2^53 exact', async () => {
    const utxos = await provider().fetcher.fetchAddressUTxOs(ADDRESS)
    expect(utxos).toEqual([
      {
        input: { txHash: UTXOS[0]!.transaction.id, index: 871 },
        output: {
          address: ADDRESS,
          amount: [
            { unit: 'lovelace', quantity: '0' },
            { unit: '4d50a11e297e7783383bf06dd6e4e481230323bd96cd8b8d9ee3888d33', quantity: '3192481696642874350' }
          ],
          scriptRef: { language: 'native', cborHex: '82051a0093d3b2' }
        }
      },
      {
        input: { txHash: id('d'), index: 0 },
        output: {
          address: ADDRESS,
          amount: [
            { unit: 'lovelace', quantity: '9223372036854775807' },
            { unit: 'b0'.repeat(28), quantity: '9223372036854775807' },
            { unit: `${'b0'.repeat(28)}6e`, quantity: '2' }
          ],
          inlineDatum: '19a6aa',
          scriptRef: { language: 'native', cborHex: `830301828200581c${'ab'.repeat(28)}82028182041a00011170` }
        }
      }
    ])
    const [plutus] = await provider().fetcher.fetchAddressUTxOs(SCRIPT_ADDRESS)
    expect(plutus!.output.scriptRef).toEqual({ language: 'PlutusV2', cborHex: '46450100002261' })
    const [byron] = await provider().fetcher.fetchAddressUTxOs(BYRON)
    expect(byron!.output).toEqual({
      address: BYRON,
      amount: [{ unit: 'lovelace', quantity: '222212345937314627' }],
      datumHash: UTXOS[2]!.datumHash
    })
  })

  it('reads nothing where there is nothing, and only what holds an asset', async () => {
    const { fetcher } = provider()
    expect(await fetcher.fetchAddressUTxOs('addr_test1vr8nl4u0u6fmtfnawx2rxfz95dy7m46t6dhzdftp2uha87syeufdg')).toEqual(
      []
    )
    expect(await fetcher.fetchAddressUTxOs(ADDRESS, 'b0'.repeat(28))).toHaveLength(1)
    expect(await fetcher.fetchAddressUTxOs(ADDRESS, 'b1'.repeat(28))).toEqual([])
  })

  it('reads outputs by reference, in the order asked, each once', async () => {
    const { fetcher } = provider()
    const refs = [
      { txHash: id('d'), index: 0 },
      { txHash: id('e'), index: 0 },
      { txHash: UTXOS[0]!.transaction.id, index: 871 },
      { txHash: id('d'), index: 0 }
    ]
    expect((await fetcher.fetchUTxOs(refs)).map(({ input }) => input.index)).toEqual([0, 871])
    expect(await fetcher.fetchUTxOs([])).toEqual([])
    expect(server.methods).toHaveLength(1)
  })

  it('refuses outputs that it did not ask for', async () => {
    server.rpcFault = ({ id: requestId, method }) =>
      JSON.stringify({ jsonrpc: '2.0', method, id: requestId, result: [{ ...UTXOS[1], script: undefined }] })
    await expect(provider().fetcher.fetchUTxOs([{ txHash: id('d'), index: 0 }])).rejects.toMatchObject({
      field: 'transaction.id'
    })
  })

  it('reads the protocol parameters', async () => {
    expect(await provider().fetcher.fetchProtocolParameters()).toEqual({ ...READ_PARAMETERS, raw: PARAMETERS })
  })

  it('reads the newest block, and asks again when a block came between its questions', async () => {
    expect(await provider().fetcher.fetchTip()).toEqual({
      slot: 9687986,
      hash: server.tips[0]!['id'],
      height: 3_000_001
    })
    server.methods.length = 0
    server.tips = [1, 2, 2].map((slot) => ({ slot, id: id(String(slot)) }))
    expect(await provider().fetcher.fetchTip()).toMatchObject({ slot: 2, hash: id('2') })
    expect(server.methods).toHaveLength(5)
    server.tips = Array.from({ length: 100 }, (_, slot) => ({ slot, id: slot.toString(16).padStart(64, '0') }))
    await expect(provider().fetcher.fetchTip()).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE', field: 'id' })
    server.tips = ['origin' as never]
    await expect(provider().fetcher.fetchTip()).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' })
  })

  it('names the code of an error object', async () => {
    server.rpcFault = ({ id: requestId, method }) =>
      JSON.stringify({
        jsonrpc: '2.0',
        method,
        id: requestId,
        error: { code: 2002, message: 'Unavailable.', data: { unavailableInEra: 'byron' } }
      })
    await expect(provider().fetcher.fetchProtocolParameters()).rejects.toMatchObject({
      code: 'PROVIDER_RPC',
      rpcCode: 2002,
      rpcName: 'UnavailableInCurrentEra',
      message: expect.stringContaining('byron')
    })
    expect(server.methods).toHaveLength(1)
  })

  it.each<[string, (id: number) => string]>([
    ['another id', (requestId) => JSON.stringify({ jsonrpc: '2.0', id: requestId + 1_000_000, result: [] })],
    ['the id as text', (requestId) => JSON.stringify({ jsonrpc: '2.0', id: String(requestId), result: [] })],
    ['no id', () => JSON.stringify({ jsonrpc: '2.0', result: [] })],
    ['a batch', (requestId) => JSON.stringify([{ jsonrpc: '2.0', id: requestId, result: [] }])],
    ['no result', (requestId) => JSON.stringify({ jsonrpc: '2.0', id: requestId })],
    ['an object for a list', (requestId) => JSON.stringify({ jsonrpc: '2.0', id: requestId, result: {} })],
    ['a text cut in the middle', (requestId) => `{"jsonrpc":"2.0","id":${requestId},"result":[`],
    ['HTML', () => '<html></html>'],
    ['null', () => 'null'],
    [
      'an error whose message is none',
      (requestId) => JSON.stringify({ jsonrpc: '2.0', id: requestId, error: { code: 'x', message: { toString: 1 } } })
    ],
    ['an error without a code', (requestId) => JSON.stringify({ jsonrpc: '2.0', id: requestId, error: {} })],
    [
      'a fraction of a lovelace',
      (requestId) => JSON.stringify({ id: requestId, result: [{ ...UTXOS[1], value: { ada: { lovelace: 1.5 } } }] })
    ],
    [
      'an unknown script language',
      (requestId) =>
        JSON.stringify({
          id: requestId,
          result: [{ ...UTXOS[1], value: { ada: { lovelace: 1 } }, script: { language: 'plutus:v9', cbor: '' } }]
        })
    ]
  ])('refuses %s', async (_, answer) => {
    server.rpcFault = ({ id: requestId }) => answer(requestId as number)
    await expect(provider().fetcher.fetchAddressUTxOs(ADDRESS)).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' })
  })

  it('refuses an address of another network', async () => {
    await expect(
      provider().fetcher.fetchAddressUTxOs('addr1vpu5vlrf4xkxv2qpwngf6cjhtw542ayty80v8dyr49rf5eg0yu80w')
    ).rejects.toMatchObject({
      code: 'INPUT_ADDRESS'
    })
    expect(server.methods).toEqual([])
  })

  it("ends with its deadline and with the caller's signal when no answer comes", async () => {
    server.rpcFault = () => null
    await expect(provider({ timeout: 60 }).fetcher.fetchTip()).rejects.toMatchObject({
      code: 'PROVIDER_TIMEOUT',
      timeoutMs: 60
    })
    const controller = new AbortController()
    const asked = provider().fetcher.fetchTip({ signal: controller.signal })
    const reason = new Error('no longer needed')
    controller.abort(reason)
    await expect(asked).rejects.toBe(reason)
    await expect(provider().fetcher.fetchTip({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

describe('RpcProvider over a WebSocket', () => {
  const provider = (more: object = {}): RpcProvider =>
    new RpcProvider({ apiEndpoint: server.wsOrigin, network: 'preprod', retry: { delay: 1 }, ...more })

  it('matches concurrent answers by id, on one connection, in whatever order they come', async () => {
    const held: (() => void)[] = []
    server.rpcFault = ({ id: requestId, method, params }, socket) => {
      const result = server.utxos.filter((utxo) => utxo['address'] === params.addresses[0])
      held.unshift(() =>
        socket!.send(
          JSON.stringify({ jsonrpc: '2.0', method, id: requestId, result }, (_, value) =>
            typeof value === 'bigint' ? Number(value) : value
          )
        )
      )
      if (held.length === 3) for (const send of held) send()
      return null
    }
    server.utxos = [UTXOS[0]!, UTXOS[1]!].map((utxo) => ({ ...utxo, value: { ada: { lovelace: 5 } } }))
    const { fetcher } = provider()
    const answers = await Promise.all(
      [ADDRESS, SCRIPT_ADDRESS, BYRON].map((address) => fetcher.fetchAddressUTxOs(address))
    )
    expect(answers.map((utxos) => utxos.map(({ output }) => output.address))).toEqual([[ADDRESS], [SCRIPT_ADDRESS], []])
    expect(server.connections).toBe(1)
  })

  it('keeps the connection for the next call, and closes it soon after the last', async () => {
    const { fetcher } = provider()
    await fetcher.fetchTip()
    await fetcher.fetchProtocolParameters()
    expect(server.connections).toBe(1)
    const [socket] = server.sockets
    await new Promise((resolve) => socket!.once('close', resolve))
    await fetcher.fetchTip()
    expect(server.connections).toBe(2)
  })

  it('asks again after a lost connection, but no more often than told', async () => {
    let lost = 0
    server.rpcFault = (_, socket) => {
      if (++lost > 2) return undefined
      socket!.terminate()
      return null
    }
    expect(await provider().fetcher.fetchAddressUTxOs(ADDRESS)).toHaveLength(2)
    expect(server.connections).toBe(3)
    lost = 0
    await expect(
      provider({ retry: { attempts: 2, delay: 1 } }).fetcher.fetchAddressUTxOs(ADDRESS)
    ).rejects.toMatchObject({ code: 'PROVIDER_NETWORK' })
  })

  it('takes the late answer to a request that was given up for nothing', async () => {
    let late: () => void = () => undefined
    server.rpcFault = ({ id: requestId }, socket) => {
      late = () => socket!.send(JSON.stringify({ jsonrpc: '2.0', id: requestId, result: [] }))
      return null
    }
    const { fetcher } = provider()
    const controller = new AbortController()
    const asked = fetcher.fetchAddressUTxOs(ADDRESS, undefined, { signal: controller.signal })
    while (server.methods.length === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    server.rpcFault = () => {
      late()
      return undefined
    }
    expect(await fetcher.fetchAddressUTxOs(ADDRESS)).toHaveLength(2)
    expect(server.connections).toBe(1)
  })

  it('leaves no connection behind when the server has fallen silent, not even for the closing handshake', async () => {
    server.rpcFault = (_, socket) => {
      socket!.pause()
      return null
    }
    await expect(provider({ timeout: 50 }).fetcher.fetchTip()).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' })
    const open = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
    const before = open()
    for (let i = 0; i < 50 && open() === before; i++) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(open()).toBeLessThan(before)
  })

  it('refuses binary frames and answers beyond the cap', async () => {
    server.rpcFault = (_, socket) => {
      socket!.send(Buffer.from('{}'), { binary: true })
      return null
    }
    await expect(provider().fetcher.fetchTip()).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' })
    server.rpcFault = null
    await expect(provider({ maxBytes: 200 }).fetcher.fetchAddressUTxOs(ADDRESS)).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE',
      message: expect.stringContaining('200 bytes')
    })
  })

  it.each([
    [401, 'PROVIDER_AUTH'],
    [403, 'PROVIDER_AUTH'],
    [404, 'PROVIDER_HTTP'],
    [426, 'PROVIDER_HTTP']
  ])('maps status %i of the handshake to %s', async (status, code) => {
    server.server.removeAllListeners('upgrade')
    server.server.on('upgrade', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\n\r\n`))
    await expect(provider().fetcher.fetchTip()).rejects.toMatchObject({ code, status })
  })

  it('uses the class given as webSocketImpl, also one that shows nothing but the events of browsers', async () => {
    const made: string[] = []
    class Bare {
      onopen: ((event: never) => void) | null = null
      onmessage: ((event: never) => void) | null = null
      onerror: ((event: never) => void) | null = null
      onclose: ((event: never) => void) | null = null
      readonly #socket: WebSocket
      constructor(url: string) {
        made.push(url)
        this.#socket = new WebSocket(url)
        this.#socket.on('open', () => this.onopen?.({} as never))
        this.#socket.on('message', (data: Buffer) => this.onmessage?.({ data: data.toString() } as never))
        this.#socket.on('error', () => this.onerror?.({} as never))
        this.#socket.on('close', () => this.onclose?.({} as never))
      }
      send(data: string): void {
        this.#socket.send(data)
      }
      close(): void {
        this.#socket.close()
      }
    }
    expect(await provider({ webSocketImpl: Bare }).fetcher.fetchAddressUTxOs(ADDRESS)).toHaveLength(2)
    expect(made).toEqual([server.wsOrigin])
    await server.close()
    await expect(
      provider({ webSocketImpl: Bare, retry: { attempts: 2, delay: 1 } }).fetcher.fetchTip()
    ).rejects.toMatchObject({ code: 'PROVIDER_NETWORK' })
    expect(made).toHaveLength(3)
    await server.listen()
  })
})

describe('RpcProvider over HTTP', () => {
  it('reads the error of a request that the server could not read, which has no id', async () => {
    server.rpcFault = () =>
      JSON.stringify({ jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request.' }, id: null })
    const { fetcher } = new RpcProvider({ apiEndpoint: server.origin, network: 'preprod' })
    await expect(fetcher.fetchTip()).rejects.toMatchObject({ code: 'PROVIDER_RPC', rpcName: 'InvalidRequest' })
  })

  it('sends headers and the query of the endpoint along', async () => {
    const { fetcher } = new RpcProvider({
      apiEndpoint: `${server.origin.replace('//', '//us%C3%A9r:p%40ss@')}/?token=hidden`,
      network: 'preprod',
      headers: { 'dmtr-api-key': 'demeter' }
    })
    expect(await fetcher.fetchAddressUTxOs(ADDRESS)).toHaveLength(2)
    const [seen] = server.seen
    expect(seen!.headers).toMatchObject({ 'dmtr-api-key': 'demeter', 'content-type': 'application/json' })
    expect(Buffer.from(seen!.headers.authorization!.replace('Basic ', ''), 'base64').toString()).toBe('usér:p@ss')
    expect(seen!.query.get('token')).toBe('hidden')
  })
})

describe("the names of the Rpc's codes", () => {
  it('are the published ones', () => {
    for (const [code, name] of OGMIOS['submitFailureCodes'] as [number, string][])
      expect([code, rpcCodeName(code)]).toEqual([code, name])
    expect(OGMIOS['submitFailureCodes'].length).toBeGreaterThan(70)
    expect([-32700, -32603, -32602, -32601, -32600, 2000, 2004, 4000].map(rpcCodeName)).toEqual([
      'ParseError',
      'InternalError',
      'InvalidParams',
      'MethodNotFound',
      'InvalidRequest',
      'AcquireLedgerStateFailure',
      'InvalidGenesis',
      'MustAcquireMempoolFirst'
    ])
    expect([0, 3169, 3999, 9999].map(rpcCodeName)).toEqual(Array(4).fill('UnknownError'))
  })
})
