import { startDevNode } from '../../src/devnode'
import { FallbackProvider, IndexerProvider, RpcProvider } from '../../src/providers'
import type { FetchLike, Provider } from '../../src/providers'

const UNIT = `${'ab'.repeat(28)}4879647261486561645632`

/** An indexer that answers with the JSON of a path; 404 for all others. */
function indexer(pages: Record<string, unknown>): IndexerProvider {
  const fetch: FetchLike = (url) => {
    const path = new URL(url).pathname.replace('/api/v0', '')
    const body = JSON.stringify(pages[path] ?? { status_code: 404 })
    return Promise.resolve(new Response(body, { status: path in pages ? 200 : 404 }))
  }
  return new IndexerProvider({ apiKey: 'preprod0123456789', network: 'preprod', fetch, retry: { attempts: 1 } })
}

describe('fetchAssetUTxOs', () => {
  it('finds the outputs with a unit on the local head node, wherever they are', async () => {
    const node = await startDevNode({ port: 0, genesis: [] })
    try {
      const [alice, bob] = node.keys
      const amount = [
        { unit: 'lovelace', quantity: '2000000' },
        { unit: UNIT, quantity: '1' }
      ]
      node.fund(alice!.address, amount)
      const { fetcher } = new IndexerProvider({
        apiKey: 'preprod0123456789',
        network: 'preprod',
        baseUrl: node.indexerUrl!
      })
      const found = await fetcher.fetchAssetUTxOs!(UNIT)
      expect(found.map(({ output }) => output)).toEqual([{ address: alice!.address, amount }])
      node.fund(bob!.address, amount)
      expect(await fetcher.fetchAssetUTxOs!(UNIT)).toHaveLength(2)
      expect(await fetcher.fetchAssetUTxOs!(`${'cd'.repeat(28)}`)).toEqual([])
      await expect(fetcher.fetchAssetUTxOs!('lovelace')).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
    } finally {
      await node.stop()
    }
  })

  it('rejects an answer whose quantities do not add up: it would read as no head', async () => {
    const address = 'addr_test1vr8nl4u0u6fmtfnawx2rxfz95dy7m46t6dhzdftp2uha87syeufdg'
    const torn = indexer({
      [`/assets/${UNIT}/addresses`]: [{ address, quantity: '1' }],
      [`/addresses/${address}/utxos/${UNIT}`]: []
    })
    await expect(torn.fetcher.fetchAssetUTxOs!(UNIT)).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' })
    const odd = indexer({ [`/assets/${UNIT}/addresses`]: [{ address: '../../txs', quantity: '1' }] })
    await expect(odd.fetcher.fetchAssetUTxOs!(UNIT)).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' })
  })

  it('is passed on by a FallbackProvider, past a provider whose service cannot', async () => {
    const rpc = new RpcProvider({ apiEndpoint: 'ws://127.0.0.1:1', network: 'preprod' })
    for (const call of [rpc.fetcher.fetchAssetUTxOs!(UNIT), rpc.fetcher.fetchTxMetadata!('ab'.repeat(32))])
      await expect(call).rejects.toMatchObject({
        code: 'PROVIDER_UNSUPPORTED',
        provider: 'RpcProvider',
        outcome: 'none'
      })
    await expect(rpc.fetcher.fetchAssetUTxOs!(UNIT)).rejects.toThrow('headAddress')
    const without: Provider = { fetcher: { ...rpc.fetcher }, submitter: rpc.submitter }
    delete without.fetcher.fetchAssetUTxOs
    expect(new FallbackProvider([without]).fetcher.fetchAssetUTxOs).toBeUndefined()
    const second: Provider = indexer({})
    const { fetcher } = new FallbackProvider([rpc, without, second])
    expect(await fetcher.fetchAssetUTxOs!(UNIT)).toEqual([])
    expect(await fetcher.fetchTxMetadata!('ab'.repeat(32))).toBeNull()
  })
})

describe('FallbackProvider with agree: 2', () => {
  const address = 'addr_test1vr8nl4u0u6fmtfnawx2rxfz95dy7m46t6dhzdftp2uha87syeufdg'
  const source = (quantity: string, slot: number): Provider => {
    const output = { address, amount: [{ unit: 'lovelace', quantity }] }
    const fetcher = {
      ...indexer({}).fetcher,
      fetchAssetUTxOs: () => Promise.resolve([{ input: { txHash: 'ab'.repeat(32), index: 0 }, output }]),
      fetchTip: () => Promise.resolve({ slot, hash: '00'.repeat(32), height: slot })
    }
    return { fetcher, submitter: indexer({}).submitter }
  }

  it('answers what two say alike, of their tips the older one', async () => {
    const { fetcher } = new FallbackProvider([source('1', 9), source('1', 7), source('2', 1)], { agree: 2 })
    expect(await fetcher.fetchAssetUTxOs!(UNIT)).toHaveLength(1)
    expect((await fetcher.fetchTip()).slot).toBe(7)
  })

  it('rejects when they differ, and when one alone answers', async () => {
    const { fetcher } = new FallbackProvider([source('1', 9), source('2', 9)], { agree: 2 })
    await expect(fetcher.fetchAssetUTxOs!(UNIT)).rejects.toMatchObject({ code: 'PROVIDERS_DISAGREE' })
    const broken = source('1', 9)
    broken.fetcher.fetchAssetUTxOs = () => Promise.reject(new Error('down'))
    const alone = new FallbackProvider([source('1', 9), broken], { agree: 2 })
    await expect(alone.fetcher.fetchAssetUTxOs!(UNIT)).rejects.toMatchObject({ code: 'PROVIDERS_EXHAUSTED' })
    const third = new FallbackProvider([broken, source('1', 9), source('1', 9)], { agree: 2 })
    expect(await third.fetcher.fetchAssetUTxOs!(UNIT)).toHaveLength(1)
    expect(() => new FallbackProvider([broken], { agree: 2 })).toThrow('two')
    expect(() => new FallbackProvider([broken], { agree: 3 as 2 })).toThrow('agree')
  })
})
