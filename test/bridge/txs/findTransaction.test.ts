import { LayerBridge } from 'layer-sdk/bridge'
import type { ConnectorReply } from 'layer-sdk/bridge'
import { snapshotsMissed } from '../../../src/bridge/moves/nodeQueries'
import type { NodeAccess } from '../../../src/bridge/connection/NodeAccess'
import { FakeConnector } from '../../support/fakeConnector'
import { sampleTx } from '../../support/sampleTx'
import { confirmedSnapshot, greetings, HEAD_ID, output, snapshotConfirmed } from '../../support/scriptedNode'

const ALICE = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const tx = sampleTx(1)
const OWN = `${tx.txId}#1`
const held = { [OWN]: output(ALICE, 5) }
const stored = { headId: HEAD_ID, timestamp: '2026-01-01T00:00:00Z', seq: 1 }
const ok = (body: unknown): ConnectorReply => ({ status: 200, text: JSON.stringify(body) })

describe('what became of a transaction', () => {
  let connector: FakeConnector
  let bridge: LayerBridge
  let asked: string[]
  let reply: ConnectorReply
  beforeEach(() => {
    connector = new FakeConnector()
    asked = []
    reply = ok(confirmedSnapshot(5))
    connector.onRequest = async ({ path }) => {
      asked.push(path)
      return path === '/snapshot' ? reply : { status: 400, text: '"Resource not found"' }
    }
    bridge = new LayerBridge({ connector })
  })
  afterEach(async () => {
    await bridge.disconnect()
  })

  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
  async function connect(fields: Record<string, unknown> = {}): Promise<void> {
    const connected = bridge.connect()
    connector.last.greet({ headStatus: 'Open', hydraHeadId: HEAD_ID, ...fields })
    await connected
    await settle()
    asked.length = 0
  }
  const scans = (): FakeConnector['channels'] => connector.channels.filter(({ options }) => options.unfiltered === true)
  /** What is found, once the history has brought these messages, if it is read. */
  async function find(...past: unknown[]): Promise<unknown> {
    const found = bridge.findTransaction(tx.txId)
    await settle()
    for (const scan of scans()) for (const message of [...past, greetings()]) scan.say(message)
    return found
  }

  it('is in the outputs that are here, under the number of their snapshot, without a question', async () => {
    await connect()
    connector.last.say(snapshotConfirmed(7, { utxo: held }))
    expect(await find()).toEqual({ status: 'confirmed', snapshotNumber: 7, exact: false })
    expect([asked, scans()]).toEqual([[], []])
  })

  it.each<[string, ConnectorReply, object]>([
    [
      'names it',
      ok(confirmedSnapshot(6, { confirmed: [sampleTx(2), tx] })),
      { status: 'confirmed', snapshotNumber: 6, exact: true }
    ],
    [
      'holds one of its outputs',
      ok(confirmedSnapshot(6, { utxo: held })),
      { status: 'confirmed', snapshotNumber: 6, exact: false }
    ],
    [
      'is taking one of its outputs in',
      ok(confirmedSnapshot(6, { utxoToCommit: held })),
      { status: 'confirmed', snapshotNumber: 6, exact: false }
    ]
  ])(
    'is in the newest snapshot of the node, which %s, without a look into the history',
    async (_what, given, expected) => {
      await connect()
      reply = given
      expect(await find()).toEqual(expected)
      expect([asked, scans()]).toEqual([['/snapshot'], []])
    }
  )

  it.each<[string, ConnectorReply]>([
    [
      'does not name it',
      ok(confirmedSnapshot(6, { confirmed: [sampleTx(2)], utxo: { [`${sampleTx(2).txId}#0`]: output(ALICE, 1) } }))
    ],
    ['is that which the head opened with', ok({ tag: 'InitialSnapshot', headId: HEAD_ID, initialUTxO: {} })],
    ['is none', { status: 404, text: '""' }],
    ['has no route', { status: 400, text: '"Resource not found"' }]
  ])('is in the history where the newest snapshot %s', async (_what, given) => {
    await connect()
    reply = given
    expect(await find(snapshotConfirmed(3, { confirmed: [tx] }))).toEqual({
      status: 'confirmed',
      snapshotNumber: 3,
      exact: true
    })
    expect(asked).toEqual(['/snapshot'])
  })

  it.each<[string, unknown[], object]>([
    [
      'has it refused',
      [{ tag: 'TxInvalid', transaction: tx, utxo: {}, validationError: { reason: 'no' }, ...stored }],
      { status: 'invalid', reason: 'no', inputs: [expect.stringMatching(/#0$/)], isComplete: true }
    ],
    [
      'has it valid and no more',
      [{ tag: 'TxValid', transactionId: tx.txId, ...stored }],
      { status: 'unknown', isComplete: true }
    ],
    ['does not name it', [snapshotConfirmed(3)], { status: 'unknown', isComplete: true }],
    [
      'has lost its beginning',
      [{ tag: 'EventLogRotated', ...stored }, snapshotConfirmed(3)],
      { status: 'unknown', isComplete: false }
    ],
    [
      'goes on from a snapshot that was loaded from outside',
      [{ tag: 'SnapshotSideLoaded', snapshotNumber: 2, ...stored }],
      { status: 'unknown', isComplete: false }
    ]
  ])('is what the history says where it %s', async (_what, past, expected) => {
    await connect()
    expect(await find(...past)).toEqual(expected)
    expect(scans()).toHaveLength(1)
  })

  it('is looked for in the history alone where nobody serves a snapshot', async () => {
    connector.capabilities = { history: true, allRoutes: false, partial: false }
    await connect()
    expect(await find(snapshotConfirmed(3, { confirmed: [tx] }))).toEqual({
      status: 'confirmed',
      snapshotNumber: 3,
      exact: true
    })
    expect(asked).toEqual([])
    connector.capabilities = { history: true, allRoutes: true, partial: false }
    await bridge.disconnect()
    connector.channels.length = 0
    await connect({ hydraNodeVersion: '0.20.1' })
    expect(await find()).toEqual({ status: 'unknown', isComplete: expect.any(Boolean) })
    expect(asked).toEqual([])
  })

  it('is unknown where there is no history to look into', async () => {
    connector.capabilities = { history: false, allRoutes: true, partial: false }
    await connect()
    expect(await find()).toEqual({ status: 'unknown', isComplete: expect.any(Boolean) })
    expect([asked, scans()]).toEqual([['/snapshot'], []])
  })

  it('is found for an id in capital letters', async () => {
    await connect()
    connector.last.say(snapshotConfirmed(7, { utxo: held }))
    expect(await bridge.findTransaction(tx.txId.toUpperCase())).toMatchObject({ status: 'confirmed' })
  })

  it.each([undefined, null, 5, '', 'zz'.repeat(32), 'ab'.repeat(31), 'ab'.repeat(33)])(
    'is not asked for %p, which is no id',
    async (junk) => {
      await connect()
      await expect(bridge.findTransaction(junk as never)).rejects.toMatchObject({
        code: 'INPUT_ARGUMENT',
        argument: 'txId'
      })
      expect(asked).toEqual([])
    }
  )

  it('is not asked for without a connection', async () => {
    await expect(bridge.findTransaction(tx.txId)).rejects.toMatchObject({ code: 'BRIDGE_NOT_CONNECTED' })
    expect([asked, connector.channels]).toEqual([[], []])
  })
})

describe('the number of snapshots that the node has and the bridge has not', () => {
  /** What a node that answers this says to a bridge at snapshot `number`. */
  async function missedAt(
    number: number,
    reply: ConnectorReply,
    capabilities: object = {}
  ): Promise<{ missed: number; asked: unknown[] }> {
    const asked: unknown[] = []
    const context = {
      connector: { capabilities: { history: true, allRoutes: true, partial: false, ...capabilities } },
      requestNode: async (
        request: { path: string },
        decode: (status: number, text: string) => unknown,
        options: { once: boolean }
      ) => {
        asked.push([request.path, options.once])
        return decode(reply.status, reply.text)
      }
    }
    return {
      missed: await snapshotsMissed(context as unknown as NodeAccess, number, new AbortController().signal),
      asked
    }
  }
  const lastSeen = (number: number): ConnectorReply => ok({ tag: 'LastSeenSnapshot', lastSeen: number })

  it('is the difference, asked once, and never below zero', async () => {
    expect(await missedAt(5, lastSeen(7))).toEqual({ missed: 2, asked: [['/snapshot/last-seen', true]] })
    expect([
      (await missedAt(5, lastSeen(5))).missed,
      (await missedAt(5, lastSeen(3))).missed,
      (await missedAt(0, lastSeen(1))).missed
    ]).toEqual([0, 0, 1])
  })

  it('is zero where nobody can say: no number here, snapshots of one address, no such route, no head', async () => {
    expect((await missedAt(-1, lastSeen(7))).missed).toBe(0)
    expect((await missedAt(5, lastSeen(7), { partial: true })).missed).toBe(0)
    expect(await missedAt(5, lastSeen(7), { allRoutes: false })).toEqual({ missed: 0, asked: [] })
    expect((await missedAt(5, { status: 400, text: '"Resource not found"' })).missed).toBe(0)
    expect((await missedAt(5, { status: 404, text: '""' })).missed).toBe(0)
    expect((await missedAt(5, { status: 499, text: '""' })).missed).toBe(0)
  })

  it('is not there when the server fails: the connection is in doubt', async () => {
    await expect(missedAt(5, { status: 500, text: '""' })).rejects.toMatchObject({
      code: 'BRIDGE_REQUEST',
      status: 500
    })
  })
})
