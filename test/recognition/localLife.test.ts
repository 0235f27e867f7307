import { lovelaceIn, LocalHead } from './localHead'
import { sums } from './madeHead'

const ADA = 1_000_000n

describe.each(['2.3', '2.4'] as const)('a head of profile %s on its base ledger', (profile) => {
  it('is recognised in each state of its life, with no money missing or counted twice', async () => {
    const head = new LocalHead(profile, { parties: 2 })
    const { node, client } = head
    const total = head.baseLovelace()
    let spent = 0n
    const see = async (more = {}): Promise<any> => {
      const found = await head.recognise(more)
      if (found.inHead !== null) expect(lovelaceIn(found, head.baseLovelace())).toBe(total - spent)
      return found
    }
    const rules = profile === '2.4' ? ['2.4', 8] : ['2.3', 7]
    expect((await see()).state).toBe('NO_HEAD')
    await head.open()
    expect(await see()).toMatchObject({ state: 'VERIFIED_IN_HEAD', snapshot: { number: 0, version: 0 } })

    node.faults.holdSnapshots = true
    await head.deposit()
    expect((await see()).deposits).toMatchObject([
      { state: 'PENDING_DEPOSIT', phase: profile === '2.4' ? 'waiting' : null, depositTxId: head.depositTxId }
    ])
    await head.advance(3_000)
    if (profile === '2.4') expect((await see()).deposits).toMatchObject([{ phase: 'claimable' }])
    node.faults.holdSnapshots = false
    await head.advance(100)
    expect(await see()).toMatchObject({
      state: 'VERIFIED_IN_HEAD',
      snapshot: { number: 1, version: 0, rule: rules[0], settled: false },
      evidence: { datum: { fields: rules[1] }, signatures: 2, backed: true },
      deposits: [{ inSnapshot: true }]
    })

    await head.advance(2_001)
    const settled = await see()
    expect([settled.snapshot.settled, sums(settled.inHead)]).toEqual([true, [1000, 0, 0]])
    expect(await see({ strict: true })).toMatchObject({ state: 'UNVERIFIABLE', reason: 'stale' })

    await head.pay(3n * ADA)
    spent = 3n * ADA
    const verified = await see()
    expect([verified.snapshot, sums(verified.inHead)]).toEqual([
      { number: 2, version: 1, rule: rules[0], settled: false },
      [997, 0, 0]
    ])

    await head.decommit(100n * ADA)
    expect(sums((await see()).inHead)).toEqual([897, 0, 100])
    await head.advance(2_001)
    expect(sums((await see()).inHead)).toEqual([897, 0, 0])
    await head.pay(1n * ADA)
    spent += 1n * ADA
    await head.pay(1n * ADA)
    spent += 1n * ADA

    node.parties[0]!.set({ closeWithOld: true })
    client.send({ tag: 'Close' })
    await head.advance(2_001)
    const old = await head.recognise()
    expect(old).toMatchObject({ state: 'HEAD_CLOSING', closing: { phase: 'contestable' } })
    await head.advance(2_001)
    const closing = await see()
    expect(closing).toMatchObject({ state: 'HEAD_CLOSING', evidence: { set: 'on-chain', backed: true } })
    expect(sums(closing.inHead)).toEqual([895, 0, 0])
    expect(closing.closing.snapshotNumber).toBe(old.closing!.snapshotNumber! + 1)
    expect(closing.closing.deadlineMs).toBeGreaterThan(old.closing!.deadlineMs)
    await head.advance(130_000)
    expect((await see()).closing.phase).toBe('payable')

    if (profile === '2.4') {
      const { utxo } = (await head.snapshot()).snapshot
      const [own] = Object.entries<any>(utxo).filter(([, output]) => output.address === head.bob.address)
      client.send({ tag: 'PartialFanout', utxoToFanout: Object.fromEntries([own!]) })
      await head.advance(2_100)
      const half = await head.recognise()
      expect(half).toMatchObject({ state: 'HEAD_CLOSING', closing: { phase: 'paying-out', snapshotNumber: null } })
      const left = Object.fromEntries(Object.entries(utxo).filter(([ref]) => ref !== own![0]))
      client.send({ tag: 'PartialFanout', utxoToFanout: left })
    } else client.send({ tag: 'Fanout' })
    await head.advance(2_100)
    expect(head.status).toBe('Idle')
    expect((await see()).state).toBe('NO_HEAD')
    expect(head.baseLovelace()).toBe(total - spent)
    await node.stop()
  })

  it('shows a recovered deposit as money of the base ledger again', async () => {
    const head = new LocalHead(profile)
    await head.open()
    head.node.faults.holdSnapshots = true
    const total = head.baseLovelace()
    await head.deposit()
    await head.advance(5_000)
    const { deadlineMs } = (await head.recognise()).deposits[0]!
    const nowMs = (await head.recognise()).asOf.timeMs
    await head.advance(deadlineMs - nowMs - 300_000)
    if (profile === '2.4') expect((await head.recognise()).deposits).toMatchObject([{ phase: 'expired' }])
    await head.advance(302_000)
    expect((await head.recognise()).deposits).toMatchObject([{ state: 'RECOVERABLE', phase: 'recoverable' }])
    head.node.faults.holdSnapshots = false
    const reply = head.node.request({ method: 'DELETE', path: `/commits/${head.depositTxId}`, body: '' })
    await head.advance(3_000)
    expect((await reply).status).toBe(200)
    expect((await head.recognise()).deposits).toEqual([])
    expect(head.baseLovelace()).toBe(total)
    await head.node.stop()
  })
})
