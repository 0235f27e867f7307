import type { HeadClient, HeadTransaction, WatchedTx } from '../../src/client/index'
import { Metadatum } from '../../src/utils/index'
import { until } from '../gateway/support'
import { codeOf } from '../support/codeOf'
import { ADA, startClientHead } from './support'
import type { ClientHead } from './support'

jest.setTimeout(60_000)

let head: ClientHead
let payer: HeadClient
let watcher: HeadClient
let [from, to] = ['', '']

beforeAll(async () => {
  head = await startClientHead()
  payer = await head.client(0)
  watcher = await head.client(1)
  from = head.wallets[0]!.getAddressBech32()
  to = head.wallets[1]!.getAddressBech32()
})
afterAll(() => head.stop())

const sumOf = ({ inputs }: HeadTransaction): bigint =>
  inputs.reduce((sum, { output }) => sum + BigInt(output!.amount[0]!.quantity), 0n)

it('getTransaction resolves the inputs of a confirmed transaction, made by a deposit or by another one', async () => {
  const metadata = { 674: Metadatum.from({ msg: ['Order 17'] }) }
  const first = await payer.pay({ to, amount: 2n * ADA, metadata })
  const second = await payer.pay({ to, amount: 3n * ADA })
  for (const client of [payer, watcher]) {
    const found = (await client.getTransaction(first.txId))!
    expect(found).toMatchObject({
      txId: first.txId,
      state: 'confirmed',
      snapshotNumber: first.snapshotNumber,
      from: [from]
    })
    expect(found.own).toBe(client === payer)
    expect(found.decoded!.outputs.map(({ output }) => output.address)).toEqual(expect.arrayContaining([from, to]))
    expect([...found.decoded!.metadata.keys()]).toEqual([674n])
    expect(sumOf(found)).toBe(1_000n * ADA)
  }
  const later = (await watcher.getTransaction(second.txId.toUpperCase()))!
  expect(later.inputs[0]!.input.txHash).toBe(first.txId)
  expect(sumOf(later)).toBe(998n * ADA)
})

it('getTransaction shows the own one in flight as pending, and null for an id that the head does not name', async () => {
  const { txId } = await payer.pay({ to, amount: 2n * ADA, wait: 'sent' })
  const found = (await payer.getTransaction(txId))!
  expect(['pending', 'confirmed']).toContain(found.state)
  expect(found.decoded!.txId).toBe(txId)
  expect(found.from).toEqual([from])
  await payer.waitForTx(txId)
  expect(await watcher.getTransaction('ab'.repeat(32))).toBeNull()
})

it.each([[''], ['ab'], [7], ['z'.repeat(64)]])('getTransaction refuses the id %p', async (txId) => {
  expect(await codeOf(() => payer.getTransaction(txId as string))).toMatch(/^INPUT/)
})

it('watchTxs shows the amounts that a transaction moves, by address', async () => {
  const seen: WatchedTx[] = []
  const stop = watcher.watchTxs({ onChange: (tx) => seen.push(tx) })
  const { txId } = await payer.pay({ to, amount: 4n * ADA })
  await until('the confirmation', () => seen.some((tx) => tx.txId === txId && tx.state === 'confirmed'))
  const { txId: next } = await payer.pay({ to, amount: 5n * ADA })
  await until('the next one', () => seen.some((tx) => tx.txId === next && tx.state === 'confirmed'))
  stop()
  for (const [id, amount] of [
    [txId, 4n * ADA],
    [next, 5n * ADA]
  ] as const) {
    const { sent, received } = seen.find((tx) => tx.txId === id && tx.state === 'confirmed')!
    expect(Object.keys(sent!)).toEqual([from])
    expect(received![to]).toEqual([{ unit: 'lovelace', quantity: String(amount) }])
    const change = BigInt(received![from]![0]!.quantity)
    expect(BigInt(sent![from]![0]!.quantity)).toBe(change + amount)
  }
})
