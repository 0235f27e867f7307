import { contextParts } from '../../src/client/ClientContext.js'
import fc from 'fast-check'
import type { HeadClient, SettledTx } from '../../src/client/index.js'
import { bytesToHex, hexToBytes } from '../../src/codec/hex.js'
import { readTransaction } from '../../src/codec/transaction.js'
import { readVkeyWitnesses, setVkeyWitnesses } from '../../src/codec/witnessSet.js'
import { TxBuilder } from '../../src/tx/index.js'
import { LayerBridge } from '../../src/bridge/index.js'
import { scaled } from '../support/scale.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let alice: HeadClient
let bob: string
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
async function start(options: Parameters<typeof startClientHead>[0] = {}): Promise<void> {
  head = await startClientHead({ deposit: 100n * ADA, ...options })
  alice = await head.client(0)
  bob = head.wallets[1]!.getAddressBech32()
}

type Tamper = 'dropped' | 'swapped' | 'doubled'
const TAMPERS: readonly Tamper[] = ['dropped', 'swapped', 'doubled']
const otherWitness = { vkey: new Uint8Array(32).fill(9), signature: new Uint8Array(64).fill(9) }

/**
 * A copy with the same id: its witnesses dropped, exchanged for a false one, or with a second, false one beside them.
 */
function copyOf(cborHex: string, how: Tamper): string {
  const tx = readTransaction(hexToBytes(cborHex))
  if (how === 'doubled') return bytesToHex(setVkeyWitnesses(tx, [...readVkeyWitnesses(tx), otherWitness]))
  const bare = `${cborHex.slice(0, 2 * tx.witnessSet.start)}a0${cborHex.slice(2 * tx.witnessSet.end)}`
  return how === 'dropped' ? bare : bytesToHex(setVkeyWitnesses(readTransaction(hexToBytes(bare)), [otherWitness]))
}

/** Signs as the wallet does, and hands each signed transaction to `seen`. */
function spySignatures(index: number, seen: (cborHex: string) => Promise<void> | void): void {
  const wallet = head.wallets[index]!
  const sign = wallet.signTx.bind(wallet)
  jest.spyOn(wallet, 'signTx').mockImplementation(async (tx, partial) => {
    const signed = await sign(tx, partial)
    await seen(signed)
    return signed
  })
}

describe('a refused payment that is confirmed all the same', () => {
  beforeEach(() => start())

  /** A payment whose own bytes the node refuses, and the whole transaction. */
  async function refusedPayment(onSettled?: (settled: SettledTx) => void): Promise<{ error: any; whole: string }> {
    let whole = ''
    const sign = head.wallets[0]!.signTx.bind(head.wallets[0]!)
    jest.spyOn(head.wallets[0]!, 'signTx').mockImplementationOnce(async (tx, partial) => {
      whole = await sign(tx, partial)
      return copyOf(whole, 'swapped')
    })
    const error = await failureOf(alice.pay({ to: bob, amount: ADA, onSettled }))
    expect(error).toMatchObject({ code: 'CLIENT_LEDGER', reason: 'missing-signature' })
    return { error, whole }
  }

  it('corrects what was told: onSettled is called, waitForTx resolves, the balance shows it', async () => {
    const settled: SettledTx[] = []
    const { error, whole } = await refusedPayment((end) => settled.push(end))
    expect(await failureOf(alice.waitForTx(error.txId))).toBe(error)
    const { snapshotNumber } = await (await head.client(1)).submit(whole)
    await until(() => settled.length > 0)
    expect(settled).toEqual([{ txId: error.txId, outcome: 'confirmed', snapshotNumber, exact: true, verified: false }])
    expect(await alice.waitForTx(error.txId)).toEqual({ snapshotNumber, exact: true, verified: false })
    expect(alice.getBalance()!.pending.lovelace).toBe(99n * ADA)
  })

  it('is seen in the state by waitForTx, although the messages about it were missed', async () => {
    const { error, whole } = await refusedPayment()
    const other = await head.client(1)
    head.node.faults.dropOutputs = 1_000
    head.node.faults.dropTags = ['SnapshotConfirmed', 'TxValid']
    await other.submit(whole, { wait: 'sent' })
    await until(() => atBob() === ADA)
    head.node.faults.dropOutputs = 0
    head.node.dropConnections()
    await until(() => alice.status().state !== 'connected')
    await until(() => alice.status().state === 'connected' && alice.status().ready)
    expect(await alice.waitForTx(error.txId)).toMatchObject({ snapshotNumber: expect.any(Number) })
  })

  it('is excluded by what is paid after it: only one of the two is ever confirmed', async () => {
    await alice.deposit({ amount: 50n * ADA })
    for (let round = 0; round < 5; round++) {
      const before = atBob()
      const { error, whole } = await refusedPayment()
      jest.restoreAllMocks()
      // Who pays again, and the first one comes after all.
      await alice.pay({ to: bob, amount: ADA })
      await failureOf((await head.client(2)).submit(whole, { timeout: 2_000 }))
      expect(atBob() - before).toBe(ADA)
      expect(await failureOf(alice.waitForTx(error.txId))).toBe(error)
    }
  })
})

it('ends a payment with its first attempt when that is confirmed while another is built', async () => {
  await start()
  const twin = await head.client(0)
  head.node.faults.holdSnapshots = true
  await twin.pay({ to: bob, amount: 5n * ADA, wait: 'valid' })
  // The node refuses the first attempt, for the twin's is ahead; then it forgets the twin's, and another party confirms
  // the first.
  const ids: string[] = []
  const onProgress = ({ txId, state }: { txId?: string; state: string }): void =>
    void (state === 'submitted' && ids.push(txId!))
  const paid = alice.pay({ to: bob, amount: ADA, timeout: 20_000, onProgress })
  await until(() => ids.length === 1 && contextParts(alice.context).settled.get(ids[0]!)?.outcome === 'rejected')
  contextParts(alice.context).txs.onTxState(ids[0]!, {
    state: 'confirmed',
    snapshotNumber: 7,
    exact: true,
    verified: false,
    snapshot: null
  })
  expect(await paid).toMatchObject({ txId: ids[0], snapshotNumber: 7 })
  expect(ids).toHaveLength(1)
})

describe('a transaction of two parties', () => {
  it.each([...Array(4).keys()])(
    'is told as confirmed to who completes it, whatever the node says of the half-signed one, in order %i',
    async (order) => {
      await start({ node: { timings: { invalidRetryMs: [10, 60, 120, 250][order]! } } })
      const carol = await head.client(1)
      await alice.pay({ to: bob, amount: 20n * ADA })
      const parameters = await alice.context.ledger.loadParameters()
      await until(() => carol.getUtxos()!.length > 0)
      const [from, to] = [alice.getUtxos()![0]!, carol.getUtxos()![0]!]
      const { cborHex, txId } = new TxBuilder(parameters)
        .spend([from, to])
        .changeTo(bob)
        .validUntil(4_000_000_000)
        .build()
      const half = await head.wallets[0]!.signTx(cborHex, true)
      const whole = await head.wallets[1]!.signTx(half, true)
      const settled: SettledTx[] = []
      const first = alice.submit(half, { onSettled: (end) => settled.push(end) }).then(
        () => 'confirmed',
        ({ code }: { code: string }) => code
      )
      expect(await carol.submit(whole)).toMatchObject({ txId, exact: true })
      expect(await carol.waitForTx(txId)).toMatchObject({ exact: true })
      // Who sent the half-signed one hears of its refusal at most until it is confirmed.
      if ((await first) === 'CLIENT_LEDGER') await until(() => settled.length > 0)
      expect(settled.map(({ outcome }) => outcome)).toEqual((await first) === 'confirmed' ? [] : ['confirmed'])
      expect(await alice.waitForTx(txId)).toMatchObject({ exact: true })
    }
  )
})

it('tells nothing false while a stranger sends copies with witnesses dropped, swapped or doubled at random times', async () => {
  await start({ deposit: 900n * ADA, node: { timings: { snapshotIntervalMs: 3, invalidRetryMs: 1 } } })
  // What the node said of a copy is on its way when the payment leaves.
  head.node.faults.outputDelayMs = 15
  for (let count = 0; count < 3; count++) await alice.deposit({ amount: 100n * ADA })
  const stranger = new LayerBridge({ url: head.node.url })
  await stranger.connect()
  const watcher = await head.client(2)
  const wait = (ms: number): Promise<void> =>
    ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms))
  let paid = 0n
  const verdicts: string[] = []
  let plan: readonly { readonly how: Tamper; readonly beforeMs: number }[] = []
  spySignatures(0, async (cborHex) => {
    for (const { how, beforeMs } of plan) {
      const send = (): void => stranger.commands.newTx(copyOf(cborHex, how), '')
      // Before it is sent itself, or some time after.
      if (beforeMs >= 0) {
        send()
        await wait(beforeMs)
      } else setTimeout(send, -beforeMs)
    }
  })
  const copies = fc.array(
    fc.record({ how: fc.constantFrom(...TAMPERS), beforeMs: fc.integer({ min: -12, max: 20 }) }),
    { minLength: 1, maxLength: 4 }
  )
  await fc.assert(
    fc.asyncProperty(copies, async (given) => {
      plan = given
      const ids: string[] = []
      const onProgress = ({ txId, state }: { txId?: string; state: string }): void =>
        void (state === 'signed' && ids.push(txId!))
      const { txId } = await alice
        .pay({ to: bob, amount: ADA, retries: 0, timeout: 20_000, onProgress })
        .catch((error: { code: string }) => {
          verdicts.push(error.code)
          throw error
        })
      paid += ADA
      expect(ids).toEqual([txId])
      expect(await watcher.waitForTx(txId, { timeout: 20_000 })).toMatchObject({ snapshotNumber: expect.any(Number) })
    }),
    { numRuns: scaled(1_000), endOnFailure: true }
  )
  await stranger.disconnect()
  expect(verdicts).toEqual([])
  expect(atBob()).toBe(paid)
}, 600_000)
