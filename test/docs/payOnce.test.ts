import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { isLayerError } from '../../src/errors/index.js'
import type { HeadClient } from '../../src/client/index.js'
import { TxBuilder } from '../../src/tx/index.js'
import { ADA, startClientHead } from '../client/support.js'
import type { ClientHead } from '../client/support.js'

interface Order {
  readonly to: string
  readonly amount: bigint
  readonly txId?: string
  readonly cborHex?: string
}
type Settle = (
  head: HeadClient,
  wallet: unknown,
  order: Order,
  save: (order: Order) => Promise<void>
) => Promise<{ status: string; txId: string }>

/** The recipe as it stands in the guide. */
const settle = ((): Settle => {
  const guide = readFileSync(join(__dirname, '../../docs/guides/production.md'), 'utf8')
  const block = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, code]) => code!)
    .find((code) => code.includes('function settle('))!
  // The guide's own text, without its imports, which the test gives it.
  const script = ts.transpile(block.replace(/^(import|console) ?.*$/gm, ''), { target: ts.ScriptTarget.ES2022 })
  return new Function('isLayerError', 'TxBuilder', `${script}\nreturn settle`)(isLayerError, TxBuilder) as Settle
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

/**
 * A process that settles an order with a store that takes its time, and is killed at a moment: nothing of it goes on.
 */
async function run(
  disk: { order: Order },
  killAt: 'saving' | 'saved' | 'submitted' | 'confirmed' | null
): Promise<string | null> {
  const client = await head.client(0)
  let die!: () => void
  const killed = new Promise<null>((resolve) => (die = () => resolve(null)))
  let alive = true
  const submit = client.submit.bind(client)
  const process: HeadClient = {
    ...client,
    submit: async (cborHex: string) => {
      if (!alive) return new Promise<never>(() => undefined)
      const sent = submit(cborHex, {
        onProgress: ({ state }) => {
          if (state === killAt) die()
        }
      })
      return Promise.race([sent, killed.then(() => new Promise<never>(() => undefined))])
    }
  }
  const save = async (order: Order): Promise<void> => {
    const write = later(200)
    if (killAt === 'saving') {
      die()
      return new Promise<never>(() => undefined)
    }
    await write
    disk.order = order
    if (killAt === 'saved') {
      alive = false
      die()
    }
  }
  const settled = settle(process, head.wallets[0], disk.order, save).then(({ status }) => status)
  const status = await Promise.race([settled, killed])
  alive = false
  if (killAt === 'confirmed' || killAt === 'submitted') await later(50)
  await client.disconnect()
  return status
}

it.each(['saving', 'saved', 'submitted', 'confirmed'] as const)(
  "pays an order once by the guide's recipe, with a slow store and a kill when it is %s",
  async (killAt) => {
    const before = paidTo(bob())
    const disk = { order: { to: bob(), amount: 2n * ADA } as Order }
    expect(await run(disk, killAt)).toBeNull()
    // The store knows the transaction before the head can.
    if (paidTo(bob()) > before) expect(disk.order.cborHex).toBeDefined()
    expect(await run(disk, null)).toBe('paid')
    expect(await run(disk, null)).toBe('paid')
    expect(paidTo(bob()) - before).toBe(2n * ADA)
  },
  60_000
)
