import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fetcher, HeadFacts } from '../../src/doctor'
import { checkHead, diagnose, readHeadFacts, reportText, reportToJson } from '../../src/doctor'
import type { Connector } from '../../src/bridge'
import { DevNode } from '../../src/devnode'
import { DEFAULT_TIMINGS } from './devnodeSupport'
import { facts, found, node, utxos } from './factsSupport'

const OFF = { unread: 'switched off' }

describe('each source that is switched off is unknown, and never in order', () => {
  const NODE_SOURCES = ['greetings', 'head', 'snapshot', 'parameters', 'deposits', 'numbers'] as const
  it.each(NODE_SOURCES)('of the node: %s', async (source) => {
    const codes = await found(facts({ own: { [source]: OFF } }))
    expect(codes.length).toBeGreaterThan(0)
    expect(codes.every((each) => each.startsWith('unknown '))).toBe(true)
  })

  it.each(['base', 'fuel', 'metrics', 'history'] as const)('beside the node: %s', async (source) => {
    const codes = await found({ ...facts(), [source]: OFF })
    expect(codes.length).toBeGreaterThan(0)
    expect(codes.every((each) => each.startsWith('unknown '))).toBe(true)
  })

  it('of a peer alone: its own findings are unknown, the others stand', async () => {
    const peer = node(
      { own: Object.fromEntries([...NODE_SOURCES, 'config'].map((each) => [each, OFF])) },
      'ws://10.0.0.2:4001'
    )
    const { findings } = await diagnose(facts({ peers: [peer] }))
    expect(findings.find(({ code }) => code === 'mismatch-version')!.what).toContain('ws://10.0.0.2:4001')
    expect(findings.find(({ code }) => code === 'outputs-limit')!.severity).toBe('ok')
  })

  it('a deposit without known times is not called harmless', async () => {
    const given = facts({ own: { deposits: { value: ['de'.repeat(32)] } } })
    expect(await found(given)).toEqual(['unknown deposit-expiring'])
  })
})

describe('facts are a document', () => {
  it('that is saved and read again, with the same diagnosis', async () => {
    const given = facts({ snapshot: { utxo: utxos(300) } })
    const again = readHeadFacts(JSON.stringify(given))
    expect(again).toEqual(given)
    expect(await diagnose(again)).toEqual(await diagnose(given))
  })

  const broken: readonly [string, unknown][] = [
    ['a newer version', { ...facts(), version: 2 }],
    ['another document', { ...facts(), kind: 'order' }],
    ['no document', 7],
    ['no JSON', '{"kind"'],
    ['no nodes', { ...facts(), nodes: [] }],
    ['22 nodes', { ...facts(), nodes: Array(22).fill(node()) }],
    ['a time that is none', { ...facts(), at: 'now' }],
    ['a reading that is neither', { ...facts(), base: {} }],
    ['a reading that is both', { ...facts(), base: { value: {}, unread: 'x' } }],
    ['a node without a name', { ...facts(), nodes: [{ ...node(), name: 1 }] }],
    ['a node of null', { ...facts(), nodes: [{ ...node(), head: { value: null } }] }],
    ['outputs that are none', facts({ snapshot: { utxo: [{}] } })],
    [
      'amounts that are numbers',
      facts({
        snapshot: {
          utxo: [
            { input: { txHash: '', index: 0 }, output: { address: '', amount: [{ unit: 'lovelace', quantity: 1 }] } }
          ]
        }
      })
    ],
    ['quantities with a point', facts({ head: { onChain: { lovelace: '1.5' } } })],
    ['a cost model that is none', facts({ base: { costModels: { PlutusV1: 'all' } } })]
  ]
  it.each(broken)('that is refused by a typed error: %s', async (_, document) => {
    expect(() => readHeadFacts(document)).toThrow(expect.objectContaining({ code: 'DOCTOR_FACTS' }))
    if (typeof document === 'object')
      await expect(diagnose(document as HeadFacts)).rejects.toMatchObject({ code: 'DOCTOR_FACTS' })
  })

  it('an unknown step is refused', async () => {
    await expect(diagnose(facts(), { before: 'open' as 'close' })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it('and the judgement ends with its signal', async () => {
    const over = new AbortController()
    over.abort(new Error('enough'))
    await expect(diagnose(facts(), { signal: over.signal })).rejects.toThrow('enough')
  })
})

describe('checkHead', () => {
  let head: DevNode
  beforeEach(() => void (head = new DevNode({ open: true, timings: DEFAULT_TIMINGS })))
  afterEach(() => head.stop())

  it('reads by GET alone, and sends no input', async () => {
    const methods: string[] = []
    const sent: string[] = []
    const inner = head.connector()
    const connector: Connector = {
      capabilities: inner.capabilities,
      open(listener, options) {
        const channel = inner.open(listener, options)
        return { ...channel, send: (text) => void sent.push(text), close: (graceful) => channel.close(graceful) }
      },
      request(request) {
        methods.push(request.method)
        return inner.request(request)
      }
    }
    const { verdict, facts: read } = await checkHead({ head: connector })
    expect([verdict, sent, new Set(methods)]).toEqual(['incomplete', [], new Set(['GET'])])
    expect(readHeadFacts(JSON.stringify(read))).toEqual(read)
  })

  it('fails where the own node is none', async () => {
    const server = createServer((_, response) => response.writeHead(200).end('<html>'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await expect(checkHead({ head: `ws://127.0.0.1:${port}`, patience: 0 })).rejects.toThrow()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await expect(checkHead({ head: `ws://127.0.0.1:${port}`, patience: 0 })).rejects.toThrow()
  })

  it('keeps the rest where a peer cannot be reached', async () => {
    const { findings, facts: read } = await checkHead({ head: head.connector(), peers: ['ws://127.0.0.1:1'] })
    expect(read.nodes[1]!.greetings).toEqual({ unread: expect.stringMatching(/\S/) })
    expect(findings.filter(({ code }) => code === 'mismatch-version').map(({ severity }) => severity)).toEqual([
      'unknown'
    ])
    expect(findings.find(({ code }) => code === 'outputs-limit')!.severity).toBe('ok')
  })

  it('knows that there is no head after the fanout (HTTP 404)', async () => {
    const idle = new DevNode()
    const { findings, exit } = await checkHead({ head: idle.connector() })
    expect([exit, findings.find(({ code }) => code === 'outputs-limit')!.severity]).toEqual([null, 'ok'])
    expect(findings.filter(({ severity }) => severity === 'block')).toEqual([])
    await idle.stop()
  })

  it('reads the metrics, and repeats no password of their URL', async () => {
    const lastBlock = Math.floor(Date.now() / 1_000) - 200
    const server = createServer((_, response) =>
      response.end(
        `# TYPE x gauge\nhydra_chain_drift_seconds 7.0\nhydra_chain_last_block_timestamp_seconds ${lastBlock}\n`
      )
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/metrics?token=geheim`
    const { findings, facts: read } = await checkHead({ head: head.connector(), metricsUrl: url })
    expect(read.metrics).toEqual({ value: { lastBlockAt: lastBlock * 1_000, drift: 7 } })
    expect(findings.find(({ code }) => code === 'chain-stalled')!.severity).toBe('warn')
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    const after = await checkHead({ head: head.connector(), metricsUrl: url })
    expect(after.facts.metrics).toEqual({ unread: expect.stringMatching(/\S/) })
    expect(JSON.stringify(after.facts) + reportText(after) + reportToJson(after)).not.toContain('geheim')
  })

  it('a provider that fails makes its findings unknown, and repeats no key', async () => {
    const provider = {
      fetchProtocolParameters: () => Promise.reject(new Error('https://x.example/?project_id=geheim is down')),
      fetchAddressUTxOs: () => Promise.reject(new Error('down'))
    } as unknown as Fetcher
    const fuelAddress = head.accounts[0]!.address
    const report = await checkHead({ head: head.connector(), provider, fuelAddress })
    expect(report.facts.base).toEqual({ unread: expect.stringContaining('is down') })
    expect(report.facts.fuel).toEqual({ unread: 'down' })
    expect(reportToJson(report) + JSON.stringify(report.facts)).not.toContain('geheim')
  })

  it.each([
    ['another head', { head: 7 }],
    ['21 peers', { peers: Array(21).fill('ws://127.0.0.1:1') }],
    ['an address that is none', { fuelAddress: 'addr' }],
    ['metrics of another kind', { metricsUrl: 'ftp://x' }],
    ['a negative patience', { patience: -1 }],
    ['an unknown option', { peer: [] }]
  ])('refuses %s', async (_, options) => {
    await expect(checkHead({ head: head.connector(), ...(options as object) })).rejects.toMatchObject({
      code: expect.stringMatching(/^INPUT_/)
    })
  })

  it('never saves the key that nodes of 1.x show in their environment', async () => {
    const leaking = new DevNode({ profile: '1.3' })
    const report = await checkHead({ head: leaking.connector() })
    expect(report.facts.nodes[0]!.greetings).toHaveProperty('value.party')
    expect(JSON.stringify(report.facts)).not.toMatch(/signingKey/i)
    await leaking.stop()
  })
})

it('the report has no bigint in its JSON, and a line for each finding in its text', async () => {
  const given = facts({ fuel: [] })
  const diagnosis = await diagnose(given)
  const report = { at: given.at, head: null, node: '2.4.1', verdict: 'block' as const, ...diagnosis }
  const parsed = JSON.parse(reportToJson(report)) as { findings: { code: string; evidence: Record<string, unknown> }[] }
  expect(parsed.findings.find(({ code }) => code === 'fuel-low')!.evidence['lovelace']).toBe('0')
  const text = reportText(report)
  for (const { code } of diagnosis.findings) expect(text).toContain(`  ${code}: `)
  expect(text).toContain('Verdict: block')
})
