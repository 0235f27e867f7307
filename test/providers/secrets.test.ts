// No key in any error or object, through any of the usual outlets.
import { inspect } from 'node:util'
import { FallbackProvider, IndexerProvider, RpcProvider } from 'layer-sdk/providers'
import { error, IndexerServer, KEY } from './support/indexerServer.js'
import { RpcServer } from './support/rpcServer.js'
import { TX } from './support/transaction.js'

const PASSWORD = 'p4ssw0rd-of-the-endpoint'
const QUERY = 'token-in-the-query'
const HEADER = 'key-in-a-header'
const PATH = 'keyinthepathofalongone1234'
const SECRETS = [KEY, PASSWORD, `user:${PASSWORD}`, QUERY, HEADER, PATH].flatMap((secret) => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret)
])

/** Everything that a log or a crash report might show of a value. */
function outlets(value: unknown): string {
  const seen = new Set<unknown>()
  const parts: string[] = []
  const visit = (each: unknown): void => {
    if (each === null || (typeof each !== 'object' && typeof each !== 'function')) return void parts.push(String(each))
    if (seen.has(each)) return
    seen.add(each)
    for (const key of Reflect.ownKeys(each)) visit(Object.getOwnPropertyDescriptor(each, key)!.value)
  }
  visit(value)
  parts.push(String(value), JSON.stringify(value), inspect(value, { depth: Infinity, showHidden: true, getters: true }))
  if (value instanceof Error)
    parts.push(value.message, value.stack!, inspect(value.cause, { depth: Infinity, showHidden: true }))
  return parts.join('\n')
}

function expectSilent(value: unknown): void {
  const text = outlets(value)
  expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([])
}

async function failureOf(run: () => unknown): Promise<unknown> {
  try {
    await run()
  } catch (failure) {
    return failure
  }
  throw new Error('no failure')
}

describe('keys are never shown', () => {
  let indexerServer: IndexerServer
  let rpcServer: RpcServer
  let output: string[] = []
  beforeEach(async () => {
    output = []
    for (const stream of [process.stdout, process.stderr])
      jest.spyOn(stream, 'write').mockImplementation((text) => (output.push(String(text)), true))
    indexerServer = await new IndexerServer().listen()
    rpcServer = await new RpcServer().listen()
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    await Promise.all([indexerServer.close(), rpcServer.close()])
    expectSilent(output.join(''))
  })

  const indexer = (more: object = {}): IndexerProvider =>
    new IndexerProvider({
      apiKey: KEY,
      network: 'preprod',
      baseUrl: `${indexerServer.origin.replace('//', `//user:${PASSWORD}@`)}/${PATH}?q=${QUERY}`,
      retry: { attempts: 2, delay: 1 },
      timeout: 200,
      ...more
    })
  const rpc = (scheme: string, more: object = {}): RpcProvider =>
    new RpcProvider({
      apiEndpoint: `${rpcServer.origin.replace('http', scheme).replace('//', `//user:${PASSWORD}@`)}/${PATH}?q=${QUERY}`,
      network: 'preprod',
      headers: { 'x-key': HEADER },
      retry: { attempts: 2, delay: 1 },
      timeout: 200,
      ...more
    })

  it('by the providers themselves', () => {
    for (const provider of [indexer(), rpc('http'), rpc('ws'), new FallbackProvider([indexer(), rpc('ws')])]) {
      expectSilent(provider)
      expectSilent(provider.fetcher)
      expectSilent(provider.submitter)
    }
  })

  it('by errors of the constructors', async () => {
    const failures = await Promise.all([
      failureOf(() => new IndexerProvider({ apiKey: KEY, network: 'mainnet' })),
      failureOf(() => new IndexerProvider({ apiKey: `${KEY}\n`, network: 'preprod' })),
      failureOf(() => new IndexerProvider({ apiKey: KEY.slice(7), network: 'preprod' })),
      failureOf(() => indexer({ baseUrl: `http://user:${PASSWORD}@example.com/${PATH}?q=${QUERY}` })),
      failureOf(() => indexer({ baseUrl: `${PASSWORD}?${QUERY}` })),
      failureOf(() => rpc('http', { apiEndpoint: `ftp://user:${PASSWORD}@example.com/?q=${QUERY}` })),
      failureOf(() => rpc('http', { apiEndpoint: `ws://${PASSWORD}@example.com/` }))
    ])
    for (const failure of failures) {
      expect(failure).toMatchObject({ code: 'INPUT_ARGUMENT' })
      expectSilent(failure)
    }
  })

  const faults: [string, (server: IndexerServer) => void][] = [
    ...[400, 401, 402, 403, 404, 418, 425, 429, 500, 503].map((status): [string, (server: IndexerServer) => void] => [
      `status ${status} that repeats the key`,
      (server) =>
        (server.fault = (response, { headers, query }) =>
          error(
            response,
            status,
            `bad key ${String(headers['project_id'] ?? headers['x-key'])} ${headers.authorization} ${PASSWORD} ${query.get('q')} at /${PATH}`
          ))
    ]),
    [
      'HTML that repeats the key',
      (server) => (server.fault = (response) => void response.end(`<p>${KEY}${HEADER}</p>`))
    ],
    ['a reset', (server) => (server.fault = (response) => void response.socket!.resetAndDestroy())],
    ['silence', (server) => (server.fault = () => undefined)],
    [
      'a redirect',
      (server) =>
        (server.fault = (response, { query }) =>
          void response.writeHead(302, { location: `https://example.com/${KEY}?${query}` }).end())
    ]
  ]

  it.each(faults)('by errors of the Indexer after %s', async (_, arrange) => {
    arrange(indexerServer)
    for (const failure of [
      await failureOf(() => indexer().fetcher.fetchTip()),
      await failureOf(() => indexer().submitter.submitTx(TX))
    ])
      expectSilent(failure)
  })

  it.each(faults)('by errors of the Rpc after %s', async (_, arrange) => {
    arrange(rpcServer as never)
    expectSilent(await failureOf(() => rpc('http').fetcher.fetchTip()))
    expectSilent(await failureOf(() => rpc('http').submitter.submitTx(TX)))
  })

  it.each(['http', 'ws'])('by errors of the Rpc over %s whose server repeats them', async (scheme) => {
    rpcServer.rpcFault = ({ id, method }) =>
      JSON.stringify({
        jsonrpc: '2.0',
        method,
        id,
        error: { code: 3117, message: `${PASSWORD} ${HEADER}`, data: { at: `/${PATH}?q=${QUERY}` } }
      })
    const failures = [
      await failureOf(() => rpc(scheme).fetcher.fetchTip()),
      await failureOf(() => rpc(scheme).submitter.submitTx(TX))
    ]
    for (const failure of failures) {
      expect(outlets(failure)).toContain('[redacted]')
      expectSilent(failure)
    }
  })

  it('by errors about an answer that repeats them in the place of a value', async () => {
    indexerServer.fault = (response) => void response.end(JSON.stringify(`bad key ${KEY}`))
    rpcServer.rpcFault = ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, result: `bad key ${HEADER} ${QUERY}` })
    for (const { fetcher, submitter } of [indexer(), rpc('http'), rpc('ws')]) {
      expectSilent(await failureOf(() => fetcher.fetchTip()))
      expectSilent(await failureOf(() => submitter.submitTx(TX)))
    }
  })

  it('by errors whose text is cut in the middle of one, and by those that repeat a part of a header or of the URL as it was sent', async () => {
    const endpoint = `${rpcServer.origin}/?t%2Fx=1&k=a%2Fb%2Fc%2Fd-escaped`
    const { fetcher } = rpc('http', { apiEndpoint: endpoint, headers: { authorization: `Bearer ${HEADER}` } })
    for (const message of [`${'x'.repeat(3995)}${HEADER}`, `token ${HEADER}`, 'at /?k=a%2Fb%2Fc%2Fd-escaped']) {
      rpcServer.rpcFault = ({ id }) =>
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: 2000, message, data: message } })
      const text = outlets(await failureOf(() => fetcher.fetchTip()))
      for (const part of [HEADER.slice(0, 5) + '\n', `x${HEADER.slice(0, 5)}`, HEADER, 'a%2Fb'])
        expect(text).not.toContain(part)
    }
  })

  it('by errors of a refused handshake, or a closed port', async () => {
    rpcServer.server.removeAllListeners('upgrade')
    rpcServer.server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 401 No\r\nConnection: close\r\n\r\n'))
    expectSilent(await failureOf(() => rpc('ws').fetcher.fetchTip()))
    const [overHttp, overSocket, overIndexer] = [rpc('http'), rpc('ws'), indexer()]
    await Promise.all([rpcServer.close(), indexerServer.close()])
    for (const { fetcher, submitter } of [overHttp, overSocket, overIndexer]) {
      expectSilent(await failureOf(() => fetcher.fetchTip()))
      expectSilent(await failureOf(() => submitter.submitTx(TX)))
    }
    expectSilent(await failureOf(() => new FallbackProvider([overHttp, overIndexer]).fetcher.fetchTip()))
    await Promise.all([rpcServer.listen(), indexerServer.listen()])
  })

  it('by errors of a fetch or a WebSocket that throws what it was given', async () => {
    const fetch = async (url: string, init: RequestInit): Promise<never> => {
      throw Object.assign(new TypeError(`fetch of ${url} failed`), {
        config: init,
        cause: { code: 'ECONNRESET', url, init }
      })
    }
    class Throwing {
      constructor(url: string, _: unknown, options: unknown) {
        throw Object.assign(new Error(`cannot open ${url}`), { url, options })
      }
    }
    for (const failure of [
      await failureOf(() => indexer({ fetch }).fetcher.fetchTip()),
      await failureOf(() => rpc('http', { fetch }).submitter.submitTx(TX)),
      await failureOf(() => rpc('ws', { webSocketImpl: Throwing }).fetcher.fetchTip())
    ]) {
      expectSilent(failure)
    }
  })
})
