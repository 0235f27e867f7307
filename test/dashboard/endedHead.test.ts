import { Session } from '../../src/dashboard/model/Session'
import { until } from '../gateway/support'
import { greetings, HEAD_ID, output, ScriptedNode, send } from '../support/scriptedNode'
import { addressOf } from '../support/signedSnapshot'

// The signals without Preact, whose modules jest cannot load.
jest.mock('@preact/signals', () => jest.requireActual<object>('@preact/signals-core'))

const TIME = '2026-01-01T00:00:00Z'
const end = (headId: string, seq: number, lovelace: number): object => ({
  tag: 'HeadIsFinalized',
  headId,
  seq,
  timestamp: TIME,
  utxo: { [`${'0a'.repeat(32)}#0`]: output(addressOf(`60${'a1'.repeat(28)}`), lovelace) }
})

describe('a page that comes after the fanout', () => {
  let node: ScriptedNode
  let session: Session
  beforeEach(async () => {
    node = await new ScriptedNode().start()
    node.routes['GET /commits'] = { body: [] }
    node.onConnection = (socket, query) => {
      if (query.includes('history=yes')) for (const each of stored) send(socket, each)
      send(socket, greetings({ headStatus: 'Idle', hydraHeadId: undefined, snapshotUtxo: undefined }))
    }
    session = new Session({ kind: 'node', url: node.url })
    await session.start()
  })
  afterEach(async () => {
    await session.stop()
    await node.stop()
  })
  let stored: object[] = []

  it('shows the outputs of the newest head that was paid out, once the history is read', async () => {
    stored = [end('cd'.repeat(28), 1, 2_000_000), end(HEAD_ID, 9, 5_000_000)]
    expect(session.life.ended).toBeNull()
    await session.readHistory()
    await until('it is read', () => session.history.value === 'read')
    expect(session.life.ended).toMatchObject({ headId: HEAD_ID, outputs: 1, lovelace: 5_000_000n })
    expect(session.life.ended!.utxo).toHaveLength(1)
  })

  it('shows none where the history has none', async () => {
    stored = []
    await session.readHistory()
    expect([session.history.value, session.life.ended]).toEqual(['read', null])
  })
})
