import { LayerBridge } from 'layer-sdk/bridge'
import { stringifyJson } from '../../../src/codec/json'
import { getBalance } from '../../../src/client/actions/read'
import { createHeadClient } from '../../../src/client'
import type { HeadClient } from '../../../src/client'
import { greetings, HEAD_ID, output, ScriptedNode } from '../../support/scriptedNode'
import { addressOf } from '../../support/signedSnapshot'

const ADA = 1_000_000n
const ALICE = addressOf(`60${'a1'.repeat(28)}`)
const DEPOSIT = 'd0'.repeat(32)
const HELD = `${'0a'.repeat(32)}#0`
const COMING = `${'0c'.repeat(32)}#1`

let node: ScriptedNode
let client: HeadClient
let pending: string[]
let asked: Promise<void>

/** Snapshot 5: 3 ada in the head, 9 ada of a deposit. */
const snapshot = (fields: object = {}): Record<string, unknown> => ({
  headId: HEAD_ID,
  version: 1,
  number: 5,
  confirmed: [],
  utxo: { [HELD]: output(ALICE, 3_000_000) },
  utxoToCommit: { [COMING]: output(ALICE, 9_000_000) },
  utxoToDecommit: null,
  ...fields
})

beforeEach(async () => {
  node = await new ScriptedNode().start()
  pending = []
  asked = new Promise((resolve) => {
    node.routes['GET /commits'] = () => {
      resolve()
      return { body: pending }
    }
  })
})
afterEach(async () => {
  await client.disconnect()
  await node.stop()
})

async function connect(body: unknown): Promise<LayerBridge> {
  node.routes['GET /snapshot'] = { text: stringifyJson(body) }
  node.onConnection = (socket) => socket.send(JSON.stringify(greetings({ hydraNodeVersion: '2.4.1' })))
  const bridge = new LayerBridge({ url: node.url })
  client = createHeadClient({ bridge })
  await client.connect()
  await shows(() => bridge.getSnapshot().ready && bridge.lastSnapshotNumber >= 0)
  return bridge
}
const shows = (condition: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (condition()) resolve()
    }
    client.bridge.subscribe(check)
    check()
  })
const shown = (): [bigint, bigint] => {
  const balance = getBalance(client.context, { address: ALICE })!
  return [balance.confirmed.lovelace, balance.arriving.lovelace]
}
const say = (message: object): void => node.send(stringifyJson({ timestamp: '2026-01-01T00:00:00Z', ...message }))
const confirmed = (fields: object): object => ({
  tag: 'SnapshotConfirmed',
  headId: HEAD_ID,
  seq: 9,
  snapshot: snapshot(fields),
  signatures: { multiSignature: [] }
})
const initial = { tag: 'InitialSnapshot', headId: HEAD_ID, initialUTxO: {} }

describe('what a pending deposit brings', () => {
  it.each<[string, object]>([
    ['names its deposit, as nodes from 2.4 do', { depositTxId: DEPOSIT }],
    ['does not name its deposit', {}]
  ])('arrives apart from what can be spent until the deposit is final, where the snapshot %s', async (_, fields) => {
    const bridge = await connect(initial)
    say({
      tag: 'CommitRecorded',
      headId: HEAD_ID,
      seq: 8,
      pendingDeposit: DEPOSIT,
      utxoToCommit: { [COMING]: output(ALICE, 9_000_000) }
    })
    say(confirmed(fields))
    await shows(() => bridge.lastSnapshotNumber === 5)
    expect(shown()).toEqual([3n * ADA, 9n * ADA])
    expect(client.getUtxos({ address: ALICE })!.map(({ input }) => `${input.txHash}#${input.index}`)).toEqual([HELD])
    expect([bridge.isArriving(COMING), bridge.isArriving(HELD)]).toEqual([true, false])
    // The balance of the specification holds both.
    expect(bridge.getAddressBalance(ALICE)!.get('lovelace')).toBe(12n * ADA)
    say({ tag: 'CommitFinalized', headId: HEAD_ID, seq: 10, depositTxId: 'ee'.repeat(32) })
    say({ tag: 'CommitRecorded', headId: HEAD_ID, seq: 11, pendingDeposit: 'ee'.repeat(32), utxoToCommit: {} })
    say({ tag: 'CommitFinalized', headId: HEAD_ID, seq: 12, depositTxId: DEPOSIT })
    await shows(() => bridge.getAddressArriving(ALICE)!.size === 0)
    expect(shown()).toEqual([12n * ADA, 0n])
    expect(client.getUtxos({ address: ALICE })).toHaveLength(2)
  })

  it('counts as in the head where a requested snapshot names it and nothing is pending on the base ledger: the next snapshot comes with the next transaction', async () => {
    await connect({
      tag: 'ConfirmedSnapshot',
      snapshot: snapshot({ depositTxId: DEPOSIT }),
      signatures: { multiSignature: [] }
    })
    await asked
    expect(shown()).toEqual([12n * ADA, 0n])
  })

  it('arrives where a requested snapshot names it and it is pending on the base ledger', async () => {
    pending = [DEPOSIT]
    const bridge = await connect({
      tag: 'ConfirmedSnapshot',
      snapshot: snapshot({ depositTxId: DEPOSIT }),
      signatures: { multiSignature: [] }
    })
    await shows(() => bridge.isArriving(COMING))
    expect(shown()).toEqual([3n * ADA, 9n * ADA])
    say(
      confirmed({
        number: 6,
        version: 2,
        utxo: { [HELD]: output(ALICE, 3_000_000), [COMING]: output(ALICE, 9_000_000) },
        utxoToCommit: null
      })
    )
    await shows(() => bridge.lastSnapshotNumber === 6)
    expect(shown()).toEqual([12n * ADA, 0n])
  })
})
