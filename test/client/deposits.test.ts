import { contextParts } from '../../src/client/ClientContext.js'
import type { DepositStep, DepositTimes, HeadClient } from '../../src/client/index.js'
import { PROFILES } from '../../src/devnode/settings/profiles.js'
import type { DevNodeProfile } from '../../src/devnode/index.js'
import { TxBuilder } from '../../src/tx/index.js'
import { fullRun } from '../support/scale.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
afterEach(async () => {
  jest.restoreAllMocks()
  await head.stop()
})

const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => {
      throw new Error('it resolved')
    },
    (error: unknown) => error
  )
const inHead = (address: string): bigint =>
  head.node.headUtxos(address).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
const onBase = (address: string): bigint =>
  head.node.baseUtxos(address).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
const addressOf = (index: number): string => head.wallets[index]!.getAddressBech32()

const profiles = Object.keys(PROFILES) as DevNodeProfile[]

/** Two profiles in `npm test`, all of them in the full run. */
const tried = fullRun ? profiles : (['0.22', '2.3'] as const)

it.each(tried)(
  'does every action of a head on a node of version %s',
  async (profile) => {
    head = await startClientHead({ deposit: 0n, node: { profile } })
    const alice: HeadClient = await head.client(0)
    const [own, bob] = [addressOf(0), addressOf(1)]
    const [whole] = head.node.baseUtxos(own)
    await alice.deposit({ amount: 30n * ADA })
    expect(inHead(own)).toBe(30n * ADA)
    await alice.pay({ to: bob, amount: 2n * ADA })
    await alice.payMany({
      payments: [
        { to: bob, amount: ADA },
        { to: own, amount: ADA }
      ]
    })
    const parameters = await alice.context.ledger.loadParameters()
    const built = new TxBuilder(parameters).addInputs(alice.getUtxos()!).pay(own, ADA).changeTo(own).build()
    const { txId, snapshotNumber } = await alice.submit(built)
    expect(await alice.waitForTx(txId)).toMatchObject({ snapshotNumber })
    const { utxo } = await alice.withdraw({ amount: 7n * ADA, to: bob })
    expect(utxo.map(({ amount }) => amount)).toEqual([[{ unit: 'lovelace', quantity: String(7n * ADA) }]])
    expect([inHead(own), inHead(bob)]).toEqual([20n * ADA, 3n * ADA])
    const [rest] = head.node.baseUtxos(own)
    await alice.deposit({ utxos: [rest!] })
    expect(inHead(own)).toBe(20n * ADA + BigInt(rest!.output.amount[0]!.quantity))
    expect(BigInt(whole!.output.amount[0]!.quantity)).toBeGreaterThan(0n)
    expect(await alice.recover()).toEqual([])
    expect(await failureOf(alice.abortHead())).toMatchObject({
      code: expect.stringMatching(/^(BRIDGE_UNSUPPORTED_BY_NODE|BRIDGE_COMMAND_REFUSED)$/)
    })
    expect(await failureOf(alice.contest())).toMatchObject({ code: 'BRIDGE_COMMAND_REFUSED' })
    expect((await alice.closeHead()).tag).toBe('HeadIsClosed')
    expect((await alice.fanoutHead()).tag).toBe('HeadIsFinalized')
    expect(onBase(bob)).toBeGreaterThanOrEqual(10n * ADA)
  },
  60_000
)

it('reports the steps of a deposit in order, and takes exactly a part of the outputs that it is given', async () => {
  head = await startClientHead({ deposit: 0n })
  const alice = await head.client(0)
  const before = onBase(addressOf(0))
  const steps: DepositStep[] = []
  const result = await alice.deposit({
    utxos: head.node.baseUtxos(addressOf(0)),
    amount: 5n * ADA,
    onProgress: ({ state }) => steps.push(state)
  })
  expect(result).toMatchObject({
    depositTxId: expect.stringMatching(/^[0-9a-f]{64}$/),
    recoverableAt: expect.any(Number)
  })
  expect(steps).toEqual(['drafted', 'signed', 'submitted', 'recorded', 'activated', 'approved', 'confirmed'])
  expect(inHead(addressOf(0))).toBe(5n * ADA)
  // The fee alone is gone.
  expect(before - onBase(addressOf(0)) - 5n * ADA).toBeLessThan(ADA)
})

it.each([
  ['2.3', 3_000_000],
  ['2.4', 0]
] as const)(
  'a deposit states its four times, with its steps and in its result: node %s',
  async (profile, activation) => {
    const depositPeriodMs = 3_000_000
    head = await startClientHead({ deposit: 0n, node: { profile, timings: { depositPeriodMs } } })
    const alice = await head.client(0)
    const seen = new Map<string, DepositTimes>()
    const askedAt = Date.now()
    const { depositTxId, utxo, verified, ...times } = await alice.deposit({
      amount: 5n * ADA,
      onProgress: ({ state, times: stated }) => stated !== undefined && seen.set(state, stated)
    })
    expect([depositTxId.length, utxo.length, verified]).toEqual([64, 1, false])
    expect([...seen.keys()]).toEqual(['recorded', 'activated', 'approved', 'confirmed'])
    expect(seen.get('confirmed')).toEqual(times)
    const { recordedAt, claimableAt, expiresAt, recoverableAt } = seen.get('recorded')!
    expect(times).toMatchObject({ recordedAt, expiresAt, recoverableAt })
    expect([recoverableAt! - expiresAt!, expiresAt! - claimableAt!]).toEqual([depositPeriodMs, depositPeriodMs])
    // The earliest moment by the node's rule, then the node's own word; hang limits, not speeds.
    expect(Math.abs(claimableAt! - askedAt - activation)).toBeLessThan(1_000_000)
    for (const time of [recordedAt!, times.claimableAt!]) expect(Math.abs(time - askedAt)).toBeLessThan(1_000_000)
  }
)

it('is final when the node of the client says so, though another party has seen it before: a withdrawal is taken then', async () => {
  head = await startClientHead({ deposit: 0n, node: { parties: 2, faults: { pendingWindowMs: 300 } } })
  const [first, late] = head.node.parties
  const alice = await head.client(0, { url: late!.url, withdrawPause: 0 })
  const other = await head.client(1, { url: first!.url })
  const elsewhere = other.bridge.waitFor('CommitFinalized').then(() => performance.now())
  await alice.deposit({
    amount: 20n * ADA,
    onProgress({ state }) {
      if (state === 'approved') head.node.faults.peerLagMs = 500
    }
  })
  expect(performance.now() - (await elsewhere)).toBeGreaterThanOrEqual(450)
  head.node.faults.peerLagMs = 0
  await alice.withdraw({ utxos: alice.getUtxos()!, all: true })
  expect(inHead(addressOf(0))).toBe(0n)
})

it('leaves an unknown outcome when the reply to the submission of a deposit is lost', async () => {
  head = await startClientHead({ deposit: 0n })
  const alice = await head.client(0)
  const error = await failureOf(
    alice.deposit({
      amount: 5n * ADA,
      onProgress: ({ state }) => {
        if (state === 'signed') head.node.faults.dropReplies = 1
      }
    })
  )
  expect(error).toMatchObject({
    code: 'CLIENT_OUTCOME_UNKNOWN',
    txId: expect.stringMatching(/^[0-9a-f]{64}$/),
    expiresAt: null
  })
  while (inHead(addressOf(0)) === 0n) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(inHead(addressOf(0))).toBe(5n * ADA)
})

it.each(tried)('rejects a deposit that expires, names it, and recovers it (node %s)', async (profile) => {
  head = await startClientHead({ deposit: 0n, node: { profile, timings: { depositPeriodMs: 20 } } })
  // Without a snapshot no deposit gets in; after 2.3.0 a deadline counts from the activation.
  head.node.faults.holdSnapshots = true
  const alice = await head.client(0)
  const before = onBase(addressOf(0))
  const error = await failureOf(alice.deposit({ amount: 5n * ADA, timeout: 20_000 }))
  expect(error).toMatchObject({ code: 'CLIENT_DEPOSIT_EXPIRED', depositTxId: expect.stringMatching(/^[0-9a-f]{64}$/) })
  // Its deadline comes after its expiry.
  let recovered: string[] = []
  while (recovered.length === 0) recovered = await alice.recover()
  expect(recovered).toEqual([error.depositTxId])
  expect(await alice.recover()).toEqual([])
  expect(inHead(addressOf(0))).toBe(0n)
  expect(before - onBase(addressOf(0))).toBeLessThan(ADA)
})

it.each([
  ['getProtocolParameters', 'CLIENT_WALLET_FAILED'],
  ['queryUTxOs', 'CLIENT_WALLET_FAILED'],
  ['submitTx', 'CLIENT_OUTCOME_UNKNOWN']
] as const)('a deposit whose wallet rejects %s without an error rejects with one', async (method, code) => {
  head = await startClientHead({ deposit: 0n, node: { profile: '0.22' }, open: false })
  const [alice] = head.wallets
  await (await head.client()).open()
  for (const reason of [undefined, null, 'no', 7, { code: 2 }]) {
    const wallet = new Proxy(alice!, {
      get(target, name) {
        if (name === method) return () => Promise.reject(reason)
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      }
    })
    const client = await head.client(0, { wallet })
    const failure: unknown = await client.deposit({ amount: 3n * ADA }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).toMatchObject({ code })
    expect((failure as Error).cause).toBe(reason)
  }
})

it('ends a split on the base ledger with its signal, and asks the wallet no more', async () => {
  head = await startClientHead({ deposit: 0n, node: { profile: '0.22' }, open: false })
  const alice = await head.client(0)
  jest.spyOn(contextParts(alice.context).connection, 'ready').mockResolvedValue(undefined)
  // The split never shows.
  const before = await head.wallets[0]!.queryUTxOs(addressOf(0))
  const query = jest.spyOn(head.wallets[0]!, 'queryUTxOs').mockImplementation(async () => before)
  const controller = new AbortController()
  const error = await failureOf(
    alice.deposit({
      amount: 5n * ADA,
      signal: controller.signal,
      onProgress: ({ state }) => {
        if (state === 'split') setTimeout(() => controller.abort('enough'), 20)
      }
    })
  )
  expect(error).toBe('enough')
  const calls = query.mock.calls.length
  await new Promise((resolve) => setTimeout(resolve, 1_300))
  expect(query.mock.calls.length).toBe(calls)
})

it('refuses to withdraw an output that is leaving already, or that a payment in flight spends', async () => {
  head = await startClientHead({ deposit: 20n * ADA })
  const alice = await head.client(0)
  const utxos = alice.getUtxos()!
  head.node.faults.holdSnapshots = true
  const { txId } = await alice.pay({ to: addressOf(1), amount: ADA, wait: 'valid' })
  expect(await failureOf(alice.withdraw({ utxos }))).toMatchObject({ code: 'CLIENT_INPUT_RESERVED', txId })
})

it('makes two withdrawals at once, one after the other; what is in the head adds up', async () => {
  head = await startClientHead({ deposit: 50n * ADA })
  const alice = await head.client(0)
  await Promise.all([
    alice.withdraw({ amount: 3n * ADA, timeout: 20_000 }),
    alice.withdraw({ amount: 4n * ADA, timeout: 20_000 })
  ])
  const left = 7n * ADA
  expect(inHead(addressOf(0))).toBe(50n * ADA - left)
  expect(alice.getBalance()!.pending.lovelace).toBe(50n * ADA - left)
  await alice.pay({ to: addressOf(1), amount: 40n * ADA })
})
