import { contextParts } from '../../src/client/ClientContext.js'
import type { HeadClient, PayArgs, PayManyArgs } from '../../src/client/index.js'
import { PROFILES } from '../../src/devnode/settings/profiles.js'
import type { DevNodeProfile } from '../../src/devnode/index.js'
import { isLayerError } from '../../src/errors/base.js'
import { TxBuilder } from '../../src/tx/index.js'
import { randomSource } from '../support/random.js'
import { fullRun, scaled } from '../support/scale.js'
import { markOf, readRecord, sumOf } from './headRecord.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

/** A call of an action, and what came of it. */
interface Call {
  readonly action: 'pay' | 'payMany' | 'deposit' | 'withdraw'
  /** The payments that it makes. */
  readonly marks: readonly string[]
  /** Transactions that it sent, in their order. */
  readonly sent: string[]
  /** Ids that it resolved with: one for each payment. */
  resolved?: readonly string[]
  /** Lovelace that it resolved with. */
  lovelace?: bigint
  error?: unknown
}

const isUnknown = (error: unknown): boolean => isLayerError(error, 'CLIENT_OUTCOME_UNKNOWN')
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

let head: ClientHead | undefined
afterEach(async () => {
  await head?.stop()
  head = undefined
})

const profiles = Object.keys(PROFILES) as DevNodeProfile[]
// One profile in `npm test`, besides the one that tells no slots; all of them in the full run.
const SEEDS = Array.from(
  { length: scaled(60) },
  (_, index) =>
    [fullRun ? profiles[index % profiles.length]! : index === 0 ? '0.22' : '2.3', `client-actions-${index}`] as const
)

it.each(SEEDS)(
  'keeps every payment single, whole and truly reported under random actions of several clients (node %s, %s)',
  async (profile, seed) => {
    const random = randomSource(seed)
    head = await startClientHead({
      deposit: 0n,
      node: { profile, timings: { snapshotIntervalMs: 5 + random.below(40) } }
    })
    const { node } = head
    const addresses = head.wallets.map((wallet) => wallet.getAddressBech32())
    // Nodes before 1.3 tell no slot: half of the seeds name the network, the other half leave payments without an end.
    const options = {
      expiresIn: 4_000,
      reconnectInterval: 20,
      ...(random.below(2) === 0 ? { network: 'preprod' as const } : {})
    }
    // Two clients of alice's wallet share no overlay; bob has one of his own.
    const clients = [await head.client(0, options), await head.client(0, options), await head.client(1, options)]
    const foreign = (await head.client(2)).bridge
    const shared: string[] = []
    for (const client of clients) watchReservations(client, shared)
    const calls: Call[] = []
    const running: Promise<unknown>[] = []
    const start = (call: Call, promise: Promise<{ txIds?: readonly string[]; lovelace?: bigint }>): void => {
      calls.push(call)
      running.push(
        promise.then(
          ({ txIds, lovelace }) => Object.assign(call, { resolved: txIds ?? [], lovelace }),
          (error: unknown) => {
            call.error = error
          }
        )
      )
    }
    const onProgress =
      ({ sent }: Call) =>
      ({ state, txId }: { state: string; txId?: string }): void => {
        if (state === 'submitted' && txId !== undefined && !sent.includes(txId)) sent.push(txId)
      }
    const deposit = (client: HeadClient, amount: bigint): void => {
      const call: Call = { action: 'deposit', marks: [], sent: [] }
      const made = client.deposit({ amount, timeout: 10_000, onProgress: onProgress(call) })
      start(
        call,
        made.then(({ depositTxId, utxo }) => ({ txIds: [depositTxId], lovelace: sumOf(utxo) }))
      )
    }
    for (const client of [clients[0]!, clients[2]!])
      for (const amount of [500n, 300n, 40n]) await client.deposit({ amount: amount * ADA })

    let mark = 0
    const oneMark = (to: string): { to: string; amount: bigint; datum: string } => {
      // Now and then a payment that is equal to the one before: two payments all the same.
      if (random.below(6) !== 0) mark++
      return { to, amount: 2n * ADA, datum: `1a${(mark + 0x10000).toString(16).padStart(8, '0')}` }
    }
    const payOnce = (client: HeadClient): void => {
      const payment = oneMark(random.pick(addresses))
      const call: Call = { action: 'pay', marks: [markOf(payment.to, payment.amount, payment.datum)], sent: [] }
      const args: PayArgs = {
        ...payment,
        timeout: 3_000,
        wait: random.pick(['confirmed', 'confirmed', 'valid', 'sent'] as const),
        onProgress: onProgress(call)
      }
      if (random.below(12) === 0) args.signal = AbortSignal.timeout(random.below(40))
      start(
        call,
        client.pay(args).then(({ txId }) => ({ txIds: [txId] }))
      )
    }
    const payMany = (client: HeadClient): void => {
      const payments = Array.from({ length: 1 + random.below(5) }, () => oneMark(random.pick(addresses)))
      const call: Call = {
        action: 'payMany',
        marks: payments.map(({ to, amount, datum }) => markOf(to, amount, datum)),
        sent: []
      }
      const args: PayManyArgs = { payments, timeout: 3_000, onProgress: onProgress(call) }
      start(
        call,
        client.payMany(args).then((results) => ({ txIds: results.map(({ txId }) => txId) }))
      )
    }
    const withdraw = (client: HeadClient): void => {
      const call: Call = { action: 'withdraw', marks: [], sent: [] }
      const amount = 2n * ADA + BigInt(random.below(5_000_000))
      const args = { amount, all: true, timeout: 10_000, onProgress: onProgress(call) }
      start(
        call,
        client
          .withdraw(args)
          .then(({ decommitTxId, utxo }) => ({ txIds: [decommitTxId], lovelace: BigInt(utxo[0]!.amount[0]!.quantity) }))
      )
    }
    /** Somebody else who holds alice's key pays with one of her outputs. */
    const foreignPayment = async (): Promise<void> => {
      const owned = node.headUtxos(addresses[0])
      if (owned.length === 0 || !foreign.connected()) return
      const parameters = await clients[0]!.context.ledger.loadParameters().catch(() => undefined)
      if (parameters === undefined) return
      const built = new TxBuilder(parameters)
        .spend([random.pick(owned)])
        .changeTo(addresses[0]!)
        .build()
      const cborHex = await head!.wallets[0]!.signTx(built.cborHex)
      try {
        foreign.commands.newTx(cborHex, '')
      } catch {
        // Dropped in between: nothing was sent.
      }
    }

    const { faults } = node
    for (let step = 40 + random.below(160); step > 0; step--) {
      const client = random.pick(clients)
      const action = random.below(100)
      if (action < 50) payOnce(client)
      else if (action < 58) payMany(client)
      else if (action < 60) deposit(client, BigInt(2 + random.below(20)) * ADA)
      else if (action < 63) withdraw(client)
      else if (action < 68) await foreignPayment()
      else if (action < 70) running.push(refused(client, addresses[1]!))
      else if (action < 73) faults.loseTransactions += random.below(2)
      else if (action < 74) faults.swallowTransactions += random.below(2)
      else if (action < 77) node.dropConnections(random.pick([1000, 1001, 1012, undefined]))
      else if (action < 78) await client.disconnect().then(() => client.connect())
      else if (action < 81) faults.invalidAfterConfirm += 1
      else if (action < 83) faults.dropOutputs += 1
      else if (action < 85) faults.validAfterConfirm = !faults.validAfterConfirm
      else await wait(random.below(30))
    }
    Object.assign(faults, {
      loseTransactions: 0,
      swallowTransactions: 0,
      invalidAfterConfirm: 0,
      dropOutputs: 0,
      validAfterConfirm: false
    })
    await Promise.all(running)
    await atRest(head, clients)

    const record = await readRecord(node.url)
    // The ledger's own rule, decommits included; and no client chose an output that it had given away.
    const spentBy = new Map<string, string>()
    for (const [txId, inputs] of [
      ...[...record.confirmed].map(([id, { inputs }]) => [id, inputs] as const),
      ...record.decommits
    ])
      for (const input of inputs) {
        expect(spentBy.get(input) ?? txId).toBe(txId)
        spentBy.set(input, txId)
      }
    expect(shared).toEqual([])
    expect(
      calls
        .filter(({ error }) => error !== undefined && !isLayerError(error) && (error as Error).name !== 'TimeoutError')
        .map(({ error }) => String(error))
    ).toEqual([])

    // Each call made what it reported, once; a call that was refused made nothing.
    const isMade = (txId: string): boolean =>
      record.confirmed.has(txId) || record.deposits.has(txId) || record.decommits.has(txId)
    const reported: unknown[] = []
    for (const { action, sent, resolved, error, lovelace } of calls) {
      const made = sent.filter(isMade)
      if (action !== 'payMany' && made.length > 1) reported.push({ action, twice: made })
      if (action === 'deposit' && resolved !== undefined && record.deposits.get(resolved[0]!) !== lovelace)
        reported.push({ action, lovelace, resolved })
      if (action !== 'payMany' && error !== undefined && !isUnknown(error) && made.length > 0)
        reported.push({ action, error: String(error), made })
      // What was not waited for may have been lost afterwards; the others were confirmed.
      for (const txId of resolved ?? [])
        if (!isMade(txId) && !mayBeLost(clients, txId)) reported.push({ action, resolved: txId })
    }
    expect(reported).toEqual([])
    // As many outputs of a payment as calls say, and of those without a verdict none or one each.
    const outputs = new Map<string, number>()
    for (const { paid } of record.confirmed.values())
      for (const [each, count] of paid) outputs.set(each, (outputs.get(each) ?? 0) + count)
    const ofMark = new Map<string, { least: number; most: number }>()
    for (const { marks, resolved, error, sent } of calls)
      marks.forEach((each, index) => {
        const bounds = ofMark.get(each) ?? { least: 0, most: 0 }
        if (resolved !== undefined && isMade(resolved[index]!)) bounds.least++
        if (
          resolved !== undefined ? isMade(resolved[index]!) : isUnknown(error) || (marks.length > 1 && sent.length > 0)
        )
          bounds.most++
        ofMark.set(each, bounds)
      })
    const wrong = [...ofMark].filter(
      ([each, { least, most }]) => (outputs.get(each) ?? 0) < least || (outputs.get(each) ?? 0) > most
    )
    expect(wrong.map(([each, bounds]) => ({ each, bounds, made: outputs.get(each) ?? 0 }))).toEqual([])

    // Balances add up, and every client sees what the node's ledger holds.
    const entered = [...record.deposits.values()].reduce((sum, each) => sum + each, 0n)
    expect(sumOf(node.headUtxos())).toBe(entered - record.left)
    for (const client of clients) {
      const address = contextParts(client.context).account.addresses![0]!
      const truth = refs(node.headUtxos(address))
      expect(refs(client.getUtxos({ view: 'confirmed' })!)).toEqual(truth)
      expect(client.getBalance()!.confirmed.lovelace).toBe(sumOf(node.headUtxos(address)))
      // What is still pending carries no end (see above): it was lost, and its inputs stay reserved.
      if (client.status().pending === 0) {
        expect(refs(client.getUtxos()!)).toEqual(truth)
        expect(client.getBalance()!.pending).toEqual(client.getBalance()!.confirmed)
      } else expect([profile, options.network]).toEqual(['0.22', undefined])
      for (const { txId } of contextParts(client.context).view.pending) expect(isMade(txId)).toBe(false)
    }
    expect(calls.filter(({ resolved }) => resolved !== undefined).length).toBeGreaterThan(0)
  },
  120_000
)

const refs = (utxos: readonly { input: { txHash: string; index: number } }[]): string[] =>
  utxos.map(({ input }) => `${input.txHash}#${input.index}`).sort()

/** Notes each output that a client reserves although something of its own has it. */
function watchReservations({ context }: HeadClient, shared: string[]): void {
  const { view } = contextParts(context)
  const reserve = view.reserve.bind(view)
  view.reserve = (tx) => {
    for (const { input } of tx.inputs) {
      const by = view.reservedBy(`${input.txHash}#${input.index}`)
      if (by !== undefined) shared.push(`${input.txHash}#${input.index} of ${by} taken by ${tx.txId}`)
    }
    return reserve(tx)
  }
}

/** A payment that was resolved before its confirmation may come to nothing; its client knows. */
function mayBeLost(clients: readonly HeadClient[], txId: string): boolean {
  return clients.some(
    ({ context }) =>
      contextParts(context).txs.get(txId) !== undefined ||
      ['rejected', 'unknown'].includes(contextParts(context).settled.get(txId)?.outcome ?? '')
  )
}

/** Actions that must be refused whatever else happens. */
async function refused(client: HeadClient, to: string): Promise<void> {
  await expect(client.pay({ to, amount: 1n, timeout: 3_000 })).rejects.toMatchObject({ code: expect.any(String) })
  await expect(client.pay({ to, amount: 1_000_000n * ADA, timeout: 3_000 })).rejects.toMatchObject({
    code: expect.any(String)
  })
}

/** Pays once more until every client sees what the node has and nothing is in flight that time can decide. */
async function atRest({ node, wallets }: ClientHead, clients: readonly HeadClient[]): Promise<void> {
  const until = Date.now() + 60_000
  const payer = clients[2]!
  const isQuiet = async (): Promise<boolean> => {
    const pendingDeposits = await payer.bridge.pendingDeposits().catch(() => ['?'])
    return (
      pendingDeposits.length === 0 &&
      clients.every((client) => {
        const address = contextParts(client.context).account.addresses![0]!
        const { ready, state, pending } = client.status()
        const endless = [...contextParts(client.context).view.pending].every(
          ({ txId }) => contextParts(client.context).txs.get(txId)!.expirySlot === null
        )
        return (
          ready &&
          state === 'connected' &&
          (pending === 0 || endless) &&
          !contextParts(client.context).view.isHolding &&
          client.getBalance()!.confirmed.lovelace === sumOf(node.headUtxos(address))
        )
      })
    )
  }
  for (;;) {
    await payer.pay({ to: wallets[1]!.getAddressBech32(), amount: 2n * ADA, timeout: 3_000 }).catch(() => undefined)
    await wait(50)
    if (await isQuiet()) return
    if (Date.now() > until) throw new Error(`not at rest: ${JSON.stringify(clients.map((client) => client.status()))}`)
  }
}
