import { LayerBridge } from '../../src/bridge/index.js'
import { createHeadClient } from '../../src/client/index.js'
import { DevNode, startDevNode } from '../../src/devnode/index.js'
import { createGateway } from '../../src/gateway/index.js'

/** Ends of a thing that connects or serves, both of them public. */
interface Disposable {
  disconnect(): Promise<unknown>
  [Symbol.asyncDispose](): Promise<void>
}
const WAYS: readonly (readonly [string, (thing: Disposable) => Promise<unknown>])[] = [
  ['disconnect()', (thing) => thing.disconnect()],
  ['the end of `await using`', (thing) => thing[Symbol.asyncDispose]()]
]

describe.each(WAYS)('%s', (_, end) => {
  it('disconnects a client and its bridge', async () => {
    const node = new DevNode()
    const client = createHeadClient({ connector: node.connector() })
    await client.connect()
    await end(client)
    expect([client.status().state, client.bridge.state]).toEqual(['disconnected', 'disconnected'])
    await node.stop()
  })

  it('disconnects a bridge', async () => {
    const node = new DevNode()
    const bridge = new LayerBridge({ connector: node.connector() })
    await bridge.connect()
    await end(bridge)
    expect(bridge.state).toBe('disconnected')
    await node.stop()
  })

  it('stops a gateway and a local head: their ports are closed', async () => {
    const node = await startDevNode({ port: 0 })
    const gateway = await createGateway({ port: 0, heads: [{ path: '/', upstream: node.url }] })
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200)
    await end(gateway)
    await expect(fetch(`${gateway.url}/health/live`)).rejects.toThrow()
    const { httpUrl } = node
    expect((await fetch(`${httpUrl}/protocol-parameters`)).status).toBe(200)
    await end(node)
    await expect(fetch(`${httpUrl}/protocol-parameters`)).rejects.toThrow()
  })
})
