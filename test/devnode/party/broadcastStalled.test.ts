import { LayerBridge } from '../../../src/bridge'
import { readFaults } from '../../../src/devnode/settings/faults'
import { fromCbor } from '../../../src/devnode/wire/cbor/messages'
import { natural, recordShape } from '../../../src/devnode/wire/cbor/shapes'
import { serverOutput } from '../../../src/devnode/wire/cbor/api'
import { utcTimeValue } from '../../../src/devnode/wire/cbor/values'
import { DevNode } from '../../../src/devnode'
import { deposit, newTx, openHead, request, setUp, TestClient } from '../harness'
import { lovelaceOf, pay } from '../transactions'

// cardano-scaling/hydra after 2.4.1: Hydra/Node.hs (refuseWhenStalled), API/HTTPServer.hs and golden/ServerOutput at
// 107c85cc0.
const STALL = { pendingBroadcasts: 1, stallReason: 'NoProgress' }

describe('a node of profile master whose broadcasts are stalled', () => {
  it('tells its clients when it begins and when it ends, and the history has both', () => {
    const { node, client } = openHead({ profile: 'master' })
    client.take()
    node.faults.broadcastStalled = true
    node.faults.broadcastStalled = true
    expect(client.take()).toMatchObject([
      { tag: 'NetworkBroadcastStalled', ...STALL, seq: expect.any(Number), timestamp: expect.any(String) }
    ])
    node.faults.broadcastStalled = false
    expect(client.take()).toMatchObject([{ tag: 'NetworkBroadcastResumed', seq: expect.any(Number) }])
    const tags = new TestClient(node, 'history=yes').tags()
    expect(tags.filter((tag) => tag.startsWith('Network'))).toEqual([
      'NetworkBroadcastStalled',
      'NetworkBroadcastResumed'
    ])
    const bytes: Uint8Array[] = []
    node.open('history=yes&encoding=cbor', { send: (message) => bytes.push(message as Uint8Array), close() {} })
    const timed = recordShape('TimedServerOutput', [
      ['seq', natural],
      ['time', utcTimeValue],
      ['output', serverOutput]
    ])
    expect(bytes.slice(-3, -1).map((each) => JSON.parse(fromCbor(timed, each)).output)).toEqual([
      { tag: 'NetworkBroadcastStalled', ...STALL },
      { tag: 'NetworkBroadcastResumed' }
    ])
  })

  it('refuses a transaction and a decommit without a trace, takes what needs no peer, and both later', async () => {
    const setup = openHead({ profile: 'master' })
    const { node, client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    const tx = pay(utxo, alice, bob.address, 3_000_000n)
    node.faults.broadcastStalled = true
    client.take()
    client.send(newTx(tx))
    client.send({ tag: 'Decommit', decommitTx: tx })
    const { txId, cborHex } = tx
    const refusals = client.take()
    expect(refusals.map((message) => Object.keys(message).sort())).toEqual(
      Array(2).fill(['clientInput', 'pendingBroadcasts', 'stallReason', 'tag'])
    )
    expect(refusals).toMatchObject([
      {
        tag: 'RejectedInputBecauseBroadcastStalled',
        clientInput: { tag: 'NewTx', transaction: { txId, cborHex } },
        ...STALL
      },
      {
        tag: 'RejectedInputBecauseBroadcastStalled',
        clientInput: { tag: 'Decommit', decommitTx: { txId, cborHex } },
        ...STALL
      }
    ])
    client.send({ tag: 'Init' })
    expect(client.take()).toMatchObject([{ tag: 'CommandFailed', clientInput: { tag: 'Init' } }])
    clock.advance(1000)
    expect(client.take()).toEqual([])
    node.faults.broadcastStalled = false
    client.send(newTx(tx))
    clock.advance(100)
    expect(client.tags()).toEqual(['NetworkBroadcastResumed', 'TxValid', 'SnapshotConfirmed'])
    node.faults.broadcastStalled = true
    client.send({ tag: 'Close' })
    clock.advance(100)
    expect(client.tags()).toContain('HeadIsClosed')
    client.send(newTx(tx))
    expect(client.messages.at(-1)).toMatchObject({ tag: 'CommandFailed' })
  })

  it('signs nothing of what it had taken before, until it is over', async () => {
    const setup = openHead({ profile: 'master' })
    const { node, client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    client.take()
    client.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    node.faults.broadcastStalled = true
    clock.advance(5000)
    expect(client.tags()).toEqual(['TxValid', 'NetworkBroadcastStalled'])
    node.faults.broadcastStalled = false
    clock.advance(100)
    expect(client.tags().at(-1)).toBe('SnapshotConfirmed')
  })

  it('answers POST /transaction and POST /decommit with 503 about this transaction alone', async () => {
    const setup = openHead({ profile: 'master' })
    const { node, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    const tx = pay(utxo, alice, bob.address, 3_000_000n)
    const pending = request(node, 'POST', '/transaction', { ...tx })
    expect((await pending).status).toBe(202)
    node.faults.broadcastStalled = true
    const queue = 'outbound message queue is not draining, 1 messages pending'
    const other = pay(utxo, alice, bob.address, 4_000_000n)
    expect(await request(node, 'POST', '/transaction', other)).toEqual({
      status: 503,
      body: { tag: 'SubmitTxRejected', reason: `Node's ${queue}` }
    })
    expect(await request(node, 'POST', '/decommit', other)).toEqual({
      status: 503,
      body: `Decommit failed because the node's ${queue}`
    })
  })

  it('says how far behind it is, rather than that it is stalled, while it is both', async () => {
    const setup = openHead({ profile: 'master', faults: { broadcastStalled: true } })
    const { node, client, alice } = setup
    expect(client.tags()).toContain('HeadIsOpen')
    node.setDrift(9)
    client.send(newTx(pay(node.baseUtxos(alice.address)[0]!, alice, alice.address, 3_000_000n)))
    expect(client.messages.at(-1)).toMatchObject({ tag: 'RejectedInputBecauseUnsynced', drift: 9 })
  })

  it('is told from the start, and by no other profile', () => {
    const told = (profile: '2.4' | 'master'): string[] =>
      new TestClient(setUp({ profile, faults: { broadcastStalled: true } }).node, 'history=yes').tags()
    expect([told('2.4'), told('master')]).toEqual([['Greetings'], ['NetworkBroadcastStalled', 'Greetings']])
    expect(readFaults({ broadcastStalled: true })).toEqual({ broadcastStalled: true })
  })
})

describe('a bridge whose node cannot broadcast', () => {
  it('hears at once that its payment, its submission and its decommit were refused, each by the tag', async () => {
    const node = new DevNode({
      profile: 'master',
      open: true,
      accounts: 0,
      timings: { blockMs: 1, depositDelayMs: 1, snapshotIntervalMs: 1 }
    })
    const bridge = new LayerBridge({ connector: node.connector() })
    try {
      await bridge.connect()
      const [alice, bob] = node.keys
      await node.fundHead(alice!.address, 50_000_000n)
      const [utxo] = node.headUtxos(alice!.address)
      const told = new Promise((resolve) => bridge.events.on('NetworkBroadcastStalled', resolve))
      node.faults.broadcastStalled = true
      expect(await told).toMatchObject({ tag: 'NetworkBroadcastStalled', ...STALL })
      const tx = (lovelace: bigint): ReturnType<typeof pay> => pay(utxo!, alice!, bob!.address, lovelace)
      const started = performance.now()
      const refused = {
        tag: 'RejectedInputBecauseBroadcastStalled',
        reason: expect.stringContaining('1 messages wait')
      }
      await expect(bridge.submitTxSync(tx(2_000_000n), { timeout: 20_000 })).rejects.toMatchObject({
        ...refused,
        code: 'BRIDGE_SUBMIT',
        outcome: 'none'
      })
      expect(await bridge.submitL2Tx(tx(3_000_000n), { timeout: 20_000 })).toMatchObject({ tag: 'SubmitTxRejected' })
      const all = pay(utxo!, alice!, bob!.address, lovelaceOf(utxo!.output))
      await expect(bridge.commands.decommit({ ...all, timeout: 20_000 })).rejects.toMatchObject({
        ...refused,
        code: 'BRIDGE_COMMAND_REFUSED'
      })
      expect(performance.now() - started).toBeLessThan(10_000)
      node.faults.broadcastStalled = false
      expect((await bridge.submitTxSync(tx(2_000_000n))).isConfirmed).toBe(true)
    } finally {
      await bridge.disconnect()
      await node.stop()
    }
  })
})
