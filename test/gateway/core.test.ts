import type { Client } from '../../src/gateway/edge/Client'
import { UnsentFrames } from '../../src/gateway/edge/UnsentFrames'
import { Core } from '../../src/gateway/core/Core'
import { Commands } from '../../src/gateway/core/Commands'
import { LoggedHead } from '../../src/gateway/core/LoggedHead'
import { OutWriter } from '../../src/gateway/core/OutWriter'
import { recordsAfter, readCoreState } from '../../src/gateway/core/readLog'
import { NOTHING } from '../../src/gateway/core/sinceBase'
import { HeadEdge } from '../../src/gateway/edge/HeadEdge'
import { resolveLimits } from '../../src/gateway/limits'
import type { GatewayLog } from '../../src/gateway/log/GatewayLog'
import { memoryLog } from '../../src/gateway/log/memoryLog'
import { Metrics } from '../../src/gateway/Metrics'
import type { InRecord, OutRecord } from '../../src/gateway/records'
import { headStreams } from '../../src/gateway/records'
import { Troubles } from '../../src/gateway/Troubles'
import { confirmedSnapshot, ScriptedNode } from '../support/scriptedNode'
import { until } from './support'

const STREAMS = headStreams('/')
const [A, B] = ['aa', 'bb'].map((byte) => byte.repeat(32)) as [string, string]
const SILENT = { info: () => undefined, warn: () => undefined }
const newTx = (txId: string): InRecord => ({
  kind: 'command',
  input: { tag: 'NewTx', transaction: { txId, cborHex: '84', type: '', description: '' } },
  txId
})
const CLOSE: InRecord = { kind: 'command', input: { tag: 'Close' }, txId: null }
const POST: InRecord = { kind: 'request', ref: 'r', method: 'POST', path: '/commit', body: '{}' }
const GET: InRecord = { kind: 'request', ref: 'g', method: 'GET', path: '/head' }

describe('a core', () => {
  let node: ScriptedNode
  let log: GatewayLog
  const cores: Core[] = []
  beforeEach(async () => {
    node = await new ScriptedNode().start()
    node.routes = {
      'GET /snapshot': { body: confirmedSnapshot(1) },
      'POST /commit': { body: {} },
      'GET /head': { body: {} }
    }
    log = memoryLog()
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    for (const core of cores.splice(0)) await core.stop()
    await node.stop()
    await log.close()
  })

  const start = (over: GatewayLog = log): Core => {
    const core = new Core({
      log: over,
      streams: STREAMS,
      upstream: `ws://127.0.0.1:${node.port}`,
      logger: SILENT,
      name: '/'
    })
    cores.push(core)
    core.start()
    return core
  }
  const command = async (record: InRecord): Promise<string> => (await log.append(STREAMS.in, JSON.stringify(record))).id
  const written = async (): Promise<OutRecord[]> => {
    const records: OutRecord[] = []
    for await (const { record } of recordsAfter(log, STREAMS.out, null)) records.push(JSON.parse(record) as OutRecord)
    return records
  }
  const isConnected = async (): Promise<boolean> =>
    (await written()).some((record) => record.kind === 'upstream' && record.connected)
  const endOf = async (id: string): Promise<unknown> => {
    let end: OutRecord | undefined
    const isEnd = (record: OutRecord): boolean =>
      (record.kind === 'taken' || record.kind === 'verdict') && record.command === id
    await until('the command has an end', async () => (end = (await written()).find(isEnd)) !== undefined)
    return (end as { outcome: string }).outcome
  }
  /** A log whose commands reach a core only once it is connected to the node. */
  const lateCommands = (): GatewayLog => ({
    ...log,
    async tail(stream, after, onRecord, signal) {
      if (stream === STREAMS.in) await until('the core is connected', isConnected)
      return log.tail(stream, after, onRecord, signal)
    }
  })
  const asked = (): unknown[] => [
    ...node.inputs.map(({ tag }) => tag),
    ...node.requests.map(({ url }) => url).filter((url) => url !== '/snapshot')
  ]

  it.each([
    ['a payment', newTx(A)],
    ['another command', CLOSE],
    ['a request that changes something', POST],
    ['a request that reads', GET]
  ])(
    'refuses %s that came before it had the node, however late it reads it, and so does no later core send it',
    async (_, record) => {
      const id = await command(record)
      const core = start(lateCommands())
      expect(await endOf(id)).toBe('refused')
      await core.stop()
      start()
      const next = await command(CLOSE)
      await endOf(next)
      expect(
        (await written()).filter((out) => (out.kind === 'taken' || out.kind === 'verdict') && out.command === id)
      ).toHaveLength(1)
      expect(asked().filter((what) => what !== 'Close')).toEqual([])
    }
  )

  it('sends what comes while it has the node, once, and says so', async () => {
    start()
    await until('it is connected', isConnected)
    const ids = [await command(newTx(A)), await command(CLOSE), await command(POST)]
    expect([await endOf(ids[1]!), await endOf(ids[2]!)]).toEqual(['sent', 'sent'])
    expect((await written()).filter(({ kind }) => kind === 'sending')).toMatchObject([
      { command: ids[0], txId: A },
      { command: ids[1], txId: null },
      { command: ids[2], txId: null }
    ])
    expect(asked()).toEqual(['NewTx', 'Close', '/commit'])
  })

  it('answers what an earlier core was about to send as unknown, and does not send it', async () => {
    const first = start()
    await until('it is connected', isConnected)
    const fence = { lease: STREAMS.lease, number: 1 }
    const ids = [await command(CLOSE), await command(POST)]
    await until('both are done', async () => (await written()).filter(({ kind }) => kind === 'taken').length === 2)
    await first.stop()
    const torn = [await command(CLOSE), await command(POST)]
    for (const id of torn)
      await log.append(STREAMS.out, JSON.stringify({ kind: 'sending', command: id, txId: null }), { fence })
    start()
    expect([await endOf(torn[0]!), await endOf(torn[1]!)]).toEqual(['unknown', 'unknown'])
    expect([await endOf(ids[0]!), await endOf(ids[1]!)]).toEqual(['sent', 'sent'])
    expect(asked()).toEqual(['Close', '/commit'])
  })

  it('leaves a record after many reads, so that no core begins far back', async () => {
    start()
    await until('it is connected', isConnected)
    for (let n = 0; n < 250; n++) await command({ ...GET, ref: String(n) } as InRecord)
    await until('all are answered', () => node.requests.filter(({ url }) => url === '/head').length === 250)
    const { commands } = await readCoreState(log, STREAMS)
    expect(Number(commands.last)).toBeGreaterThanOrEqual(200)
  })

  it('sends nothing any more once it has lost its lease', async () => {
    let isLost = false
    const losing: GatewayLog = {
      ...log,
      async lease(name, ttlMs) {
        const lease = isLost ? null : await log.lease(name, ttlMs)
        return lease === null ? null : { ...lease, renew: async () => !isLost && lease.renew() }
      }
    }
    const core = start(losing)
    await until('it is connected', isConnected)
    isLost = true
    await until('it gives the node up', () => node.sockets.size === 0 && !core.active)
    await command(newTx(A))
    await command(CLOSE)
    expect(asked()).toEqual([])
  })

  it('sends nothing any more when it stood still for longer than its lease holds', async () => {
    const core = start()
    await until('it is connected', isConnected)
    const real = performance.now.bind(performance)
    jest.spyOn(performance, 'now').mockImplementation(() => real() + 11_000)
    const id = await command(CLOSE)
    expect(await endOf(id)).toBe('refused')
    expect([asked(), core.active]).toEqual([[], true])
  })

  it('refuses what it can record only late: whoever sent it may have given it up', async () => {
    let goOn = (): void => undefined
    const held = new Promise<void>((resolve) => (goOn = resolve))
    const slow: GatewayLog = {
      ...log,
      async append(stream, record, options) {
        if (record.includes('"sending"')) await held
        return log.append(stream, record, options)
      }
    }
    start(slow)
    await until('it is connected', isConnected)
    const ids = [await command(newTx(A)), await command(CLOSE), await command(POST)]
    // The core has them: it has read the log up to here.
    await new Promise((resolve) => setImmediate(resolve))
    const real = performance.now.bind(performance)
    jest.spyOn(performance, 'now').mockImplementation(() => real() + 10_001)
    goOn()
    for (const id of ids) expect(await endOf(id)).toBe('refused')
    expect(asked()).toEqual([])
  })
})

describe('the writer of a core', () => {
  it('writes nothing after an append that failed: what follows it would be told of a state that the log has not', async () => {
    const log = memoryLog()
    const lease = (await log.lease(STREAMS.lease, 60_000))!
    let fails = false
    const failing: GatewayLog = {
      ...log,
      append: async (...args) => {
        if (fails) throw new Error('gone')
        return log.append(...args)
      }
    }
    const failures: unknown[] = []
    const ran: string[] = []
    const fence = { lease: STREAMS.lease, number: lease.fence }
    const onFailed = (error: unknown): void => void failures.push(error)
    const writer = new OutWriter({
      log: failing,
      streams: STREAMS,
      fence,
      head: new LoggedHead(),
      sinceBase: NOTHING,
      onFailed
    })
    const connected = (isConnected: boolean): OutRecord => ({ kind: 'upstream', connected: isConnected })
    writer.emit(connected(true), () => ran.push('first'))
    await writer.idle()
    fails = true
    writer.emit(connected(false), () => ran.push('failed'))
    await writer.idle()
    fails = false
    writer.emit(connected(true), () => ran.push('after'))
    await writer.idle()
    const { records } = await log.read(STREAMS.out, null, 10)
    expect([records.length, ran, failures]).toEqual([1, ['first'], [new Error('gone')]])
    await log.close()
  })
})

describe('commands of which the log has only the base left', () => {
  const sending = (command: string, txId: string | null): OutRecord => ({ kind: 'sending', command, txId })
  const reset: OutRecord = {
    kind: 'reset',
    reason: 'start',
    position: { headId: 'ab', number: 0, version: 0 },
    utxo: {},
    greetings: { tag: 'Greetings' }
  }

  /** A log with a payment under way, an unanswered command, a base, and nothing of before it. */
  async function trimmed(): Promise<GatewayLog> {
    const log = memoryLog()
    const lease = (await log.lease(STREAMS.lease, 60_000))!
    const fence = { lease: STREAMS.lease, number: lease.fence }
    const writer = new OutWriter({
      log,
      streams: STREAMS,
      fence,
      head: new LoggedHead(),
      sinceBase: NOTHING,
      onFailed: () => undefined
    })
    for (const record of [sending('3', A), sending('4', B), sending('5', null), sending('6', null)]) writer.emit(record)
    writer.emit({ kind: 'verdict', txId: B, outcome: 'refused', message: { tag: 'TxInvalid' }, reason: 'no' })
    writer.emit({ kind: 'taken', command: '5', outcome: 'sent', reason: '' })
    writer.emit(reset)
    await writer.idle()
    await lease.release()
    await log.append(STREAMS.out, JSON.stringify({ kind: 'upstream', connected: true }), { keep: { records: 1 } })
    return log
  }

  it('are known to the next core: where it goes on, what was sent, and what has no end', async () => {
    const log = await trimmed()
    const { commands } = await readCoreState(log, STREAMS)
    expect(commands.state()).toEqual({ last: '6', txIds: [A], open: ['6'] })
    await log.close()
  })

  it('are known to an edge that starts in mid payment: it calls nothing unsent that may be at the node', async () => {
    const log = await trimmed()
    const limits = resolveLimits()
    const parts = {
      limits,
      unsent: new UnsentFrames<Client>(limits.unsentBytesInAll),
      metrics: new Metrics(),
      troubles: new Troubles('head /', SILENT),
      onUnreadable: () => undefined
    }
    const edge = new HeadEdge({ path: '/', log, streams: STREAMS, ...parts })
    edge.start()
    await until('it has read the log', () => edge.reading)
    expect([edge.submissions.isNew(A), edge.submissions.isNew(B)]).toEqual([false, true])
    await edge.stop()
    await log.close()
  })

  it('are the last by their ids, whatever order their ends are written in', () => {
    const commands = new Commands()
    for (const record of [
      sending('10-2', null),
      sending('10-10', null),
      { kind: 'taken', command: '10-2', outcome: 'sent', reason: '' } as const
    ])
      commands.apply(record)
    expect(commands.last).toBe('10-10')
  })
})
