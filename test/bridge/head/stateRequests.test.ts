import { LayerBridge } from 'layer-sdk/bridge'
import type { ConnectorBridgeOptions, ConnectorReply, ConnectorRequest } from 'layer-sdk/bridge'
import { UnsupportedByConnectorError } from 'layer-sdk'
import { FakeConnector } from '../../support/fakeConnector'
import { hashOf, sampleTx } from '../../support/sampleTx'
import { confirmedSnapshot, greetings, HEAD_ID, output, snapshotConfirmed } from '../../support/scriptedNode'

const ALICE = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const tx = sampleTx(1)
/** What `tx` spends. */
const INPUT = `${hashOf(1)}#0`
const GREETED = { headStatus: 'Open', hydraHeadId: HEAD_ID }
const stored = { headId: HEAD_ID, timestamp: '2026-01-01T00:00:00Z', seq: 50 }
const refused = { tag: 'TxInvalid', transaction: tx, utxo: {}, validationError: { reason: 'BadInputsUTxO' }, ...stored }
const failed = {
  tag: 'CommandFailed',
  clientInput: { tag: 'NewTx', transaction: tx },
  state: { tag: 'Open', contents: {} },
  ...stored
}

/** A snapshot without its outputs. */
function lean(number: number): unknown {
  const message = snapshotConfirmed(number)
  return { ...message, snapshot: { ...(message['snapshot'] as object), utxo: undefined } }
}

describe("requests for the head's state", () => {
  let connector: FakeConnector
  let bridge: LayerBridge
  /** What the node was asked for, and when, ms. */
  let asked: { path: string; at: number }[]
  /** The answer of GET /snapshot. */
  let state: unknown
  /** Answers a request; undefined: GET /snapshot with `state`, and no other route. */
  let answer: (request: ConnectorRequest) => ConnectorReply | undefined

  beforeEach(() => {
    jest.useFakeTimers()
    connector = new FakeConnector()
    asked = []
    state = confirmedSnapshot(5)
    answer = () => undefined
    connector.onRequest = async (request) => {
      asked.push({ path: request.path, at: Date.now() })
      const given = answer(request)
      if (given !== undefined) return given
      return request.path === '/snapshot'
        ? { status: 200, text: JSON.stringify(state) }
        : { status: 400, text: '"Resource not found"' }
    }
  })
  afterEach(async () => {
    await bridge.disconnect()
    jest.restoreAllMocks()
    jest.useRealTimers()
  })

  const settle = (ms = 0): Promise<void> => jest.advanceTimersByTimeAsync(ms)
  const paths = (): string[] => asked.map(({ path }) => path)
  const timesOf = (path: string): number[] => asked.filter((each) => each.path === path).map(({ at }) => at)
  const waitsOf = (path: string): number[] =>
    timesOf(path).flatMap((at, index, all) => (index === 0 ? [] : [at - all[index - 1]!]))
  const create = (options: Partial<ConnectorBridgeOptions> = {}): LayerBridge =>
    (bridge = new LayerBridge({
      connector,
      livenessTimeout: 3_600_000,
      reconnectInterval: 5,
      reconnectJitter: 0,
      ...options
    }))
  async function connect(
    options: Partial<ConnectorBridgeOptions> = {},
    greeted: Record<string, unknown> = GREETED
  ): Promise<void> {
    const connected = create(options).connect()
    connector.last.greet(greeted)
    await connected
    await settle()
  }
  /** Submits `tx`, and keeps what becomes of it. */
  function submit(): { outcome: any } {
    const submitted = { outcome: null as unknown }
    bridge.submitTxSync(tx, { timeout: 60_000 }).then(
      (result) => (submitted.outcome = result),
      (error: unknown) => (submitted.outcome = error)
    )
    return submitted
  }
  /** The connection drops, and comes back. */
  async function dropAndReturn(): Promise<void> {
    connector.last.fail()
    await settle(5)
    connector.last.greet(GREETED)
    await settle()
  }
  const scans = (): FakeConnector['channels'] => connector.channels.filter(({ options }) => options.unfiltered === true)
  const broken = (): never => {
    throw new Error('broken')
  }

  it.each([
    [0, [375, 750, 1_500, 3_000, 6_000, 6_000]],
    [0.5, [500, 1_000, 2_000, 4_000, 8_000, 8_000]],
    [0.96, [615, 1_230, 2_460, 4_920, 9_840, 9_840]]
  ])(
    'that fail are made again after half a second, then ever later up to eight, spread by a quarter to both sides (random: %p)',
    async (random, waits) => {
      jest.spyOn(Math, 'random').mockReturnValue(random)
      answer = broken
      await connect()
      await settle(40_000)
      expect(waitsOf('/snapshot').slice(0, 6)).toEqual(waits)
    }
  )

  it('leave with the greeting, before the work of whoever waits for the connection', async () => {
    const connected = create().connect()
    connector.last.greet(GREETED)
    expect(paths()).toEqual(['/snapshot'])
    await connected
  })

  it('begin with half a second again after one has succeeded', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5)
    answer = () => {
      if (asked.length !== 4) return broken()
      // It comes while the answer is on its way, so that the state is requested once more.
      connector.last.say(lean(5))
      return { status: 200, text: JSON.stringify(confirmedSnapshot(4)) }
    }
    await connect()
    await settle(4_500)
    expect(waitsOf('/snapshot').slice(0, 5)).toEqual([500, 1_000, 2_000, 0, 500])
    expect(bridge.lastSnapshotNumber).toBe(5)
  })

  it('go on without a connection while a caller waits for a verdict, and end with the wait', async () => {
    create()
    answer = ({ method }) => (method === 'POST' ? { status: 502, text: 'bad gateway' } : broken())
    const outcome = bridge.submitL2Tx(tx, { timeout: 5_000 }).catch((error: unknown) => error)
    await settle(5_000)
    expect(await outcome).toMatchObject({ code: 'BRIDGE_SUBMIT', tag: 'Timeout', outcome: 'unknown' })
    expect(timesOf('/snapshot').length).toBeGreaterThan(2)
    await settle(20_000)
    const count = asked.length
    await settle(120_000)
    expect(asked).toHaveLength(count)
  })

  it('are made again, at once, for as long as the state is older than a snapshot that waits for it', async () => {
    answer = ({ path }) => {
      if (path !== '/snapshot' || asked.length > 2) return undefined
      if (asked.length === 1) connector.last.say(lean(7))
      return { status: 200, text: JSON.stringify(confirmedSnapshot(5)) }
    }
    state = confirmedSnapshot(7, { utxo: { [INPUT]: output(ALICE, 3) } })
    await connect()
    expect([bridge.lastSnapshotNumber, bridge.getSnapshot().ready, bridge.getAddressBalance(ALICE)]).toEqual([
      7,
      true,
      new Map([['lovelace', 3n]])
    ])
    expect(waitsOf('/snapshot')).toEqual([0, 0])
    await settle(60_000)
    expect(asked).toHaveLength(3)
  })

  it.each([
    ['Idle', {}, 0],
    ['Open', GREETED, 1]
  ])(
    'are for the outputs alone at a node before 0.21, and end where that has no head (it says: %s)',
    async (headStatus, greeted, count) => {
      answer = ({ path }) => (path === '/snapshot/utxo' ? { status: 404, text: '""' } : undefined)
      await connect({}, { ...greeted, headStatus, hydraNodeVersion: '0.20.1' })
      expect(asked).toHaveLength(count)
      expect(await bridge.querySnapshotUtxo()).toEqual({})
      await settle(60_000)
      expect(paths()).toEqual(Array.from({ length: count + 1 }, () => '/snapshot/utxo'))
    }
  )

  it('follow a gap between the state and the first snapshot after it, and none when that is the next one', async () => {
    await connect()
    const submitted = submit()
    connector.last.say(snapshotConfirmed(6))
    await settle(1_000)
    expect([paths(), submitted.outcome]).toEqual([['/snapshot'], null])
    await bridge.disconnect()

    connector.channels.length = asked.length = 0
    await connect()
    const again = submit()
    state = confirmedSnapshot(7, { utxo: { [`${tx.txId}#0`]: output(ALICE, 1) } })
    connector.last.say(snapshotConfirmed(7))
    await settle(1_000)
    expect(paths()).toEqual(['/snapshot', '/snapshot'])
    expect(again.outcome).toMatchObject({ txId: tx.txId, isConfirmed: true })
  })

  it('decide by the outputs that a head opens with as by any others', async () => {
    await connect({ autoReconnect: true })
    const submitted = submit()
    state = { tag: 'InitialSnapshot', headId: HEAD_ID, initialUTxO: {} }
    await dropAndReturn()
    expect(scans()).toHaveLength(1)
    scans()[0]!.open().say(refused).say(greetings())
    await settle()
    expect(submitted.outcome).toMatchObject({ code: 'BRIDGE_SUBMIT', tag: 'TxInvalid', outcome: 'none' })
  })

  it('leave a transaction open whose inputs are being committed: nothing has spent them', async () => {
    await connect({ autoReconnect: true })
    const submitted = submit()
    state = confirmedSnapshot(6, { utxoToCommit: { [INPUT]: output(ALICE, 1) } })
    await dropAndReturn()
    await settle(10_000)
    expect([scans(), submitted.outcome]).toEqual([[], null])
    connector.last.say(snapshotConfirmed(7, { confirmed: [tx] }))
    await settle()
    expect(submitted.outcome).toMatchObject({ isConfirmed: true, result: { snapshot: { number: 7 } } })
  })

  it.each<[string, object, string[]]>([
    ['says what the node holds', refused, ['/snapshot']],
    ['is a TxInvalid without outputs', { ...refused, utxo: undefined }, ['/head', '/snapshot']],
    ['is no TxInvalid', failed, ['/head', '/snapshot']]
  ])(
    'come after one, which is not repeated, for what the node holds, unless the refusal tells: it %s',
    async (_what, message, expected) => {
      answer = ({ path }) => (path === '/head' ? { status: 503, text: 'busy' } : undefined)
      await connect()
      asked.length = 0
      const submitted = submit()
      connector.last.say(message)
      await settle(20_000)
      expect(paths()).toEqual(expected)
      // Its inputs are gone, so the history decides: no snapshot has ever held it.
      scans()[0]!.open().say(greetings())
      await settle()
      expect(submitted.outcome).toMatchObject({
        code: 'BRIDGE_SUBMIT',
        tag: (message as { tag: string }).tag,
        outcome: 'none'
      })
    }
  )

  it.each<[string, () => ConnectorReply]>([
    [
      'the connector',
      () => {
        throw new UnsupportedByConnectorError('any route')
      }
    ],
    ['the node', () => ({ status: 400, text: '"Resource not found"' })]
  ])(
    'are not waited for with a refusal where %s serves none: it is unknown long before the time limit',
    async (_who, serve) => {
      connector.capabilities = { history: false, allRoutes: false, partial: false }
      answer = serve
      await connect({}, { ...GREETED, snapshotUtxo: {} })
      const submitted = submit()
      connector.last.say(refused)
      await settle(10_000)
      expect(submitted.outcome).toMatchObject({
        code: 'BRIDGE_SUBMIT',
        outcome: 'unknown',
        reason: expect.stringContaining('BadInputsUTxO')
      })
    }
  )

  it('and the look into the history after them are cut off with the connection, as a typed error', async () => {
    await connect()
    const found = bridge.findTransaction(tx.txId).catch((error: unknown) => error)
    await settle()
    expect(scans()).toHaveLength(1)
    connector.channels[0]!.fail()
    expect(await found).toMatchObject({ code: 'BRIDGE_DISCONNECTED', outcome: 'unknown' })
    expect(scans()[0]!.closed).toBe('graceful')
  })
})
