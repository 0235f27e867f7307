import { createHeadClient } from '../../src/client/index.js'
import type { HeadClient } from '../../src/client/index.js'
import type { StartDevNodeOptions } from '../../src/devnode/index.js'
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
const start = async (deposit: bigint, node: StartDevNodeOptions = {}): Promise<HeadClient> => {
  head = await startClientHead({ deposit, node })
  return head.client(0)
}
const decommits = (): number => head.node.counters.inputs['Decommit'] ?? 0
const lovelaceOf = (utxos: readonly { output: { amount: { quantity: string }[] } }[]): bigint =>
  utxos.reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
const inHead = (): bigint => lovelaceOf(head.node.headUtxos(head.wallets[0]!.getAddressBech32()))
/** Time of each step of a withdrawal, ms. */
const timed = (times: Record<string, number>) => ({
  onProgress: ({ state }: { state: string }): void => {
    times[state] = performance.now()
  }
})

it('withdraw splits one of several outputs although its change is too small to be collateral', async () => {
  const alice = await start(12n * ADA)
  await alice.pay({ to: head.wallets[0]!.getAddressBech32(), amount: 6n * ADA })
  expect(alice.getUtxos()).toHaveLength(2)
  await alice.withdraw({ amount: 3n * ADA })
  expect(inHead()).toBe(9n * ADA)
})

describe('withdrawals at once', () => {
  it('of one client queue: the head is never asked for a second one while the first is in flight', async () => {
    const alice = await start(60n * ADA, { timings: { blockMs: 100 } })
    const invalid: unknown[] = []
    alice.bridge.events.on('DecommitInvalid', (message) => invalid.push(message))
    const results = await Promise.all([1n, 2n, 3n].map((n) => alice.withdraw({ amount: n * ADA })))
    expect(new Set(results.map(({ decommitTxId }) => decommitTxId)).size).toBe(3)
    expect(results.map(({ utxo }) => utxo[0]!.amount[0]!.quantity)).toEqual(['1000000', '2000000', '3000000'])
    expect([invalid, decommits(), inHead()]).toEqual([[], 3, 54n * ADA])
  })

  it('of two clients are both made, though their amounts are the same: each waits for the other and resolves with its own', async () => {
    const alice = await start(60n * ADA, { timings: { blockMs: 100 } })
    const twin = await head.client(0)
    await alice.pay({ to: head.wallets[0]!.getAddressBech32(), amount: 20n * ADA })
    // Neither sees that the other one is about to ask.
    for (const client of [alice, twin])
      jest.spyOn(client.bridge, 'inFlight').mockRejectedValueOnce(new Error('not known'))
    const utxos = alice.getUtxos({ view: 'confirmed' })!
    expect(utxos).toHaveLength(2)
    const results = await Promise.all([
      alice.withdraw({ utxos: [utxos[0]!] }),
      twin.withdraw({ utxos: [utxos[1]!], all: true })
    ])
    expect(results[0].decommitTxId).not.toBe(results[1].decommitTxId)
    expect(decommits()).toBeGreaterThan(2)
    expect(inHead()).toBe(0n)
  })

  it('leave the queue when one of them is aborted while it waits: the next one has its turn', async () => {
    const alice = await start(60n * ADA, { timings: { blockMs: 100 } })
    const gone = new AbortController()
    const first = alice.withdraw({ amount: ADA })
    const second = failureOf(alice.withdraw({ amount: 2n * ADA, signal: gone.signal }))
    const third = alice.withdraw({ amount: 3n * ADA })
    gone.abort('not any more')
    expect(await second).toBe('not any more')
    await Promise.all([first, third])
    expect([decommits(), inHead()]).toEqual([2, 56n * ADA])
  })
})

describe('the pause after a withdrawal', () => {
  it('is kept in a head of several parties, also after that of another client', async () => {
    await start(60n * ADA, { parties: 2 })
    const [alice, twin] = [await head.client(0, { withdrawPause: 400 }), await head.client(0, { withdrawPause: 400 })]
    const times: Record<string, number>[] = [{}, {}]
    await alice.withdraw({ amount: ADA, ...timed(times[0]!) })
    await twin.withdraw({ amount: ADA, ...timed(times[1]!) })
    expect(times[1]!['submitted']! - times[0]!['confirmed']!).toBeGreaterThanOrEqual(390)
  })

  it('is 45 seconds unless the client says otherwise; who waits for it is told so, and nothing is sent', async () => {
    const alice = await start(60n * ADA, { parties: 2 })
    await alice.withdraw({ amount: ADA })
    const sent = decommits()
    expect(await failureOf(alice.withdraw({ amount: ADA, timeout: 500 }))).toMatchObject({
      code: 'CLIENT_TIMEOUT',
      message: expect.stringContaining('the pause after the last withdrawal')
    })
    expect(decommits()).toBe(sent)
    expect(() => createHeadClient({ url: head.node.url, withdrawPause: -1 })).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT' })
    )
  })

  it('ends where the nodes of the other parties show the same version, and not before: none wedges the head', async () => {
    await start(60n * ADA, { parties: 2 })
    const peerUrls = [head.node.parties[1]!.url]
    const alice = await head.client(0, { withdrawPause: 0, peerUrls })
    head.node.faults.peerLagMs = 700
    const times: Record<string, number>[] = [{}, {}]
    for (const each of times) await alice.withdraw({ amount: ADA, ...timed(each) })
    expect(times[1]!['submitted']! - times[0]!['confirmed']!).toBeGreaterThanOrEqual(650)
    // The late party has seen it within the time of the fault: it is not the pause that counts.
    head.node.faults.peerLagMs = 0
    const patient = await head.client(0, { withdrawPause: 3_600_000, peerUrls: [head.node.parties[1]!.httpUrl] })
    await patient.withdraw({ amount: ADA })
    await patient.withdraw({ amount: ADA })
    expect(decommits()).toBe(4)
  })

  it('wedges the head when it is too short for a party that is late', async () => {
    await start(60n * ADA, { parties: 2 })
    const alice = await head.client(0, { withdrawPause: 0 })
    head.node.faults.peerLagMs = 10_000
    await alice.withdraw({ amount: ADA })
    expect(
      await failureOf(alice.withdraw({ utxos: [alice.getUtxos()![0]!], all: true, timeout: 1_000 }))
    ).toMatchObject({
      code: 'CLIENT_OUTCOME_UNKNOWN'
    })
  })

  it('counts where a node of another party does not answer', async () => {
    await start(60n * ADA, { parties: 2 })
    const alice = await head.client(0, { withdrawPause: 400, peerUrls: ['ws://127.0.0.1:1'] })
    const times: Record<string, number>[] = [{}, {}]
    for (const each of times) await alice.withdraw({ amount: ADA, ...timed(each) })
    expect(times[1]!['submitted']! - times[0]!['confirmed']!).toBeGreaterThanOrEqual(390)
    for (const peerUrls of ['ws://127.0.0.1:1', [5], ['ftp://127.0.0.1'], ['']] as never[])
      expect(() => createHeadClient({ url: head.node.url, peerUrls })).toThrow(
        expect.objectContaining({ code: 'INPUT_ARGUMENT', argument: 'peerUrls' })
      )
  })

  it('is none in a head of one party: nobody else can be late', async () => {
    const alice = await start(60n * ADA)
    await alice.withdraw({ amount: ADA })
    await expect(alice.withdraw({ amount: ADA, timeout: 5_000 })).resolves.toBeDefined()
  })
})

it('an approved withdrawal leaves the head though its call is ended: it is told as unknown, and nothing cancels it', async () => {
  const alice = await start(60n * ADA, { timings: { blockMs: 300 } })
  const over = new AbortController()
  const own = head.wallets[0]!.getAddressBech32()
  const before = lovelaceOf(head.node.baseUtxos(own))
  const error = await failureOf(
    alice.withdraw({
      amount: 5n * ADA,
      signal: over.signal,
      onProgress: ({ state }) => state === 'approved' && over.abort('not any more')
    })
  )
  expect(error).toMatchObject({
    code: 'CLIENT_OUTCOME_UNKNOWN',
    message: expect.stringContaining('approved, but not seen on the base ledger yet')
  })
  while (lovelaceOf(head.node.baseUtxos(own)) === before) await new Promise((resolve) => setTimeout(resolve, 10))
  expect([lovelaceOf(head.node.baseUtxos(own)) - before, inHead()]).toEqual([5n * ADA, 55n * ADA])
})

it('a withdrawal may take minutes unless its call says otherwise: the base ledger is slow', async () => {
  const alice = await start(60n * ADA)
  const limits: number[] = []
  const { setTimeout: real } = globalThis
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    limits.push(ms ?? 0)
    return real(run, ms)
  }) as typeof setTimeout)
  await alice.withdraw({ amount: ADA })
  expect(Math.max(...limits)).toBeGreaterThanOrEqual(600_000)
})

describe('a withdrawal that fails', () => {
  it('tells who waits for its outputs: a payment goes on at once', async () => {
    const alice = await start(20n * ADA)
    const wallet = head.wallets[0]!
    let decline = (): void => undefined
    const signTx = jest
      .spyOn(wallet, 'signTx')
      .mockImplementationOnce(() => new Promise((_, reject) => (decline = () => reject(new Error('declined')))))
    const withdrawn = failureOf(alice.withdraw({ all: true }))
    while (alice.getUtxos()!.length > 0) await new Promise((resolve) => setTimeout(resolve, 2))
    const paid = alice.pay({ to: head.wallets[1]!.getAddressBech32(), amount: ADA, timeout: 5_000 })
    // On a busy machine the request for the signature comes late.
    while (signTx.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    await new Promise((resolve) => setTimeout(resolve, 50))
    decline()
    expect(await withdrawn).toMatchObject({ message: 'declined' })
    await expect(paid).resolves.toMatchObject({ exact: true })
  })
})

describe('the collateral for scripts in the head', () => {
  it('stays, one output of it, unless all is true', async () => {
    const alice = await start(20n * ADA)
    expect(await failureOf(alice.withdraw({ utxos: alice.getUtxos()! }))).toMatchObject({
      code: 'CLIENT_LAST_COLLATERAL'
    })
    expect(await failureOf(alice.withdraw({ amount: 16n * ADA }))).toMatchObject({
      code: 'CLIENT_LAST_COLLATERAL',
      message: expect.stringContaining('all: true')
    })
    expect([decommits(), inHead(), alice.status().pending]).toEqual([0, 20n * ADA, 0])
    await alice.withdraw({ amount: 15n * ADA })
    expect(inHead()).toBe(5n * ADA)
    await alice.withdraw({ amount: 3n * ADA, all: true })
    expect(inHead()).toBe(2n * ADA)
    // Nothing that could be collateral is there to be kept.
    await alice.withdraw({ utxos: alice.getUtxos()! })
    expect(inHead()).toBe(0n)
    expect(await failureOf(alice.withdraw({ all: true }))).toMatchObject({ code: 'TX_INSUFFICIENT_FUNDS' })
  })

  it('is the smallest output that can be: larger ones are taken first', async () => {
    const alice = await start(30n * ADA)
    await alice.pay({ to: head.wallets[0]!.getAddressBech32(), amount: 6n * ADA })
    await alice.withdraw({ amount: 24n * ADA })
    expect(alice.getUtxos()!.map(({ output }) => output.amount[0]!.quantity)).toEqual(['6000000'])
  })

  it.each([{}, { amount: ADA, utxos: [] }, { all: 'yes' }] as never[])('refuses %j', async (args) => {
    const alice = await start(20n * ADA)
    expect(await failureOf(alice.withdraw(args))).toMatchObject({ code: 'INPUT_ARGUMENT' })
  })
})
