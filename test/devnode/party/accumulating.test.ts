import { verifySnapshot } from '../../../src/verify'
import { newTx, request, TestClient } from '../harness'
import { DevNode, manualClock } from '../../../src/devnode'
import { pay } from '../transactions'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A node whose next snapshot has an accumulator of 700 outputs, and that has just begun to work it out. */
async function working(): Promise<{ node: DevNode; client: TestClient; clock: ReturnType<typeof manualClock> }> {
  const clock = manualClock()
  const [alice] = new DevNode({ accounts: 0 }).keys
  const inHead = Array.from({ length: 700 }, () => ({ address: alice!.address, lovelace: 5_000_000 }))
  const node = new DevNode({ clock, accounts: 0, open: true, inHead, accumulator: 'real' })
  const client = new TestClient(node, 'history=no')
  await until(() => client.all('SnapshotConfirmed').length === 1)
  clock.advance(200)
  expect(node.headUtxos()).toHaveLength(700)
  client.take()
  client.send(newTx(pay(node.headUtxos()[0]!, alice!, alice!.address, 1_000_000n)))
  clock.advance(20)
  return { node, client, clock }
}

async function until(holds: () => boolean): Promise<number> {
  let turns = 0
  for (; !holds(); turns++) await turn()
  return turns
}

describe('a node that works out a true accumulator', () => {
  it('answers requests and inputs meanwhile, and signs the true one in the end', async () => {
    const { node, client } = await working()
    expect(client.tags()).toEqual(['TxValid'])
    expect((await request(node, 'GET', '/head')).status).toBe(200)
    client.send('{')
    expect(client.messages.at(-1)).toMatchObject({ input: '{' })
    expect(client.all('SnapshotConfirmed')).toEqual([])
    const turns = await until(() => client.all('SnapshotConfirmed').length === 1)
    // The event loop has had its turn between the parts of the work: 701 outputs are 11 parts of 64 points.
    expect(turns).toBeGreaterThan(11)
    const { snapshot, signatures } = client.last('SnapshotConfirmed')
    const { parties } = (await request(node, 'GET', '/head')).body.contents.parameters
    const verdict = await verifySnapshot({
      snapshot,
      signatures: signatures.multiSignature,
      parties: parties.map(({ vkey }: { vkey: string }) => vkey)
    })
    expect(verdict).toMatchObject({ ok: true, outputs: 'recomputed' })
  })

  it('ends the work when the head is closed, and when the node stops', async () => {
    const closed = await working()
    closed.client.send({ tag: 'Close' })
    closed.clock.advance(60)
    expect(closed.client.tags()).toContain('HeadIsClosed')
    for (let i = 0; i < 100; i++) await turn()
    expect(closed.client.all('SnapshotConfirmed')).toEqual([])
    const stopped = await working()
    await stopped.node.stop()
    for (let i = 0; i < 100; i++) await turn()
    expect(stopped.client.all('SnapshotConfirmed')).toEqual([])
  })
})
