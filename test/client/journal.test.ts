import { memoryJournal } from '../../src/journal/index.js'
import type { Journal, JournalEntry } from '../../src/journal/index.js'
import type { HeadClient, SettledTx, UnsentTx } from '../../src/client/index.js'
import { createHeadClient } from '../../src/client/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
afterEach(() => head?.stop())

/** A journal whose entries a test reads, and whose next writes fail while `failure` is there. */
function openJournal(): Journal & { failure: Error | null; entries(): Promise<JournalEntry[]> } {
  const kept = memoryJournal()
  const journal = {
    ...kept,
    failure: null as Error | null,
    async put(entry: JournalEntry) {
      if (journal.failure !== null) throw journal.failure
      await kept.put(entry)
    },
    async entries() {
      const found: JournalEntry[] = []
      for await (const entry of kept.all()) found.push(entry)
      return found
    }
  }
  return journal
}

/** A client that dies at a moment of `put`: nothing of it runs on, and what it has sent is lost where `isSent` is false. */
class Killed extends Error {}

const bob = (): string => head.wallets[1]!.getAddressBech32()
const paidTo = (client: HeadClient, address: string): bigint[] =>
  (client.getUtxos({ address }) ?? []).map(({ output }) => BigInt(output.amount[0]!.quantity)).sort()

/** Entry of a payment that was signed, and not sent: as a kill between the journal and the node leaves it. */
async function killBeforeSending(id: string, amount: bigint): Promise<JournalEntry> {
  const journal = openJournal()
  const client = await head.client(0, {
    journal: {
      ...journal,
      async put(entry: JournalEntry) {
        if (entry.state !== 'open') return
        await journal.put(entry)
        throw new Killed()
      }
    }
  })
  await client.pay({ id, to: bob(), amount }).catch(() => undefined)
  await client.disconnect()
  const [entry] = await journal.entries()
  return entry!
}

async function journalWith(...entries: JournalEntry[]): Promise<ReturnType<typeof openJournal>> {
  const journal = openJournal()
  for (const entry of entries) await journal.put(entry)
  return journal
}

async function until(what: () => boolean): Promise<void> {
  for (const end = Date.now() + 15_000; !what();) {
    if (Date.now() > end) throw new Error('It did not come about.')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('a bridge that others have connected', () => {
  it('pays an id of an earlier process once, though connect() is never called', async () => {
    head = await startClientHead()
    const journal = openJournal()
    const first = await head.client(0, { journal })
    const paid = await first.pay({ id: 'order-1', to: bob(), amount: 2n * ADA })
    await first.disconnect()
    const connected = await head.client(1)
    const second = createHeadClient({ bridge: connected.bridge, wallet: head.wallets[0]!, journal })
    expect(await second.pay({ id: 'order-1', to: bob(), amount: 2n * ADA })).toMatchObject({ txId: paid.txId })
    await second.pay({ id: 'order-2', to: bob(), amount: 3n * ADA })
    expect(paidTo(second, bob()).filter((amount) => amount === 2n * ADA)).toHaveLength(1)
  })

  it('sends what an earlier process signed before anything else is paid', async () => {
    head = await startClientHead()
    const entry = await killBeforeSending('order-1', 2n * ADA)
    const journal = await journalWith(entry)
    const connected = await head.client(1)
    const second = createHeadClient({ bridge: connected.bridge, wallet: head.wallets[0]!, journal })
    await second.pay({ to: bob(), amount: 3n * ADA })
    await until(() => paidTo(second, bob()).includes(2n * ADA))
    expect((await journal.entries())[0]).toMatchObject({
      id: 'order-1',
      parts: entry.parts.map(() => expect.anything())
    })
  })
})

describe('an id', () => {
  it('is paid once by calls at the same time, later ones and the next process', async () => {
    head = await startClientHead()
    const journal = openJournal()
    const client = await head.client(0, { journal })
    const order = { id: 'order-17', to: bob(), amount: 2n * ADA }
    const [first, second] = await Promise.all([client.pay(order), client.pay(order)])
    expect(second).toEqual(first)
    expect(await client.pay({ ...order, wait: 'sent' })).toEqual(first)
    await client.disconnect()
    const next = await head.client(0, { journal })
    expect(await next.pay(order)).toEqual(first)
    expect(next.payments()).toMatchObject([{ id: 'order-17', state: 'confirmed', txIds: [first!.txId] }])
    expect(next.payments({ open: true })).toEqual([])
    expect(paidTo(next, bob())).toEqual([2n * ADA])
  })

  it('holds without a journal for the life of the client', async () => {
    head = await startClientHead()
    const client = await head.client()
    const order = { id: 'order-17', to: bob(), amount: 2n * ADA }
    expect(await client.pay(order)).toEqual(await client.pay(order))
    expect(paidTo(client, bob())).toEqual([2n * ADA])
  })

  it.each([
    ['another amount', { amount: 3n * ADA }],
    ['another receiver', { to: 'own' }],
    ['a datum', { amount: 2n * ADA, datum: '01' }]
  ])('is refused with %s', async (_, changed) => {
    head = await startClientHead()
    const client = await head.client()
    const order = { id: 'order-17', to: bob(), amount: 2n * ADA }
    await client.pay(order)
    const to = 'to' in changed ? head.wallets[0]!.getAddressBech32() : order.to
    await expect(client.pay({ ...order, ...changed, to })).rejects.toMatchObject({
      code: 'CLIENT_ID_REUSED',
      id: 'order-17'
    })
    await expect(
      client.payMany({ id: 'order-17', payments: [order].map(({ to: each, amount }) => ({ to: each, amount })) })
    ).rejects.toMatchObject({ code: 'CLIENT_ID_REUSED' })
    expect(paidTo(client, bob())).toEqual([2n * ADA])
  })

  it.each([[''], ['x'.repeat(129)], [7], [null]])('of the form %p is refused', async (id) => {
    head = await startClientHead({ open: false })
    const client = await head.client()
    await expect(client.pay({ id: id as string, to: bob(), amount: ADA })).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT'
    })
  })

  it('of 128 characters is paid', async () => {
    head = await startClientHead()
    const client = await head.client()
    expect((await client.pay({ id: 'é'.repeat(128), to: bob(), amount: ADA })).exact).toBe(true)
  })

  it('pays a list and a transaction of the caller once', async () => {
    head = await startClientHead()
    const journal = openJournal()
    const client = await head.client(0, { journal })
    const payments = Array.from({ length: 300 }, (_, i) => ({ to: bob(), amount: ADA + BigInt(i) }))
    const results = await client.payMany({ id: 'wages', payments })
    expect(new Set(results.map(({ txId }) => txId)).size).toBeGreaterThan(1)
    let unsent: UnsentTx | undefined
    const stop = new Error('not yet')
    const halted = client.pay({
      to: bob(),
      amount: 5n * ADA,
      onBeforeSend: (tx) => {
        unsent = tx
        throw stop
      }
    })
    await expect(halted).rejects.toBe(stop)
    const sent = await client.submit(unsent!.cborHex, { id: 'own tx' })
    await client.disconnect()
    const next = await head.client(0, { journal })
    expect(await next.payMany({ id: 'wages', payments })).toEqual(results)
    expect(await next.submit(unsent!.cborHex, { id: 'own tx' })).toEqual(sent)
    expect(paidTo(next, bob())).toHaveLength(301)
  })

  it('can be used again after a payment that failed before it was sent', async () => {
    head = await startClientHead()
    const client = await head.client(0, { journal: openJournal() })
    await expect(client.pay({ id: 'a', to: bob(), amount: 10n ** 12n })).rejects.toMatchObject({
      code: 'TX_INSUFFICIENT_FUNDS'
    })
    expect(client.payments()).toEqual([])
    await client.pay({ id: 'a', to: bob(), amount: ADA })
    expect(paidTo(client, bob())).toEqual([ADA])
  })
})

describe('a journal that does not keep an entry', () => {
  it('lets nothing be sent, and the same id pays later', async () => {
    head = await startClientHead()
    const journal = openJournal()
    const client = await head.client(0, { journal })
    journal.failure = new Error('the disk is full')
    await expect(client.pay({ id: 'a', to: bob(), amount: ADA })).rejects.toBe(journal.failure)
    expect(client.getBalance()!.pending.lovelace).toBe(client.getBalance()!.confirmed.lovelace)
    journal.failure = null
    expect(await journal.entries()).toEqual([])
    await client.pay({ id: 'a', to: bob(), amount: ADA })
    expect(paidTo(client, bob())).toEqual([ADA])
  })
})

describe('connect()', () => {
  it('sends the same bytes again that a killed process has not sent, and reports their end', async () => {
    head = await startClientHead()
    const entry = await killBeforeSending('order-17', 2n * ADA)
    const ends: (SettledTx & { id: string })[] = []
    const journal = await journalWith(entry)
    const client = await head.client(0, { journal, onSettled: (end) => void ends.push(end) })
    await until(() => ends.length > 0)
    expect(ends).toMatchObject([{ id: 'order-17', outcome: 'confirmed', txId: entry.parts[0]!.txs[0]!.txId }])
    expect((await client.pay({ id: 'order-17', to: bob(), amount: 2n * ADA })).txId).toBe(ends[0]!.txId)
    expect(paidTo(client, bob())).toEqual([2n * ADA])
  })

  it('finds a payment in the history whose output its receiver has spent', async () => {
    head = await startClientHead()
    const entry = await killBeforeSending('order-17', 2n * ADA)
    const other = await head.client(0)
    await other.submit(entry.parts[0]!.txs[0]!.cborHex)
    await other.payMany({ payments: Array.from({ length: 3 }, () => ({ to: bob(), amount: 50n * ADA })) })
    await (await head.client(1)).withdraw({ all: true })
    // Its change is spent as well: the state alone shows no trace of it.
    await other.consolidate()
    await other.pay({ to: bob(), amount: 800n * ADA })
    const client = await head.client(0, { journal: await journalWith(entry) })
    await until(() => client.payments({ open: true }).length === 0)
    expect(client.payments()).toMatchObject([{ state: 'confirmed', txIds: [entry.parts[0]!.txs[0]!.txId] }])
  })

  it('builds again under the same id what can never be confirmed', async () => {
    head = await startClientHead()
    const entry = await killBeforeSending('order-17', 2n * ADA)
    const other = await head.client(0)
    // Spends the one output that the payment was built from.
    await other.pay({ to: bob(), amount: 7n * ADA })
    const client = await head.client(0, { journal: await journalWith(entry) })
    const { txId } = await client.pay({ id: 'order-17', to: bob(), amount: 2n * ADA })
    expect(txId).not.toBe(entry.parts[0]!.txs[0]!.txId)
    expect(paidTo(client, bob())).toEqual([2n * ADA, 7n * ADA])
  })

  it('keeps the outputs of open payments from other ones', async () => {
    head = await startClientHead()
    const entries = [await killBeforeSending('a', 2n * ADA)]
    const client = await head.client(0, { journal: await journalWith(...entries) })
    const [own, other] = await Promise.all([
      client.pay({ id: 'a', to: bob(), amount: 2n * ADA }),
      client.pay({ to: bob(), amount: 3n * ADA })
    ])
    expect(own.txId).toBe(entries[0]!.parts[0]!.txs[0]!.txId)
    expect(other.txId).not.toBe(own.txId)
    expect(paidTo(client, bob())).toEqual([2n * ADA, 3n * ADA])
  })

  it.each([
    ['wallet', (entry: JournalEntry) => ({ ...entry, wallet: bob() })],
    ['network', (entry: JournalEntry) => ({ ...entry, network: 'mainnet' as const })],
    ['head', (entry: JournalEntry) => ({ ...entry, headId: 'ab'.repeat(28) })]
  ])('refuses the journal of another %s', async (part, change) => {
    head = await startClientHead()
    const entry = await killBeforeSending('a', ADA)
    const journal = await journalWith(change(entry))
    const client = head.client(0, { journal })
    await expect(client).rejects.toMatchObject({ code: 'JOURNAL_MISMATCH', part, id: 'a' })
    expect(await journal.entries()).toEqual([change(entry)])
  })

  it.each([
    ['a newer version', { version: 2 }, { code: 'JOURNAL_VERSION', version: 2, id: 'a' }],
    ['no version', { version: undefined }, { code: 'JOURNAL_BROKEN', line: 1 }],
    ['parts that are none', { parts: [{ count: 1 }] }, { code: 'JOURNAL_BROKEN', line: 1 }]
  ])('refuses an entry of %s, and leaves it', async (_, change, expected) => {
    head = await startClientHead()
    const entry = { ...(await killBeforeSending('a', ADA)), ...change } as unknown as JournalEntry
    const journal = await journalWith(entry)
    await expect(head.client(0, { journal })).rejects.toMatchObject(expected)
    expect(await journal.entries()).toHaveLength(1)
  })

  it('moves on to the next head of the node', async () => {
    head = await startClientHead()
    const entry = await killBeforeSending('order-17', 2n * ADA)
    const other = await head.client(0)
    await other.closeAndFanoutHead()
    await other.open()
    await other.deposit({ amount: 50n * ADA })
    const client = await head.client(0, { journal: await journalWith(entry) })
    await until(() => client.payments({ open: true }).length === 0)
    expect(client.payments()).toMatchObject([{ id: 'order-17', state: 'confirmed' }])
    expect(paidTo(client, bob())).toEqual([2n * ADA])
  })
})

/** Runs an action whose process is killed after the nth write of its entry; returns the entry as it was then. */
async function killedAt(write: number, act: (client: HeadClient) => Promise<unknown>): Promise<JournalEntry> {
  const journal = openJournal()
  const halted = new Promise<void>((resolve) => {
    let count = 0
    void head
      .client(0, {
        journal: {
          ...journal,
          async put(entry: JournalEntry) {
            if (count++ >= write) return
            await journal.put(entry)
            if (count < write) return
            resolve()
            await new Promise(() => undefined)
          }
        }
      })
      .then((client) => act(client).catch(() => undefined))
  })
  await halted
  return (await journal.entries())[0]!
}

describe('a deposit with an id', () => {
  it.each([[1], [2]])(
    'resumes after a kill at its write %p',
    async (write) => {
      head = await startClientHead({ deposit: 0n })
      const entry = await killedAt(write, (client) => client.deposit({ id: 'in', amount: 20n * ADA }))
      expect(entry).toMatchObject({ action: 'deposit', state: 'open' })
      const client = await head.client(0, { journal: await journalWith(entry) })
      const result = await client.deposit({ id: 'in', amount: 20n * ADA })
      expect(result.depositTxId).toBe(entry.parts[0]!.txs[0]!.txId)
      expect(await client.deposit({ id: 'in', amount: 20n * ADA })).toEqual(result)
      expect(client.getBalance()!.confirmed.lovelace).toBe(20n * ADA)
    },
    60_000
  )

  it('of an earlier release answers with the deadline, and null for the times that it did not keep', async () => {
    head = await startClientHead({ deposit: 0n })
    const first = openJournal()
    const { depositTxId, recoverableAt } = await (
      await head.client(0, { journal: first })
    ).deposit({ id: 'in', amount: 20n * ADA })
    const [entry] = await first.entries()
    const { recordedAt, claimableAt, expiresAt, ...result } = entry!.result as Record<string, unknown>
    expect([recordedAt, claimableAt, expiresAt]).toEqual([1, 2, 3].map(() => expect.any(Number)))
    const client = await head.client(0, { journal: await journalWith({ ...entry!, result }) })
    expect(await client.deposit({ id: 'in', amount: 20n * ADA })).toMatchObject({
      depositTxId,
      recordedAt: null,
      claimableAt: null,
      expiresAt: null,
      recoverableAt
    })
  })

  it('keeps the head open until it is there, unless force is true', async () => {
    head = await startClientHead({ node: { timings: { depositDelayMs: 3_000 } } })
    const client = await head.client(0, { journal: openJournal() })
    const deposit = client.deposit({ id: 'in', amount: 20n * ADA })
    deposit.catch(() => undefined)
    await until(() => client.payments({ open: true })[0]?.step === 'recorded')
    const [txId] = client.payments({ open: true })[0]!.txIds
    for (const close of [() => client.closeHead(), () => client.closeAndFanoutHead()])
      await expect(close()).rejects.toMatchObject({ code: 'CLIENT_OPEN_DEPOSIT', depositTxIds: [txId] })
    await client.closeHead({ force: true })
    await expect(deposit).rejects.toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN' })
  }, 60_000)
})

describe('a withdrawal with an id', () => {
  it.each([[1], [2], [3]])(
    'resumes after a kill at its write %p',
    async (write) => {
      head = await startClientHead()
      const before = 1_000n * ADA
      const entry = await killedAt(write, (client) => client.withdraw({ id: 'out', amount: 20n * ADA }))
      expect(entry).toMatchObject({ action: 'withdraw', state: 'open' })
      const client = await head.client(0, { journal: await journalWith(entry) })
      const result = await client.withdraw({ id: 'out', amount: 20n * ADA })
      expect(result.utxo[0]!.amount[0]!.quantity).toBe(String(20n * ADA))
      expect(await client.withdraw({ id: 'out', amount: 20n * ADA })).toEqual(result)
      expect(client.getBalance()!.confirmed.lovelace).toBe(before - 20n * ADA)
    },
    60_000
  )
})

describe('onBeforeSend', () => {
  it('receives each signed transaction before it is sent, and is awaited', async () => {
    head = await startClientHead()
    const order: string[] = []
    const client = await head.client(0, {
      onBeforeSend: async ({ id, txId, cborHex, expiresAt }) => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        order.push(`${id} ${txId} ${cborHex.length > 100} ${expiresAt! > Date.now()}`)
      }
    })
    client.bridge.events.on('onTxProgress', ({ state }) => void (state === 'submitted' && order.push('sent')))
    const { txId } = await client.pay({ id: 'a', to: bob(), amount: ADA })
    expect(order).toEqual([`a ${txId} true true`, 'sent'])
  })

  it('sends nothing when it throws, in every action', async () => {
    head = await startClientHead()
    const stop = new Error('the database is gone')
    const client = await head.client(0, { onBeforeSend: () => Promise.reject(stop) })
    const before = client.getBalance()!.confirmed.lovelace
    for (const act of [
      () => client.pay({ to: bob(), amount: ADA }),
      () => client.payMany({ id: 'b', payments: [{ to: bob(), amount: ADA }] }),
      () => client.withdraw({ amount: 5n * ADA }),
      () => client.withdraw({ all: true }),
      () => client.deposit({ amount: 5n * ADA })
    ])
      await expect(act()).rejects.toBe(stop)
    expect(client.getBalance()).toMatchObject({ confirmed: { lovelace: before }, pending: { lovelace: before } })
    expect(client.payments()).toEqual([])
  })
})

describe('waitForTx with expiresAt', () => {
  it('ends in CLIENT_TX_EXPIRED for a transaction that was never sent', async () => {
    head = await startClientHead()
    let unsent: UnsentTx | undefined
    const client = await head.client(0, { expiresIn: 1_000 })
    await client
      .pay({
        to: bob(),
        amount: ADA,
        onBeforeSend: (tx) => {
          unsent = tx
          throw new Error('no')
        }
      })
      .catch(() => undefined)
    const next = await head.client(0)
    const { txId, expiresAt } = unsent!
    await expect(next.waitForTx(txId, { expiresAt, timeout: 20_000 })).rejects.toMatchObject({
      code: 'CLIENT_TX_EXPIRED',
      txId
    })
    await expect(next.waitForTx(txId, { expiresAt: Date.now() + 60_000, timeout: 300 })).rejects.toMatchObject({
      code: 'CLIENT_OUTCOME_UNKNOWN'
    })
    await expect(next.waitForTx(txId, { expiresAt: 'soon' as never })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it('resolves for one that is confirmed, also after its bound', async () => {
    head = await startClientHead()
    const client = await head.client(0)
    const { txId } = await client.pay({ to: bob(), amount: ADA })
    const next = await head.client(0)
    expect(await next.waitForTx(txId, { expiresAt: Date.now() - 1_000 })).toMatchObject({
      snapshotNumber: expect.any(Number)
    })
  })
})
