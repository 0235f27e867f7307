import { CborWriter } from '../../src/codec/cbor/writer'
import { blake2b256 } from '../../src/hash/blake2b'
import { encodeAuxiliaryData } from '../../src/codec/auxiliaryData'
import { Metadatum } from '../../src/codec/metadatum'
import { hexToBytes } from '../../src/codec/hex'
import { SLOT_CONFIG } from '../../src/constants'
import { depositAddress } from '../../src/devnode/inner'
import { KupoProvider } from '../../src/providers'
import type { FetchLike } from '../../src/providers'
import type { Recognition, RecogniseHeadOptions } from '../../src/recognition'
import { discoverHeads, endpointHint, recogniseDeposits, watchRecognition } from '../../src/recognition'
import { request, utxoJson } from '../devnode/harness'
import { ada, buildTx, envelopeOf, signTx } from '../devnode/transactions'
import { LocalHead } from './localHead'

const ADA = 1_000_000n
const LABEL = 5_678n
const DEPOSITS = depositAddress(0)

function kupoOf({ node }: LocalHead): KupoProvider {
  const fetch: FetchLike = async (url) => {
    const { pathname, search } = new URL(url)
    const reply = await node.baseRequest({ method: 'GET', path: pathname + search })
    return new Response(reply.body, { status: reply.status })
  }
  return new KupoProvider({ baseUrl: 'http://127.0.0.1:1/kupo', network: 'preprod', fetch, retry: { attempts: 1 } })
}

/** Deposits half of an output by a blueprint with a hint in its metadata; the change stays at the wallet's address. */
async function depositWithHint(head: LocalHead, endpoints: readonly string[]): Promise<string> {
  const { node, alice } = head
  const [utxo] = node.baseUtxos(alice.address)
  const hint = Metadatum.fromCbor(endpointHint({ headId: head.headId, endpoints }))
  const auxiliaryData = encodeAuxiliaryData({ metadata: new Map([[LABEL, hint]]) })
  const extra = [[7, new CborWriter().bytes(blake2b256(auxiliaryData)).toBytes()]] as const
  const outputs = [ada(alice.address, 400n * ADA)]
  const blueprintTx = envelopeOf(buildTx({ inputs: [utxo!.input], outputs, extra, auxiliaryData }))
  const body = { blueprintTx, utxo: utxoJson(utxo!), changeAddress: alice.address }
  const draft = await request(node, 'POST', '/commit', body)
  if (draft.status !== 200) throw new Error(JSON.stringify(draft))
  const signed = envelopeOf(signTx(hexToBytes(draft.body.cborHex), alice))
  expect((await request(node, 'POST', '/cardano-transaction', signed)).status).toBe(200)
  return signed.txId
}

describe('discoverHeads', () => {
  it('finds two heads of different profile and endpoint for a wallet that knows its address alone', async () => {
    const heads = [new LocalHead('2.4', { seed: 'one' }), new LocalHead('2.3', { seed: 'two' })]
    for (const head of heads) {
      await head.open()
      const endpoint = `https://${head.headId.slice(0, 8)}.example/with/a/path/that/is/longer/than/sixty-four/characters`
      const txId = await depositWithHint(head, [endpoint, 'https://second.example'])
      await head.advance(3_000)
      for (const provider of [head.provider(), kupoOf(head)]) {
        const found = await discoverHeads({ provider, addresses: [head.alice.address], label: LABEL })
        expect(found).toEqual({
          complete: true,
          heads: [
            {
              headId: head.headId,
              endpoints: [endpoint, 'https://second.example'],
              depositTxId: txId,
              headIdFrom: 'hint'
            }
          ]
        })
        const own = await discoverHeads({ provider, addresses: [], ownTxIds: [txId], label: LABEL })
        expect(own.heads).toMatchObject([{ headIdFrom: 'own-deposit' }])
        const other = { provider, addresses: [head.bob.address], label: LABEL }
        expect((await discoverHeads(other)).heads).toEqual([])
        expect((await discoverHeads({ ...other, addresses: [head.alice.address], label: 1 })).heads).toEqual([])
        const [{ headId, endpoints, headIdFrom }] = found.heads as [(typeof found.heads)[number]]
        expect(await head.recognise({ headId, endpoints, headIdFrom, provider })).toMatchObject({
          state: 'VERIFIED_IN_HEAD',
          joined: false
        })
      }
      await head.node.stop()
    }
  })

  it('passes over hints that name other hosts than public ones, and bounds its requests', async () => {
    const head = new LocalHead('2.4')
    await head.open()
    await depositWithHint(head, ['https://10.0.0.1', 'https://localhost'])
    const options = { provider: kupoOf(head), addresses: [head.alice.address], label: LABEL }
    expect(await discoverHeads(options)).toEqual({ heads: [], complete: true })
    expect(await discoverHeads({ ...options, maxTransactions: 1 })).toMatchObject({ complete: false })
    for (const wrong of [{ label: -1 }, { label: 2n ** 64n }, { ownTxIds: ['x'] }, { provider: { fetcher: {} } }])
      await expect(discoverHeads({ ...options, ...wrong } as never)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
    await head.node.stop()
  })
})

describe('recogniseDeposits', () => {
  it('finds the deposits of a wallet by the script address or by their ids, over both faces', async () => {
    const head = new LocalHead('2.4')
    await head.open()
    head.node.faults.holdSnapshots = true
    await head.deposit()
    await head.advance(3_000)
    const { alice, bob, depositTxId } = head
    for (const provider of [head.provider(), kupoOf(head)]) {
      const options = { provider, addresses: [alice.address], slotConfig: SLOT_CONFIG.PREPROD }
      const found = await recogniseDeposits({ ...options, depositAddress: DEPOSITS })
      expect(found).toMatchObject({
        complete: true,
        deposits: [{ depositTxId, headId: head.headId, state: 'PENDING_DEPOSIT', phase: null, inSnapshot: false }]
      })
      expect(
        await recogniseDeposits({ ...options, depositTxIds: [depositTxId!], depositPeriodMs: 600_000 })
      ).toMatchObject({
        deposits: [{ phase: 'claimable' }]
      })
      const none = { ...options, addresses: [bob.address], depositAddress: DEPOSITS }
      expect((await recogniseDeposits(none)).deposits).toEqual([])
      await expect(recogniseDeposits(options)).rejects.toThrow('depositAddress')
    }
    await head.node.stop()
  })
})

describe('watchRecognition', () => {
  const until = async (holds: () => boolean): Promise<void> => {
    for (let i = 0; i < 300 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(holds()).toBe(true)
  }
  const optionsOf = (head: LocalHead, more = {}): RecogniseHeadOptions & { interval: number } => ({
    headId: head.headId,
    provider: head.provider(),
    endpoints: ['http://head.test'],
    addresses: [head.alice.address],
    slotConfig: SLOT_CONFIG.PREPROD,
    interval: 10,
    fetchImpl: async () => {
      const reply = await head.node.request({ method: 'GET', path: '/snapshot', body: '' })
      return new Response(reply.body, { status: reply.status })
    },
    ...more
  })

  it('calls on a change alone, and costs two requests to the chain source without one', async () => {
    const head = new LocalHead('2.4')
    await head.open()
    const seen: Recognition[] = []
    let looks = 0
    const options = optionsOf(head)
    const { fetchImpl } = options
    const unwatch = watchRecognition(
      { ...options, fetchImpl: (url, init) => (looks++, fetchImpl!(url, init)) },
      (found) => seen.push(found)
    )
    await until(() => seen.length === 1)
    await until(() => looks > 3)
    const [calls, from] = [head.node.counters.requests['GET /api/v0'] ?? 0, looks]
    await until(() => looks > from + 10)
    expect(calls).toBeGreaterThan(3)
    expect((head.node.counters.requests['GET /api/v0'] ?? 0) - calls).toBeLessThanOrEqual(2 * (looks - from + 1))
    expect(seen).toHaveLength(1)
    await head.deposit()
    await head.advance(5_000)
    await until(() => seen.at(-1)?.snapshot?.settled === true)
    await head.pay(1n * ADA)
    await until(() => seen.at(-1)?.snapshot?.number === 2)
    // It never goes back.
    head.node.faults.serveOldSnapshot = true
    await until(() => seen.at(-1)?.state === 'UNVERIFIABLE')
    expect(seen.at(-1)).toMatchObject({ lastVerified: { snapshot: { number: 2 } } })
    unwatch()
    const count = looks
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(looks).toBeLessThanOrEqual(count + 1)
    await head.node.stop()
  })

  it('reports a chain source that fails, waits longer, and goes on', async () => {
    const head = new LocalHead('2.4')
    await head.open()
    let isDown = true
    const options = optionsOf(head)
    const { fetcher } = options.provider
    const fetchTip: typeof fetcher.fetchTip = (request) =>
      isDown ? Promise.reject(new Error('down')) : fetcher.fetchTip(request)
    const errors: unknown[] = []
    const seen: Recognition[] = []
    const unwatch = watchRecognition(
      { ...options, provider: { fetcher: { ...fetcher, fetchTip } }, onError: (error) => errors.push(error) },
      (found) => seen.push(found)
    )
    await until(() => errors.length === 2)
    expect(seen).toEqual([])
    isDown = false
    await until(() => seen.length === 1)
    // The answer after a failure is called, though it is the same: who shows the failure learns of its end.
    isDown = true
    await until(() => errors.length === 3)
    isDown = false
    await until(() => seen.length === 2)
    expect(seen[1]!.state).toBe(seen[0]!.state)
    unwatch()
    expect(() => watchRecognition({ ...options, interval: 0 }, () => undefined)).toThrow('interval')
    const controller = new AbortController()
    controller.abort()
    watchRecognition({ ...options, signal: controller.signal }, () => seen.push(null as never))
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(seen).toHaveLength(2)
    await head.node.stop()
  })
})
