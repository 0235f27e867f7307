import { LayerBridge } from 'layer-sdk/bridge'
import type { ConnectorBridgeOptions, LayerPayload } from 'layer-sdk/bridge'
import { WebsocketConnector } from 'layer-sdk/bridge'
import { FakeConnector } from '../../support/fakeConnector'
import { sampleTx } from '../../support/sampleTx'
import { greetings, HEAD_ID, output, ScriptedNode, snapshotConfirmed } from '../../support/scriptedNode'

const ALICE = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const OLD_HEAD = 'ee'.repeat(28)
const key = (byte: string): string => `${byte.repeat(32)}#0`
const old = (number: number, lovelace: number): Record<string, unknown> =>
  snapshotConfirmed(number, { headId: OLD_HEAD, seq: number, utxo: { [key('aa')]: output(ALICE, lovelace) } })
const present = { [key('bb')]: output(ALICE, 3) }

describe("a replay of the node's stored messages", () => {
  let connector: FakeConnector
  beforeEach(() => {
    jest.useFakeTimers()
    connector = new FakeConnector()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  /** A bridge whose channel has opened and replays; how its connect() ended. */
  function replaying(options: Partial<ConnectorBridgeOptions> = {}): { bridge: LayerBridge; outcome: () => unknown } {
    const bridge = new LayerBridge({ connector, connectTimeout: 10_000, ...options })
    let outcome: unknown = 'open'
    bridge.connect().then(
      (value) => {
        outcome = value
      },
      (error: unknown) => {
        outcome = error
      }
    )
    connector.last.open({ replay: true })
    return { bridge, outcome: () => outcome }
  }

  const flush = (): Promise<void> => jest.advanceTimersByTimeAsync(0)

  it('connects at Greetings, however long it takes, and shows nothing of what it says', async () => {
    const { bridge, outcome } = replaying()
    const messages: LayerPayload[] = []
    const shown = new Set<string>()
    bridge.events.on('onMessage', (payload) => messages.push(payload))
    bridge.subscribe(() => shown.add(JSON.stringify(bridge.getSnapshot())))
    const before = bridge.getSnapshot()
    connector.last.say({ tag: 'HeadIsOpen', headId: OLD_HEAD, parties: [], seq: 0 })
    for (let number = 1; number <= 30; number++) {
      await jest.advanceTimersByTimeAsync(9_999)
      connector.last.say(old(number, number === 30 ? 1_000_000_005 : number))
      expect([bridge.state, bridge.lastSnapshotNumber, bridge.getAddressBalance(ALICE), outcome()]).toEqual([
        'connecting',
        -1,
        null,
        'open'
      ])
      expect(() => bridge.snapshotUtxoArray()).toThrow(expect.objectContaining({ code: 'BRIDGE_CACHE_COLD' }))
    }
    connector.last.say({ tag: 'NodeSynced', chainSlot: 7, chainTime: '2020-01-01T00:00:00Z', drift: 0, seq: 31 })
    await flush()
    expect(bridge.getSnapshot()).toEqual(before)
    expect([...shown].filter((each) => each !== JSON.stringify(before))).toEqual([])
    connector.last.say(greetings({ snapshotUtxo: present }))
    await flush()
    expect([outcome(), bridge.state, bridge.headStatus, bridge.getSnapshot().headId]).toEqual([
      true,
      'connected',
      'Open',
      HEAD_ID
    ])
    expect(bridge.getAddressBalance(ALICE)).toEqual(new Map([['lovelace', 3n]]))
    expect(messages).toHaveLength(33)
    await bridge.disconnect()
  })

  it('shows no number for Greetings that are newer than it, until the node gives one', async () => {
    connector.onRequest = async () => new Promise(() => undefined)
    const { bridge } = replaying()
    for (const number of [1, 2])
      connector.last.say(snapshotConfirmed(number, { seq: number, utxo: { [key('aa')]: output(ALICE, number) } }))
    connector.last.say(greetings({ snapshotUtxo: present }))
    await flush()
    expect([bridge.lastSnapshotNumber, bridge.getSnapshot().ready, bridge.getAddressBalance(ALICE)]).toEqual([
      -1,
      false,
      new Map([['lovelace', 3n]])
    ])
    await bridge.disconnect()
  })

  it('rejects connect() when it falls silent for connectTimeout, counted anew from each message', async () => {
    const { bridge, outcome } = replaying()
    for (let number = 1; number <= 3; number++) {
      await jest.advanceTimersByTimeAsync(9_000)
      connector.last.say(old(number, 1))
    }
    await jest.advanceTimersByTimeAsync(9_999)
    expect(outcome()).toBe('open')
    await jest.advanceTimersByTimeAsync(1)
    expect(outcome()).toMatchObject({ code: 'BRIDGE_CONNECT_TIMEOUT', timeoutMs: 10_000 })
    expect([bridge.state, connector.last.closed]).toEqual(['failed', 'killed'])
    expect(jest.getTimerCount()).toBe(0)
  })

  it('requests it again after a failure in its midst, and not after Greetings', async () => {
    const { bridge } = replaying({ autoReconnect: true, reconnectInterval: 1_000, reconnectJitter: 0 })
    connector.last.say(old(1, 1)).fail()
    await jest.advanceTimersByTimeAsync(1_000)
    expect(connector.last.options).toEqual({})
    connector.last
      .open({ replay: true })
      .say(old(1, 1))
      .say(greetings({ snapshotUtxo: present }))
    await flush()
    expect(bridge.connected()).toBe(true)
    connector.last.fail()
    await jest.advanceTimersByTimeAsync(1_000)
    expect(connector.last.options).toEqual({ history: false })
    connector.last.open({ replay: false })
    await jest.advanceTimersByTimeAsync(1_000)
    expect(bridge.connected()).toBe(true)
    await bridge.disconnect()
  })

  it("decides nothing: commands and submissions find no connection, refusals of the past are no one's, and what follows decides", async () => {
    connector.onRequest = async () => new Promise(() => undefined)
    const { bridge } = replaying()
    const refused: unknown[] = []
    bridge.events.on('onCommandRefused', (error) => refused.push(error))
    const tx = sampleTx()
    const verdict = bridge.submitL2Tx(tx)
    await flush()
    connector.last.say({
      tag: 'TxInvalid',
      headId: OLD_HEAD,
      seq: 1,
      transaction: tx,
      validationError: { reason: 'in a head that is over' }
    })
    connector.last.say({ tag: 'CommandFailed', clientInput: { tag: 'Init' }, seq: 2 })
    await expect(bridge.submitTxSync(sampleTx(9))).rejects.toMatchObject({ tag: 'NotConnected' })
    expect(() => bridge.commands.close()).toThrow(expect.objectContaining({ code: 'BRIDGE_NOT_CONNECTED' }))
    expect([refused, connector.last.sent]).toEqual([[], []])
    let settled: unknown = null
    verdict.then(
      (value) => {
        settled = value
      },
      (error: unknown) => {
        settled = error
      }
    )
    await flush()
    expect(settled).toBeNull()
    await bridge.disconnect()
    await verdict.catch(() => undefined)
  })
})

describe('a transaction that was sent during a replay', () => {
  it('is decided by the state after it: its messages may have been among what was replayed', async () => {
    const connector = new FakeConnector()
    const tx = sampleTx()
    const snapshot = (snapshotConfirmed(3, { confirmed: [tx], utxo: present, seq: 3 }) as { snapshot: unknown })
      .snapshot
    connector.onRequest = async ({ path }) =>
      path === '/snapshot'
        ? {
            status: 200,
            text: JSON.stringify({ tag: 'ConfirmedSnapshot', snapshot, signatures: { multiSignature: [] } })
          }
        : new Promise(() => undefined)
    const bridge = new LayerBridge({ connector })
    const late = new Promise((resolve) => bridge.events.on('onLateConfirmation', ({ txId }) => resolve(txId)))
    const connected = bridge.connect()
    connector.last.open({ replay: true })
    await expect(bridge.submitL2Tx(tx, { timeout: 20 })).rejects.toMatchObject({ tag: 'Timeout', outcome: 'unknown' })
    connector.last
      .say(snapshotConfirmed(3, { confirmed: [tx], utxo: present, seq: 3 }))
      .say(greetings({ snapshotUtxo: present }))
    connector.last.say(snapshotConfirmed(3, { confirmed: [tx], utxo: present, seq: 3 }))
    await connected
    expect(await late).toBe(tx.txId)
    expect(bridge.lastSnapshotNumber).toBe(3)
    await bridge.disconnect()
  })
})

describe('the WebSocket connector', () => {
  it.each([
    ['the option history', { history: true }, '', true],
    ['no option', {}, '', false],
    ['history=yes in the URL', {}, '?history=yes', true],
    ['history=no in the URL', {}, '?history=no', false],
    ['the option against the URL', { history: false }, '?history=yes', false]
  ])('tells whether a replay follows: %s', async (_, options, query, replay) => {
    const node = await new ScriptedNode().start()
    try {
      const connector = new WebsocketConnector({ websocketUrl: node.url + query, ...options })
      const facts = await new Promise((resolve, reject) => {
        const channel = connector.open(
          {
            onOpen: (told) => {
              resolve(told)
              void channel.close(false)
            },
            onMessage: () => undefined,
            onInvalid: () => undefined,
            onActivity: () => undefined,
            onClose: reject
          },
          {}
        )
      })
      expect(facts).toEqual({ replay })
    } finally {
      await node.stop()
    }
  })
})
