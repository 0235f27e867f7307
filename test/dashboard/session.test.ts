import { moneyInHead } from '../../src/dashboard/model/outputs'
import { Session } from '../../src/dashboard/model/Session'
import { unknownVersion } from '../../src/dashboard/model/version'
import { until } from '../gateway/support'
import {
  confirmedSnapshot,
  greetings,
  HEAD_ID,
  output,
  ScriptedNode,
  send,
  snapshotConfirmed
} from '../support/scriptedNode'
import { addressOf } from '../support/signedSnapshot'

// The signals without Preact, whose modules jest cannot load.
jest.mock('@preact/signals', () => jest.requireActual<object>('@preact/signals-core'))

const ALICE = addressOf(`60${'a1'.repeat(28)}`)
const DEPOSIT = 'd0'.repeat(32)
const TIME = '2026-01-01T00:00:00Z'

/** Snapshots 5 and later: 3 ada in the head, 9 ada of the deposit that the snapshot names. */
const fields = {
  utxo: { [`${'0a'.repeat(32)}#0`]: output(ALICE, 3_000_000) },
  utxoToCommit: { [`${'0c'.repeat(32)}#1`]: output(ALICE, 9_000_000) }
}
function withDeposit(message: Record<string, unknown>): Record<string, unknown> {
  return { ...message, snapshot: { ...(message['snapshot'] as object), depositTxId: DEPOSIT } }
}

describe('a session of the dashboard with a node', () => {
  let node: ScriptedNode
  let session: Session
  let pending: string[]
  beforeEach(async () => {
    pending = [DEPOSIT]
    node = await new ScriptedNode().start()
    node.onConnection = (socket) => send(socket, greetings({ hydraNodeVersion: '9.9.9' }))
    node.routes['GET /commits'] = () => ({ body: pending })
    node.routes['GET /snapshot'] = { body: withDeposit(confirmedSnapshot(5, fields)) }
    session = new Session({ kind: 'node', url: node.url })
  })
  afterEach(async () => {
    await session.stop()
    await node.stop()
  })
  const shown = (): string => (session.outputs.value === null ? '' : moneyInHead(session.outputs.value).value)

  it('shows a deposit that was pending before it came as arriving, and as in the head once it is final', async () => {
    await session.start()
    await until('the deposit is arriving', () => shown() === '3 ada' && session.outputs.value!.arriving === 9_000_000n)
    node.send({ tag: 'CommitFinalized', headId: HEAD_ID, seq: 7, timestamp: TIME, depositTxId: DEPOSIT })
    await until('the deposit is in the head', () => shown() === '12 ada' && session.outputs.value!.arriving === 0n)
  })

  it('shows it as arriving also where the node is slow to name its pending deposits', async () => {
    node.routes['GET /commits'] = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return { body: pending }
    }
    await session.start()
    await until('the deposit is arriving', () => shown() === '3 ada')
  })

  it('shows a deposit of the snapshot that the base ledger has no more as in the head', async () => {
    pending = []
    await session.start()
    await until('its outputs are in the head', () => shown() === '12 ada')
  })

  it('names the deposit of the newest snapshot, and the version of the node as unknown', async () => {
    await session.start()
    node.send({ ...withDeposit(snapshotConfirmed(6, fields)), timestamp: TIME })
    await until('the snapshot has come', () => session.status.value.snapshotNumber === 6)
    expect(session.funds.snapshotDeposit).toEqual({ number: 6, depositTxId: DEPOSIT })
    expect(unknownVersion(session.status.value.nodeVersion)?.title).toMatch(/newer than layer-sdk knows/)
  })
})
