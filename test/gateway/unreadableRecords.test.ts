import fc from 'fast-check'
import { createGateway, memoryLog } from 'layer-sdk/gateway'
import type { Gateway, GatewayLog } from 'layer-sdk/gateway'
import { newestBase, readCoreState } from '../../src/gateway/core/readLog'
import { Fanout } from '../../src/gateway/edge/Fanout'
import { HeadView } from '../../src/gateway/edge/HeadView'
import { Submissions } from '../../src/gateway/edge/Submissions'
import { resolveLimits } from '../../src/gateway/limits'
import { readBaseRecord, readInRecord, readOutRecord, readReplyRecord } from '../../src/gateway/log/readRecords'
import { Metrics } from '../../src/gateway/Metrics'
import { headStreams } from '../../src/gateway/records'
import { startHead } from '../support/openHead'
import type { Head } from '../support/openHead'
import { scaled } from '../support/scale'
import { join, ready, until } from './support'
import type { RawClient } from './support'

const STREAMS = headStreams('/')
const HEX = 'ab'.repeat(32)

/** Valid records of every kind, of which members are changed. */
const OUT = [
  {
    kind: 'snapshot',
    headId: 'ab',
    number: 1,
    version: 0,
    from: 0,
    message: { tag: 'SnapshotConfirmed', snapshot: { confirmed: [] } },
    spent: { a: 'addr' },
    made: { b: { address: 'addr', value: { lovelace: 1 } } },
    count: 1,
    txs: [{ txId: HEX, spendsFrom: ['addr'], pays: [] }]
  },
  {
    kind: 'reset',
    reason: 'start',
    position: { headId: 'ab', number: 0, version: 0 },
    utxo: { a: { address: 'addr', value: {} } },
    greetings: {}
  },
  { kind: 'message', message: { tag: 'TxValid' }, greetings: {}, addresses: ['addr'], txIds: [HEX], toSender: true },
  { kind: 'sending', command: '1', txId: HEX },
  { kind: 'verdict', txId: HEX, command: '1', outcome: 'refused', message: null, reason: '' },
  { kind: 'taken', command: '1', outcome: 'sent', reason: '' },
  { kind: 'upstream', connected: true }
]
const OTHERS = [
  { kind: 'command', input: { tag: 'Close' }, txId: null },
  { kind: 'request', ref: 'r', method: 'GET', path: '/head' },
  { kind: 'renew' },
  {
    kind: 'base',
    after: '1',
    position: null,
    utxo: {},
    greetings: null,
    connected: true,
    commands: { last: null, txIds: [], open: [] }
  },
  { kind: 'reply', ref: 'r', status: 200, text: '' }
]
/** A record of which some members are of any content, one that is JSON of any kind, or a text of any kind. */
function recordText(records: readonly object[]): fc.Arbitrary<string> {
  const member = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(null, '', -1, 1.5, [], {}, ['x'], { a: null }, { __proto__: 1 })
  )
  const changed = fc
    .constantFrom(...records)
    .chain((record) =>
      fc
        .dictionary(fc.constantFrom(...Object.keys(record)), member, { maxKeys: 3 })
        .map((changes) => JSON.stringify({ ...record, ...changes }))
    )
  const cut = fc
    .constantFrom(...records)
    .chain((record) => fc.nat(JSON.stringify(record).length).map((length) => JSON.stringify(record).slice(0, length)))
  return fc.oneof(
    changed,
    cut,
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string()
  )
}

describe('records of a log, of any content', () => {
  const limits = resolveLimits()

  it('are read as a record that edges can follow, or not at all', () => {
    let read = 0
    const run = (text: string): void => {
      const record = readOutRecord(text)
      if (record === null) return
      read++
      const view = new HeadView()
      view.load({
        position: { headId: 'ab', number: 0, version: 0 },
        utxo: { a: { address: 'addr', value: {} } as never },
        greetings: {},
        connected: true
      })
      if (!view.follows(record)) return
      const log = memoryLog()
      new Submissions({ log, streams: STREAMS, timeoutMs: 1, max: 1, holds: () => false }).apply('1', record)
      const fanout = new Fanout(view, limits, new Metrics())
      fanout.apply(record)
      fanout.progress()
      view.wholeOutputs('')
      view.outputsOf(new Set(['addr']), '')
    }
    fc.assert(fc.property(recordText(OUT), run), { numRuns: scaled(20_000) })
    for (const record of OUT) run(JSON.stringify(record))
    expect(read).toBeGreaterThan(OUT.length)
  })

  it('are read by cores, which come to a state of the log or to none, and pass over commands and answers that are none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(recordText(OUT), { maxLength: 6 }),
        fc.array(recordText(OTHERS), { maxLength: 4 }),
        async (out, base) => {
          const log = memoryLog()
          for (const record of out) await log.append(STREAMS.out, record)
          for (const record of base) await log.append(STREAMS.base, record)
          const unreadable: string[] = []
          const { head } = await readCoreState(log, STREAMS, (stream) => unreadable.push(stream))
          if (out.some((record) => readOutRecord(record) === null)) expect(unreadable).toContain(STREAMS.out)
          expect(head.position === null || typeof head.position.headId === 'string').toBe(true)
          await newestBase(log, STREAMS)
          await log.close()
        }
      ),
      { numRuns: scaled(2_000) }
    )
    fc.assert(
      fc.property(recordText(OTHERS), (text) => {
        for (const reader of [readInRecord, readBaseRecord, readReplyRecord]) expect(() => reader(text)).not.toThrow()
      }),
      { numRuns: scaled(20_000) }
    )
    expect([
      readInRecord(JSON.stringify(OTHERS[0])),
      readBaseRecord(JSON.stringify(OTHERS[3])),
      readReplyRecord(JSON.stringify(OTHERS[4]))
    ]).toEqual([OTHERS[0], OTHERS[3], OTHERS[4]])
  })
})

describe('a gateway whose log has records that cannot be read', () => {
  let head: Head
  let log: GatewayLog
  let gateways: Gateway[]
  let client: RawClient
  let lines: string[]
  beforeEach(async () => {
    head = await startHead()
    log = memoryLog()
    gateways = []
    lines = []
    await start()
    client = await join(`${gateways[0]!.url}/hydra`, { mode: 'delta' })
    await client.tagged('GatewaySnapshot')
  })
  afterEach(async () => {
    client.socket.disconnect()
    for (const gateway of gateways) await gateway.stop()
    await head.stop()
    await log.close()
  })

  async function start(): Promise<Gateway> {
    const note = (line: string): void => void lines.push(line)
    const limits = { commandsPerSecond: 1_000, commandBurst: 1_000 }
    const options = {
      port: 0,
      log,
      limits,
      heads: [{ path: '/', upstream: head.node.url }],
      metrics: { port: 0 },
      logger: { info: note, warn: note }
    }
    const gateway = await createGateway(options)
    gateways.push(gateway)
    return gateway
  }
  const counted = async (gateway: Gateway): Promise<number> =>
    Number(/^layer_gateway_unreadable_records_total (\d+)$/m.exec(await (await fetch(gateway.metricsUrl!)).text())![1])
  const pay = async (): Promise<void> =>
    void (await head.bridge.submitTxSync(await head.payment(head.wallets[1]!.getAddressBech32(), 1_000_000n)))
  /** The state that a client of deltas has at its end. */
  const stateOf = ({ events }: RawClient): { number: number; keys: string[] } => {
    let number = -1
    let keys = new Set<string>()
    for (const { data } of events) {
      if (data.tag === 'GatewaySnapshot') [number, keys] = [data.number, new Set(Object.keys(data.utxo))]
      if (data.tag !== 'SnapshotConfirmed' || data.delta.number <= number) continue
      expect(data.delta.from).toBeLessThanOrEqual(number)
      for (const key of data.delta.spent) keys.delete(key)
      for (const key of Object.keys(data.delta.made)) keys.add(key)
      number = data.delta.number
    }
    return { number, keys: [...keys].sort() }
  }
  const expectExact = async (gateway: Gateway): Promise<void> => {
    await ready(gateway)
    await pay()
    const number = head.bridge.lastSnapshotNumber
    await until('the newest snapshot', () => stateOf(client).number === number)
    const keys = head.bridge.snapshotUtxoArray().map(({ input }) => `${input.txHash}#${input.index}`)
    expect(stateOf(client).keys).toEqual(keys.sort())
  }

  it.each([
    ['no JSON', '{"kind":"snap'],
    ['of a kind that is none', '{"kind":"other"}'],
    ['a snapshot without its members', '{"kind":"snapshot","headId":"ab"}'],
    [
      'a snapshot that does not follow',
      `{"kind":"snapshot","headId":"ab","number":9,"version":0,"from":8,"message":null,"spent":{},"made":{},"count":0,"txs":[]}`
    ]
  ])('says so, counts it, reads the node anew and serves on, with one that is %s', async (_, record) => {
    const [gateway] = gateways as [Gateway]
    const number = client.events.length
    await log.append(STREAMS.out, record)
    await until('the state has been read anew', () =>
      client.events.slice(number).some(({ data }) => data.tag === 'GatewaySnapshot')
    )
    await expectExact(gateway)
    expect(await counted(gateway)).toBe(1)
    expect(lines.filter((line) => line.includes('cannot be followed'))).toEqual([
      expect.stringMatching(/^head \/: record \d+ of the stream \/:out cannot be followed$/)
    ])
    // A process that starts later has the same.
    const later = await start()
    const other = await join(`${later.url}/hydra`, { mode: 'delta' })
    await until(
      'it has the newest state',
      async () => (await other.tagged('GatewaySnapshot')).number === head.bridge.lastSnapshotNumber
    )
    other.socket.disconnect()
  })

  it('serves on where a core takes the log over while such a record is its last', async () => {
    await gateways[0]!.stop()
    client.socket.disconnect()
    await pay()
    for (const stream of [STREAMS.out, STREAMS.base, STREAMS.in, STREAMS.reply]) await log.append(stream, '{"kind":')
    const next = await start()
    client = await join(`${next.url}/hydra`, { mode: 'delta' })
    await expectExact(next)
    expect(await counted(next)).toBeGreaterThan(0)
  })

  it('carries commands and answers on behind those that cannot be read', async () => {
    const [gateway] = gateways as [Gateway]
    for (const record of ['', '7', '{"kind":"command"}', '{"kind":"request","ref":1}'])
      await log.append(STREAMS.in, record)
    for (const record of ['', '7', '{"kind":"reply"}']) await log.append(STREAMS.reply, record)
    expect((await fetch(`${gateway.url}/hydra/protocol-parameters`)).status).toBe(200)
    const { cborHex, txId } = await head.payment(head.wallets[1]!.getAddressBech32(), 1_000_000n)
    const body = JSON.stringify({ cborHex, txId })
    expect(
      (
        await fetch(`${gateway.url}/hydra/submit-tx`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body
        })
      ).status
    ).toBe(200)
    expect(await counted(gateway)).toBe(7)
  })

  it('keeps its balances exact among records of any content', async () => {
    const [gateway] = gateways as [Gateway]
    const samples = fc.sample(recordText([...OUT.filter(({ kind }) => kind === 'snapshot'), ...OTHERS]), {
      numRuns: scaled(400),
      seed: 7
    })
    for (const record of samples) {
      for (const stream of [STREAMS.out, STREAMS.reply]) await log.append(stream, record)
      // A command that can be read would be carried out.
      if (readInRecord(record) === null) await log.append(STREAMS.in, record)
    }
    await until('records were counted', async () => (await counted(gateway)) > 0)
    await expectExact(gateway)
  }, 60_000)
})
