import { LayerBridge } from 'layer-sdk/bridge'
import { FakeConnector } from '../../support/fakeConnector'
import { hashOf, sampleTx } from '../../support/sampleTx'
import { confirmedSnapshot, HEAD_ID, output } from '../../support/scriptedNode'

const ALICE = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const tx = sampleTx(1)

describe('a submission while an address filter may hide the snapshot that confirms it', () => {
  let connector: FakeConnector
  let bridge: LayerBridge
  /** When the state was requested, ms from the submission. */
  let asked: number[]
  let state: unknown
  let startedAt: number
  /** Timers that are there without a submission. */
  let timersBefore: number

  beforeEach(async () => {
    jest.useFakeTimers()
    connector = new FakeConnector()
    connector.capabilities = { history: true, allRoutes: true, partial: true }
    // Its input is unspent: the state leaves it open.
    state = confirmedSnapshot(1, { utxo: { [`${hashOf(1)}#0`]: output(ALICE, 1) } })
    asked = []
    startedAt = Date.now()
    connector.onRequest = async ({ path }) => {
      if (path === '/snapshot') asked.push(Date.now() - startedAt)
      return path === '/snapshot'
        ? { status: 200, text: JSON.stringify(state) }
        : { status: 400, text: '"Resource not found"' }
    }
    bridge = new LayerBridge({ connector, livenessTimeout: 3_600_000 })
    const connected = bridge.connect()
    connector.last.greet({ headStatus: 'Open', hydraHeadId: HEAD_ID })
    await connected
    // The timers of the connection's beginning have ended.
    await settle(60_000)
    asked.length = 0
    startedAt = Date.now()
    timersBefore = jest.getTimerCount()
  })
  afterEach(async () => {
    await bridge.disconnect()
    jest.useRealTimers()
  })

  const settle = (ms = 0): Promise<void> => jest.advanceTimersByTimeAsync(ms)
  function submit(timeout: number): { outcome: unknown } {
    const submitted = { outcome: null as unknown }
    bridge.submitTxSync(tx, { timeout }).then(
      (result) => (submitted.outcome = result),
      (error: unknown) => (submitted.outcome = error)
    )
    return submitted
  }
  it.each([
    [302_000, [3_000, 6_000, 9_000]],
    [16_000, [2_000, 4_000, 6_000]],
    [4_000, [1_000, 2_000, 3_000]]
  ])(
    'looks at the state after each eighth of its %i ms, once in three seconds at least and in one at most, and no more after the verdict',
    async (timeout, times) => {
      const submitted = submit(timeout)
      await settle(times[1]!)
      expect([asked, submitted.outcome]).toEqual([times.slice(0, 2), null])
      state = confirmedSnapshot(2, { confirmed: [tx] })
      await settle(times[2]! - times[1]!)
      expect(submitted.outcome).toMatchObject({ txId: tx.txId, isConfirmed: true, result: { snapshot: { number: 2 } } })
      expect(jest.getTimerCount()).toBe(timersBefore)
      await settle(timeout)
      expect(asked).toEqual(times)
    }
  )

  it('looks no more after its time limit', async () => {
    const submitted = submit(2_500)
    await settle(60_000)
    expect(submitted.outcome).toMatchObject({ tag: 'Timeout', outcome: 'unknown' })
    expect(asked).toEqual([1_000, 2_000])
    expect(jest.getTimerCount()).toBe(timersBefore)
  })

  it('leaves no timer behind when there is no connection to send it over', async () => {
    await bridge.disconnect()
    const before = jest.getTimerCount()
    const submitted = submit(80_000)
    await settle()
    expect(submitted.outcome).toMatchObject({ tag: 'NotConnected', outcome: 'none' })
    expect(jest.getTimerCount()).toBe(before)
  })

  it('looks at no state where the other side sends every verdict on its transactions', async () => {
    await bridge.disconnect()
    Object.assign(connector.capabilities, { deltas: true })
    const connected = bridge.connect()
    connector.last.greet({ headStatus: 'Idle' })
    await connected
    asked.length = 0
    const submitted = submit(4_000)
    await settle(3_999)
    expect([asked, submitted.outcome]).toEqual([[], null])
    await settle(1)
    expect(submitted.outcome).toMatchObject({ tag: 'Timeout', outcome: 'unknown' })
  })

  it('can be sent with a time limit of zero: what becomes of it is an event', async () => {
    const submitted = submit(0)
    await settle(1)
    expect(connector.channels[0]!.sent).toHaveLength(1)
    expect(submitted.outcome).toMatchObject({ tag: 'Timeout', outcome: 'unknown' })
  })
})
