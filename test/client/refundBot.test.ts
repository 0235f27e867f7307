import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { until } from '../gateway/support'
import { ROOT } from '../support/markdown'
import { fullRun, scaled } from '../support/scale'
import { ADA, startClientHead } from './support'
import { WorkerProcess } from './WorkerProcess'

const PAYMENTS = scaled(200)
const KILLS = scaled(50)
jest.setTimeout(fullRun ? 900_000 : 120_000)

/** The bot as it stands in the guide. */
function botOfGuide(): string {
  const guide = readFileSync(join(ROOT, 'docs', 'guides', 'receive-payments.md'), 'utf8')
  const block = [...guide.matchAll(/```ts no-run\n([\s\S]*?)```/g)]
    .map(([, code]) => code!)
    .find((code) => code.includes('function refund('))!
  const body = block.slice(block.indexOf('export async function'))
  expect(body.trim().split('\n').length).toBeLessThanOrEqual(15)
  return ts.transpile(block.replace(/^(import ).*$/gm, '').replace('export ', ''), { target: ts.ScriptTarget.ES2022 })
}

it("the guide's refund bot answers each payment once, wherever its process is killed", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-refunds-'))
  const head = await startClientHead({ deposit: 5_000n * ADA })
  const payer = await head.client(0)
  const [from, to] = [0, 1].map((index) => head.wallets[index]!.getAddressBech32())
  const bot = new WorkerProcess('refundWorker.ts', {
    url: head.node.url,
    skey: head.node.keys[1]!.skey,
    file: join(folder, 'cursor'),
    bot: botOfGuide()
  })
  try {
    await bot.start()
    const paid = new Map<string, bigint>()
    const refunds: bigint[] = []
    payer.watchTxs({
      onChange: ({ state, sent, received }) => {
        const back = state === 'confirmed' && sent?.[to!] !== undefined ? received?.[from!]?.[0] : undefined
        if (back !== undefined) refunds.push(BigInt(back.quantity))
      }
    })
    for (let count = 1; count <= PAYMENTS; count++) {
      const amount = 2n * ADA + BigInt(count)
      await payer.pay({ to: to!, amount })
      paid.set(String(count), amount)
      if (count % Math.max(1, Math.floor(PAYMENTS / KILLS)) === 0) {
        // At whatever step it is in now.
        await new Promise((resolve) => setTimeout(resolve, (count * 37) % 120))
        await bot.kill()
        expect(bot.failed).toBeNull()
        await bot.start()
      }
    }
    await until('all refunds', () => bot.failed !== null || refunds.length >= PAYMENTS, 60_000)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(bot.failed).toBeNull()
    expect([...refunds].sort()).toEqual([...paid.values()].sort())
    expect(head.node.headUtxos(to!)).toEqual([])
  } finally {
    await bot.kill()
    await head.stop()
    rmSync(folder, { recursive: true })
  }
})
