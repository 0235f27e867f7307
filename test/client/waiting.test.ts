import type { HeadClient } from '../../src/client/index.js'
import { TxBuilder } from '../../src/tx/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let alice: HeadClient
let bob: HeadClient
beforeAll(async () => {
  head = await startClientHead({ deposit: 100n * ADA })
  alice = await head.client(0)
  bob = await head.client(1)
})
afterAll(() => head.stop())

/** A signed payment that no node has seen, with its id. */
async function signedPayment(): Promise<{ txId: string; cborHex: string }> {
  const [from, to] = [head.wallets[0]!.getAddressBech32(), head.wallets[1]!.getAddressBech32()]
  const { cborHex, txId } = new TxBuilder()
    .addInputs(alice.getUtxos()!)
    .pay(to, 2n * ADA)
    .changeTo(from)
    .build()
  return { txId, cborHex: await head.wallets[0]!.signTx(cborHex) }
}

it('waitForTx answers for a transaction that is first sent after the call', async () => {
  const { txId, cborHex } = await signedPayment()
  const waits = [bob.waitForTx(txId), alice.waitForTx(txId.toUpperCase())]
  let isOver = false
  void Promise.race(waits).then(() => (isOver = true))
  // A look at the history, which does not name it yet, is over by then.
  await bob.bridge.findTransaction(txId)
  expect(isOver).toBe(false)
  const { snapshotNumber } = await alice.submit(cborHex)
  for (const found of await Promise.all(waits)) expect(found).toMatchObject({ snapshotNumber, exact: true })
})

it('waitForTx answers for a transaction that was confirmed before the call, and for one before the connection', async () => {
  const { txId, cborHex } = await signedPayment()
  const { snapshotNumber } = await alice.submit(cborHex)
  expect((await bob.waitForTx(txId)).snapshotNumber).toBeGreaterThanOrEqual(snapshotNumber!)
  const carol = await head.client(2)
  expect((await carol.waitForTx(txId)).snapshotNumber).toBeGreaterThanOrEqual(snapshotNumber!)
})

it('waitForTx of a transaction that never comes ends as unknown at its limit', async () => {
  const { txId } = await signedPayment()
  await expect(bob.waitForTx(txId, { timeout: 300 })).rejects.toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN', txId })
})
