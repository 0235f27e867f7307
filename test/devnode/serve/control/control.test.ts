import { DevNode, manualClock } from '../../../../src/devnode'
import type { ManualClock } from '../../../../src/devnode'
import { buildPayment } from '../../../../src/tx'
import { newTx, openHead, setUp, TestClient } from '../../harness'
import { envelopeOf } from '../../transactions'
import { hexToBytes } from '../../../../src/codec/hex'

/** Settles a promise whose end a manual clock brings about. */
const settle = <T>(clock: ManualClock, promise: Promise<T>): Promise<T> => clock.runUntil(promise, 60_000)

describe('advanceTime', () => {
  it("lets everything due happen in order and at its own time, through a head's life", async () => {
    const { node, client } = openHead({ timings: { contestationPeriodMs: 3_600_000 } })
    client.send({ tag: 'Close' })
    const startMs = (await node.status()).timeMs
    await node.advanceTime(7_200_000)
    const [closed, ready] = [client.last('HeadIsClosed'), client.last('ReadyToFanout')]
    expect(Date.parse(closed['timestamp'] as string)).toBe(startMs + 50)
    expect(Date.parse(ready['timestamp'] as string)).toBe(Date.parse(closed['contestationDeadline'] as string) + 1)
    expect((await node.status()).timeMs).toBe(startMs + 7_200_000)
    client.send({ tag: 'Fanout' })
    await node.advanceTime(50)
    expect(client.tags().at(-1)).toBe('HeadIsFinalized')
  })

  it('moves the slot, and timers of the other clock keep their distance', async () => {
    const { node, clock, client } = setUp()
    const before = node.slot
    client.send({ tag: 'Init' })
    await node.advanceTime(20)
    expect(node.headStatus).toBe('Idle')
    clock.advance(29)
    expect(node.headStatus).toBe('Idle')
    clock.advance(1)
    expect(node.headStatus).toBe('Open')
    expect(await node.advanceTime(1_000_000)).toMatchObject({ slot: before + 1000 })
  })

  it('passes a year in a moment while snapshots are held', async () => {
    const { node } = openHead({ faults: { holdSnapshots: true } })
    const funding = node.fundHead(node.keys[0]!.address, 5_000_000n)
    const refused = expect(funding).rejects.toMatchObject({ code: 'DEVNODE_STATE' })
    await node.advanceTime(365 * 86_400_000)
    await refused
    expect(node.headStatus).toBe('Open')
  })

  it('runs one after another, and refuses what is no way forward', async () => {
    const node = new DevNode({ clock: manualClock() })
    const start = (await node.status()).timeMs
    const results = await Promise.all([node.advanceTime(10), node.advanceTime(20), node.advanceTime(0)])
    expect(results.map(({ timeMs }) => timeMs - start)).toEqual([10, 30, 30])
    for (const ms of [-1, NaN, Infinity, '5', null, undefined, 9e15])
      await expect(node.advanceTime(ms as never)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect((await node.advanceTime(1)).timeMs - start).toBe(31)
  })
})

describe('fundHead', () => {
  it('brings outputs into the head by a deposit that every client sees', async () => {
    const { node, clock, client, alice } = openHead()
    const { utxos, depositTxId } = await settle(
      clock,
      node.fundHead(alice.address, 5_000_000n, [{ unit: 'lovelace', quantity: '7000000' }])
    )
    expect(utxos.map(({ output }) => output.amount[0]!.quantity)).toEqual(['5000000', '7000000'])
    expect(node.headUtxos(alice.address)).toEqual(utxos)
    expect(client.tags()).toEqual(
      expect.arrayContaining([
        'CommitRecorded',
        'DepositActivated',
        'SnapshotConfirmed',
        'CommitApproved',
        'CommitFinalized'
      ])
    )
    expect(client.last('CommitFinalized')['depositTxId']).toBe(depositTxId)
  })

  it('leaves nothing behind when the head takes no such output', async () => {
    const { node, alice } = openHead()
    const before = node.baseUtxos()
    for (const outputs of [[], [1n], [1_000_000n], [[{ unit: 'lovelace', quantity: '5' }]], [0n]] as never[][]) {
      await expect(node.fundHead(alice.address, ...outputs)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
    }
    await expect(node.fundHead('nobody', 5_000_000n)).rejects.toMatchObject({ code: 'INPUT_ADDRESS' })
    expect(node.baseUtxos()).toEqual(before)
  })

  it('rejects without an open head, when the head closes meanwhile, and when the node stops', async () => {
    const idle = new DevNode({ clock: manualClock() })
    await expect(idle.fundHead(idle.keys[0]!.address, 5_000_000n)).rejects.toMatchObject({ code: 'DEVNODE_STATE' })

    const closing = openHead()
    const funding = closing.node.fundHead(closing.alice.address, 5_000_000n)
    const closed = expect(funding).rejects.toMatchObject({ code: 'DEVNODE_STATE' })
    await closing.node.status()
    closing.client.send({ tag: 'Close' })
    closing.clock.advance(50)
    await closed

    const stopping = openHead()
    const waiting = stopping.node.fundHead(stopping.alice.address, 5_000_000n)
    const stopped = expect(waiting).rejects.toMatchObject({ code: 'DEVNODE_STATE' })
    await stopping.node.status()
    await stopping.node.stop()
    await stopped
  })
})

describe('impersonate', () => {
  it('takes transactions of the address without its signature on both ledgers, and nobody else without theirs', async () => {
    const { node, clock, client, alice, bob } = openHead()
    const { utxos } = await settle(clock, node.fundHead(alice.address, 50_000_000n))
    const pay = (from: typeof utxos): string =>
      buildPayment({ utxos: [...from], to: bob.address, amount: 2_000_000n, changeAddress: alice.address }).cborHex
    const inHead = pay(utxos)
    client.send(newTx(envelopeOf(hexToBytes(inHead))))
    clock.advance(1000)
    expect(client.last('TxInvalid')['validationError'].reason).toContain('MissingVKeyWitnesses')

    expect(await node.impersonate(alice.address)).toEqual([alice.address])
    const again = new TestClient(node)
    again.send(newTx(envelopeOf(hexToBytes(inHead))))
    clock.advance(1000)
    expect(again.last('SnapshotConfirmed')['snapshot'].confirmed).toHaveLength(1)

    const onBase = pay(node.baseUtxos(alice.address).slice(0, 1))
    const reasons = await node.submitBaseTx(onBase)
    expect(reasons.join()).not.toContain('MissingVKeyWitnesses')
    const foreign = pay(node.baseUtxos(bob.address).slice(0, 1))
    expect((await node.submitBaseTx(foreign)).join()).toContain('MissingVKeyWitnesses')
  })

  it('refuses addresses without a key or of another network', async () => {
    const node = new DevNode()
    for (const address of [
      'addr_test1wpnlxv2xv9a9ucvnvzqakwepzl9ltx7jzgm53av2e9ncv4sysemm8',
      new DevNode({ networkId: 1 }).keys[0]!.address
    ]) {
      await expect(node.impersonate(address)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
    }
    await expect(node.impersonate('nobody')).rejects.toMatchObject({ code: 'INPUT_ADDRESS' })
  })
})
