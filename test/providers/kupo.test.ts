import { startDevNode } from '../../src/devnode'
import type { RunningDevNode } from '../../src/devnode'
import { IndexerProvider, KupoProvider, RpcProvider } from '../../src/providers'
import type { FetchLike } from '../../src/providers'
import { recogniseHead } from '../../src/recognition'
import { SLOT_CONFIG } from '../../src/constants'

const TX = 'ab'.repeat(32)
const ADDRESS = 'addr_test1vr8nl4u0u6fmtfnawx2rxfz95dy7m46t6dhzdftp2uha87syeufdg'

/** A server that answers with the JSON of a path. */
function kupo(pages: Record<string, unknown>): KupoProvider {
  const fetch: FetchLike = (url) => {
    const { pathname } = new URL(url)
    return Promise.resolve(new Response(JSON.stringify(pages[decodeURIComponent(pathname)] ?? null)))
  }
  return new KupoProvider({ baseUrl: 'http://127.0.0.1:1', network: 'preprod', fetch, retry: { attempts: 1 } })
}

const match = (more: object = {}): object => ({
  transaction_index: 0,
  transaction_id: TX,
  output_index: 0,
  address: ADDRESS,
  value: { coins: 2_000_000, assets: {} },
  datum_hash: null,
  script_hash: null,
  created_at: { slot_no: 7, header_hash: TX },
  spent_at: null,
  ...more
})

describe('KupoProvider on the local head node', () => {
  let node: RunningDevNode
  let fetcher: KupoProvider['fetcher']

  beforeAll(async () => {
    node = await startDevNode({ port: 0, open: true, accumulator: 'real' })
    fetcher = new KupoProvider({ baseUrl: node.kupoUrl!, network: 'preprod' }).fetcher
  })
  afterAll(() => node.stop())

  it('reads the same outputs as the indexer: at an address, by reference, by unit', async () => {
    const indexer = new IndexerProvider({ apiKey: 'preprod0123456789', network: 'preprod', baseUrl: node.indexerUrl! })
    const [alice] = node.keys
    const byRef = (a: any, b: any): number => (JSON.stringify(a.input) < JSON.stringify(b.input) ? -1 : 1)
    const own = (await fetcher.fetchAddressUTxOs(alice.address)).sort(byRef)
    expect(own).toEqual((await indexer.fetcher.fetchAddressUTxOs(alice.address)).sort(byRef))
    expect(await fetcher.fetchUTxOs([own[3]!.input, { txHash: TX, index: 0 }])).toEqual([own[3]])
    const unit = `${node.headId!}4879647261486561645632`
    const head = await fetcher.fetchAssetUTxOs!(unit)
    expect(head).toEqual(await indexer.fetcher.fetchAssetUTxOs!(unit))
    expect(head[0]!.output.inlineDatum).toMatch(/^d8799fd8799fd8799f/)
    expect(await fetcher.fetchAssetUTxOs!(`${'cd'.repeat(28)}`)).toEqual([])
    const { txHash } = head[0]!.input
    const metadata = await fetcher.fetchTxMetadata!(txHash)
    expect([...metadata!.keys()]).toEqual([55_555n])
    expect(metadata).toEqual(await indexer.fetcher.fetchTxMetadata!(txHash))
    expect(await fetcher.fetchTxMetadata!(TX)).toBeNull()
    expect(await indexer.fetcher.fetchTxMetadata!(TX)).toBeNull()
    expect((await fetcher.fetchTip()).slot).toBeLessThanOrEqual(node.slot)
  })

  it('is a chain source for recognition', async () => {
    const found = await recogniseHead({
      headId: node.headId!,
      provider: { fetcher },
      endpoints: [node.httpUrl],
      addresses: [node.keys[0].address],
      slotConfig: SLOT_CONFIG.PREPROD
    })
    expect(found).toMatchObject({ state: 'VERIFIED_IN_HEAD', snapshot: { number: 0 } })
    const rpc = new RpcProvider({ apiEndpoint: node.rpcUrl!, network: 'preprod' })
    const options = {
      headId: node.headId!,
      provider: rpc,
      endpoints: [node.httpUrl],
      addresses: [node.keys[0].address],
      slotConfig: SLOT_CONFIG.PREPROD
    }
    await expect(recogniseHead(options)).rejects.toMatchObject({ code: 'PROVIDER_UNSUPPORTED' })
    const [head] = await fetcher.fetchAssetUTxOs!(`${node.headId!}4879647261486561645632`)
    const { state } = await recogniseHead({ ...options, headAddress: head!.output.address })
    expect(state).toBe('VERIFIED_IN_HEAD')
  })
})

describe('KupoProvider', () => {
  it('refuses what Kupo has no request for', async () => {
    const { fetcher, submitter } = kupo({})
    for (const call of [fetcher.fetchProtocolParameters(), submitter.submitTx('84')])
      await expect(call).rejects.toMatchObject({ code: 'PROVIDER_UNSUPPORTED', provider: 'KupoProvider' })
    await expect(fetcher.fetchAssetUTxOs!('lovelace')).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(() => new KupoProvider({ baseUrl: 'ftp://x', network: 'preprod' })).toThrow('baseUrl')
  })

  it.each([
    ['a datum with another hash', { datum_hash: TX, datum_type: 'inline' }],
    ['a datum of no known kind', { datum_hash: TX, datum_type: 'other' }],
    ['a negative amount', { value: { coins: -1, assets: {} } }],
    ['an asset without a name', { value: { coins: 1, assets: { x: 1 } } }],
    ['another transaction id', { transaction_id: 'x' }],
    ['no slot', { created_at: null }]
  ])('rejects %s', async (_, more) => {
    const { fetcher } = kupo({ [`/matches/${ADDRESS}`]: [match(more)], [`/datums/${TX}`]: { datum: 'd87980' } })
    await expect(fetcher.fetchAddressUTxOs(ADDRESS)).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' })
  })

  it('leaves out outputs that were not asked for', async () => {
    const other = match({ address: 'addr_test1vqau6vf2cc0p4s409yuyy4ep0nl0ax7zh3dj0vt4dlvtfmq48yln5' })
    const { fetcher } = kupo({ [`/matches/${ADDRESS}`]: [match(), other] })
    expect(await fetcher.fetchAddressUTxOs(ADDRESS)).toHaveLength(1)
    expect(await fetcher.fetchAddressUTxOs(ADDRESS, 'cd'.repeat(28))).toEqual([])
  })
})
