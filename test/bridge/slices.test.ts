import { LayerBridge } from 'layer-sdk/bridge'
import type { LayerPayload } from 'layer-sdk/bridge'
import { stringifyJson } from '../../src/codec/json.js'
import { FakeConnector } from '../support/fakeConnector'
import { confirmedSnapshot, HEAD_ID, output, snapshotConfirmed } from '../support/scriptedNode'

const ADDRESS = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
/** About 1.5 MB: six slices. */
const COUNT = 6_000

const hashOf = (n: number): string => n.toString(16).padStart(64, '0')
const utxoOf = (count: number, from = 0): Record<string, ReturnType<typeof output>> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${hashOf(from + n)}#0`, output(ADDRESS, 1 + from + n)]))
const sumOf = (count: number, from = 0): bigint => BigInt(count * from) + BigInt((count * (count + 1)) / 2)
const task = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

describe('a large message', () => {
  const bridges: LayerBridge[] = []
  afterEach(async () => {
    for (const bridge of bridges.splice(0)) await bridge.disconnect()
  })

  async function connected(
    options: object = {}
  ): Promise<{ connector: FakeConnector; bridge: LayerBridge; seen: LayerPayload[]; errors: Error[] }> {
    const connector = new FakeConnector()
    const bridge = new LayerBridge({ connector, ...options })
    bridges.push(bridge)
    const seen: LayerPayload[] = []
    const errors: Error[] = []
    bridge.events.on('onMessage', (payload) => seen.push(payload))
    bridge.events.on('onProtocolError', (error) => errors.push(error))
    const isConnected = bridge.connect()
    connector.last.greet({ headStatus: 'Open', hydraHeadId: HEAD_ID })
    await isConnected
    seen.length = 0
    return { connector, bridge, seen, errors }
  }
  const until = async (holds: () => boolean): Promise<void> => {
    for (let n = 0; n < 1_000 && !holds(); n++) await task()
    expect(holds()).toBe(true)
  }
  const tags = (seen: readonly LayerPayload[]): string[] => seen.map(({ tag }) => tag)

  it('is read between other tasks, and those after it wait for their turn', async () => {
    const { connector, bridge, seen } = await connected()
    connector.last.say(snapshotConfirmed(1, { utxo: utxoOf(COUNT), seq: 1 }))
    connector.last.say({ tag: 'NodeUnsynced', seq: 2 })
    connector.last.say(snapshotConfirmed(2, { utxo: utxoOf(COUNT + 1), seq: 3 }))
    connector.last.listener.onInvalid(new Error('no message'))
    expect([seen.length, bridge.lastSnapshotNumber, bridge.synced]).toEqual([0, -1, null])
    let tasks = 0
    while (seen.length < 1 && tasks < 100) {
      expect([bridge.synced, bridge.getAddressBalance(ADDRESS)]).toEqual([null, null])
      tasks++
      await task()
    }
    expect(tasks).toBeGreaterThan(1)
    await until(() => seen.length === 3)
    expect(tags(seen)).toEqual(['SnapshotConfirmed', 'NodeUnsynced', 'SnapshotConfirmed'])
    expect(bridge.getAddressBalance(ADDRESS)).toEqual(new Map([['lovelace', sumOf(COUNT + 1)]]))
    expect((seen[0] as { snapshot: { utxo: object } }).snapshot.utxo).toEqual(utxoOf(COUNT))
    // A handler's own: the cache does not change with it.
    const { utxo } = (seen[2] as unknown as { snapshot: { utxo: Record<string, { value: { lovelace: number } }> } })
      .snapshot
    utxo[`${hashOf(0)}#0`]!.value.lovelace = 999_999
    expect(bridge.getAddressBalance(ADDRESS)).toEqual(new Map([['lovelace', sumOf(COUNT + 1)]]))
  })

  it('is applied before the end of its connection, and dropped by disconnect()', async () => {
    const { connector, bridge, seen, errors } = await connected()
    connector.last.say(snapshotConfirmed(1, { utxo: utxoOf(COUNT), seq: 1 }))
    connector.last.say({ tag: 'NodeUnsynced', seq: 2 })
    connector.last.fail()
    expect(errors).toEqual([])
    expect(tags(seen)).toEqual(['SnapshotConfirmed', 'NodeUnsynced'])
    expect([bridge.state, bridge.lastSnapshotNumber]).toEqual(['disconnected', -1])

    const other = await connected()
    other.connector.last.say(snapshotConfirmed(1, { utxo: utxoOf(COUNT), seq: 1 }))
    other.connector.last.say({ tag: 'NodeUnsynced', seq: 2 })
    await task()
    await other.bridge.disconnect()
    for (let n = 0; n < 20; n++) await task()
    expect(other.seen).toEqual([])
    // The next connection begins with nothing of it.
    const again = other.bridge.connect()
    other.connector.last.greet({ headStatus: 'Open', hydraHeadId: HEAD_ID })
    await again
    for (let n = 0; n < 20; n++) await task()
    expect(tags(other.seen)).toEqual(['Greetings'])
    expect(other.bridge.synced).toBe(null)
  })

  it('keeps a connection that has no Greetings yet from counting as made, however slowly it is read', async () => {
    const connector = new FakeConnector()
    const bridge = new LayerBridge({ connector })
    bridges.push(bridge)
    const isConnected = bridge.connect()
    connector.last.open()
    connector.last.say({
      tag: 'Greetings',
      me: { vkey: 'ab' },
      headStatus: 'Open',
      hydraHeadId: HEAD_ID,
      snapshotUtxo: utxoOf(COUNT)
    })
    const end = performance.now() + 1_100
    // The timer of the grace period is due before the next slice.
    while (performance.now() < end);
    await isConnected
    expect(bridge.getAddressBalance(ADDRESS)).toEqual(new Map([['lovelace', sumOf(COUNT)]]))
  })

  it('is refused as a whole when its last output cannot be read', async () => {
    const { connector, bridge, seen, errors } = await connected()
    const text = stringifyJson(
      snapshotConfirmed(1, { utxo: { ...utxoOf(COUNT), [`${hashOf(COUNT)}#0`]: { address: 5 } }, seq: 1 })
    )
    connector.last.listener.onMessage(text)
    connector.last.listener.onMessage(text.slice(0, -1))
    connector.last.say({ tag: 'NodeUnsynced', seq: 2 })
    await until(() => seen.length === 1)
    expect(errors).toHaveLength(2)
    expect([bridge.getAddressBalance(ADDRESS), bridge.synced]).toEqual([null, false])
  })

  it('is read at once when too much waits behind it', async () => {
    const { connector, bridge, seen } = await connected()
    connector.last.say(snapshotConfirmed(1, { utxo: utxoOf(COUNT), seq: 1 }))
    for (let seq = 2; seq < 4_200; seq++) connector.last.say({ tag: seq % 2 ? 'NodeSynced' : 'NodeUnsynced', seq })
    expect(bridge.lastSnapshotNumber).toBe(1)
    await until(() => seen.length === 4_199)
    expect(seen.map((payload) => (payload as { seq?: number }).seq)).toEqual(
      Array.from({ length: 4_199 }, (_, n) => n + 1)
    )
  })

  it('from GET /snapshot never overwrites a newer one that came while it was read', async () => {
    const connector = new FakeConnector()
    let answered = 0
    connector.onRequest = async ({ path }) => {
      if (path !== '/snapshot') return { status: 404, text: '""' }
      answered++
      return { status: 200, text: JSON.stringify(confirmedSnapshot(3, { utxo: utxoOf(COUNT) })) }
    }
    const bridge = new LayerBridge({ connector })
    bridges.push(bridge)
    const isConnected = bridge.connect()
    connector.last.greet({ headStatus: 'Open', hydraHeadId: HEAD_ID })
    await isConnected
    await until(() => answered === 1)
    await task()
    expect(bridge.lastSnapshotNumber).toBe(-1)
    connector.last.say(snapshotConfirmed(4, { utxo: utxoOf(2, 7), seq: 1 }))
    expect(bridge.lastSnapshotNumber).toBe(4)
    for (let n = 0; n < 30; n++) await task()
    expect([bridge.lastSnapshotNumber, bridge.getAddressBalance(ADDRESS)]).toEqual([4, new Map([['lovelace', 17n]])])
    // Nor does it come back after the connection it was for.
    connector.last.fail()
    for (let n = 0; n < 5; n++) await task()
    expect(bridge.getAddressBalance(ADDRESS)).toBe(null)
  })

  it('from GET /snapshot seeds the cache, and the next snapshot is compared with it', async () => {
    const connector = new FakeConnector()
    connector.onRequest = async ({ path }) =>
      path === '/snapshot'
        ? { status: 200, text: JSON.stringify(confirmedSnapshot(3, { utxo: utxoOf(COUNT) })) }
        : { status: 404, text: '""' }
    const bridge = new LayerBridge({ connector })
    bridges.push(bridge)
    const isConnected = bridge.connect()
    connector.last.greet({ headStatus: 'Open', hydraHeadId: HEAD_ID })
    await isConnected
    await until(() => bridge.lastSnapshotNumber === 3)
    expect(bridge.getAddressBalance(ADDRESS)).toEqual(new Map([['lovelace', sumOf(COUNT)]]))
    // Applied within the call: what changed is not a slice long.
    connector.last.say(snapshotConfirmed(4, { utxo: utxoOf(COUNT - 1), seq: 1 }))
    expect([bridge.lastSnapshotNumber, bridge.getAddressBalance(ADDRESS)]).toEqual([
      4,
      new Map([['lovelace', sumOf(COUNT - 1)]])
    ])
    expect(await bridge.querySnapshotUtxo()).toEqual(utxoOf(COUNT))
  })
})
