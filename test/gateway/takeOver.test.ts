import { Core } from '../../src/gateway/core/Core'
import { LoggedHead } from '../../src/gateway/core/LoggedHead'
import { OutWriter } from '../../src/gateway/core/OutWriter'
import { recordsAfter, readCoreState } from '../../src/gateway/core/readLog'
import { NOTHING } from '../../src/gateway/core/sinceBase'
import type { GatewayLog } from '../../src/gateway/log/GatewayLog'
import { memoryLog } from '../../src/gateway/log/memoryLog'
import type { OutRecord } from '../../src/gateway/records'
import { headStreams } from '../../src/gateway/records'
import { randomSource } from '../support/random'
import { output } from '../support/scriptedNode'
import { until } from './support'

const STREAMS = headStreams('/')
const ADDRESS = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const idOf = (n: number): string => n.toString(16).padStart(64, '0')
const keyOf = (n: number): string => `${idOf(n)}#0`
const outputs = (...numbers: number[]): Record<string, never> =>
  Object.fromEntries(numbers.map((n) => [keyOf(n), output(ADDRESS, n) as never]))
const CONNECTED: OutRecord = { kind: 'upstream', connected: true }
const reset = (utxo = outputs(1)): OutRecord => ({
  kind: 'reset',
  reason: 'start',
  position: { headId: 'ab', number: 0, version: 0 },
  utxo,
  greetings: { tag: 'Greetings' }
})

describe('a core that takes a log over', () => {
  let log: GatewayLog
  let head: LoggedHead
  let writer: OutWriter
  /** A new log, and the writer of its first core. */
  async function begin(): Promise<void> {
    log = memoryLog()
    head = new LoggedHead()
    const lease = (await log.lease(STREAMS.lease, 1))!
    const fence = { lease: STREAMS.lease, number: lease.fence }
    writer = new OutWriter({ log, streams: STREAMS, fence, head, sinceBase: NOTHING, onFailed: () => undefined })
  }
  beforeEach(begin)
  afterEach(async () => {
    await log.close()
  })

  /** A snapshot after the newest one. */
  function snapshot(spent: number[], made: number[], txIds: string[] = []): OutRecord {
    const { headId, number } = head.position!
    return {
      kind: 'snapshot',
      headId,
      version: 0,
      from: number,
      number: number + 1,
      message: null,
      spent: Object.fromEntries(spent.map((n) => [keyOf(n), ADDRESS])),
      made: outputs(...made),
      count: head.utxo.size - spent.length + made.length,
      txs: txIds.map((txId) => ({ txId, spendsFrom: [], pays: [] }))
    }
  }
  const stateOf = ({ position, utxo, greetings, connected }: LoggedHead): unknown => ({
    position,
    utxo: Object.fromEntries(utxo),
    greetings,
    connected
  })

  it('has nothing to take over from an empty one', async () => {
    const { head: taken, commands } = await readCoreState(log, STREAMS)
    expect([stateOf(taken), commands.state()]).toEqual([stateOf(new LoggedHead()), { last: null, txIds: [], open: [] }])
  })

  it('comes to the state of the one before, whatever that has written', async () => {
    for (let seed = 0; seed < 40; seed++) {
      await begin()
      const random = randomSource(`take over ${seed}`)
      writer.emit(reset(outputs(1)))
      let lastCommand: string | null = null
      for (let step = 0, next = 2; step < 25; step++) {
        const kind = random.below(8)
        const held = [...head.utxo.keys()].map((key) => Number.parseInt(key.slice(0, 64), 16))
        if (kind < 3)
          writer.emit(
            snapshot(held.length > 0 ? [random.pick(held)] : [], [next++, next++], [idOf(random.below(6) + 1_000)])
          )
        else if (kind === 3) writer.emit({ kind: 'upstream', connected: random.below(2) === 0 })
        else if (kind === 4)
          writer.emit({
            kind: 'message',
            message: { tag: 'Any' },
            greetings: { tag: 'Greetings', step },
            addresses: null,
            txIds: []
          })
        else if (kind === 5)
          writer.emit({
            kind: 'sending',
            command: (lastCommand = `${seed}-${step}`),
            txId: idOf(random.below(6) + 1_000)
          })
        else if (kind === 6)
          writer.emit({
            kind: 'verdict',
            txId: idOf(random.below(6) + 1_000),
            outcome: 'refused',
            message: null,
            reason: 'no'
          })
        else if (random.below(3) === 0) writer.emit(reset(outputs(next++)))
      }
      await writer.idle()
      const taken = await readCoreState(log, STREAMS)
      expect(stateOf(taken.head)).toEqual(stateOf(head))
      expect([...taken.commands.txIds].sort()).toEqual([...writer.unsettled].sort())
      expect(taken.commands.last).toBe(lastCommand)
    }
  })

  it('comes to it over a base between two resets, and where the base is all that is left', async () => {
    writer.emit(reset(outputs(1)))
    writer.emit(CONNECTED)
    for (let n = 1; n <= 500; n++) writer.emit(snapshot([n], [n + 1]))
    await writer.idle()
    expect((await log.read(STREAMS.base, null, 10)).records).toHaveLength(2)
    expect(stateOf((await readCoreState(log, STREAMS)).head)).toEqual(stateOf(head))
    // Another core's records are gone, that which the base contains among them.
    await log.append(
      STREAMS.out,
      JSON.stringify({ kind: 'verdict', txId: idOf(1), outcome: 'unknown', message: null, reason: '' }),
      { keep: { records: 1 } }
    )
    expect(stateOf((await readCoreState(log, STREAMS)).head)).toEqual(stateOf(head))
  })

  it('says at once that the node is not connected, which the log says of the one before', async () => {
    for (const record of [CONNECTED, reset()]) writer.emit(record)
    await writer.idle()
    // Nobody listens there.
    const core = new Core({
      log,
      streams: STREAMS,
      upstream: 'ws://127.0.0.1:1',
      logger: { info: () => undefined, warn: () => undefined },
      name: '/'
    })
    core.start()
    const written: OutRecord[] = []
    await until('the core has written', async () => {
      written.length = 0
      for await (const { record } of recordsAfter(log, STREAMS.out, null)) written.push(JSON.parse(record))
      return written.length > 2
    })
    await core.stop()
    expect(written[2]).toMatchObject({ kind: 'upstream', connected: false })
  })
})
