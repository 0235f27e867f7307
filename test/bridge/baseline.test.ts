import { LayerBridge } from 'layer-sdk/bridge'
import type { BridgeSnapshot } from 'layer-sdk/bridge'
import { UnsupportedByConnectorError } from 'layer-sdk'
import { FakeConnector } from '../support/fakeConnector'
import { output } from '../support/scriptedNode'
import { hashOf } from '../support/sampleTx'

const ALICE = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const HEAD = { headStatus: 'Open', hydraHeadId: 'ab', snapshotUtxo: { [`${hashOf(1)}#0`]: output(ALICE, 5) } }

describe('the baseline of the cache', () => {
  const flush = async (): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, 5)
    })

  /** A bridge that has been greeted, with everything that its subscribers were shown. */
  async function greeted(connector: FakeConnector): Promise<{ bridge: LayerBridge; shown: BridgeSnapshot[] }> {
    const bridge = new LayerBridge({ connector })
    const shown: BridgeSnapshot[] = []
    bridge.subscribe(() => shown.push(bridge.getSnapshot()))
    const connected = bridge.connect()
    connector.last.greet(HEAD)
    await connected
    return { bridge, shown }
  }

  it('sets seeded and lastSnapshotNumber together, and lets balances be read from Greetings on', async () => {
    const connector = new FakeConnector()
    let answer: () => void = () => undefined
    connector.onRequest = (request) =>
      new Promise((resolve) => {
        const snapshot = {
          headId: 'ab',
          version: 0,
          number: 4,
          confirmed: [],
          utxo: HEAD.snapshotUtxo,
          utxoToCommit: null,
          utxoToDecommit: null
        }
        answer = () =>
          resolve(
            request.path === '/snapshot'
              ? {
                  status: 200,
                  text: JSON.stringify({ tag: 'ConfirmedSnapshot', snapshot, signatures: { multiSignature: [] } })
                }
              : { status: 404, text: '""' }
          )
      })
    const { bridge, shown } = await greeted(connector)
    expect(bridge.getAddressBalance(ALICE)).toEqual(new Map([['lovelace', 5n]]))
    await flush()
    expect([bridge.getSnapshot().ready, bridge.lastSnapshotNumber]).toEqual([false, -1])
    answer()
    await flush()
    expect([bridge.getSnapshot().ready, bridge.lastSnapshotNumber]).toEqual([true, 4])
    for (const { ready, snapshotNumber } of shown) expect(ready).toBe(snapshotNumber !== null)
    await bridge.disconnect()
    expect([bridge.getSnapshot().ready, bridge.lastSnapshotNumber]).toEqual([false, -1])
  })

  it('takes what a head opens with for its snapshot 0', async () => {
    const connector = new FakeConnector()
    const bridge = new LayerBridge({ connector })
    const connected = bridge.connect()
    connector.last.greet()
    await connected
    connector.last.say({ tag: 'HeadIsOpen', headId: 'ab', parties: [], seq: 1 })
    expect([bridge.getSnapshot().ready, bridge.lastSnapshotNumber]).toEqual([true, 0])
    await bridge.disconnect()
  })

  it.each([
    [
      'has no route that gives one',
      async () => {
        throw new UnsupportedByConnectorError('GET /snapshot')
      }
    ],
    ['answers that there is no such route', async () => ({ status: 404, text: '""' })],
    [
      'answers with outputs alone',
      async ({ path }: { path: string }) =>
        path === '/snapshot/utxo'
          ? { status: 200, text: JSON.stringify(HEAD.snapshotUtxo) }
          : { status: 400, text: '"Resource not found"' }
    ]
  ])('is done without a number where the node %s', async (_, onRequest) => {
    const connector = new FakeConnector()
    connector.onRequest = onRequest as FakeConnector['onRequest']
    const { bridge } = await greeted(connector)
    await flush()
    expect([bridge.getSnapshot().ready, bridge.lastSnapshotNumber, bridge.getAddressBalance(ALICE)]).toEqual([
      true,
      -1,
      new Map([['lovelace', 5n]])
    ])
    expect(connector.requests.length).toBeLessThan(4)
    await bridge.disconnect()
  })
})
