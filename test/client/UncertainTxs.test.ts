import type { FoundTransaction, HeadInFlight } from 'layer-sdk/bridge'
import type { SettledTx } from 'layer-sdk/client'
import { HistoryLooks } from '../../src/client/HistoryLooks'
import type { OwnTx } from '../../src/client/ownTx'
import { refOf } from '../../src/client/PendingView'
import { UncertainTxs } from '../../src/client/UncertainTxs'

const ADDRESS = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const idOf = (n: number): string => n.toString(16).padStart(2, '0').repeat(32)
const outputOf = (txHash: string): object => ({
  input: { txHash, index: 0 },
  output: { address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '5' }] }
})
/** Slots are seconds from 0 of this clock. */
const NOW_MS = 1_000_000

describe('transactions of uncertain outcome', () => {
  let held: Set<string>
  let snapshot: { state: string; ready: boolean; synced: boolean | null }
  let node: Partial<HeadInFlight> | Error
  let found: FoundTransaction | Error
  let asked: string[]
  let settled: SettledTx[]
  let listeners: Set<() => void>
  let slotsAreKnown: boolean
  let uncertain: UncertainTxs
  let connections: number

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW_MS })
    held = new Set()
    snapshot = { state: 'connected', ready: true, synced: null }
    node = { slot: 1_000, signing: [] }
    found = { status: 'unknown', isComplete: false }
    connections = 1
    asked = []
    settled = []
    listeners = new Set()
    slotsAreKnown = true
    const answer = async <T>(what: string, value: T | Error): Promise<T> => {
      asked.push(what)
      await new Promise((resolve) => setTimeout(resolve, 10))
      if (value instanceof Error) throw value
      return value
    }
    const bridge = {
      getSnapshot: () => snapshot,
      lastSnapshotNumber: 9,
      isUnspent: (ref: string) => held.has(ref),
      inFlight: () => answer('inFlight', node),
      trackedTx: () => ({ state: 'unknown' }),
      findTransaction: (txId: string) => answer(`find ${txId.slice(0, 2)}`, found)
    }
    const looks = {
      bridge,
      get connections() {
        return connections
      }
    }
    uncertain = new UncertainTxs(
      {
        bridge: bridge as never,
        history: new HistoryLooks(looks as never),
        slotAt: (timeMs) => (slotsAreKnown ? Math.floor(timeMs / 1_000) : null),
        subscribe: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        }
      },
      (own, end) => {
        settled.push(end)
        uncertain.delete(own)
      }
    )
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  const settle = (ms = 100): Promise<void> => jest.advanceTimersByTimeAsync(ms)
  /** Transaction `n`, which spends one output of transaction `n + 100`, and can be confirmed before this slot. */
  const txOf = (n: number, expirySlot: number | null = 2_000): OwnTx =>
    ({
      pending: { txId: idOf(n), inputs: [outputOf(idOf(n + 100))], outputs: [outputOf(idOf(n))] },
      expirySlot,
      confirmed: null,
      parents: [],
      confirmedInputs: [inputOf(n)]
    }) as unknown as OwnTx
  const inputOf = (n: number): string => refOf(outputOf(idOf(n + 100)) as never)
  const ownOf = (n: number): string => refOf(outputOf(idOf(n)) as never)
  /** Takes it in, and resolves once it has been reviewed. */
  async function add(own: OwnTx): Promise<boolean> {
    let isReviewed = false
    void uncertain.add(own).then(() => (isReviewed = true))
    await settle()
    return isReviewed
  }

  it('are confirmed by one of their outputs, without a question', async () => {
    held.add(ownOf(1))
    await add(txOf(1))
    expect([settled, asked]).toEqual([
      [{ txId: idOf(1), outcome: 'confirmed', snapshotNumber: 9, exact: false, verified: false }],
      []
    ])
    expect([listeners.size, jest.getTimerCount()]).toEqual([0, 0])
  })

  it('stay while their inputs are unspent and they can still be confirmed, without a question', async () => {
    held.add(inputOf(1))
    expect(await add(txOf(1))).toBe(true)
    await add(txOf(2, null))
    expect(settled).toEqual([])
    expect(asked).toEqual([`find ${idOf(2).slice(0, 2)}`])
    expect(listeners.size).toBe(1)
  })

  it.each<[string, number, Partial<HeadInFlight>, boolean]>([
    ['the slot before their bound', 1_000, { slot: 999, signing: [] }, false],
    ['their bound', 1_000, { slot: 1_000, signing: [] }, true],
    ['their bound, and it signs them', 1_000, { slot: 1_000, signing: [idOf(1)] }, false],
    ['their bound, and it signs others', 1_000, { slot: 1_000, signing: [idOf(2)] }, true]
  ])(
    'expire with unspent inputs only when the ledger of the node has come to %s',
    async (_slot, expirySlot, given, isExpired) => {
      held.add(inputOf(1))
      node = given
      await add(txOf(1, expirySlot))
      expect(asked).toEqual(['inFlight'])
      expect(settled).toMatchObject(
        isExpired ? [{ txId: idOf(1), outcome: 'rejected', error: { code: 'CLIENT_TX_EXPIRED' } }] : []
      )
    }
  )

  it('are not asked about before the clock is at their bound', async () => {
    held.add(inputOf(1))
    await add(txOf(1, 1_001))
    expect([asked, settled]).toEqual([[], []])
    await settle(10_000)
    expect(asked).not.toEqual([])
  })

  it('never expire without a bound, or where slots are not known', async () => {
    for (const n of [1, 2]) held.add(inputOf(n))
    node = { slot: 4_000_000_000, signing: [] }
    await add(txOf(1, null))
    slotsAreKnown = false
    await add(txOf(2, 900))
    await settle(1_000_000)
    expect(settled).toEqual([])
  })

  it.each<[string, Partial<HeadInFlight> | Error]>([
    ['does not answer', new Error('no route')],
    ['names no slot', { slot: null, signing: [] }]
  ])('expire ten minutes after their bound where the node %s, and only while it is in sync', async (_what, given) => {
    held.add(inputOf(1))
    node = given
    await add(txOf(1, 1_000))
    await settle(599_000 - (Date.now() - NOW_MS))
    expect(settled).toEqual([])
    snapshot = { ...snapshot, synced: false }
    await settle(30_000)
    expect(settled).toEqual([])
    snapshot = { ...snapshot, synced: true }
    await settle(6_000)
    expect(settled).toMatchObject([{ outcome: 'rejected', error: { code: 'CLIENT_TX_EXPIRED' } }])
  })

  it.each<[string, FoundTransaction | Error, object[]]>([
    [
      'has them confirmed',
      { status: 'confirmed', snapshotNumber: 4, exact: true },
      [{ outcome: 'confirmed', snapshotNumber: 4, exact: true }]
    ],
    [
      'has them refused, from its beginning on',
      { status: 'invalid', reason: 'FeeTooSmallUTxO', inputs: [], isComplete: true },
      [{ outcome: 'rejected', error: { code: 'CLIENT_LEDGER', reason: 'fee-too-small' } }]
    ],
    [
      'has a copy of them refused, and has lost its beginning',
      { status: 'invalid', reason: 'BadInputsUTxO', inputs: [], isComplete: false },
      []
    ],
    [
      'does not name them, from its beginning on',
      { status: 'unknown', isComplete: true },
      [{ outcome: 'rejected', error: { code: 'CLIENT_LEDGER', reason: 'inputs-spent', nodeText: '' } }]
    ],
    ['does not name them, and has lost its beginning', { status: 'unknown', isComplete: false }, []],
    ['cannot be read', new Error('reset'), []]
  ])('whose inputs are spent end by the history: where it %s', async (_what, given, expected) => {
    found = given
    await add(txOf(1))
    expect(asked).toEqual([`find ${idOf(1).slice(0, 2)}`])
    expect(settled).toMatchObject(expected)
  })

  it('whose inputs are spent end as unknown past their bound, when the history does not name them', async () => {
    await add(txOf(1, 1_000))
    expect(settled).toEqual([{ txId: idOf(1), outcome: 'unknown' }])
  })

  it.each([
    ['there is no connection', { state: 'reconnecting' }],
    ['the state is not known', { ready: false }]
  ])('are left alone while %s', async (_when, fields) => {
    snapshot = { ...snapshot, ...fields }
    held.add(ownOf(1))
    expect(await add(txOf(1))).toBe(true)
    expect([settled, asked]).toEqual([[], []])
    snapshot = { state: 'connected', ready: true, synced: null }
    for (const listener of listeners) listener()
    await settle()
    expect(settled).toMatchObject([{ outcome: 'confirmed' }])
  })

  it('are looked at every five seconds, and at each change of the head', async () => {
    for (const n of [1, 2]) held.add(inputOf(n))
    await add(txOf(1))
    await add(txOf(2))
    held.add(ownOf(1))
    await settle(5_000)
    expect(settled).toMatchObject([{ txId: idOf(1), outcome: 'confirmed' }])
    held.add(ownOf(2))
    for (const listener of listeners) listener()
    await settle()
    expect(settled).toMatchObject([{ txId: idOf(1) }, { txId: idOf(2), outcome: 'confirmed' }])
  })

  it.each<[string, number | null, number]>([
    ['a bound', 2_000, 2],
    ['none', null, 1]
  ])(
    'with %3$i replays at most are looked for in the history, however many snapshots come: transactions with %s',
    async (_with, expirySlot, most) => {
      await add(txOf(1, expirySlot))
      for (let snapshots = 0; snapshots < 600; snapshots++) {
        for (const listener of listeners) listener()
        await settle(20)
      }
      expect(asked).toEqual([`find ${idOf(1).slice(0, 2)}`])
      node = { slot: 2_000, signing: [] }
      await settle(1_000_000)
      for (const listener of listeners) listener()
      await settle(100_000)
      expect(asked.filter((each) => each.startsWith('find'))).toHaveLength(most)
      expect(settled).toMatchObject(expirySlot === null ? [] : [{ outcome: 'unknown' }])
    }
  )

  it('are looked for in the history again over another connection', async () => {
    await add(txOf(1))
    connections++
    for (const listener of listeners) listener()
    await settle()
    expect(asked).toEqual([`find ${idOf(1).slice(0, 2)}`, `find ${idOf(1).slice(0, 2)}`])
  })

  it('that wait for what they build on are not looked for in the history before their bound', async () => {
    const parent = txOf(1)
    held.add(inputOf(1))
    const child = { ...txOf(2), parents: [parent], confirmedInputs: [] } as OwnTx
    Object.assign(child.pending, { inputs: parent.pending.outputs })
    await add(child)
    expect(asked).toEqual([])
    // The parent can never be confirmed: the child cannot either.
    held.delete(inputOf(1))
    found = { status: 'unknown', isComplete: true }
    await add(parent)
    for (const listener of listeners) listener()
    await settle()
    expect(asked).toEqual([`find ${idOf(1).slice(0, 2)}`])
    expect(settled).toMatchObject(
      [1, 2].map((n) => ({ txId: idOf(n), outcome: 'rejected', error: { reason: 'inputs-spent' } }))
    )
  })

  it('that come while others are reviewed are reviewed before anybody hears that their outcome is unknown', async () => {
    held.add(ownOf(2))
    const heard: string[] = []
    void uncertain.add(txOf(1, 1_000)).then(() => heard.push('first'))
    // The node is being asked on behalf of the first.
    await settle(5)
    void uncertain.add(txOf(2)).then(() => heard.push('second'))
    await settle(0)
    expect([heard, settled]).toEqual([[], []])
    await settle()
    expect(heard).toEqual(['first', 'second'])
    expect(settled).toEqual([
      { txId: idOf(1), outcome: 'unknown' },
      { txId: idOf(2), outcome: 'confirmed', snapshotNumber: 9, exact: false, verified: false }
    ])
    expect([listeners.size, jest.getTimerCount()]).toEqual([0, 0])
  })
})
