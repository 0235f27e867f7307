import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import { createGateway, memoryLog } from 'layer-sdk/gateway'
import type { Gateway, GatewayLog } from 'layer-sdk/gateway'
import { OutWriter } from '../../src/gateway/core/OutWriter'
import { newestBase, recordsAfter, readCoreState } from '../../src/gateway/core/readLog'
import { headStreams } from '../../src/gateway/records'
import type { OutRecord, SnapshotRecord } from '../../src/gateway/records'
import { startHead } from '../support/openHead'
import { ready, until } from './support'

const streams = headStreams('/')
/** What `out` keeps whatever its age. */
const KEPT_RECORDS = 3_000

describe('the bases of a log', () => {
  /** One core after another, each of which writes some records and ends. */
  async function runCore(log: GatewayLog, records: readonly OutRecord[]): Promise<void> {
    const lease = await log.lease(streams.lease, 10_000)
    const { head, sinceBase } = await readCoreState(log, streams)
    let failed = false
    const fence = { lease: streams.lease, number: lease!.fence }
    const writer = new OutWriter({ log, streams, fence, head, sinceBase, onFailed: () => (failed = true) })
    for (const record of records) writer.emit(record)
    await writer.idle()
    expect(failed).toBe(false)
    await lease!.release()
  }
  async function recordsAfterBase(log: GatewayLog): Promise<number> {
    const base = await newestBase(log, streams)
    let count = 0
    for await (const each of recordsAfter(log, streams.out, base!.after)) count += each.id === '' ? 0 : 1
    return count
  }
  const greetings = { tag: 'Greetings', headStatus: 'Open' }
  const start: OutRecord = {
    kind: 'reset',
    reason: 'start',
    position: { headId: 'ab', number: 0, version: 0 },
    utxo: {},
    greetings
  }
  const snapshot = (number: number): SnapshotRecord => ({
    kind: 'snapshot',
    headId: 'ab',
    number,
    version: 0,
    from: number - 1,
    message: null,
    txs: [],
    count: number,
    spent: {},
    made: { [`${String(number).padStart(64, '0')}#0`]: { address: 'addr_test1', value: { lovelace: 5 } } as never }
  })
  const message: OutRecord = { kind: 'message', message: { tag: 'TxValid' }, addresses: null, txIds: [] }

  it('are written in time by cores of which none lives long', async () => {
    const log = memoryLog()
    await runCore(log, [start])
    for (let core = 0; core < 40; core++) {
      await runCore(
        log,
        Array.from({ length: 100 }, (_, n) => snapshot(core * 100 + n + 1))
      )
      expect(await recordsAfterBase(log)).toBeLessThan(KEPT_RECORDS / 2)
    }
    const { head } = await readCoreState(log, streams)
    expect([head.position?.number, head.utxo.size]).toEqual([4_000, 4_000])
  })

  it('are written in time where few snapshots come with many other messages', async () => {
    const log = memoryLog()
    await runCore(log, [start, snapshot(1)])
    for (let turn = 0; turn < 5; turn++) {
      await runCore(log, Array<OutRecord>(900).fill(message))
      expect(await recordsAfterBase(log)).toBeLessThan(KEPT_RECORDS / 2)
    }
    const { head } = await readCoreState(log, streams)
    expect([head.position?.number, head.utxo.size]).toEqual([1, 1])
  })

  it('are written before records of many bytes fill the log', async () => {
    const log = memoryLog()
    const large: OutRecord = {
      kind: 'message',
      message: { tag: 'TxInvalid', text: 'x'.repeat(16_000_000) },
      addresses: null,
      txIds: []
    }
    await runCore(log, [start, snapshot(1), large, large, large, large, large])
    expect(await recordsAfterBase(log)).toBeLessThan(3)
  })

  it('leave the outputs open to a new core when records after them are missing', async () => {
    const log = memoryLog()
    await runCore(log, [start, snapshot(1), snapshot(2), snapshot(3)])
    const sending = { kind: 'sending', command: '7', txId: null } as const
    await log.append(streams.out, JSON.stringify(sending), { keep: { records: 2 } })
    const { head, commands } = await readCoreState(log, streams)
    expect([head.position, head.utxo.size, head.greetings, commands.last]).toEqual([null, 0, greetings, '7'])
  })
})

describe('a gateway whose log has lost the records after its base', () => {
  it('serves the state of the node again once another core begins, and its clients have the balances of the head', async () => {
    const log = memoryLog()
    /** Keeps so little that the base soon stands alone. */
    const forgetful: GatewayLog = {
      ...log,
      append: (stream, record, options) =>
        log.append(stream, record, { ...options, ...(stream === streams.out ? { keep: { records: 4 } } : {}) })
    }
    const head = await startHead()
    const gateways: Gateway[] = []
    const bridges: LayerBridge[] = []
    try {
      const begin = async (role: 'core' | 'edge'): Promise<Gateway> => {
        const gateway = await createGateway({
          port: 0,
          role,
          log: forgetful,
          heads: [{ path: '/', upstream: head.node.url }]
        })
        gateways.push(gateway)
        return gateway
      }
      const core = await begin('core')
      const edge = await begin('edge')
      await ready(edge)
      const address = head.wallets[0]!.getAddressBech32()
      for (const options of [{ mode: 'delta' }, { mode: 'address', addresses: [address] }] as const) {
        const bridge = new LayerBridge({ connector: new GatewayConnector(edge.url, options) })
        bridges.push(bridge)
        await bridge.connect()
      }
      const pay = async (lovelace: bigint): Promise<unknown> =>
        head.bridge.submitTxSync(await head.payment(head.wallets[1]!.getAddressBech32(), lovelace))
      const haveAll = (): boolean => bridges.every((each) => each.lastSnapshotNumber === head.bridge.lastSnapshotNumber)
      for (let n = 0; n < 8; n++) await pay(1_000_000n + BigInt(n))
      await until('the clients have all', haveAll)
      await core.stop()
      await begin('core')
      await pay(2_000_000n)
      await until('the clients have all from the next core', haveAll, 60_000)
      const refsOf = (bridge: LayerBridge): string[] =>
        bridge.getAddressUTxOs(address)!.map(({ input }) => `${input.txHash}#${input.index}`)
      for (const bridge of bridges) expect(refsOf(bridge).sort()).toEqual(refsOf(head.bridge).sort())
    } finally {
      for (const bridge of bridges) await bridge.disconnect()
      for (const gateway of gateways) await gateway.stop()
      await head.stop()
    }
  }, 120_000)
})
