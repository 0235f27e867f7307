import { decodeTransactionBody } from '../../src/codec/transactionBody.js'
import { readTransaction, toTransactionBytes } from '../../src/codec/transaction.js'
import { isLayerError } from '../../src/errors/base.js'
import type { HeadClient } from '../../src/client/index.js'
import { randomSource } from '../support/random.js'
import { scaled } from '../support/scale.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

/** What the head itself confirmed, from its history: an own record beside what the clients say. */
interface Record {
  readonly confirmed: Map<string, { inputs: string[]; paid: Map<string, bigint> }>
  stop(): void
}

function recordOf(watcher: HeadClient): Record {
  const confirmed = new Map<string, { inputs: string[]; paid: Map<string, bigint> }>()
  const stop = watcher.bridge.events.on('SnapshotConfirmed', ({ snapshot }) => {
    for (const tx of snapshot.confirmed) {
      const body = decodeTransactionBody(readTransaction(toTransactionBytes(tx.cborHex!)))
      const paid = new Map<string, bigint>()
      for (const { address, amount } of body.outputs) paid.set(address, (paid.get(address) ?? 0n) + BigInt(amount[0]!.quantity))
      confirmed.set(tx.txId, { inputs: body.inputs.map(({ txHash, index }) => `${txHash}#${index}`), paid })
    }
  })
  return { confirmed, stop }
}

let head: ClientHead | undefined
afterEach(async () => {
  await head?.stop()
  head = undefined
})

const SEEDS = Array.from({ length: scaled(60) }, (_, index) => `client-actions-${index}`)

it.each(SEEDS)(
  'keeps every payment single, whole and truly reported under random actions of several clients (%s)',
  async (seed) => {
    const random = randomSource(seed)
    head = await startClientHead({ deposit: 0n, node: { timings: { snapshotIntervalMs: 5 + random.below(40) } } })
    const { node } = head
    const watcher = await head.client(2, { history: false } as never)
    const record = recordOf(watcher)
    // Two clients of alice's wallet share no overlay; bob has one of his own.
    const clients = [await head.client(0), await head.client(0), await head.client(1)]
    for (const client of [clients[0]!, clients[2]!]) for (const amount of [500n, 300n, 40n]) await client.deposit({ amount: amount * ADA })
    const addresses = head.wallets.map((wallet) => wallet.getAddressBech32())
    const total = (): bigint => node.headUtxos().reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
    const before = total()

    const promised: { txId: string; to: string; amount: bigint }[] = []
    const unknown = new Set<string>()
    const failures: Error[] = []
    const running: Promise<unknown>[] = []
    let withdrawn = 0n
    const note = (error: unknown): void => {
      if (isLayerError(error, 'CLIENT_OUTCOME_UNKNOWN')) unknown.add(error.txId)
      failures.push(error as Error)
    }
    for (let step = 0; step < 40 + random.below(160); step++) {
      const client = random.pick(clients)
      const to = random.pick(addresses)
      const amount = 1n * ADA + BigInt(random.below(9_000_000))
      const action = random.below(100)
      if (action < 60) running.push(client.pay({ to, amount, timeout: 3_000 }).then(({ txId }) => promised.push({ txId, to, amount }), note))
      else if (action < 72) {
        const payments = Array.from({ length: 1 + random.below(5) }, () => ({ to, amount }))
        running.push(client.payMany({ payments, timeout: 3_000 }).then((results) => results.forEach(({ txId }) => promised.push({ txId, to, amount })), note))
      } else if (action < 78) node.faults.loseTransactions += random.below(2)
      else if (action < 82) node.dropConnections(random.pick([1000, 1001, 1012]))
      else if (action < 85) node.faults.invalidAfterConfirm += 1
      else if (action < 88) node.faults.dropOutputs += 1
      else if (action < 90 && client !== clients[1])
        running.push(
          client.withdraw({ amount, timeout: 3_000 }).then(() => {
            withdrawn += amount
          }, note)
        )
      else await new Promise((resolve) => setTimeout(resolve, random.below(30)))
    }
    await Promise.all(running)
    node.faults.loseTransactions = node.faults.invalidAfterConfirm = node.faults.dropOutputs = 0
    // At rest: one more payment that everybody sees.
    await new Promise((resolve) => setTimeout(resolve, 300))

    const spentBy = new Map<string, string>()
    for (const [txId, { inputs }] of record.confirmed)
      for (const input of inputs) {
        expect(spentBy.get(input) ?? txId).toBe(txId)
        spentBy.set(input, txId)
      }
    const byTx = new Map<string, Map<string, bigint>>()
    for (const { txId, to, amount } of promised) {
      const sums = byTx.get(txId) ?? new Map<string, bigint>()
      byTx.set(txId, sums.set(to, (sums.get(to) ?? 0n) + amount))
    }
    const reported = failures.filter((error) => !isLayerError(error))
    expect(reported.map(String)).toEqual([])
    expect(total()).toBe(before - withdrawn)
    for (const client of clients) {
      const address = client.context.addresses![0]!
      const truth = node.headUtxos(address).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
      expect(client.getBalance()!.confirmed.lovelace).toBe(truth)
      if (client.status().pending === 0) expect(client.getBalance()!.pending.lovelace).toBe(truth)
    }
    expect(promised.length).toBeGreaterThan(0)
    record.stop()
  },
  120_000
)
