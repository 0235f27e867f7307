import { DevNode, manualClock, startDevNode } from '../../../src/devnode'
import type { DevNodeOptions, DevNodeState, ManualClock } from '../../../src/devnode'
import { buildPayment } from '../../../src/tx'
import { hexToBytes } from '../../../src/codec/hex'
import { WebSocket } from 'ws'
import { scaled } from '../../support/scale'
import { deposit, newTx, openHead, request, setUp, submitDeposit, TestClient, utxoJson } from '../harness'
import type { Setup } from '../harness'
import { envelopeOf, signTx } from '../transactions'

const json = (value: unknown): string => JSON.stringify(value)
const settle = <T>(clock: ManualClock, promise: Promise<T>): Promise<T> => clock.runUntil(promise, 60_000)

/** A payment of alice to bob in the head, signed. */
function payment({ node, alice, bob }: Setup, lovelace = 2_000_000n): string {
  const utxos = node.headUtxos(alice.address)
  const { cborHex } = buildPayment({ utxos, to: bob.address, amount: lovelace, changeAddress: alice.address })
  return cborHex
}

/** Pays in the head, and waits for the snapshot if asked to. */
function pay(setup: Setup, wait = true): void {
  setup.client.send(newTx(envelopeOf(signTx(hexToBytes(payment(setup)), setup.alice))))
  if (wait) setup.clock.advance(100)
}

/**
 * A node with a head that has been through all that leaves traces: payments, a decommit on its way, deposits, a
 * snapshot that is being signed.
 */
async function busyHead(options: DevNodeOptions = {}): Promise<Setup> {
  const setup = openHead(options)
  const { node, alice, clock } = setup
  await deposit(setup, alice)
  for (let i = 0; i < 3; i++) pay(setup)
  const [, second] = node.baseUtxos(alice.address)
  await submitDeposit(node, alice, second!)
  await request(node, 'POST', '/commit', utxoJson(node.baseUtxos(alice.address)[2]!))
  pay(setup, false)
  clock.advance(5)
  return setup
}

describe('the state of a local head node', () => {
  it.each(['0.22', '1.3', '2.0', '2.2', '2.3', '2.4', 'master'] as const)(
    'is the same after a dump and a load in another node: profile %s',
    async (profile) => {
      const setup = profile === '0.22' || profile === '1.3' ? setUp({ profile }) : await busyHead({ profile })
      if (setup.node.headStatus === 'Idle') {
        setup.client.send({ tag: 'Init' })
        setup.clock.advance(50)
      }
      const state = await setup.node.dumpState()
      const other = new DevNode({ profile, clock: manualClock(setup.clock.now()) })
      await other.loadState(JSON.parse(json(state)) as DevNodeState)
      expect(json(await other.dumpState())).toBe(json(state))
      expect(other.headId).toBe(setup.node.headId)
      expect(other.headUtxos()).toEqual(setup.node.headUtxos())
      expect(other.baseUtxos()).toEqual(setup.node.baseUtxos())
      for (const path of ['/head', '/snapshot', '/snapshot/last-seen', '/commits']) {
        expect([path, await request(other, 'GET', path)]).toEqual([path, await request(setup.node, 'GET', path)])
      }
      expect(new TestClient(other, 'history=yes').texts).toEqual(new TestClient(setup.node, 'history=yes').texts)
    }
  )

  it('goes on as if nothing had happened: the same messages at the same times, from the same inputs', async () => {
    const one = await busyHead()
    const clock = manualClock(one.clock.now())
    const node = new DevNode({ clock })
    await node.loadState(await one.node.dumpState())
    const other: Setup = { ...one, node, clock, client: new TestClient(node) }
    one.client.take()
    other.client.take()
    for (const setup of [one, other]) {
      setup.clock.advance(500)
      pay(setup)
      setup.client.send({ tag: 'Close' })
      setup.clock.advance(3000)
      setup.client.send({ tag: 'Fanout' })
      setup.clock.advance(100)
    }
    expect(one.client.tags()).toEqual(
      expect.arrayContaining(['SnapshotConfirmed', 'CommitFinalized', 'HeadIsFinalized'])
    )
    expect(other.client.messages).toEqual(one.client.messages)
    expect(json(await node.dumpState())).toBe(json(await one.node.dumpState()))
  })

  it('writes the snapshots of a large head as what has changed, and reads them back', async () => {
    const address = new DevNode().keys[0]!.address
    const setup = setUp({
      open: true,
      inHead: Array.from({ length: 300 }, () => ({ address, lovelace: 5_000_000 })),
      protocolParameters: { maxTxSize: 1_000_000 }
    })
    for (let i = 0; i < 20; i++) pay(setup)
    const state = await setup.node.dumpState()
    const { utxos } = state['rows'] as { utxos: readonly object[] }
    expect(utxos.filter((row) => 'from' in row).length).toBeGreaterThanOrEqual(20)
    // Greetings shows the slot.
    const other = new DevNode({ protocolParameters: { maxTxSize: 1_000_000 }, clock: manualClock(setup.clock.now()) })
    await other.loadState(state)
    expect(json(await other.dumpState())).toBe(json(state))
    expect(new TestClient(other, 'history=yes').texts).toEqual(new TestClient(setup.node, 'history=yes').texts)
  })

  it('comes back with a revert, as often as wanted; connections end with 1012 and counters go on', async () => {
    const setup = await busyHead()
    const { node, client, clock } = setup
    const before = json(await node.dumpState())
    const id = await node.snapshotState()
    for (let round = 0; round < 2; round++) {
      const { counters } = await node.status()
      node.faults.holdSnapshots = true
      await node.impersonate(setup.bob.address)
      await node.advanceTime(round * 10_000 + 300)
      node.abandonHead()
      await node.revertState(id)
      expect(json(await node.dumpState())).toBe(before)
      expect((await node.status()).counters).toEqual(counters)
    }
    expect(client.closedWith).toBe(1012)
    const again = new TestClient(node)
    clock.advance(500)
    expect(again.tags()).toContain('CommitFinalized')
    await expect(node.revertState('9')).rejects.toMatchObject({ code: 'DEVNODE_STATE' })
    await expect(node.revertState(1 as never)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it('is refused when it is damaged, cut short, of another version or of another node, and the node goes on', async () => {
    const { node } = await busyHead()
    const state = JSON.parse(json(await node.dumpState())) as Record<string, any>
    const before = json(state)
    const changed = (change: (copy: Record<string, any>) => void): DevNodeState => {
      const copy = structuredClone(state)
      change(copy)
      return copy as DevNodeState
    }
    const damaged = [
      null,
      5,
      [],
      {},
      'x',
      { format: 'layer-sdk devnode state' },
      changed((copy) => (copy['version'] = 1)),
      changed((copy) => (copy['version'] = 3)),
      changed((copy) => copy['rows'].outputs.pop()),
      changed((copy) => (copy['rows'].utxos[0] = [9999])),
      changed((copy) => (copy['roots'].hub.seq = -1)),
      changed((copy) => (copy['roots'] = null)),
      changed((copy) => delete copy['checksum'])
    ]
    for (const each of damaged)
      await expect(node.loadState(each as never)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT', argument: 'state' })
    for (const options of [
      { profile: '2.2' },
      { networkId: 1 },
      { seed: 'other' },
      { parties: 2 },
      { protocolParameters: { txFeeFixed: 7 } }
    ] as const) {
      await expect(new DevNode(options).loadState(state as never)).rejects.toMatchObject({ code: 'DEVNODE_STATE' })
    }
    expect(json(await node.dumpState())).toBe(before)
  })

  it('ends what waits for it: a deposit into the head and a request', async () => {
    const setup = openHead()
    const { node, alice } = setup
    const id = await node.snapshotState()
    const funding = expect(node.fundHead(alice.address, 5_000_000n)).rejects.toMatchObject({ code: 'DEVNODE_STATE' })
    const deleted = request(node, 'DELETE', `/commits/${'00'.repeat(32)}`)
    await node.revertState(id)
    await funding
    expect((await deleted).status).toBe(503)
  })

  it('is reached over HTTP, and a revert closes every socket with 1012', async () => {
    const node = await startDevNode({ port: 0, accounts: 1, open: true, control: true })
    const post = async (path: string, body: unknown): Promise<any> =>
      (await fetch(`${node.controlUrl}${path}`, { method: 'POST', body: json(body) })).json()
    const { id } = await post('/snapshot', {})
    await post('/faucet', { address: node.keys[0]!.address, lovelace: 5_000_000, in: 'head' })
    const sockets = [new WebSocket(node.url), new WebSocket(node.rpcUrl!.replace('http', 'ws'))]
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on('open', resolve))))
    const codes = sockets.map((socket) => new Promise((resolve) => socket.on('close', resolve)))
    expect(await post('/revert', { id })).toEqual({ id })
    expect(await Promise.all(codes)).toEqual([1012, 1012])
    expect(node.headUtxos()).toEqual([])
    const text = await (await fetch(`${node.controlUrl}/state`)).text()
    await post('/faucet', { address: node.keys[0]!.address, lovelace: 5_000_000 })
    const put = await fetch(`${node.controlUrl}/state`, { method: 'PUT', body: text })
    expect(put.status).toBe(200)
    expect(node.baseUtxos(node.keys[0]!.address)).toHaveLength(10)
    expect(
      (await fetch(`${node.controlUrl}/state`, { method: 'PUT', body: text.replace('"seq":', '"seq":1') })).status
    ).toBe(400)
    expect(await post('/revert', { id: 'none' })).toMatchObject({ code: 'DEVNODE_STATE' })
    await node.stop()
  })

  it.each(['2.3', 'master', '1.3'] as const)(
    'keeps the contestation period that its head was opened with, in a node that is set to another: profile %s',
    async (profile) => {
      const setup =
        profile === '1.3'
          ? setUp({ profile, timings: { contestationPeriodMs: 5_000 } })
          : openHead({ profile, timings: { contestationPeriodMs: 5_000 } })
      if (profile === '1.3') {
        setup.client.send({ tag: 'Init' })
        setup.clock.advance(200)
      }
      const periodOf = async (node: DevNode): Promise<number> =>
        (await request(node, 'GET', '/head')).body.contents.parameters.contestationPeriod
      expect(await periodOf(setup.node)).toBe(5)
      const clock = manualClock(setup.clock.now())
      const node = new DevNode({ profile, clock, timings: { contestationPeriodMs: 60_000 } })
      await node.loadState(JSON.parse(json(await setup.node.dumpState())) as DevNodeState)
      expect(await periodOf(node)).toBe(5)
      const client = new TestClient(node)
      if (profile === '1.3') return node.stop()
      client.send({ tag: 'Close' })
      clock.advance(100)
      const closedAt = Date.parse(client.last('HeadIsClosed')['contestationDeadline'] as string)
      expect(closedAt - clock.now()).toBeGreaterThan(4_000)
      expect(closedAt - clock.now()).toBeLessThan(5_001)
      node.contest()
      expect(Date.parse(client.last('HeadIsContested')['contestationDeadline'] as string) - closedAt).toBe(5_000)
      clock.advance(11_000)
      client.send({ tag: 'Fanout' })
      clock.advance(1_000)
      // The next head is this node's own.
      client.send({ tag: 'Init' })
      clock.advance(200)
      expect(await periodOf(node)).toBe(60)
      await node.stop()
    }
  )

  it.each([1, 3])('ends a random walk of control actions with reverts in equal dumps: parties %i', async (parties) => {
    const setup = openHead({ parties, timings: { contestationPeriodMs: 500 } })
    const { node, clock, alice, bob } = setup
    const isWhole = (): boolean => !node.faults.holdSnapshots && node.parties.every(({ settings }) => !settings.silent)
    let state = 20_251_122
    const below = (limit: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * limit)
    }
    const kept: { id: string; dump: string }[] = []
    const keep = async (): Promise<void> =>
      void kept.push({ dump: json(await node.dumpState()), id: await node.snapshotState() })
    await keep()
    const actions: (() => Promise<unknown>)[] = [
      keep,
      async () => {
        const { id, dump } = kept[below(kept.length)]!
        await node.revertState(id)
        expect(json(await node.dumpState())).toBe(dump)
        setup.client = new TestClient(node)
      },
      async () => node.fund([alice, bob][below(2)]!.address, 5_000_000n),
      () =>
        node.headStatus === 'Open' && isWhole()
          ? settle(clock, node.fundHead(alice.address, 9_000_000n)).catch(() => {})
          : Promise.resolve(),
      () => node.advanceTime(below(2_000)),
      async () => clock.advance(below(30)),
      async () => void (node.faults.holdSnapshots = below(2) === 0),
      async () => node.setDrift(below(3)),
      () => node.impersonate([alice, bob][below(2)]!.address),
      async () => {
        if (node.headUtxos(alice.address).length > 0) pay(setup, below(2) === 0)
      },
      async () =>
        void node.parties[below(parties)]!.set({
          silent: parties > 1 && below(3) === 0,
          signDelayMs: below(2) * below(200),
          closeWithOld: below(2) === 0
        }),
      async () => void (node.parties[below(parties)]!.faults.seqGap = below(2)),
      async () => new TestClient(node.parties[below(parties)]!).send({ tag: ['Close', 'Fanout', 'Init'][below(3)]! }),
      async () => setup.client.send({ tag: ['Close', 'Fanout', 'Init', 'Init'][below(4)]! }),
      async () => node.loadState(JSON.parse(json(await node.dumpState())) as DevNodeState)
    ]
    for (let i = 0; i < scaled(500); i++) await actions[below(actions.length)]!()
    for (const { id, dump } of kept.slice(-100)) {
      await node.revertState(id)
      expect(json(await node.dumpState())).toBe(dump)
    }
    await node.stop()
  })

  it('is that of every party: a load goes on at each of them as if nothing had happened', async () => {
    const one = openHead({ parties: 3 })
    await deposit(one, one.alice)
    const [first, second, third] = one.node.parties
    second!.set({ signDelayMs: 300 })
    third!.set({ silent: true })
    pay(one, false)
    await submitDeposit(one.node, one.alice, one.node.baseUtxos(one.alice.address)[0]!)
    // What its own client sends waits there, and so does what the others have sent.
    new TestClient(third!).send(newTx(envelopeOf(signTx(hexToBytes(payment(one, 7_000_000n)), one.alice))))
    one.clock.advance(30)
    first!.faults.holdSnapshots = true
    const state = await one.node.dumpState()
    const clock = manualClock(one.clock.now())
    const node = new DevNode({ clock, parties: 3 })
    await node.loadState(JSON.parse(json(state)) as DevNodeState)
    expect(json(await node.dumpState())).toBe(json(state))
    const heads = [one, { ...one, node, clock }].map((setup) => ({
      ...setup,
      clients: setup.node.parties.map((party) => new TestClient(party, 'history=yes'))
    }))
    for (const { node: each, clock: time } of heads) {
      time.advance(20)
      each.parties[2]!.set({ silent: false })
      time.advance(1_000)
      each.faults.holdSnapshots = false
      time.advance(1_000)
      expect((await request(each.parties[2]!, 'GET', '/snapshot')).body.snapshot.number).toBeGreaterThan(1)
    }
    const [before, after] = heads
    for (const i of [0, 1, 2]) expect(after!.clients[i]!.texts).toEqual(before!.clients[i]!.texts)
    expect(after!.clients[2]!.tags()).toEqual(
      expect.arrayContaining(['TxValid', 'SnapshotConfirmed', 'CommitFinalized'])
    )
    for (const path of ['/head', '/snapshot', '/snapshot/last-seen', '/commits']) {
      const [expected, other] = await Promise.all(
        [one.node, node].map((each) => Promise.all(each.parties.map((party) => request(party, 'GET', path))))
      )
      expect([path, other]).toEqual([path, expected])
    }
    expect((await node.dumpState())['roots']).toEqual((await one.node.dumpState())['roots'])
  })

  it('is refused by a node whose head is forked from another one, or from none', async () => {
    const [plain, fork, other] = [null, 'ab'.repeat(28), 'cd'.repeat(28)].map(
      (forkedHeadId) => new DevNode({ open: true }, forkedHeadId)
    )
    for (const [from, to] of [
      [plain, fork],
      [fork, plain],
      [fork, other]
    ] as const) {
      await expect(to!.loadState(await from!.dumpState())).rejects.toMatchObject({
        code: 'DEVNODE_STATE',
        message: expect.stringContaining('forkOf') as string
      })
    }
    await fork!.loadState(await fork!.dumpState())
    await Promise.all([plain, fork, other].map((node) => node!.stop()))
  })
})
