import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { stringifyJson } from '../../src/codec/json'
import type { RecogniseHeadOptions, UTxO } from '../../src/recognition'
import { createMemoryStore, recogniseHead } from '../../src/recognition'
import { isPublicEndpoint } from '../../src/recognition/fetchAnswer'
import { FORMER_HEAD_TOKEN, HEAD_TOKEN } from '../../src/recognition/rules'
import { HEAD_ID, openHead, output, OWN, ref, signedBundle, sums } from './madeHead'

const ADA = 1_000_000
const slotConfig = { zeroTime: 1_700_000_000_000, zeroSlot: 0, slotLength: 1000, startEpoch: 0, epochLength: 432_000 }

let server: Server
let endpoint: string
/** What the endpoint does next; the paths that were asked for. */
let reply: {
  status: number
  body: string
  headers?: Record<string, string>
  silent?: boolean
  raw?: Buffer
  drips?: boolean
}
let seen: string[]
/** Answers that never end, and that the client still reads. */
let dripping = 0

beforeEach(async () => {
  seen = []
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    if (reply.silent === true) return
    if (reply.drips === true) {
      dripping++
      const timer = setInterval(() => response.write(' '), 10)
      response.on('close', () => (clearInterval(timer), dripping--))
      return
    }
    response.writeHead(reply.status, reply.headers).end(reply.raw ?? reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** A chain source with these outputs, read anew with each request. */
function provider(find: (unit: string) => readonly object[]): RecogniseHeadOptions['provider'] & { calls: string[] } {
  const calls: string[] = []
  const fetcher = {
    fetchAssetUTxOs: (unit: string) => {
      calls.push(unit)
      return Promise.resolve(find(unit) as UTxO[])
    },
    fetchAddressUTxOs: () => Promise.resolve([]),
    fetchUTxOs: () => Promise.resolve([]),
    fetchProtocolParameters: () => Promise.reject(new Error('not needed')),
    fetchTip: () => Promise.resolve({ slot: 88_000_000, hash: '00'.repeat(32), height: 1 })
  }
  return { fetcher, calls }
}

const onChain = (...heads: readonly object[]): ReturnType<typeof provider> =>
  provider((unit) => (unit === HEAD_ID + HEAD_TOKEN ? heads : []))

const options = (more: Partial<RecogniseHeadOptions> = {}): RecogniseHeadOptions => ({
  headId: HEAD_ID,
  provider: onChain(openHead(5 * ADA)),
  endpoints: [endpoint],
  addresses: [OWN],
  slotConfig,
  timeout: 10_000,
  ...more
})

const serve = (body: unknown): void => void (reply = { status: 200, body: stringifyJson(body) })

describe('recogniseHead', () => {
  it('holds the snapshot of an endpoint against the base ledger', async () => {
    serve(await signedBundle({ utxo: { [ref(1)]: output(5 * ADA) } }))
    const found = await recogniseHead(options())
    expect([found.state, sums(found.inHead)]).toEqual(['VERIFIED_IN_HEAD', [5, 0, 0]])
    expect(found.asOf).toEqual({ slot: 88_000_000, timeMs: slotConfig.zeroTime + 88_000_000_000 })
    // Nothing of the wallet is in the request.
    expect(seen).toEqual(['GET /snapshot'])
  })

  it('refuses to go back from what its store has', async () => {
    const store = createMemoryStore()
    const utxo = { [ref(1)]: output(5 * ADA) }
    serve(await signedBundle({ utxo, number: 7 }))
    await recogniseHead(options({ store }))
    serve(await signedBundle({ utxo, number: 6 }))
    const found = await recogniseHead(options({ store }))
    expect([found.reason, found.lastVerified?.snapshot.number]).toEqual(['rollback', 7])
    reply = { status: 503, body: '' }
    expect((await recogniseHead(options({ store }))).lastVerified?.snapshot.number).toBe(7)
  })

  it('reads once more when snapshot and chain are of two versions', async () => {
    const bundle = await signedBundle({ version: 1, utxo: { [ref(1)]: output(5 * ADA) } })
    serve(bundle)
    let reads = 0
    const behind = provider((unit) => (unit === HEAD_ID + HEAD_TOKEN ? [openHead(5 * ADA, { version: reads++ })] : []))
    expect((await recogniseHead(options({ provider: behind }))).state).toBe('VERIFIED_IN_HEAD')
    expect(await recogniseHead(options())).toMatchObject({ state: 'UNVERIFIABLE', reason: 'source-behind' })
  })

  it('answers to every failure of an endpoint within its timeout', async () => {
    const reasonOf = async (next: typeof reply, more = {}): Promise<unknown> => {
      reply = next
      return (await recogniseHead(options(more))).reason
    }
    expect(await reasonOf({ status: 200, body: '', silent: true }, { timeout: 200 })).toBe('unreachable')
    expect(await reasonOf({ status: 404, body: '' })).toBe('refused')
    expect(await reasonOf({ status: 302, body: '', headers: { location: `${endpoint}/other` } })).toBe('refused')
    expect(await reasonOf({ status: 200, body: 'x'.repeat(1_001) }, { maxBytes: 1_000 })).toBe('too-large')
    expect(await reasonOf({ status: 200, body: '{' })).toBe('malformed')
    expect(seen).not.toContain('GET /other')
  })

  it('rejects when the chain source does not answer: that is never NO_HEAD', async () => {
    serve({})
    const broken = onChain()
    broken.fetcher.fetchAssetUTxOs = () => Promise.reject(new Error('down'))
    await expect(recogniseHead(options({ provider: broken }))).rejects.toThrow('down')
    const without = { ...onChain().fetcher }
    delete without.fetchAssetUTxOs
    await expect(recogniseHead(options({ provider: { fetcher: without } }))).rejects.toThrow('headAddress')
    expect((await recogniseHead(options({ provider: onChain() }))).state).toBe('NO_HEAD')
    const former = provider((unit) => {
      const { input } = openHead(0)
      const amount = [
        { unit: 'lovelace', quantity: '1' },
        { unit, quantity: '1' }
      ]
      return unit === HEAD_ID + FORMER_HEAD_TOKEN ? [{ input, output: { address: OWN, amount } }] : []
    })
    expect(await recogniseHead(options({ provider: former }))).toMatchObject({ state: 'UNRECOGNISED', reason: 'token' })
  })

  it('rejects for an abort, and for wrong options before a request', async () => {
    reply = { status: 200, body: '', silent: true }
    const controller = new AbortController()
    const ended = recogniseHead(options({ signal: controller.signal, timeout: 10_000 }))
    controller.abort(new Error('enough'))
    await expect(ended).rejects.toThrow('enough')
    const before = seen.length
    for (const wrong of [
      { headId: 'x' },
      { addresses: ['x'] },
      { endpoints: ['ftp://x'] },
      { endpoints: ['http://u:p@x'] }
    ])
      await expect(recogniseHead(options(wrong))).rejects.toThrow()
    expect(seen).toHaveLength(before)
  })

  it('bounds an answer before it is parsed, and gives up one that never ends', async () => {
    const reasonOf = async (more: Partial<RecogniseHeadOptions>): Promise<unknown> =>
      (await recogniseHead(options(more))).reason
    const nested = { status: 200, body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }
    reply = nested
    expect(await reasonOf({})).toBe('malformed')
    // 20 MB of spaces in 20 KB: the bound counts what comes out.
    reply = {
      status: 200,
      body: '',
      raw: gzipSync(Buffer.alloc(20_000_000, 32)),
      headers: { 'content-encoding': 'gzip' }
    }
    expect(await reasonOf({ maxBytes: 1_000_000 })).toBe('too-large')
    reply = { status: 200, body: '', drips: true }
    expect(await reasonOf({ timeout: 200 })).toBe('unreachable')
    // The connection of an answer that was given up is closed.
    for (let i = 0; i < 50 && dripping > 0; i++) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(dripping).toBe(0)
    for (const wrong of [{ timeout: 0 }, { maxBytes: NaN }, { timeout: -1 }])
      await expect(recogniseHead(options(wrong))).rejects.toThrow('above 0')
  })

  it('sends neither credentials nor a referrer, and follows no redirect', async () => {
    const inits: RequestInit[] = []
    const fetchImpl = (_url: string, init: RequestInit): Promise<Response> => {
      inits.push(init)
      return Promise.resolve(new Response('', { status: 301, headers: { location: 'http://127.0.0.1/' } }))
    }
    expect((await recogniseHead(options({ fetchImpl }))).reason).toBe('refused')
    expect(inits).toHaveLength(1)
    expect(inits[0]).toMatchObject({ redirect: 'manual', credentials: 'omit', referrerPolicy: 'no-referrer' })
  })

  it('asks at most four endpoints of a hint, each once', async () => {
    const urls: string[] = []
    const fetchImpl = (url: string): Promise<Response> => {
      urls.push(url)
      return Promise.resolve(new Response('', { status: 404 }))
    }
    const names = ['a', 'a', 'b', 'c', 'd', 'e', 'f'].map((name) => `https://${name}.example`)
    const hinted = ['http://plain.example', 'https://u:p@x.example', 'https://10.0.0.1', ...names, 'https://a.example/']
    await recogniseHead(options({ headIdFrom: 'hint', endpoints: hinted, fetchImpl }))
    expect(urls).toEqual(['a', 'b', 'c', 'd'].map((name) => `https://${name}.example/snapshot`))
  })

  it('keeps a newer record that another call has written meanwhile', async () => {
    const utxo = { [ref(1)]: output(5 * ADA) }
    const store = createMemoryStore()
    serve(await signedBundle({ utxo, number: 9 }))
    await recogniseHead(options({ store }))
    const newest = await store.get(HEAD_ID)
    serve(await signedBundle({ utxo, number: 8 }))
    let reads = 0
    const racing = { get: () => (reads++ === 0 ? null : newest), set: store.set }
    expect((await recogniseHead(options({ store: racing }))).state).toBe('VERIFIED_IN_HEAD')
    expect(await store.get(HEAD_ID)).toBe(newest)
    const broken = { get: () => Promise.reject(new Error('quota')), set: () => undefined }
    await expect(recogniseHead(options({ store: broken }))).rejects.toThrow('store')
  })

  it('asks endpoints of a hint on public https hosts alone', async () => {
    serve({})
    expect(await recogniseHead(options({ headIdFrom: 'hint' }))).toMatchObject({ reason: 'unreachable', joined: false })
    expect(seen).toEqual([])
    const hosts = [
      'localhost',
      '127.0.0.1',
      '10.1.2.3',
      '192.168.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '[::1]',
      '0x7f000001',
      '2130706433',
      '224.0.0.1',
      '198.18.0.1',
      '0.0.0.0',
      '127.1',
      'localhost.',
      'intranet',
      'a.local',
      'db.internal'
    ]
    expect(hosts.filter((host) => isPublicEndpoint(`https://${host}/x`))).toEqual([])
    expect(isPublicEndpoint('https://head.example/base')).toBe(true)
  })
})
