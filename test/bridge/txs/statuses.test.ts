import { LayerBridge } from 'layer-sdk/bridge'
import type { ConnectorReply } from 'layer-sdk/bridge'
import { FakeConnector } from '../../support/fakeConnector'
import { sampleTx } from '../../support/sampleTx'
import { confirmedSnapshot, HEAD_ID, snapshotConfirmed } from '../../support/scriptedNode'

const tx = sampleTx(1)
const ok = (body: unknown): ConnectorReply => ({ status: 200, text: JSON.stringify(body) })

describe('an answer that is none of the node', () => {
  let connector: FakeConnector
  let bridge: LayerBridge
  let routes: Record<string, ConnectorReply>
  let asked: string[]
  beforeEach(() => {
    jest.useFakeTimers()
    connector = new FakeConnector()
    asked = []
    routes = { 'GET /snapshot': ok(confirmedSnapshot(5)) }
    connector.onRequest = async ({ method, path }) => {
      asked.push(`${method} ${path}`)
      return routes[`${method} ${path}`] ?? { status: 400, text: '"Resource not found"' }
    }
    bridge = new LayerBridge({ connector, livenessTimeout: 3_600_000 })
  })
  afterEach(async () => {
    await bridge.disconnect()
    jest.useRealTimers()
  })

  const settle = (ms = 0): Promise<void> => jest.advanceTimersByTimeAsync(ms)
  async function connect(
    fields: Record<string, unknown> = { headStatus: 'Open', hydraHeadId: HEAD_ID }
  ): Promise<void> {
    const connected = bridge.connect()
    connector.last.greet(fields)
    await connected
    await settle()
    asked.length = 0
  }
  /** What becomes of a promise. */
  function watched(promise: Promise<unknown>): { outcome: any } {
    const result = { outcome: null as unknown }
    promise.then(
      (value) => (result.outcome = value),
      (error: unknown) => (result.outcome = error)
    )
    return result
  }

  /** Submits: the answer decides nothing, the snapshot that follows does. */
  async function expectMessagesToDecide(): Promise<void> {
    const submitted = watched(bridge.submitL2Tx(tx))
    await settle()
    expect(submitted.outcome).toBeNull()
    connector.channels[0]!.say(snapshotConfirmed(6, { confirmed: [tx] }))
    await settle()
    expect(submitted.outcome).toEqual({ tag: 'SubmitTxConfirmed', snapshotNumber: 6 })
  }

  it.each([401, 403, 413, 429, 499])(
    'ends a submission over HTTP at once when it refuses the request (%i)',
    async (status) => {
      await connect()
      routes['POST /transaction'] = { status, text: 'no' }
      const submitted = watched(bridge.submitL2Tx(tx))
      await settle()
      expect(submitted.outcome).toMatchObject({ code: 'BRIDGE_REQUEST', status })
    }
  )

  it.each([408, 500, 502, 504])(
    'leaves a submission over HTTP to the messages when it may have arrived (%i)',
    async (status) => {
      await connect()
      routes['POST /transaction'] = { status, text: 'no' }
      await expectMessagesToDecide()
      expect(asked.filter((each) => each === 'POST /transaction')).toHaveLength(1)
    }
  )

  it('leaves it to them for 30 s at most, and says then that it is not known', async () => {
    await connect()
    routes['POST /transaction'] = { status: 504, text: 'no' }
    const submitted = watched(bridge.submitL2Tx(tx))
    await settle(29_000)
    expect(submitted.outcome).toBeNull()
    await settle(3_000)
    expect(submitted.outcome).toMatchObject({ code: 'BRIDGE_SUBMIT', tag: 'Timeout', outcome: 'unknown' })
  })

  it('that does not come is waited for a little longer than the node takes itself, 300 s', async () => {
    await connect()
    const reply = connector.onRequest
    connector.onRequest = (request) => (request.method === 'POST' ? new Promise(() => undefined) : reply(request))
    const submitted = watched(bridge.submitL2Tx(tx))
    await settle(300_500)
    expect(submitted.outcome).toBeNull()
    await settle(5_000)
    expect(submitted.outcome).toMatchObject({ tag: 'Timeout', outcome: 'unknown' })
  })

  it('nor any leaves it to them as well: it may have arrived', async () => {
    await connect()
    const answer = connector.onRequest
    connector.onRequest = async (request) => {
      if (request.method === 'POST') throw new Error('the answer was lost')
      return answer(request)
    }
    await expectMessagesToDecide()
  })

  it('does not keep a head from being opened: the messages say whether there is one', async () => {
    await connect({ headStatus: 'Idle' })
    routes['GET /head'] = { status: 403, text: 'no' }
    const opened = watched(bridge.commands.initSync(1, 10_000))
    await settle(20)
    expect(connector.last.sent.map((text) => JSON.parse(text).tag)).toEqual(['Init'])
    connector.last.say({ tag: 'HeadIsOpen', headId: HEAD_ID, parties: [], seq: 1, timestamp: '2026-01-01T00:00:00Z' })
    await settle()
    expect(opened.outcome).toMatchObject({ tag: 'HeadIsOpen', headId: HEAD_ID })
  })

  it('is not waited for by a head that is being opened when the bridge is disconnected', async () => {
    await connect({ headStatus: 'Idle' })
    connector.onRequest = () => new Promise(() => undefined)
    const opened = watched(bridge.commands.initSync(1, 10_000))
    await settle()
    await bridge.disconnect()
    await settle()
    expect(opened.outcome).toMatchObject({ code: 'BRIDGE_DISCONNECTED' })
    expect(connector.last.sent).toEqual([])
  })
})

describe('the newest confirmed snapshot', () => {
  it('is that of the node, none where there is no head, and refused by name before 0.21', async () => {
    const connector = new FakeConnector()
    const bridge = new LayerBridge({ connector })
    connector.onRequest = async () => ok(confirmedSnapshot(5))
    expect(await bridge.confirmedSnapshot()).toMatchObject({ tag: 'ConfirmedSnapshot', snapshot: { number: 5 } })
    connector.onRequest = async () => ({ status: 404, text: '""' })
    expect(await bridge.confirmedSnapshot()).toBeNull()
    const connected = bridge.connect()
    connector.last.greet({ hydraNodeVersion: '0.20.1' })
    await connected
    connector.requests.length = 0
    await expect(bridge.confirmedSnapshot()).rejects.toMatchObject({ code: 'BRIDGE_UNSUPPORTED_BY_NODE' })
    expect(connector.requests).toEqual([])
    await bridge.disconnect()
  })
})
