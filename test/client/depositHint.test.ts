import { createHeadClient } from '../../src/client/index.js'
import type { DepositArgs, HeadClient } from '../../src/client/index.js'
import { depositAddress } from '../../src/devnode/inner.js'
import type { StartDevNodeOptions } from '../../src/devnode/index.js'
import { fileJournal } from '../../src/journal/index.js'
import { IndexerProvider, KupoProvider } from '../../src/providers/index.js'
import { discoverHeads, recogniseHead } from '../../src/recognition/index.js'
import { blake2b256 } from '../../src/hash/blake2b.js'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at, bytes, decodeValue, encodeValue, int, put } from '../support/cborValue.js'
import type { CborValue } from '../support/cborValue.js'
import { startRelay } from './relay.js'
import type { Relay } from './relay.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

type List = Extract<CborValue, { kind: 'list' }>

const LABEL = 5_678
const LONG = 'https://one.example/with/a/path/that/is/longer/than/the/sixty-four/bytes/of/a/metadatum'
const endpointHint = { label: LABEL, endpoints: [LONG, 'https://two.example'] }
const stops: (() => unknown)[] = []
const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error
  )

afterEach(async () => {
  jest.restoreAllMocks()
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function start(node: StartDevNodeOptions = {}): Promise<ClientHead> {
  const head = await startClientHead({ deposit: 0n, node })
  stops.push(() => head.stop())
  return head
}

/** The metadata of a draft by label, to be read and changed. */
function labelsOf(draft: CborValue): CborValue[] {
  const aux = (draft as List).items[3] as { items: CborValue[] }
  return (at(aux.items[0]!, 0) as List).items
}

/** The draft of a relay with other metadata, and with their hash in its body. */
function changed(cborHex: string, change: (labels: CborValue[], draft: List) => void): string {
  const draft = decodeValue(Buffer.from(cborHex, 'hex')) as List
  change(labelsOf(draft), draft)
  const hash = blake2b256(Buffer.from(encodeValue(draft.items[3]!), 'hex'))
  put(draft.items[0]!, 7, bytes(Buffer.from(hash).toString('hex')))
  return encodeValue(draft)
}

describe('a deposit with an endpoint hint', () => {
  it('refuses a hint that wallets could not follow, before anything is drafted', async () => {
    const head = await start()
    const client = await head.client()
    const commit = jest.spyOn(client.bridge, 'commit')
    const refused: object[] = [
      { label: -1, endpoints: ['https://a.example'] },
      { label: 2n ** 64n, endpoints: ['https://a.example'] },
      { label: 55_555, endpoints: ['https://a.example'] },
      { endpoints: ['https://a.example'] },
      { label: LABEL },
      { label: LABEL, endpoints: [] },
      { label: LABEL, endpoints: ['http://a.example'] },
      { label: LABEL, endpoints: ['https://user:secret@a.example'] },
      { label: LABEL, endpoints: ['https://a.example/?token=secret'] },
      { label: LABEL, endpoints: Array.from({ length: 5 }, (_, i) => `https://${i}.example`) },
      { label: LABEL, endpoints: [7] },
      { label: LABEL, endpoint: 'https://a.example' }
    ]
    for (const wrong of refused) {
      const error = await failureOf(client.deposit({ amount: 5n * ADA, endpointHint: wrong as never }))
      expect(error).toMatchObject({ code: 'INPUT_ARGUMENT' })
      expect(error.message).not.toContain('secret')
    }
    const blueprint = { cborHex: '', description: '', txId: '', utxo: [], outputs: [] }
    expect(await failureOf(client.deposit({ blueprint, endpointHint }))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(commit).not.toHaveBeenCalled()
  })

  it('has the wallet sign no draft whose hint is missing or another, and signs the honest one', async () => {
    const head = await start()
    const relay: Relay = await startRelay(head.node.url)
    const client: HeadClient = createHeadClient({ url: relay.url, wallet: head.wallets[0]! })
    stops.push(
      () => relay.stop(),
      () => client.disconnect()
    )
    await client.connect()
    const signTx = jest.spyOn(head.wallets[0]!, 'signTx')
    const isHint = (each: CborValue): boolean => (each as { value?: bigint }).value === BigInt(LABEL)
    const texts = (labels: CborValue[]): List => at(labels[labels.findIndex(isHint) + 1]!, 1) as List
    const lies: [string, (labels: CborValue[], draft: List) => void][] = [
      ['drops the hint', (labels) => labels.splice(labels.findIndex(isHint), 2)],
      ['names no endpoint', (labels) => (texts(labels).items.length = 0)],
      ['names one endpoint less', (labels) => texts(labels).items.pop()],
      ['exchanges the endpoints', (labels) => texts(labels).items.reverse()],
      ['adds a label', (labels) => labels.push(int(61_284), int(1))],
      ['moves it to another label', (labels) => (labels[labels.findIndex(isHint)] = int(LABEL + 1))],
      ['names another head', (labels) => put(labels[labels.findIndex(isHint) + 1]!, 0, bytes('ab'.repeat(28)))]
    ]
    const own = head.node.baseUtxos(head.wallets[0]!.getAddressBech32())
    const forms: DepositArgs[] = [
      { amount: 5n * ADA, endpointHint },
      { utxos: own, endpointHint }
    ]
    for (const args of forms)
      for (const [name, change] of lies) {
        relay.lie = (route, body) =>
          route.startsWith('POST /commit')
            ? JSON.stringify({
                ...JSON.parse(body),
                cborHex: changed(JSON.parse(body).cborHex, change),
                txId: undefined
              })
            : body
        const error = await failureOf(client.deposit(args))
        expect([name, error.code, error.differences?.map(({ part }: { part: string }) => part)]).toEqual([
          name,
          'CLIENT_DRAFT_MISMATCH',
          expect.arrayContaining(['metadata'])
        ])
      }
    // Without metadata at all.
    relay.lie = (route, body) => {
      if (!route.startsWith('POST /commit')) return body
      const draft = decodeValue(Buffer.from(JSON.parse(body).cborHex, 'hex')) as List
      draft.items[3] = { kind: 'simple', value: 22n } as CborValue
      put(draft.items[0]!, 7, undefined)
      return JSON.stringify({ ...JSON.parse(body), cborHex: encodeValue(draft), txId: undefined })
    }
    expect(await failureOf(client.deposit(forms[0]!))).toMatchObject({ code: 'CLIENT_DRAFT_MISMATCH' })
    expect(signTx).not.toHaveBeenCalled()
    relay.lie = (_route, body) => body
    await client.deposit(forms[0]!)
    expect(signTx).toHaveBeenCalledTimes(1)
  }, 60_000)

  it('deposits whole outputs with a hint as they are', async () => {
    const head = await start({ profile: '2.4' })
    const client = await head.client()
    const own = head.wallets[0]!.getAddressBech32()
    const utxos = head.node.baseUtxos(own)
    const { depositTxId, utxo } = await client.deposit({ utxos, endpointHint })
    expect(utxo).toEqual(utxos)
    expect(head.node.headUtxos(own)).toEqual(utxos)
    const provider = new KupoProvider({ baseUrl: head.node.kupoUrl!, network: 'preprod' })
    const found = await discoverHeads({ provider, addresses: [], ownTxIds: [depositTxId], label: LABEL })
    expect(found.heads).toEqual([
      {
        headId: client.bridge.getSnapshot().headId,
        endpoints: endpointHint.endpoints,
        depositTxId,
        headIdFrom: 'own-deposit'
      }
    ])
  }, 30_000)

  it('is found over both faces by a wallet that knows an address alone, in two heads that differ in all', async () => {
    const heads = [
      await start({ profile: '2.4', seed: 'one', accumulator: 'real' }),
      await start({ profile: '2.3', seed: 'two', accumulator: 'real' })
    ]
    const ids = new Set<string>()
    for (const [index, head] of heads.entries()) {
      const client = await head.client()
      const endpoint = `https://head-${index}.example/${'path/'.repeat(20)}`
      const label = BigInt(LABEL) * 2n ** 40n
      const { depositTxId } = await client.deposit({
        amount: 400n * ADA,
        endpointHint: { label, endpoints: [endpoint] }
      })
      const headId = client.bridge.getSnapshot().headId!
      ids.add(headId)
      const address = head.wallets[0]!.getAddressBech32()
      const { indexerUrl, kupoUrl, url } = head.node
      for (const provider of [
        new IndexerProvider({ apiKey: 'preprod0123456789', network: 'preprod', baseUrl: indexerUrl! }),
        new KupoProvider({ baseUrl: kupoUrl!, network: 'preprod' })
      ]) {
        const found = await discoverHeads({ provider, addresses: [address], label, depositAddress: depositAddress(0) })
        expect(found).toEqual({
          complete: true,
          heads: [{ headId, endpoints: [endpoint], depositTxId, headIdFrom: 'hint' }]
        })
        const [{ endpoints }] = found.heads as [(typeof found.heads)[number]]
        const state = await recogniseHead({
          headId,
          provider,
          addresses: [address],
          headIdFrom: 'hint',
          endpoints,
          slotConfig: {
            zeroTime: 1_655_683_200_000,
            zeroSlot: 0,
            slotLength: 1_000,
            startEpoch: 0,
            epochLength: 432_000
          },
          // The name of the hint stands for the node on loopback.
          fetchImpl: (asked, init) => {
            expect(asked).toBe(`${endpoint}snapshot`)
            return fetch(`${url.replace(/^ws/, 'http')}/snapshot`, init)
          }
        })
        expect(state).toMatchObject({
          state: 'VERIFIED_IN_HEAD',
          joined: false,
          inHead: { available: [{ unit: 'lovelace', quantity: String(400n * ADA) }] }
        })
      }
    }
    expect(ids.size).toBe(2)
  }, 60_000)

  it('is one with its id: repeated it is the same deposit, and another hint is refused', async () => {
    const head = await start()
    const path = join(mkdtempSync(join(tmpdir(), 'hint-')), 'journal')
    const open = (): Promise<HeadClient> => head.client(0, { journal: fileJournal(path) } as never)
    const first = await open()
    const args = { id: 'order-1', amount: 5n * ADA, endpointHint }
    const { depositTxId } = await first.deposit(args)
    await first.disconnect()
    const second = await open()
    expect(await second.deposit(args)).toMatchObject({ depositTxId })
    const other = { ...args, endpointHint: { ...endpointHint, endpoints: ['https://two.example'] } }
    expect(await failureOf(second.deposit(other))).toMatchObject({ code: 'CLIENT_ID_REUSED' })
    expect(await failureOf(second.deposit({ id: 'order-1', amount: 5n * ADA }))).toMatchObject({
      code: 'CLIENT_ID_REUSED'
    })
  }, 30_000)

  it('is refused by nodes that draft whole outputs alone, before anything is sent', async () => {
    const head = await start({ profile: '0.22' })
    const client = await head.client()
    const own = head.wallets[0]!.getAddressBech32()
    const before = head.node.baseUtxos(own)
    expect(await failureOf(client.deposit({ utxos: before, endpointHint }))).toMatchObject({
      code: 'BRIDGE_UNSUPPORTED_BY_NODE'
    })
    expect(head.node.baseUtxos(own)).toEqual(before)
  })
})
