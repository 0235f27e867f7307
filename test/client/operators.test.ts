import { contextParts } from '../../src/client/ClientContext'
import type { DepositStep, HeadClient } from '../../src/client/index'
import { until } from '../gateway/support'
import { ADA, startClientHead } from './support'
import type { ClientHead } from './support'

// What operators of real heads have met: each of these took them hours, or the head.
jest.mock('../../src/client/limits', () => ({
  ...jest.requireActual<object>('../../src/client/limits'),
  RESEND_AFTER_MS: 100,
  RECOVER_AGAIN_MS: 50
}))

let head: ClientHead
afterEach(async () => {
  jest.restoreAllMocks()
  await head.stop()
})
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('a transaction of a head that expires in the mempool', () => {
  it('of a close is sent again, and the head is closed', async () => {
    head = await startClientHead()
    head.node.faults.loseCloses = 2
    const client = await head.client()
    const steps: string[] = []
    await expect(client.closeHead({ onProgress: ({ state }) => steps.push(state) })).resolves.toMatchObject({
      tag: 'HeadIsClosed'
    })
    expect([steps, head.node.faults.loseCloses]).toEqual([['submitted', 'closed'], 0])
  })

  it('of a fanout is sent again, and the head is paid out', async () => {
    head = await startClientHead()
    const client = await head.client()
    const fanout = jest.spyOn(client.bridge.commands, 'fanout').mockImplementationOnce(() => undefined)
    await expect(client.closeAndFanoutHead()).resolves.toMatchObject({ tag: 'HeadIsFinalized' })
    expect(fanout.mock.calls.length).toBeGreaterThanOrEqual(2)
  })

  it('is never sent again once the head is closed, or the call has ended', async () => {
    head = await startClientHead({ node: { timings: { contestationPeriodMs: 600 } } })
    const client = await head.client()
    const close = jest.spyOn(client.bridge.commands, 'close')
    await client.closeHead()
    await pause(300)
    expect(close).toHaveBeenCalledTimes(1)
    head.node.faults.muteSockets = true
    await expect(client.fanoutHead({ timeout: 150 })).rejects.toMatchObject({ code: 'CLIENT_TIMEOUT' })
    await pause(300)
    expect(close).toHaveBeenCalledTimes(1)
  })
})

describe('a deposit that a signed snapshot brings into the head', () => {
  it.each(['2.3', '2.4'] as const)('is not recovered, and the head stays whole: node %s', async (profile) => {
    head = await startClientHead({
      deposit: 0n,
      node: { profile, timings: { depositPeriodMs: 400 }, faults: { pendingWindowMs: 2_500 } }
    })
    const client = await head.client()
    const steps: DepositStep[] = []
    const deposit = client.deposit({ amount: 20n * ADA, onProgress: ({ state }) => steps.push(state) })
    deposit.catch(() => undefined)
    await until('the approval', () => steps.includes('approved'))
    const [depositTxId] = await client.bridge.pendingDeposits()
    const asked = jest.spyOn(client.bridge, 'recoverDeposit')
    // Its deadline is over, and the base ledger would let it go.
    await pause(1_200)
    await expect(client.recover({ depositTxId: depositTxId! })).rejects.toMatchObject({
      code: 'CLIENT_DEPOSIT_IN_SNAPSHOT',
      outcome: 'none',
      depositTxId
    })
    expect(await client.recover()).toEqual([])
    expect([asked.mock.calls, await client.bridge.pendingDeposits()]).toEqual([[], [depositTxId]])
  })

  it('stands in the way of no other deposit', async () => {
    head = await startClientHead({ deposit: 20n * ADA, node: { timings: { depositPeriodMs: 800 } } })
    const client = await head.client()
    head.node.faults.holdSnapshots = true
    const expired = await client.deposit({ amount: 5n * ADA }).catch((error: unknown) => error)
    expect(expired).toMatchObject({ code: 'CLIENT_DEPOSIT_EXPIRED' })
    const { depositTxId } = expired as { depositTxId: string }
    // The newest snapshot still names the first deposit.
    await expect(client.recover({ depositTxId })).resolves.toEqual([depositTxId])
  })
})

describe('a deposit that expired', () => {
  const expire = async (depositPeriodMs: number): Promise<{ client: HeadClient; depositTxId: string }> => {
    head = await startClientHead({ deposit: 0n, node: { timings: { depositPeriodMs } } })
    head.node.faults.holdSnapshots = true
    const client = await head.client()
    const error = await client.deposit({ amount: 5n * ADA }).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: 'CLIENT_DEPOSIT_EXPIRED' })
    return { client, depositTxId: (error as { depositTxId: string }).depositTxId }
  }

  it('is recovered by a call before its deadline, which waits for it', async () => {
    const { client, depositTxId } = await expire(500)
    const asked = jest.spyOn(client.bridge, 'recoverDeposit')
    await expect(client.recover({ depositTxId: depositTxId.toUpperCase() })).resolves.toHaveLength(1)
    expect(asked.mock.calls.length).toBeGreaterThan(1)
  })

  it('is refused at once where its deadline comes after the time limit of the call', async () => {
    const { client, depositTxId } = await expire(3_000)
    const asked = jest.spyOn(client.bridge, 'recoverDeposit')
    await expect(client.recover({ depositTxId, timeout: 1_000 })).rejects.toMatchObject({ code: 'BRIDGE_REQUEST' })
    expect(asked).toHaveBeenCalledTimes(1)
  })
})

describe('closing over a deposit without an id', () => {
  it('is refused while a call waits for it, and while the node has it after the call has ended', async () => {
    head = await startClientHead({ node: { timings: { depositDelayMs: 4_000 } } })
    const client = await head.client()
    const steps: DepositStep[] = []
    const over = new AbortController()
    const deposit = client.deposit({
      amount: 20n * ADA,
      signal: over.signal,
      onProgress: ({ state }) => steps.push(state)
    })
    deposit.catch(() => undefined)
    await until('the deposit on the base ledger', () => steps.includes('recorded'))
    await expect(client.closeHead()).rejects.toMatchObject({ code: 'CLIENT_OPEN_DEPOSIT' })
    over.abort()
    await expect(deposit).rejects.toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN' })
    const [txId] = await client.bridge.pendingDeposits()
    for (const close of [() => client.closeHead(), () => client.closeAndFanoutHead()])
      await expect(close()).rejects.toMatchObject({ code: 'CLIENT_OPEN_DEPOSIT', depositTxIds: [txId] })
    // It arrives after all: closing leaves nothing behind.
    await until(
      'the deposit in the head',
      () =>
        contextParts(client.context).bridge.getSnapshot().headStatus !== 'Open' ||
        head.node.headUtxos(head.wallets[0]!.getAddressBech32()).length === 2,
      20_000
    )
    await expect(client.closeHead()).resolves.toMatchObject({ tag: 'HeadIsClosed' })
  })
})

it('opens the head of a node that was just started only once it is in sync', async () => {
  head = await startClientHead({ open: false, node: { faults: { startUnsynced: true }, timings: { blockMs: 400 } } })
  const client = await head.client()
  expect(client.bridge.synced).toBe(false)
  const init = jest.spyOn(client.bridge.commands, 'initSync')
  const opened = client.open()
  await pause(50)
  expect(init).not.toHaveBeenCalled()
  await expect(opened).resolves.toMatchObject({ headId: expect.stringMatching(/^[0-9a-f]{56}$/) })
})
