import { contextParts } from '../../src/client/ClientContext.js'
import type { HeadClient } from '../../src/client/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let alice: HeadClient
let twin: HeadClient
let bob: string
beforeEach(async () => {
  head = await startClientHead({ deposit: 100n * ADA })
  ;[alice, twin] = [await head.client(0), await head.client(0)]
  bob = head.wallets[1]!.getAddressBech32()
})
afterEach(async () => {
  jest.restoreAllMocks()
  await head.stop()
})

const atBob = (): bigint =>
  head.node.headUtxos(bob).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => {
      throw new Error('it resolved')
    },
    (error: unknown) => error
  )
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** Inputs of each transaction of alice, in the order in which they were reserved. */
function watchReservations(): { txId: string; inputs: string[] }[] {
  const seen: { txId: string; inputs: string[] }[] = []
  const { view } = contextParts(alice.context)
  const reserve = view.reserve.bind(view)
  jest.spyOn(view, 'reserve').mockImplementation((tx) => {
    seen.push({ txId: tx.txId, inputs: tx.inputs.map(({ input }) => `${input.txHash}#${input.index}`) })
    return reserve(tx)
  })
  return seen
}

/** The twin's payment is ahead of alice's next one at the node, and no snapshot shows it. */
async function twinIsAhead(): Promise<void> {
  head.node.faults.holdSnapshots = true
  await twin.pay({ to: bob, amount: 5n * ADA, wait: 'valid' })
}

it('builds a payment again with an input of the first attempt, although others are there: both can never be confirmed', async () => {
  await twinIsAhead()
  const seen = watchReservations()
  const first = failureOf(alice.pay({ to: bob, amount: ADA, retries: 1 }))
  await until(() => seen.length === 1)
  const own = alice.getUtxos({ view: 'confirmed' })![0]!
  // Outputs enough that a choice would not fall on it by chance.
  const { bridge } = alice
  const outputs = bridge.getAddressUTxOs.bind(bridge)
  const isUnspent = bridge.isUnspent.bind(bridge)
  const others = Array.from({ length: 30 }, (_, index) => ({ ...own, input: { txHash: 'cd'.repeat(32), index } }))
  const list = (address: string): any => [...(outputs(address) ?? []), ...others]
  jest.spyOn(bridge, 'getAddressUTxOs').mockImplementation(list)
  jest.spyOn(bridge, 'isUnspent').mockImplementation((ref) => ref.startsWith('cdcd') || isUnspent(ref))
  await first
  expect(seen).toHaveLength(2)
  expect(seen[1]!.inputs).toEqual(expect.arrayContaining(seen[0]!.inputs))
})

it('waits while another payment of the client holds the input that an attempt has to spend', async () => {
  await twinIsAhead()
  const seen = watchReservations()
  const first = alice.pay({ to: bob, amount: ADA, timeout: 60_000 })
  await until(() => seen.length === 1 && contextParts(alice.context).txs.get(seen[0]!.txId) === undefined)
  // Signed by nobody yet: it holds the input, and is never decided meanwhile.
  const sign = head.wallets[0]!.signTx.bind(head.wallets[0]!)
  let decline = (_reason: Error): void => undefined
  const declined = new Promise<never>((_, reject) => (decline = reject))
  jest
    .spyOn(head.wallets[0]!, 'signTx')
    .mockImplementationOnce(() => declined)
    .mockImplementation(sign)
  const second = failureOf(alice.pay({ to: bob, amount: 2n * ADA }))
  await until(() => seen.length === 2)
  expect(seen[1]!.inputs).toEqual(seen[0]!.inputs)
  // Longer than the wait for the snapshot that shows who was first.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(seen).toHaveLength(2)
  head.node.faults.holdSnapshots = false
  decline(new Error('declined'))
  expect(await second).toMatchObject({ message: 'declined' })
  await twin.pay({ to: bob, amount: 5n * ADA })
  await first
  expect(atBob()).toBe(11n * ADA)
}, 60_000)

it('does not build the child of a payment again that the node refused for what it is', async () => {
  const sign = head.wallets[0]!.signTx.bind(head.wallets[0]!)
  // Its witness is another's: the signature of another transaction.
  jest.spyOn(head.wallets[0]!, 'signTx').mockImplementationOnce(async (tx, partial) => {
    const signed = await sign(tx, partial)
    const at = signed.lastIndexOf('5840') + 4
    return `${signed.slice(0, at)}${'00'.repeat(64)}${signed.slice(at + 128)}`
  })
  const seen = watchReservations()
  const [parent, child, grandchild] = await Promise.all(
    [1, 2, 3].map(() => failureOf(alice.pay({ to: bob, amount: ADA })))
  )
  expect(parent).toMatchObject({ code: 'CLIENT_LEDGER', ancestorTxId: undefined })
  for (const each of [child, grandchild])
    expect(each).toMatchObject({ code: 'CLIENT_LEDGER', reason: parent.reason, ancestorTxId: parent.txId })
  expect(seen).toHaveLength(3)
  expect(atBob()).toBe(0n)
})

it('builds the children of a payment again, on confirmed outputs, once another client has certainly been first', async () => {
  await twinIsAhead()
  const paid = Promise.all([1, 2, 3, 4].map(() => alice.pay({ to: bob, amount: ADA, retries: 1, timeout: 60_000 })))
  await alice.bridge.waitFor('TxInvalid')
  await new Promise((resolve) => setTimeout(resolve, 100))
  head.node.faults.holdSnapshots = false
  await twin.pay({ to: bob, amount: 5n * ADA })
  const results = await paid
  expect(new Set(results.map(({ txId }) => txId)).size).toBe(4)
  expect(atBob()).toBe(14n * ADA)
}, 60_000)

it('does not count as a retry what another client was first with', async () => {
  const seen = watchReservations()
  // The twin is first five times: its payment goes out when alice's is signed.
  const sign = head.wallets[0]!.signTx.bind(head.wallets[0]!)
  let rounds = 5
  jest.spyOn(head.wallets[0]!, 'signTx').mockImplementation(async (tx, partial) => {
    const isAlice = seen.some(({ txId }) => contextParts(alice.context).txs.get(txId)?.cborHex === tx)
    if (isAlice && rounds-- > 0) await twin.pay({ to: bob, amount: 2n * ADA })
    return sign(tx, partial)
  })
  await alice.pay({ to: bob, amount: ADA, retries: 1 })
  expect(seen).toHaveLength(6)
  expect(atBob()).toBe(11n * ADA)
})

it('replaces a payment that was lost with its connection by one that excludes it, and its children', async () => {
  const ids: string[] = []
  head.node.faults.swallowTransactions = 1
  const onProgress = ({ state, txId }: { state: string; txId?: string }): void =>
    void (state === 'submitted' && ids.push(txId!))
  const paid = Promise.all([1, 2, 3].map(() => alice.pay({ to: bob, amount: ADA, timeout: 60_000, onProgress })))
  await until(() => ids.length >= 3 && head.node.faults.swallowTransactions === 0)
  head.node.dropConnections()
  const results = await paid
  expect(atBob()).toBe(3n * ADA)
  expect(ids.slice(0, 3)).not.toContain(results[0]!.txId)
  expect(alice.status().pending).toBe(0)
}, 60_000)

describe("the caller's signal", () => {
  /** A signal that counts the listeners that are on it. */
  function countingSignal(): { signal: AbortSignal; abort(): void; count(): number } {
    const controller = new AbortController()
    const { signal } = controller
    let count = 0
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
    const on = new Set<unknown>()
    signal.addEventListener = ((type: string, listener: () => void, options: object) => {
      on.add(listener)
      count = on.size
      add(type as never, listener, options)
    }) as never
    signal.removeEventListener = ((type: string, listener: () => void) => {
      on.delete(listener)
      count = on.size
      remove(type as never, listener)
    }) as never
    return { signal, abort: () => controller.abort(new Error('enough')), count: () => count }
  }

  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['pay', (signal) => alice.pay({ to: bob, amount: ADA, signal })],
    ['a pay that fails', (signal) => alice.pay({ to: bob, amount: 5_000n * ADA, signal })],
    ['payMany', (signal) => alice.payMany({ payments: [{ to: bob, amount: ADA }], signal })],
    ['a pay that is not waited for', (signal) => alice.pay({ to: bob, amount: ADA, wait: 'sent', signal })],
    ['a pay that times out', (signal) => alice.pay({ to: bob, amount: ADA, timeout: 1, signal })],
    ['a waitForTx that times out', (signal) => alice.waitForTx('ab'.repeat(32), { timeout: 50, signal })]
  ])('has no listener of %s left once that is over', async (_action, run) => {
    const { signal, count } = countingSignal()
    const running = run(signal).catch(() => undefined)
    expect(count()).toBe(1)
    await running
    expect(count()).toBe(0)
  })

  it('has no listener left once it was aborted', async () => {
    const { signal, abort, count } = countingSignal()
    const running = failureOf(alice.waitForTx('ab'.repeat(32), { signal }))
    abort()
    await running
    expect(count()).toBe(0)
  })
})
