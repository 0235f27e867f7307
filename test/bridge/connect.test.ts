import { LayerBridge } from 'layer-sdk/bridge'
import {
  confirmedSnapshot,
  greetings,
  once,
  output,
  ScriptedNode,
  send,
  snapshotConfirmed
} from '../support/scriptedNode'

describe('a connected bridge', () => {
  let node: ScriptedNode
  let bridge: LayerBridge
  beforeEach(async () => {
    node = await new ScriptedNode().start()
    node.routes['GET /snapshot'] = {
      body: confirmedSnapshot(3, {
        utxo: { [`${'a'.repeat(64)}#0`]: output('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt', 5) }
      })
    }
    bridge = new LayerBridge({ url: node.url })
  })
  afterEach(async () => {
    await bridge.disconnect()
    await node.stop()
  })

  it('resolves connect() with true and fires onConnected once Greetings is applied', async () => {
    const seen: string[] = []
    bridge.events.on('onConnected', () => seen.push(`connected ${bridge.headStatus}`))
    bridge.events.on('onMessage', ({ tag }) => seen.push(tag))
    expect(await bridge.connect()).toBe(true)
    expect(bridge.connected()).toBe(true)
    expect(bridge.state).toBe('connected')
    expect(seen).toEqual(['connected Open', 'Greetings'])
    expect(node.queries).toEqual(['/?history=no'])
  })

  it('fills the cache with the number of GET /snapshot after connect()', async () => {
    await bridge.connect()
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toEqual(
      new Map()
    )
    await new Promise<void>((resolve) =>
      bridge.subscribe(() => {
        if (bridge.lastSnapshotNumber === 3) resolve()
      })
    )
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toEqual(
      new Map([['lovelace', 5n]])
    )
    expect(node.requests.map(({ url }) => url)).toEqual(['/snapshot'])
  })

  it('shows a snapshot in the cache before its handler runs', async () => {
    node.onConnection = (socket) => send(socket, greetings({ snapshotUtxo: undefined }))
    await bridge.connect()
    const shown = once(bridge, 'SnapshotConfirmed').then(() => bridge.lastSnapshotNumber)
    const balance = new Promise((resolve) =>
      bridge.events.on('SnapshotConfirmed', () =>
        resolve(bridge.getAddressBalance('addr_test1vqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsw74k48'))
      )
    )
    node.send(
      snapshotConfirmed(7, {
        utxo: { [`${'b'.repeat(64)}#1`]: output('addr_test1vqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsw74k48', 9) }
      })
    )
    expect(await shown).toBe(7)
    expect(await balance).toEqual(new Map([['lovelace', 9n]]))
  })

  it('connects without Greetings after a second', async () => {
    node.routes['GET /protocol-parameters'] = { body: { txFeeFixed: 0 } }
    node.onConnection = () => undefined
    const start = performance.now()
    expect(await bridge.connect()).toBe(true)
    expect(performance.now() - start).toBeGreaterThan(950)
  })
})
