import { contextParts } from '../../src/client/ClientContext.js'
import { TxBuilder } from '../../src/tx/index.js'
import type { BuiltTransaction } from '../../src/tx/index.js'
import type { HeadClient } from '../../src/client/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let alice: HeadClient
let bob: string
beforeEach(async () => {
  head = await startClientHead({ deposit: 100n * ADA })
  alice = await head.client(0)
  bob = head.wallets[1]!.getAddressBech32()
})
afterEach(async () => {
  jest.restoreAllMocks()
  await head.stop()
})

const sent = (): number => head.node.counters.inputs['NewTx'] ?? 0
const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => {
      throw new Error('it resolved')
    },
    (error: unknown) => error
  )
const address = (): string => head.wallets[0]!.getAddressBech32()
async function build(amount = ADA): Promise<BuiltTransaction> {
  const parameters = await alice.context.ledger.loadParameters()
  return new TxBuilder(parameters).addInputs(alice.getUtxos()!).pay(bob, amount).changeTo(address()).build()
}
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}

describe('submit', () => {
  it('takes hex, a built transaction and an envelope, signed or not', async () => {
    const results = [
      await alice.submit((await build()).cborHex),
      await alice.submit(await build()),
      await alice.submit({
        type: 'Witnessed Tx ConwayEra',
        description: '',
        cborHex: await head.wallets[0]!.signTx((await build()).cborHex)
      })
    ]
    expect(new Set(results.map(({ txId }) => txId)).size).toBe(3)
    expect(head.node.headUtxos(bob)).toHaveLength(3)
    const watcher = await head.client(0, { wallet: undefined })
    await expect(watcher.submit(await build())).rejects.toMatchObject({ code: 'CLIENT_WALLET_MISSING' })
    await expect(watcher.submit(await head.wallets[0]!.signTx((await build()).cborHex))).resolves.toMatchObject({
      fee: 0n
    })
    expect(watcher.getBalance({ address: address() })!.confirmed.lovelace).toBe(96n * ADA)
  })

  it.each([
    ['nothing', undefined],
    ['a number', 5],
    ['no hex', 'zz'],
    ['no CBOR', 'ff'],
    ['an empty object', {}],
    ['half a transaction', '84a3']
  ])('refuses %s, typed', async (_name, value) => {
    await expect(alice.submit(value as never)).rejects.toMatchObject({
      code: expect.stringMatching(/^(INPUT|CODEC|CBOR)_/)
    })
    expect(sent()).toBe(0)
  })

  it('refuses an envelope with the id of another transaction', async () => {
    const { cborHex } = await build()
    await expect(alice.submit({ cborHex, txId: '00'.repeat(32) })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it('sends and signs the same transaction once when it is submitted twice at once, and again later', async () => {
    const sign = jest.spyOn(head.wallets[0]!, 'signTx')
    const tx = await build()
    const both = await Promise.all([alice.submit(tx), alice.submit(tx)])
    expect(both[0]).toEqual(both[1])
    expect(await alice.submit(tx)).toEqual(both[0])
    expect(sent()).toBe(1)
    expect(sign).toHaveBeenCalledTimes(1)
    expect(head.node.headUtxos(bob)).toHaveLength(1)
  })

  it('signs again for the second of two equal calls when the wallet refuses the first', async () => {
    const tx = await build()
    jest.spyOn(head.wallets[0]!, 'signTx').mockRejectedValueOnce(new Error('declined'))
    const [first, second] = await Promise.allSettled([alice.submit(tx), alice.submit(tx)])
    expect(first).toMatchObject({ status: 'rejected', reason: { message: 'declined' } })
    expect(second).toMatchObject({ status: 'fulfilled', value: { txId: tx.txId } })
  })

  it('refuses a transaction whose input is spent in flight, with the id of what spends it', async () => {
    head.node.faults.holdSnapshots = true
    const tx = await build()
    const { txId } = await alice.pay({ to: bob, amount: ADA, wait: 'valid' })
    expect(await failureOf(alice.submit(tx))).toMatchObject({ code: 'CLIENT_INPUT_RESERVED', txId })
  })

  it('reserves in its own step: of two calls that spend the same, the first goes on', async () => {
    const [first, second] = [await build(), await build(2n * ADA)]
    const calls = [alice.submit(first), failureOf(alice.submit(second))] as const
    expect(contextParts(alice.context).txs.get(first.txId)).toBeDefined()
    expect(await calls[1]).toMatchObject({ code: 'CLIENT_INPUT_RESERVED', txId: first.txId })
    expect(await calls[0]).toMatchObject({ txId: first.txId })
    expect(sent()).toBe(1)
  })

  it('is not overtaken by a payment that is called after it', async () => {
    const tx = await build()
    const submitted = alice.submit(tx)
    const paid = alice.pay({ to: bob, amount: ADA })
    expect(await submitted).toMatchObject({ txId: tx.txId })
    await paid
    expect(head.node.headUtxos(bob)).toHaveLength(2)
  })

  it('takes what somebody else spends out of their pending balance', async () => {
    const watcher = await head.client(0, { wallet: undefined })
    head.node.faults.holdSnapshots = true
    await watcher.submit(await head.wallets[0]!.signTx((await build(30n * ADA)).cborHex), { wait: 'valid' })
    expect(watcher.getBalance({ address: address() })).toMatchObject({
      confirmed: { lovelace: 100n * ADA },
      pending: { lovelace: 70n * ADA }
    })
    expect(watcher.getBalance({ address: bob })).toMatchObject({
      confirmed: { lovelace: 0n },
      pending: { lovelace: 30n * ADA }
    })
  })

  it('reports the decoded reason of the ledger', async () => {
    const { cborHex } = await build()
    await alice.pay({ to: bob, amount: ADA })
    const error = await failureOf(alice.submit(cborHex))
    expect(error).toMatchObject({ code: 'CLIENT_LEDGER', reason: 'inputs-spent', outcome: 'none' })
    expect(error.message).toContain('spent already')
  })
})

describe('waitForTx', () => {
  it('finds a transaction that another client, or this page before it was loaded again, has sent', async () => {
    const { txId, snapshotNumber } = await alice.pay({ to: bob, amount: ADA })
    await alice.pay({ to: bob, amount: ADA })
    await (await head.client(1)).pay({ to: address(), amount: 2n * ADA })
    const fresh = await head.client(0)
    await expect(fresh.waitForTx(txId.toUpperCase())).resolves.toEqual({ snapshotNumber, exact: true, verified: false })
  })

  it('waits for what is confirmed later, also when the connection is lost meanwhile', async () => {
    head.node.faults.holdSnapshots = true
    const fresh = await head.client(1, { reconnectInterval: 100 })
    const { txId } = await alice.pay({ to: bob, amount: ADA, wait: 'valid', timeout: 20_000 })
    const waited = fresh.waitForTx(txId, { timeout: 20_000 })
    head.node.dropConnections()
    await until(() => alice.status().state !== 'connected')
    head.node.faults.holdSnapshots = false
    await until(() => alice.status().ready && alice.status().state === 'connected')
    await alice.pay({ to: bob, amount: ADA, timeout: 20_000 })
    await expect(waited).resolves.toMatchObject({ snapshotNumber: expect.any(Number) })
    await expect(alice.waitForTx(txId)).resolves.toMatchObject({ snapshotNumber: expect.any(Number) })
    expect(head.node.headUtxos(bob)).toHaveLength(2)
  }, 60_000)

  it('rejects with the reason once the node refuses what it waits for', async () => {
    const tx = await build()
    const cborHex = await head.wallets[0]!.signTx(tx.cborHex)
    await alice.pay({ to: bob, amount: ADA })
    const watcher = await head.client(1)
    const waited = failureOf(watcher.waitForTx(tx.txId, { timeout: 10_000 }))
    await failureOf((await head.client(0)).submit(cborHex))
    expect(await waited).toMatchObject({ code: 'CLIENT_LEDGER', reason: 'inputs-spent', txId: tx.txId })
  })

  it('leaves an unknown outcome for an id that nobody knows', async () => {
    expect(await failureOf(alice.waitForTx('ab'.repeat(32), { timeout: 200 }))).toMatchObject({
      code: 'CLIENT_OUTCOME_UNKNOWN',
      expiresAt: null,
      cause: { code: 'CLIENT_TIMEOUT' }
    })
    await expect(alice.waitForTx('ab')).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })
})

describe('waitForTx, called eleven times at once,', () => {
  it('shares one replay of the history, and one request, and warns of no listeners', async () => {
    const { txId } = await alice.pay({ to: bob, amount: ADA })
    // Spent on: neither the state nor the newest snapshot names it.
    await alice.pay({ to: bob, amount: ADA })
    await (await head.client(1)).pay({ to: address(), amount: 2n * ADA })
    const fresh = await head.client(0)
    const warned: Error[] = []
    const onWarning = (warning: Error): void => void warned.push(warning)
    process.on('warning', onWarning)
    const connections = head.node.counters.connections
    const results = await Promise.all(Array.from({ length: 11 }, () => fresh.waitForTx(txId)))
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('warning', onWarning)
    expect(new Set(results.map(({ snapshotNumber }) => snapshotNumber)).size).toBe(1)
    expect(head.node.counters.connections - connections).toBe(1)
    expect(warned).toEqual([])
  })
})

describe('payMany', () => {
  it('packs payments into as few transactions as their size allows, in order, and pays each once', async () => {
    const payments = Array.from({ length: 500 }, (_, index) => ({
      to: bob,
      amount: 100_000n * (index % 2 === 0 ? 10n : 11n)
    }))
    await alice.deposit({ amount: 1_000n * ADA })
    const results = await alice.payMany({ payments })
    expect(results).toHaveLength(500)
    const ids = [...new Set(results.map(({ txId }) => txId))]
    // 500 outputs of about 65 bytes are 32.5 KB; 16 KB go into one.
    expect(ids.length).toBe(3)
    expect(results.map(({ txId }) => ids.indexOf(txId))).toEqual(
      results.map(({ txId }) => ids.indexOf(txId)).sort((a, b) => a - b)
    )
    expect(head.node.headUtxos(bob)).toHaveLength(500)
    expect(alice.getBalance({ address: bob })!.confirmed.lovelace).toBe(
      payments.reduce((sum, { amount }) => sum + amount, 0n)
    )
  })

  it('goes beyond 50 transactions of one output', async () => {
    await alice.deposit({ amount: 3_500n * ADA })
    // 7 KB of datum each: two at most in a transaction.
    const datum = '5f' + '5840'.concat('ab'.repeat(64)).repeat(110) + 'ff'
    const payments = Array.from({ length: 110 }, () => ({ to: bob, amount: 33n * ADA, datum }))
    const results = await alice.payMany({ payments: payments.slice(0, 104), timeout: 60_000 })
    expect(new Set(results.map(({ txId }) => txId)).size).toBeGreaterThan(50)
    expect(head.node.headUtxos(bob)).toHaveLength(104)
  }, 90_000)

  it('sends nothing when the money does not suffice for the last of them', async () => {
    expect(
      await failureOf(
        alice.payMany({
          payments: [
            { to: bob, amount: 60n * ADA },
            { to: bob, amount: 60n * ADA }
          ]
        })
      )
    ).toMatchObject({ code: 'TX_INSUFFICIENT_FUNDS' })
    expect(sent()).toBe(0)
    expect(alice.status().pending).toBe(0)
  })

  it('sends nothing more once the wallet has refused one of the transactions', async () => {
    await alice.deposit({ amount: 1_000n * ADA })
    const sign = head.wallets[0]!.signTx.bind(head.wallets[0]!)
    let calls = 0
    jest.spyOn(head.wallets[0]!, 'signTx').mockImplementation(async (tx, partial) => {
      if (++calls === 2) throw new Error('declined')
      return sign(tx, partial)
    })
    const payments = Array.from({ length: 500 }, () => ({ to: bob, amount: ADA }))
    await expect(alice.payMany({ payments })).rejects.toThrow('declined')
    await until(() => alice.status().pending === 0)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(sent()).toBeLessThanOrEqual(1)
    expect(alice.status().pending).toBe(0)
    expect(alice.getBalance()!.pending).toEqual(alice.getBalance()!.confirmed)
  })
})
