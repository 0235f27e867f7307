import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { HeadClient, UnsentTx } from '../../src/client/index.js'
import { ADA, startClientHead } from '../client/support.js'
import type { ClientHead } from '../client/support.js'

type Saved = Pick<UnsentTx, 'txId' | 'cborHex' | 'expiresAt'>
interface Guide {
  settle(
    head: HeadClient,
    orders: { save(id: string, tx: Saved): Promise<void> },
    order: { id: string; to: string; amount: bigint }
  ): Promise<{ txId: string }>
  afterRestart(head: HeadClient, saved: Saved): Promise<{ snapshotNumber: number }>
}

/** The functions as they stand in the guide. */
const guide = ((): Guide => {
  const text = readFileSync(join(__dirname, '../../docs/guides/pay-once.md'), 'utf8')
  const block = [...text.matchAll(/```ts[^\n]*\n([\s\S]*?)```/g)]
    .map(([, code]) => code!)
    .find((code) => code.includes('function settle('))!
  const script = ts.transpile(block.replace(/^import .*$/gm, '').replace(/^export /gm, ''), {
    target: ts.ScriptTarget.ES2022
  })
  return new Function(`${script}\nreturn { settle, afterRestart }`)() as Guide
})()

let head: ClientHead
beforeAll(async () => {
  head = await startClientHead({ deposit: 100n * ADA })
})
afterAll(() => head.stop())

const bob = (): string => head.wallets[1]!.getAddressBech32()
const paidTo = (address: string): bigint =>
  head.node.headUtxos(address).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A process that settles an order with a database that takes its time, and is killed at a moment. */
async function settleAndDie(disk: { saved: Saved | null }, killAt: 'saving' | 'saved' | 'sent'): Promise<void> {
  const client = await head.client(0)
  const killed = new Promise<void>((die) => {
    const save = async (_: string, tx: Saved): Promise<void> => {
      if (killAt === 'saving') die()
      if (killAt === 'saving') return new Promise<never>(() => undefined)
      await later(100)
      disk.saved = tx
      die()
      if (killAt === 'saved') return new Promise<never>(() => undefined)
    }
    guide.settle(client, { save }, { id: 'order-17', to: bob(), amount: 2n * ADA }).catch(() => undefined)
  })
  await killed
  if (killAt === 'sent') await later(50)
  await client.disconnect()
}

it.each(['saving', 'saved', 'sent'] as const)(
  "pays an order once with a database, by the guide's functions, when it is killed at %s",
  async (killAt) => {
    const before = paidTo(bob())
    const disk = { saved: null as Saved | null }
    await settleAndDie(disk, killAt)
    // The database knows the transaction before the head can.
    if (paidTo(bob()) > before) expect(disk.saved).not.toBeNull()
    const client = await head.client(0)
    const order = { id: 'order-17', to: bob(), amount: 2n * ADA }
    const save = async (_: string, tx: Saved): Promise<void> => {
      disk.saved = tx
    }
    if (disk.saved === null) await guide.settle(client, { save }, order)
    expect((await guide.afterRestart(client, disk.saved!)).snapshotNumber).toBeGreaterThan(0)
    expect((await guide.afterRestart(client, disk.saved!)).snapshotNumber).toBeGreaterThan(0)
    expect(paidTo(bob()) - before).toBe(2n * ADA)
  },
  60_000
)
