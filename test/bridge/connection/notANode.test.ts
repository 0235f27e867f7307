import { LayerBridge } from '../../../src/bridge/index.js'
import { ScriptedNode, greetings, send } from '../../support/scriptedNode.js'

let server: ScriptedNode
beforeEach(async () => {
  server = await new ScriptedNode().start()
  server.onConnection = () => undefined
})
afterEach(() => server.stop())

const connecting = (options: { autoReconnect?: boolean } = {}): { bridge: LayerBridge; connected: Promise<any> } => {
  const bridge = new LayerBridge({ url: server.url, ...options })
  const connected = bridge.connect().catch((error: unknown) => error)
  return { bridge, connected }
}
const PARAMETERS = { status: 200, body: { txFeeFixed: 0, maxTxSize: 16_384 } }

it.each([
  ['answers its own 404', { status: 404, text: 'Not found' }],
  ['answers a page', { status: 200, text: '<html>hello</html>' }],
  ['answers another JSON', { status: 200, body: { connectionStatus: 'connected', slotsPerEpoch: 1 } }],
  ['knows no such route', { status: 400, body: 'Bad request' }]
])('refuses a WebSocket server by name that sends no Greetings and %s', async (_, reply) => {
  server.routes['GET /protocol-parameters'] = reply
  const { bridge, connected } = connecting({ autoReconnect: true })
  expect(await connected).toMatchObject({
    code: 'BRIDGE_NOT_A_NODE',
    origin: server.url,
    message: expect.stringContaining(`${server.url} is no head node`)
  })
  expect(bridge.state).toBe('failed')
  expect(server.queries).toHaveLength(1)
  await bridge.disconnect()
})

it.each([
  ['serves the protocol parameters', PARAMETERS],
  ['has no HTTP side', 'reset' as const],
  ['asks for credentials there', { status: 401 }],
  ['has a node behind it that is away', { status: 502 }]
])('connects to a hub that sends no Greetings and %s', async (_, reply) => {
  server.routes['GET /protocol-parameters'] = reply
  const { bridge, connected } = connecting()
  expect(await connected).toBe(true)
  await bridge.disconnect()
})

it('connects to a hub that sends no Greetings and passes a message of the node on', async () => {
  server.onConnection = (socket) =>
    send(socket, { tag: 'PeerConnected', peer: 'bob', seq: 1, timestamp: '2026-01-01T00:00:00Z' })
  const { bridge, connected } = connecting()
  expect(await connected).toBe(true)
  await bridge.disconnect()
})

it('takes Greetings that come while it asks', async () => {
  server.routes['GET /protocol-parameters'] = async () => {
    server.send(greetings())
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { status: 404 }
  }
  const { bridge, connected } = connecting()
  expect(await connected).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect([bridge.state, bridge.headStatus]).toEqual(['connected', 'Open'])
  await bridge.disconnect()
})
