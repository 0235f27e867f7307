import { FallbackProvider, IndexerProvider, RpcProvider } from 'layer-sdk/providers'
import { isLayerError } from '../../src/errors/base.js'

const indexer = (more: object): IndexerProvider =>
  new IndexerProvider({ apiKey: 'preprodAbc', network: 'preprod', ...more } as never)
const rpc = (more: object): RpcProvider =>
  new RpcProvider({ apiEndpoint: 'http://localhost:1337', network: 'preprod', ...more } as never)

function argumentOf(make: () => unknown): string | undefined {
  try {
    make()
  } catch (error) {
    if (isLayerError(error, 'INPUT_ARGUMENT')) return (error as unknown as { argument: string }).argument
    throw error
  }
  return undefined
}

describe('the options of the providers', () => {
  it.each(['mainnet', 'preprod', 'preview'] as const)('know the network %s', async (network) => {
    const urls: string[] = []
    const fetch = async (url: string): Promise<Response> => (urls.push(url), new Response('{}', { status: 500 }))
    const provider = new IndexerProvider({ apiKey: `${network}Abc`, network, fetch, retry: { attempts: 1 } })
    await expect(provider.fetcher.fetchTip()).rejects.toMatchObject({ status: 500 })
    expect(urls).toEqual([`https://cardano-${network}.blockfrost.io/api/v0/blocks/latest`])
  })

  it.each(['sanchonet', 'Mainnet', '', undefined, 1, 'constructor'])('refuse the network %p', (network) => {
    expect(argumentOf(() => indexer({ network }))).toBe('network')
    expect(argumentOf(() => rpc({ network }))).toBe('network')
  })

  it('are wanted', () => {
    for (const none of [undefined, null]) {
      expect(argumentOf(() => new IndexerProvider(none as never))).toBe('network')
      expect(argumentOf(() => new RpcProvider(none as never))).toBe('network')
    }
  })

  it('refuse a key of another network, and a key that is none', () => {
    for (const apiKey of ['mainnetAbc', 'previewAbc', 'abc', '', undefined, null, 7, 'preprod abc', 'preprodAbc\n']) {
      expect(argumentOf(() => indexer({ apiKey }))).toBe('apiKey')
    }
    expect(argumentOf(() => indexer({ apiKey: 'mainnetAbc', baseUrl: 'http://localhost:3000' }))).toBe('apiKey')
    expect(argumentOf(() => indexer({ apiKey: 'own-key', baseUrl: 'http://localhost:3000' }))).toBeUndefined()
  })

  it('refuse an endpoint that is none', () => {
    for (const url of ['localhost:1337', 'ftp://x', '', undefined, {}, 'http://']) {
      expect(argumentOf(() => rpc({ apiEndpoint: url }))).toBe('apiEndpoint')
      if (url !== undefined) expect(argumentOf(() => indexer({ baseUrl: url }))).toBe('baseUrl')
    }
    expect(argumentOf(() => indexer({ baseUrl: 'wss://example.com' }))).toBe('baseUrl')
  })

  it('send a key over plain http to this machine only, unless told', () => {
    expect(argumentOf(() => indexer({ baseUrl: 'http://example.com' }))).toBe('baseUrl')
    expect(argumentOf(() => rpc({ apiEndpoint: 'ws://user:password@example.com' }))).toBe('apiEndpoint')
    expect(argumentOf(() => rpc({ apiEndpoint: 'http://example.com/?key=secretKey' }))).toBe('apiEndpoint')
    expect(argumentOf(() => rpc({ apiEndpoint: 'http://example.com/?secretKey' }))).toBe('apiEndpoint')
    expect(argumentOf(() => rpc({ apiEndpoint: 'http://u:pw@example.com' }))).toBe('apiEndpoint')
    expect(argumentOf(() => rpc({ apiEndpoint: 'http://example.com', headers: { 'x-key': 'secretKey' } }))).toBe(
      'apiEndpoint'
    )
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'node.localhost'])
      expect(argumentOf(() => indexer({ baseUrl: `http://${host}:1` }))).toBeUndefined()
    expect(argumentOf(() => indexer({ baseUrl: 'http://example.com', allowInsecure: true }))).toBeUndefined()
    expect(argumentOf(() => indexer({ baseUrl: 'https://example.com' }))).toBeUndefined()
    // No key is sent along: nothing to protect.
    expect(argumentOf(() => rpc({ apiEndpoint: 'http://example.com' }))).toBeUndefined()
  })

  it.each([0, -1, 1.5, NaN, Infinity, 2 ** 31, '5', null])('refuse %p for a number', (value) => {
    for (const [more, argument] of [
      [{ timeout: value }, 'timeout'],
      [{ retry: { attempts: value } }, 'retry.attempts'],
      [{ retry: { delay: value } }, 'retry.delay'],
      [{ retry: { maxDelay: value } }, 'retry.maxDelay']
    ] as const) {
      // null stands for an option that is left out.
      const expected = value === null ? undefined : argument
      expect(argumentOf(() => indexer(more))).toBe(expected)
      expect(argumentOf(() => rpc(more))).toBe(expected)
    }
  })

  it('take null for one that is left out, and refuse headers that are no texts', () => {
    expect(argumentOf(() => rpc({ headers: null, retry: null, fetch: null }))).toBeUndefined()
    expect(argumentOf(() => indexer({ retry: null, baseUrl: null, rateLimit: null }))).toBeUndefined()
    expect(argumentOf(() => indexer({ apiKey: 'own-key', baseUrl: null }))).toBe('apiKey')
    for (const headers of [{ 'x-key': undefined }, { 'x-key': 5 }])
      expect(argumentOf(() => rpc({ headers }))).toBe('headers')
  })

  it('start nothing: no request, no socket, no timer', () => {
    const before = process.getActiveResourcesInfo().length
    indexer({})
    rpc({ apiEndpoint: 'ws://localhost:1' })
    expect(process.getActiveResourcesInfo()).toHaveLength(before)
  })
})

describe('options of providers that nobody knows', () => {
  it.each<[string, () => unknown, string]>([
    ['IndexerProvider', () => indexer({ baseURL: 'http://localhost:3000' }), 'baseURL'],
    ['RpcProvider', () => rpc({ apiendpoint: 'ws://localhost' }), 'apiendpoint'],
    ['FallbackProvider', () => new FallbackProvider([rpc({})], { coolDown: 1 } as never), 'coolDown'],
    ['retry', () => indexer({ retry: { atempts: 2 } }), 'retry.atempts'],
    ['rateLimit', () => indexer({ rateLimit: { perSecond: 1, burst: 1, perMinute: 2 } }), 'rateLimit.perMinute']
  ])('are refused by %s: a misspelt baseUrl must not send the key to the default host', (_, make, argument) => {
    expect(argumentOf(make)).toBe(argument)
  })

  it('are not named with their value, and the known ones are listed', () => {
    const secret = 'preprodSecretKey'
    expect(() => indexer({ apikey: secret })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/apikey[^]*apiKey, network, baseUrl/) })
    )
    expect(() => indexer({ apikey: secret })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(secret) })
    )
  })

  it('do not come from a polluted Object.prototype: neither host nor permission', async () => {
    const urls: string[] = []
    const fetch = async (url: string): Promise<Response> => (urls.push(url), new Response('{}', { status: 500 }))
    const pollution = {
      baseUrl: 'http://evil.example',
      allowInsecure: true,
      timeout: 1,
      attempts: 9,
      headers: { 'x-evil': '1' },
      maxPages: 1,
      rateLimit: {}
    }
    for (const [name, value] of Object.entries(pollution))
      Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: true, writable: true })
    try {
      const provider = new IndexerProvider({ apiKey: 'preprodAbc', network: 'preprod', fetch, retry: { attempts: 1 } })
      expect(argumentOf(() => rpc({ apiEndpoint: 'http://example.com', headers: { 'x-key': 'secretKey' } }))).toBe(
        'apiEndpoint'
      )
      await provider.fetcher.fetchTip().catch(() => undefined)
    } finally {
      for (const name of Object.keys(pollution)) Reflect.deleteProperty(Object.prototype, name)
    }
    expect(urls).toEqual(['https://cardano-preprod.blockfrost.io/api/v0/blocks/latest'])
  })

  it('are refused in headers that would be dropped in silence', () => {
    for (const headers of [new Headers({ 'x-key': 'secretKey' }), 'x-key: a', 7])
      expect(argumentOf(() => rpc({ headers }))).toBe('headers')
    expect(argumentOf(() => rpc({ headers: { 'x-key': 'secretKey' } }))).toBeUndefined()
  })
})

describe('the list of an address', () => {
  const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
  /** Answers every page with 100 outputs that no other page has. */
  function endless(): { fetch: (url: string) => Promise<Response>; asked: number[] } {
    const asked: number[] = []
    const fetch = async (url: string): Promise<Response> => {
      const page = Number(new URL(url).searchParams.get('page'))
      asked.push(page)
      const entry = (index: number): object => ({
        address,
        tx_hash: page.toString(16).padStart(64, '0'),
        output_index: index,
        amount: [{ unit: 'lovelace', quantity: '1' }],
        block: '00',
        data_hash: null,
        inline_datum: null,
        reference_script_hash: null
      })
      return new Response(JSON.stringify(Array.from({ length: 100 }, (_, i) => entry(i))))
    }
    return { fetch, asked }
  }

  it('without an end is an error after maxPages, and no page beyond is asked for', async () => {
    for (const maxPages of [1, 2, 4, 9]) {
      const { fetch, asked } = endless()
      const { fetcher } = indexer({ fetch, maxPages })
      await expect(fetcher.fetchAddressUTxOs(address)).rejects.toMatchObject({
        code: 'PROVIDER_RESPONSE',
        message: expect.stringContaining(`at most ${maxPages} pages`)
      })
      expect(asked).toEqual(Array.from({ length: maxPages }, (_, i) => i + 1))
    }
  })

  it('ends after 1000 pages when nothing else is said', async () => {
    const { fetch, asked } = endless()
    await expect(indexer({ fetch, rateLimit: false }).fetcher.fetchAddressUTxOs(address)).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE'
    })
    expect(Math.max(...asked)).toBe(1_000)
  })

  it('takes a number of pages and nothing else', () => {
    for (const maxPages of [0, -1, 1.5, NaN, '5']) expect(argumentOf(() => indexer({ maxPages }))).toBe('maxPages')
  })
})
