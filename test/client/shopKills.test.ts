import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HeadClient } from '../../src/client/index'
import { GatewayProcess } from '../gateway/chaos/GatewayProcess'
import { describeWithRedis, RedisServer } from '../gateway/log/RedisServer'
import { until } from '../gateway/support'
import { fullRun, scaled } from '../support/scale'
import { ADA, startClientHead } from './support'
import type { ClientHead } from './support'
import { WorkerProcess } from './WorkerProcess'

const PAYMENTS = scaled(500)
const KILLS = scaled(25)
const LIMIT_MS = fullRun ? 900_000 : 120_000
jest.setTimeout(LIMIT_MS)

let head: ClientHead
let payer: HeadClient
let folder: string
let file: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'layer-sdk-shop-'))
  file = join(folder, 'bookings')
  head = await startClientHead({ deposit: 5_000n * ADA })
  payer = await head.client(0)
})
afterEach(async () => {
  await head.stop()
  rmSync(folder, { recursive: true })
})

/** Bookings as the shop's file has them. */
const bookings = (): { ref: string; lovelace: bigint; from: string }[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [, ref, lovelace, from] = line.split(' ')
      return { ref: ref!, lovelace: BigInt(lovelace!), from: from! }
    })

/** Pays the shop again and again, and disturbs it in between; returns what was paid. */
async function sell(shop: WorkerProcess, disturb: (turn: number) => Promise<void>): Promise<Map<string, bigint>> {
  const to = head.wallets[1]!.getAddressBech32()
  const paid = new Map<string, bigint>()
  for (let count = 1; count <= PAYMENTS; count++) {
    const amount = 2n * ADA + BigInt(count)
    const { txId } = await payer.pay({ to, amount })
    paid.set(txId, amount)
    if (count % Math.floor(PAYMENTS / KILLS) === 0) await disturb(count)
    expect(shop.failed).toBeNull()
  }
  return paid
}

/** Every payment is booked once, and nothing else is. */
async function expectExact(shop: WorkerProcess, paid: ReadonlyMap<string, bigint>): Promise<void> {
  await until('all bookings', () => shop.failed !== null || shop.booked >= paid.size, LIMIT_MS / 2)
  expect(shop.failed).toBeNull()
  // A phantom would follow now: the last change of the shop's own payments is on its way.
  await new Promise((resolve) => setTimeout(resolve, 500))
  await shop.kill()
  const booked = bookings()
  expect(shop.failed).toBeNull()
  expect(booked).toHaveLength(paid.size)
  expect(new Map(booked.map(({ ref, lovelace }) => [ref.slice(0, 64), lovelace]))).toEqual(paid)
  expect(new Set(booked.map(({ from }) => from))).toEqual(new Set([head.wallets[0]!.getAddressBech32()]))
}

const wantedOf = (way: object): object => ({
  ...way,
  skey: head.node.keys[1]!.skey,
  supplier: head.wallets[0]!.getAddressBech32(),
  file
})

it('a shop that pays suppliers from its own wallet books every payment once, through kills of its process', async () => {
  const shop = new WorkerProcess('shopWorker.ts', wantedOf({ url: head.node.url }))
  await shop.start()
  const paid = await sell(shop, async () => {
    await shop.kill()
    await shop.start()
  })
  await expectExact(shop, paid)
})

describeWithRedis('a shop behind a gateway with Redis', () => {
  it('books every payment once while the core is replaced and its own process killed', async () => {
    const redis = await new RedisServer().start()
    const core = new GatewayProcess('core', redis.url, head.node.url)
    const edge = new GatewayProcess('edge', redis.url, head.node.url)
    try {
      await core.start()
      await edge.start()
      const shop = new WorkerProcess('shopWorker.ts', wantedOf({ gateway: edge.url }))
      await shop.start()
      const paid = await sell(shop, async (turn) => {
        await core.kill()
        await shop.kill()
        // The next core begins several snapshots behind.
        const to = head.wallets[1]!.getAddressBech32()
        for (let more = 1; more <= 3; more++) {
          const amount = 3n * ADA + BigInt(turn * 10 + more)
          missed.set((await payer.pay({ to, amount })).txId, amount)
        }
        await core.start()
        await shop.start()
      })
      for (const [txId, amount] of missed) paid.set(txId, amount)
      await expectExact(shop, paid)
    } finally {
      await edge.kill()
      await core.kill()
      await redis.stop()
    }
  })
  const missed = new Map<string, bigint>()
})
