import type { Clock, DevNodeOptions } from '../../../src/devnode'
import { DevNode, manualClock } from '../../../src/devnode'
import type { Setup } from '../harness'
import { deposit, newTx, openHead, request, setUp, TestClient } from '../harness'
import type { Envelope } from '../transactions'
import { pay } from '../transactions'

async function withTx(options: DevNodeOptions = {}): Promise<Setup & { tx: Envelope }> {
  const setup = openHead(options)
  const utxo = await deposit(setup, setup.alice)
  setup.client.take()
  return { ...setup, tx: pay(utxo, setup.alice, setup.bob.address, 2_000_000n) }
}

describe('faults on demand', () => {
  it('swallows a transaction without a trace', async () => {
    const { node, client, clock, tx } = await withTx()
    node.faults.swallowTransactions = 1
    client.send(newTx(tx))
    clock.advance(10_000)
    expect(client.messages).toEqual([])
    client.send(newTx(tx))
    expect(client.tags()).toEqual(['TxValid'])
    expect(node.counters.inputs['NewTx']).toBe(2)
  })

  it('loses a valid transaction, whose inputs stay unspent', async () => {
    const { node, client, clock, tx } = await withTx({ faults: { loseTransactions: 1 } })
    client.send(newTx(tx))
    clock.advance(10_000)
    expect(client.tags()).toEqual(['TxValid', 'SnapshotConfirmed'])
    expect(client.last('SnapshotConfirmed')['snapshot'].confirmed).toEqual([])
    client.send(newTx(tx))
    clock.advance(50)
    expect(client.last('SnapshotConfirmed')['snapshot'].confirmed).toMatchObject([{ txId: tx.txId }])
    expect(node.faults.loseTransactions).toBe(0)
  })

  it('calls a confirmed transaction invalid afterwards', async () => {
    const { client, clock, tx } = await withTx({ faults: { invalidAfterConfirm: 1 } })
    client.send(newTx(tx))
    clock.advance(50)
    expect(client.tags()).toEqual(['TxValid', 'SnapshotConfirmed', 'TxInvalid'])
    expect(client.last('TxInvalid')).toMatchObject({
      transaction: { txId: tx.txId },
      validationError: { reason: expect.stringContaining('All inputs are spent') }
    })
  })

  it('says TxValid only after the snapshot, in the order of its seq', async () => {
    const { client, clock, tx } = await withTx({ faults: { validAfterConfirm: true } })
    client.send(newTx(tx))
    clock.advance(50)
    expect(client.tags()).toEqual(['SnapshotConfirmed', 'TxValid'])
    expect(client.messages[1]!['seq']).toBeLessThan(client.messages[0]!['seq'])
  })

  it('holds snapshots back until they may be signed again', async () => {
    const { node, client, clock, tx } = await withTx()
    node.faults.holdSnapshots = true
    client.send(newTx(tx))
    clock.advance(60_000)
    expect(client.tags()).toEqual(['TxValid'])
    node.faults.holdSnapshots = false
    clock.advance(50)
    expect(client.tags()).toEqual(['TxValid', 'SnapshotConfirmed'])
  })

  it('drops messages from the live stream but keeps them in the history', async () => {
    const { node, client, clock, tx } = await withTx({ faults: { dropTags: ['SnapshotConfirmed'] } })
    node.faults.dropOutputs = 1
    client.send(newTx(tx))
    clock.advance(50)
    expect(client.tags()).toEqual(['TxValid'])
    expect(new TestClient(node, 'history=yes').tags().slice(-2)).toEqual(['SnapshotConfirmed', 'Greetings'])
  })

  it('sends messages twice, and again after a replay, with the same seq', async () => {
    const { node, client, tx } = await withTx({ faults: { duplicateOutputs: true, duplicateHistory: 2 } })
    client.send(newTx(tx))
    expect(client.messages).toHaveLength(2)
    expect(client.messages[0]).toEqual(client.messages[1])
    const replayed = new TestClient(node, 'history=yes').messages
    const greetings = replayed.findIndex(({ tag }) => tag === 'Greetings')
    expect(replayed.slice(greetings + 1)).toEqual(replayed.slice(greetings - 2, greetings))
  })

  it('leaves gaps in seq', async () => {
    const { client } = openHead({ faults: { seqGap: 4 } })
    client.send({ tag: 'Close' })
    expect(client.last('HeadIsOpen')['seq']).toBe(5)
  })

  it('is mute, or late, on demand', async () => {
    const { node, client, clock, tx } = await withTx()
    node.faults.muteSockets = true
    client.send(newTx(tx))
    expect([client.messages, new TestClient(node).messages]).toEqual([[], []])
    node.faults.muteSockets = false
    node.faults.outputDelayMs = 500
    clock.advance(499)
    expect(client.messages).toEqual([])
    clock.advance(100)
    expect(client.tags()).toEqual(['SnapshotConfirmed'])
  })

  it('passes on anything, and what another client failed at', () => {
    const { node, client } = openHead()
    node.inject('{"tag":"SomethingNew"}')
    node.inject(new Uint8Array([1, 2]))
    node.foreignCommandFailed()
    expect(client.texts.slice(-3, -1)).toEqual(['{"tag":"SomethingNew"}', new Uint8Array([1, 2])])
    expect(client.last('CommandFailed')).toMatchObject({ clientInput: { tag: 'Close' }, state: { tag: 'Open' } })
  })
})

describe('trouble of the node itself', () => {
  it('rejects every input while it is behind the chain, reports on it, and goes on once it has caught up', async () => {
    const { node, client, clock, tx } = await withTx({ profile: '2.3' })
    node.setDrift(100)
    client.send({ tag: 'Close' })
    client.send(newTx(tx))
    expect(client.tags()).toEqual([
      'NodeUnsynced',
      'SyncedStatusReport',
      'RejectedInputBecauseUnsynced',
      'RejectedInputBecauseUnsynced'
    ])
    expect(client.last('SyncedStatusReport')).toEqual({
      tag: 'SyncedStatusReport',
      chainSlot: node.slot,
      chainTime: new Date(clock.now()).toISOString(),
      drift: 100,
      synced: 'CatchingUp'
    })
    expect(new TestClient(node).last('Greetings')).toMatchObject({
      chainSyncedStatus: 'CatchingUp',
      currentSlot: node.slot
    })
    node.setDrift(0)
    client.send(newTx(tx))
    expect(client.tags().slice(-2)).toEqual(['NodeSynced', 'TxValid'])
  })

  it('knows nothing of sync before 1.3', () => {
    const { node, client } = setUp({ profile: '0.22' })
    node.setDrift(100)
    client.send({ tag: 'Close' })
    expect(client.tags()).toEqual(['Greetings', 'CommandFailed'])
  })

  it('forgets its head without a word, and opens another with numbers that start again', async () => {
    const { node, client, clock, tx, alice } = await withTx()
    const before = node.headId
    client.send(newTx(tx))
    node.abandonHead()
    clock.advance(1000)
    expect([node.headStatus, client.tags()]).toEqual(['Idle', ['TxValid']])
    client.send({ tag: 'Init' })
    clock.advance(50)
    await deposit({ node, clock, client, alice, bob: alice }, alice)
    expect(node.headId).not.toBe(before)
    expect(client.last('SnapshotConfirmed')['snapshot']).toMatchObject({ number: 1, headId: node.headId })
  })
})

describe('clients', () => {
  it('leaves out the UTxO of snapshots and Greetings where it is not wanted, and nowhere else', async () => {
    const { node, clock, client, tx } = await withTx()
    const lean = new TestClient(node, 'snapshot-utxo=no')
    expect(lean.last('Greetings')).not.toHaveProperty('snapshotUtxo')
    client.send(newTx(tx))
    client.send(newTx(tx))
    clock.advance(1000)
    expect(lean.last('SnapshotConfirmed')['snapshot']).not.toHaveProperty('utxo')
    expect(lean.last('SnapshotConfirmed')['snapshot']).toHaveProperty('utxoToCommit')
    expect(lean.last('TxInvalid')).toHaveProperty('utxo')
    expect(client.last('SnapshotConfirmed')['snapshot']).toHaveProperty('utxo')
  })

  it('filters snapshots by the addresses of confirmed outputs, and nothing else', async () => {
    // Up to 2.3 an empty address lets no snapshot through.
    const setup = openHead({ profile: '2.3' })
    const { node, client, clock, alice, bob } = setup
    const forBob = new TestClient(node, `address=${bob.address}`)
    const forNobody = new TestClient(node, 'address=')
    const utxo = await deposit(setup, alice)
    expect(forBob.tags()).toContain('CommitFinalized')
    expect(forBob.all('SnapshotConfirmed')).toEqual([])
    client.send(newTx(pay(utxo, alice, bob.address, 2_000_000n)))
    clock.advance(50)
    expect([forBob, forNobody].map((each) => each.all('SnapshotConfirmed').length)).toEqual([1, 0])
    expect(forNobody.tags()).toContain('TxValid')
  })

  it('rotates a long log into a checkpoint', async () => {
    const { node, client, clock, tx } = await withTx({ historyLimit: 7 })
    client.send(newTx(tx))
    clock.advance(50)
    const replayed = new TestClient(node, 'history=yes')
    expect(replayed.tags()).toEqual(['EventLogRotated', 'Greetings'])
    expect(replayed.last('EventLogRotated')['checkpoint']).toMatchObject({
      tag: 'NodeInSync',
      headState: { tag: 'Open' },
      pendingDeposits: {},
      chainPointTime: { currentSlot: node.slot, drift: 0 }
    })
    client.send({ tag: 'Close' })
    clock.advance(50)
    expect(new TestClient(node, 'history=yes').tags()).toEqual(['EventLogRotated', 'HeadIsClosed', 'Greetings'])
  })

  it('forgets a client that has left', () => {
    const { node, client } = setUp()
    client.leave()
    node.inject('{"tag":"X"}')
    expect(client.tags()).toEqual(['Greetings'])
  })
})

describe('stopping', () => {
  it('cancels every timer and ends every connection', async () => {
    const inner = manualClock()
    let open = 0
    const clock: Clock = {
      now: () => inner.now(),
      after(delayMs, callback) {
        open++
        const cancel = inner.after(delayMs, () => {
          open--
          callback()
        })
        return () => {
          open--
          cancel()
        }
      }
    }
    const node = new DevNode({ clock })
    const client = new TestClient(node)
    client.send({ tag: 'Init' })
    inner.advance(50)
    client.send({ tag: 'Close' })
    void request(node, 'DELETE', `/commits/${'ab'.repeat(32)}`)
    expect(open).toBeGreaterThan(0)
    await node.stop()
    expect([open, client.closedWith]).toEqual([0, 1001])
  })
})
