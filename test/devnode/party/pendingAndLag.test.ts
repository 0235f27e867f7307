import type { DevNodeOptions, DevNodeProfile, FundedKey } from '../../../src/devnode'
import type { Message, Setup } from '../harness'
import { newTx, openHead, request, submitDeposit, TestClient } from '../harness'
import { lovelaceOf, pay } from '../transactions'

describe('the window between CommitApproved and CommitFinalized', () => {
  it.each(['2.3', '2.4'] as const)(
    'is as long as the knob says, and what is in it shows and cannot be spent: profile %s',
    async (profile) => {
      const setup = openHead({ profile, faults: { pendingWindowMs: 180_000 } })
      const { node, client, clock, alice, bob } = setup
      const utxo = node.baseUtxos(alice.address)[0]!
      await submitDeposit(node, alice, utxo)
      clock.advance(1000)
      expect(client.tags()).toContain('CommitApproved')
      expect(Object.keys((await request(node, 'GET', '/snapshot/utxo')).body)).toEqual([
        `${utxo.input.txHash}#${utxo.input.index}`
      ])
      const payment = pay(utxo, alice, bob.address, 5_000_000n)
      for (let attempt = 1; attempt <= 3; attempt++) {
        client.send(newTx(payment))
        clock.advance(21_000)
        expect(client.all('TxInvalid')).toHaveLength(attempt)
      }
      expect(client.last('TxInvalid')['validationError'].reason).toContain('All inputs are spent')
      expect(client.all('CommitFinalized')).toEqual([])
      clock.advance(180_000 - 63_000)
      expect(client.all('CommitFinalized')).toHaveLength(1)
      client.send(newTx(payment))
      clock.advance(100)
      expect(client.last('SnapshotConfirmed')['snapshot'].confirmed).toMatchObject([{ txId: payment.txId }])
    }
  )

  it('is no longer than a block without the knob', async () => {
    const { node, client, clock, alice } = openHead()
    await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
    clock.advance(250)
    expect(client.all('CommitFinalized')).toHaveLength(1)
  })
})

describe('a close that is lost', () => {
  it('leaves the head open without a word, and the next one closes it', () => {
    const { node, client, clock } = openHead({ faults: { loseCloses: 1 } })
    client.take()
    client.send({ tag: 'Close' })
    clock.advance(60_000)
    expect([client.take(), node.headStatus, node.faults.loseCloses]).toEqual([[], 'Open', 0])
    client.send({ tag: 'Close' })
    clock.advance(100)
    expect(client.tags()).toEqual(['HeadIsClosed'])
  })
})

interface Lagging extends Setup {
  readonly far: TestClient
  decommit(index: number): string
  payment(index: number): string
}

/**
 * A head of two parties with six outputs of alice, a first decommit that is final at the first party, and the second
 * not yet there.
 */
async function lagging(options: DevNodeOptions & { profile: DevNodeProfile }, peerLagMs: number): Promise<Lagging> {
  const setup = openHead({ parties: 2, ...options })
  const { node, client, clock, alice } = setup
  const far = new TestClient(node.parties[1]! as never)
  for (const utxo of node.baseUtxos(alice.address).slice(0, 6)) {
    await submitDeposit(node, alice, utxo)
    clock.advance(1000)
  }
  const held = node.headUtxos(alice.address)
  const all = (index: number, owner: FundedKey = alice) =>
    pay(held[index]!, owner, owner.address, lovelaceOf(held[index]!.output))
  const decommit = (index: number): string => {
    const tx = all(index)
    client.send({ tag: 'Decommit', decommitTx: tx })
    return tx.txId
  }
  const payment = (index: number): string => {
    const tx = all(index)
    client.send(newTx(tx))
    return tx.txId
  }
  node.faults.peerLagMs = peerLagMs
  decommit(0)
  clock.advance(1000)
  expect(client.all('DecommitFinalized')).toHaveLength(1)
  return { ...setup, far, decommit, payment }
}

const numbers = ({ client }: Setup): number[] => client.all('SnapshotConfirmed').map(({ snapshot }) => snapshot.number)
const approved = ({ client }: Setup): string[] =>
  client.all('DecommitApproved').map(({ decommitTxId }: Message) => decommitTxId)

describe.each(['2.3', '2.4'] as const)('a party that sees the base ledger 20 s late, profile %s', (profile) => {
  it('sees each step, in order, that much later than the first', async () => {
    const head = await lagging({ profile }, 20_000)
    expect(head.far.all('DecommitFinalized')).toEqual([])
    head.clock.advance(20_000)
    expect(head.far.all('DecommitFinalized')).toHaveLength(1)
    expect(head.far.tags().filter((tag) => tag.startsWith('Decommit'))).toEqual([
      'DecommitRequested',
      'DecommitApproved',
      'DecommitFinalized'
    ])
  })

  it('wedges the head by a second decommit before that: it is never approved, and no other is accepted', async () => {
    const head = await lagging({ profile }, 20_000)
    const second = head.decommit(1)
    head.clock.advance(600_000)
    expect(approved(head)).not.toContain(second)
    expect(head.far.last('DecommitInvalid')).toMatchObject({
      decommitTx: { txId: second },
      decommitInvalidReason: { tag: 'DecommitAlreadyInFlight' }
    })
    head.decommit(2)
    expect(head.client.last('DecommitInvalid')['decommitInvalidReason']).toEqual({
      tag: 'DecommitAlreadyInFlight',
      otherDecommitTxId: second
    })
    const before = numbers(head).at(-1)
    head.clock.advance(600_000)
    expect(numbers(head).at(-1)).toBe(before)
    head.client.send({ tag: 'Close' })
    head.clock.advance(100)
    expect(head.client.tags()).toContain('HeadIsClosed')
  })

  it('wedges the head for good when it asks for a snapshot meanwhile, also once it has caught up', async () => {
    const head = await lagging({ profile }, 20_000)
    head.payment(1)
    head.clock.advance(60_000)
    const stuck = numbers(head)
    head.node.faults.peerLagMs = 0
    head.payment(2)
    head.clock.advance(60_000)
    expect(numbers(head)).toEqual(stuck)
    expect(head.client.all('TxValid')).toHaveLength(2)
  })

  it('does no harm to who waits until it has caught up', async () => {
    const head = await lagging({ profile }, 20_000)
    for (const index of [1, 2, 3, 4]) {
      head.clock.advance(45_000)
      const id = head.decommit(index)
      head.clock.advance(2_000)
      expect(approved(head)).toContain(id)
    }
    head.clock.advance(45_000)
    head.payment(5)
    head.clock.advance(1_000)
    expect(head.client.last('SnapshotConfirmed')['snapshot'].confirmed).toHaveLength(1)
  })

  it('is no matter without the knob: two decommits follow one another at once', async () => {
    const head = await lagging({ profile }, 0)
    const second = head.decommit(1)
    head.clock.advance(1_000)
    expect(approved(head)).toContain(second)
  })
})
