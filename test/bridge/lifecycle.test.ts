import { depositAll, startHead } from '../support/openHead'
import type { Head } from '../support/openHead'

describe('a head from Init to Fanout, against the local node', () => {
  let head: Head
  beforeAll(async () => {
    head = await startHead({ open: false })
  })
  afterAll(async () => head.stop())

  it('opens, takes a deposit, confirms payments, takes a decommit, closes and fans out', async () => {
    const { bridge, node, wallets } = head
    const [alice, bob] = wallets.map((wallet) => wallet.getAddressBech32()) as [string, string]
    expect(bridge.headStatus).toBe('Idle')
    expect((await bridge.headInfo()).headStatus).toBe('Idle')
    const opened = await bridge.commands.initSync()
    expect(opened.tag).toBe('HeadIsOpen')
    expect(bridge.headStatus).toBe('Open')
    expect(bridge.getAddressBalance(alice)).toEqual(new Map())

    await depositAll(node, bridge, wallets[0]!)
    expect(bridge.getAddressBalance(alice)?.get('lovelace')).toBe(2_000_000_000n)
    expect(await bridge.pendingDeposits()).toEqual([])

    const sync = await bridge.submitTxSync(await head.payment(bob, 5_000_000n))
    expect(sync).toMatchObject({ isValid: true, isConfirmed: true })
    expect(sync.result?.snapshot.number).toBe(bridge.lastSnapshotNumber)
    expect(bridge.getAddressBalance(bob)?.get('lovelace')).toBe(5_000_000n)

    const l2 = await head.payment(bob, 7_000_000n)
    const confirmed = bridge.waitFor('SnapshotConfirmed', { timeout: 5_000 })
    expect(await bridge.submitL2Tx(l2)).toEqual({ tag: 'SubmitTxSubmitted' })
    expect((await confirmed).snapshot.confirmed[0]?.txId).toBe(l2.txId)

    const leaving = await head.payment(alice, 3_000_000n)
    const approved = await bridge.commands.decommit({ cborHex: leaving.cborHex, txId: leaving.txId })
    expect(approved.decommitTxId).toBe(leaving.txId)
    await bridge.waitFor('DecommitFinalized', { timeout: 5_000 })

    const ready = bridge.waitFor('ReadyToFanout', { timeout: 5_000 })
    bridge.commands.close()
    await ready
    expect(bridge.headStatus).toBe('FanoutPossible')
    expect(bridge.contestationDeadline).toBeGreaterThan(0)
    const finalized = bridge.waitFor('HeadIsFinalized', { timeout: 5_000 })
    bridge.commands.fanout()
    await finalized
    expect(bridge.headStatus).toBe('Idle')
    expect(bridge.getAddressBalance(alice)).toBeNull()
  })
})
