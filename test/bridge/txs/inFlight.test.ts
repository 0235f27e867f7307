import { LayerBridge, WebsocketConnector } from 'layer-sdk/bridge'
import { DevNode } from 'layer-sdk/devnode'
import { decodeHeadReply } from '../../../src/bridge/protocol/replies.js'
import { codeOf } from '../../support/codeOf'
import { ScriptedNode, confirmedSnapshot, greetings } from '../../support/scriptedNode'

const [A, B, C] = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32)) as [string, string, string]
const contents = (coordinatedHeadState: unknown, more = {}): string =>
  JSON.stringify({
    tag: 'Open',
    contents: { headId: '00', parameters: { parties: [] }, coordinatedHeadState, ...more }
  })

it('reads what a node holds, what it signs, its decommit and its slot from GET /head', () => {
  const tx = (txId: string): unknown => ({ txId, cborHex: '00', type: 'Tx ConwayEra', description: '' })
  const whole = contents(
    {
      allTxs: { [A]: tx(A) },
      localTxs: [tx(A), tx(B)],
      seenSnapshot: { tag: 'SeenSnapshot', snapshot: { confirmed: [tx(B)] } },
      decommitTx: tx(C)
    },
    { currentSlot: 7 }
  )
  expect(decodeHeadReply(200, whole)).toMatchObject({
    kind: 'ok',
    value: { pendingTxIds: [A, B], signingTxIds: [B], decommitTxId: C, slot: 7 }
  })
  const none = contents({ localTxs: [], seenSnapshot: { tag: 'LastSeenSnapshot', lastSeen: 4 }, decommitTx: null })
  expect(decodeHeadReply(200, none)).toMatchObject({
    kind: 'ok',
    value: { pendingTxIds: [], signingTxIds: [], decommitTxId: null, slot: null }
  })
  expect(decodeHeadReply(200, JSON.stringify({ tag: 'Idle', contents: {} }))).toMatchObject({
    kind: 'ok',
    value: { signingTxIds: [], decommitTxId: null }
  })
  expect(
    decodeHeadReply(
      200,
      contents({ seenSnapshot: 5, decommitTx: [], localTxs: 'x', allTxs: null }, { currentSlot: 'x' })
    )
  ).toMatchObject({
    kind: 'ok',
    value: { pendingTxIds: [], signingTxIds: [], decommitTxId: null, slot: null }
  })
})

it.each([
  ['transactions', { localTxs: [{ txId: A }] }, 4],
  ['a decommit', { decommitTx: { txId: C } }, 4],
  ['a deposit', { currentDepositTxId: B }, 4],
  ['no more than transactions that cannot be applied', { allTxs: { [A]: {} }, localTxs: [] }, null],
  ['transactions, and was requested', { localTxs: [{ txId: A }], seenSnapshot: { tag: 'RequestedSnapshot' } }, null],
  ['transactions, and comes first', { localTxs: [{ txId: A }], seenSnapshot: { tag: 'NoSeenSnapshot' } }, 0],
  ['transactions after a number that is none', { localTxs: [{ txId: A }], seenSnapshot: { lastSeen: '4' } }, null]
])('reads after which snapshot one is due that has to bring %s', (_, state, dueAfter) =>
  expect(
    decodeHeadReply(200, contents({ seenSnapshot: { tag: 'LastSeenSnapshot', lastSeen: 4 }, ...state }))
  ).toMatchObject({ kind: 'ok', value: { dueAfter } })
)

it.each(['0.22', '2.3'] as const)(
  'names the slot of a node of version %s, which tells it in GET /head or in Greetings',
  async (profile) => {
    const node = new DevNode({ profile })
    const bridge = new LayerBridge({ connector: node.connector() })
    await bridge.connect()
    await bridge.commands.initSync()
    if (profile === '0.22') {
      const open = bridge.waitFor('HeadIsOpen')
      await bridge.submitCardanoTransaction({ cborHex: (await bridge.commit({})).cborHex, description: '' })
      await open
    }
    const before = node.counters.connections
    const { slot, txIds, signing, decommitTxId } = await bridge.inFlight()
    expect(Math.abs(slot! - node.slot)).toBeLessThanOrEqual(1)
    expect({ txIds, signing, decommitTxId }).toEqual({ txIds: [], signing: [], decommitTxId: null })
    expect(node.counters.connections - before).toBe(profile === '0.22' ? 0 : 1)
    await bridge.disconnect()
    await node.stop()
  }
)

it('gives the stored messages that name an id, in their order, and none that do not', async () => {
  const node = new DevNode()
  const bridge = new LayerBridge({ connector: node.connector() })
  await bridge.connect()
  await bridge.commands.initSync()
  const messages = await bridge.messagesAbout([node.headId!])
  expect(messages.map(({ tag }) => tag)).toEqual(['HeadIsOpen'])
  expect(await bridge.messagesAbout([A])).toEqual([])
  for (const wrong of [undefined, 'ab', [''], [5]])
    expect(await codeOf(() => bridge.messagesAbout(wrong as never))).toBe('INPUT_ARGUMENT')
  await bridge.disconnect()
  await node.stop()
})

it('leaves the slot open where a connector has no history, and refuses to read one', async () => {
  const node = await new ScriptedNode().start()
  node.routes['GET /head'] = { text: contents({ localTxs: [] }) }
  node.routes['GET /snapshot'] = { body: confirmedSnapshot(1) }
  node.onConnection = (socket) => socket.send(JSON.stringify(greetings({ currentSlot: 5 })))
  const inner = new WebsocketConnector({ websocketUrl: node.url })
  const connector = {
    capabilities: { ...inner.capabilities, history: false },
    open: inner.open.bind(inner),
    request: inner.request.bind(inner)
  }
  const bridge = new LayerBridge({ connector })
  await bridge.connect()
  expect(await bridge.inFlight()).toEqual({ slot: null, txIds: [], signing: [], decommitTxId: null })
  expect(await codeOf(() => bridge.messagesAbout([A]))).toBe('BRIDGE_UNSUPPORTED_BY_CONNECTOR')
  await bridge.disconnect()
  await node.stop()
})

it('ends the wait for a head with the signal, before and while it waits', async () => {
  const node = new DevNode({ timings: { blockMs: 600_000 } })
  const bridge = new LayerBridge({ connector: node.connector() })
  await bridge.connect()
  await expect(bridge.commands.initSync(3, 1_000, { signal: AbortSignal.abort('no') })).rejects.toBe('no')
  expect(node.counters.inputs['Init']).toBeUndefined()
  expect(await codeOf(() => bridge.commands.initSync(3, 1_000, { signal: {} as never }))).toBe('INPUT_ARGUMENT')
  await bridge.disconnect()
  await node.stop()
})
