import { hexToBytes } from '../../../src/codec/hex'
import type { DevNodeProfile } from '../../../src/devnode'
import type { Setup } from '../harness'
import { request, setUp, submitDeposit, utxoJson } from '../harness'
import type { Envelope } from '../transactions'
import { envelopeOf, signTx } from '../transactions'

// cardano-scaling/hydra, hydra-node/src/Hydra/HeadLogic.hs: OnDepositTx and OnRecoverTx at 0.22.4:1371, 1.3.0:1598,
// 2.0.0:1601, 2.2.0:1747, 2.3.0:1768 and ca8d19bca:2065; aggregate at 0.22.4:1617. GET /commits is a projection of its
// own: API/Server.hs, projectPendingDeposits.
const DEADLINE_MS = 300_000

/** An open head, through Initializing before 2.0. */
async function opened(profile: DevNodeProfile): Promise<Setup> {
  const setup = setUp({ profile, timings: { depositPeriodMs: DEADLINE_MS / 3, depositDelayMs: 60_000 } })
  await openAnother(setup)
  return setup
}

async function openAnother({ node, client, clock, bob }: Setup): Promise<void> {
  client.send({ tag: 'Init' })
  clock.advance(60)
  if (node.headStatus === 'Initializing') {
    await submitDeposit(node, bob, node.baseUtxos(bob.address)[0]!)
    clock.advance(200)
  }
  expect(node.headStatus).toBe('Open')
}

function close({ node, client, clock }: Setup): void {
  client.send({ tag: 'Close' })
  clock.advance(60)
  expect(node.headStatus).toBe('Closed')
}

function finish(setup: Setup): void {
  const { node, client, clock } = setup
  close(setup)
  clock.advance(2_100)
  client.send({ tag: 'Fanout' })
  clock.advance(200)
  expect(node.headStatus).toBe('Idle')
}

/** A deposit that is drafted and signed, but not submitted yet. */
async function signedDraft({ node, alice }: Setup): Promise<Envelope> {
  const draft = await request(node, 'POST', '/commit', utxoJson(node.baseUtxos(alice.address)[0]!))
  expect(draft.status).toBe(200)
  return envelopeOf(signTx(hexToBytes(draft.body.cborHex as string), alice))
}

async function submit({ node, client, clock }: Setup, tx: Envelope): Promise<void> {
  client.take()
  expect((await request(node, 'POST', '/cardano-transaction', tx)).status).toBe(200)
  clock.advance(60)
}

const listed = async ({ node }: Setup): Promise<unknown> => (await request(node, 'GET', '/commits')).body

describe('a deposit that reaches the base ledger', () => {
  it.each(['1.3', '2.0', '2.2', '2.3', '2.4', 'master'] as const)(
    'after its head has closed is recorded in profile %s, and can be recovered',
    async (profile) => {
      const setup = await opened(profile)
      const { client, clock } = setup
      const draft = await signedDraft(setup)
      close(setup)
      await submit(setup, draft)
      expect(client.last('CommitRecorded')).toMatchObject({ pendingDeposit: draft.txId })
      expect(await listed(setup)).toEqual([draft.txId])
      clock.advance(DEADLINE_MS + 60_000)
      client.send({ tag: 'Recover', recoverTxId: draft.txId })
      clock.advance(60)
      expect(client.last('CommitRecovered')).toMatchObject({ recoveredTxId: draft.txId })
      expect(await listed(setup)).toEqual([])
    }
  )

  it.each(['1.3', '2.0', '2.2'] as const)(
    'after its head is over is recorded in profile %s, and can be recovered without a head',
    async (profile) => {
      const setup = await opened(profile)
      const { node, client, clock } = setup
      const draft = await signedDraft(setup)
      finish(setup)
      await submit(setup, draft)
      expect(client.last('CommitRecorded')).toMatchObject({ pendingDeposit: draft.txId })
      clock.advance(DEADLINE_MS + 1_000)
      expect(client.tags()).toEqual(expect.arrayContaining(['DepositActivated', 'DepositExpired']))
      client.send({ tag: 'Recover', recoverTxId: draft.txId })
      clock.advance(60)
      expect([client.last('CommitRecovered')['recoveredTxId'], node.headStatus]).toEqual([draft.txId, 'Idle'])
    }
  )

  it.each(['2.3', '2.4', 'master'] as const)('after its head is over is nothing to profile %s', async (profile) => {
    const setup = await opened(profile)
    const draft = await signedDraft(setup)
    finish(setup)
    await submit(setup, draft)
    expect(setup.client.all('CommitRecorded')).toEqual([])
    expect(await listed(setup)).toEqual([])
  })

  it('after its head has closed is nothing to profile 0.22', async () => {
    const setup = await opened('0.22')
    const draft = await signedDraft(setup)
    close(setup)
    await submit(setup, draft)
    expect(setup.client.all('CommitRecorded')).toEqual([])
    expect(await listed(setup)).toEqual([])
  })
})

describe('a deposit that is pending when its head ends', () => {
  it.each(['1.3', '2.0', '2.2', '2.3', '2.4', 'master'] as const)(
    'never gets into the next head of profile %s, in which it can be recovered',
    async (profile) => {
      const setup = await opened(profile)
      const { node, client, clock } = setup
      const draft = await signedDraft(setup)
      await submit(setup, draft)
      finish(setup)
      await openAnother(setup)
      client.take()
      clock.advance(DEADLINE_MS + 60_000)
      expect(client.tags()).toEqual(expect.arrayContaining(['DepositActivated', 'DepositExpired']))
      expect(client.tags()).not.toContain('SnapshotConfirmed')
      expect(await listed(setup)).toEqual([draft.txId])
      client.send({ tag: 'Recover', recoverTxId: draft.txId })
      clock.advance(60)
      expect([client.last('CommitRecovered')['recoveredTxId'], node.headStatus]).toEqual([draft.txId, 'Open'])
      expect(await listed(setup)).toEqual([])
    }
  )

  it('is forgotten with it in profile 0.22, though it stays listed', async () => {
    const setup = await opened('0.22')
    const { client, clock } = setup
    const draft = await signedDraft(setup)
    await submit(setup, draft)
    finish(setup)
    await openAnother(setup)
    client.take()
    clock.advance(DEADLINE_MS + 60_000)
    client.send({ tag: 'Recover', recoverTxId: draft.txId })
    clock.advance(60)
    expect(client.messages).toEqual([])
    expect(await listed(setup)).toEqual([draft.txId])
  })
})
