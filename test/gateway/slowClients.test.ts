import type { TxOutJson } from '../../src/bridge/protocol/types'
import { Fanout } from '../../src/gateway/edge/Fanout'
import { HeadView } from '../../src/gateway/edge/HeadView'
import { resolveLimits } from '../../src/gateway/limits'
import { Metrics } from '../../src/gateway/Metrics'
import type { SnapshotRecord } from '../../src/gateway/records'
import { fakeClient } from './fakeClient'
import type { FakeClient } from './fakeClient'

const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const output = (lovelace: number): TxOutJson => ({ address: ADDRESS, value: { lovelace } })

function snapshot(number: number): SnapshotRecord {
  const made = { [`${'ab'.repeat(32)}#${number}`]: output(number) }
  const message = {
    tag: 'SnapshotConfirmed',
    headId: 'aa',
    snapshot: { headId: 'aa', number, version: 0, confirmed: [], utxoToCommit: null }
  }
  return {
    kind: 'snapshot',
    headId: 'aa',
    number,
    version: 0,
    from: number - 1,
    message,
    spent: {},
    made,
    count: number,
    txs: []
  }
}

describe('a client that is too slow', () => {
  let view: HeadView
  let fanout: Fanout
  let metrics: Metrics
  beforeEach(() => {
    jest.useFakeTimers()
    view = new HeadView()
    metrics = new Metrics()
    view.load({
      position: { headId: 'aa', number: 0, version: 0 },
      utxo: {},
      greetings: { tag: 'Greetings', headStatus: 'Open' },
      connected: true
    })
    fanout = new Fanout(view, resolveLimits({ unsentBytes: 1_000 }), metrics)
  })
  afterEach(() => jest.useRealTimers())

  const enter = (auth: object): FakeClient => {
    const entered = fakeClient(auth)
    fanout.add(entered.client)
    fanout.welcome(entered.client)
    entered.sent.length = 0
    return entered
  }

  it.each([
    ['delta', { mode: 'delta' }],
    ['full', { mode: 'full' }],
    ['address', { mode: 'address', addresses: [ADDRESS] }]
  ])('gets nothing while it is behind, one whole snapshot once it has read, and then goes on (%s)', (_, auth) => {
    const slow = enter(auth)
    const other = enter(auth)
    fanout.apply(snapshot(1))
    slow.connection.unsent = 1_000_000
    for (let number = 2; number <= 20; number++) fanout.apply(snapshot(number))
    fanout.checkSlow()
    expect(slow.sent.map(({ tag }) => tag)).toEqual(['SnapshotConfirmed'])
    slow.connection.unsent = 0
    fanout.checkSlow()
    fanout.apply(snapshot(21))
    expect(slow.sent.slice(1)).toMatchObject([
      { tag: 'GatewaySnapshot', number: 20, reason: 'resync' },
      { tag: 'SnapshotConfirmed', delta: { from: 20, number: 21, count: 21 } }
    ])
    expect(Object.keys(slow.sent[1].utxo)).toHaveLength(20)
    expect(other.sent).toHaveLength(21)
    expect(metrics.drops).toBe(1)
  })

  it('gets the newest snapshot alone when it is plain', () => {
    const slow = enter({})
    fanout.apply(snapshot(1))
    slow.connection.unsent = 1_000_000
    for (let number = 2; number <= 9; number++) fanout.apply(snapshot(number))
    slow.connection.unsent = 0
    fanout.checkSlow()
    expect(slow.sent.map(({ snapshot: { number } }) => number)).toEqual([1, 9])
    expect(Object.keys(slow.sent[1].snapshot.utxo)).toHaveLength(9)
  })

  it('is closed after 30 s behind, and not before', () => {
    const slow = enter({ mode: 'delta' })
    slow.connection.unsent = 1_000_000
    fanout.apply(snapshot(1))
    jest.advanceTimersByTime(29_000)
    fanout.checkSlow()
    expect(slow.connection.closed).toBe(false)
    jest.advanceTimersByTime(2_000)
    fanout.checkSlow()
    expect(slow.connection.closed).toBe(true)
  })
})
