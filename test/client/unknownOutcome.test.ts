import { contextParts } from '../../src/client/ClientContext.js'
import { SubmitError } from '../../src/errors/operation'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead

afterEach(() => head.stop())

it('goes on waiting within its time for a payment whose outcome neither state nor history shows yet', async () => {
  head = await startClientHead({ deposit: 50n * ADA })
  const client = await head.client()
  head.node.faults.holdSnapshots = true
  const ids: string[] = []
  let outcome = 'pending'
  const paying = client.pay({
    to: head.wallets[1]!.getAddressBech32(),
    amount: 2n * ADA,
    timeout: 10_000,
    onProgress: ({ state, txId }) => void (state === 'valid' && ids.push(txId!))
  })
  void paying.then(
    () => (outcome = 'paid'),
    () => (outcome = 'rejected')
  )
  while (ids.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const error = new SubmitError(ids[0]!, 'Disconnected', 'messages about it may have been missed')
  contextParts(client.context).txs.onTxState(ids[0]!, { state: 'unknown', error, wasValid: true })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(outcome).toBe('pending')
  head.node.faults.holdSnapshots = false
  await client.pay({ to: head.wallets[1]!.getAddressBech32(), amount: 1n * ADA, wait: 'valid' }).catch(() => undefined)
  expect(await paying).toMatchObject({ txId: ids[0] })
})
