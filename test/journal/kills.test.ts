import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWithRedis, RedisServer } from '../gateway/log/RedisServer'
import { startClientHead } from '../client/support.js'
import { ADA } from '../client/support.js'
import { randomSource } from '../support/random.js'
import { fullRun } from '../support/scale.js'
import { Shop } from './support/Shop'

/** Runs for each journal: each is a shop that is killed, and started again until it has paid. */
const RUNS = fullRun ? 200 : 20
const ORDERS = fullRun ? 500 : 40
/** Steps at which the shop kills itself; at others it is killed from outside, at random. */
const STEPS = [
  'connected',
  'built',
  'signed',
  'before sending',
  'before the journal',
  'after the journal',
  'submitted',
  'at the node: submitted',
  'at the node: valid',
  'valid',
  'confirmed'
]

const shop = new Shop()
beforeAll(() => shop.build())
afterAll(() => shop.remove())

/** Has a shop killed `kills` times, then lets it pay to its end. @returns how often each order was paid, by order */
async function runShop(name: string, journal: string, random: ReturnType<typeof randomSource>): Promise<number[]> {
  const head = await startClientHead({ node: { timings: { snapshotIntervalMs: 20 } }, deposit: 5_000n * ADA })
  try {
    const [alice, bob] = head.node.keys
    const settings = { url: head.node.url, skey: alice!.skey, to: bob!.address, orders: ORDERS, journal }
    const kills = 1 + random.below(2)
    for (let kill = 0; kill < kills; kill++) {
      const step = STEPS[random.below(STEPS.length + 3)] ?? null
      const at = 1 + (step === 'connected' ? 0 : random.below(ORDERS))
      const { child, end } = shop.run({ ...settings, kill: step === null ? null : { step, at } })
      if (step === null) setTimeout(() => child.kill('SIGKILL'), 200 + random.below(1_000))
      await end
    }
    expect(await shop.run({ ...settings, kill: null }).end).toBe('paid')
    const watcher = await head.client(1)
    const paid = new Array<number>(ORDERS).fill(0)
    for (const { output } of watcher.getUtxos() ?? []) {
      const order = Number(BigInt(output.amount[0]!.quantity) - ADA)
      if (order >= 0 && order < ORDERS) paid[order]!++
    }
    return paid
  } catch (error) {
    throw new Error(`${name}: ${String(error)}`, { cause: error })
  } finally {
    await head.stop()
  }
}

const ONCE = new Array<number>(ORDERS).fill(1)

describe('a shop of ten lines that is killed with kill -9', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'layer-sdk-kills-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it(
    'pays each order once with a file journal',
    async () => {
      const random = randomSource('kills, file')
      for (let run = 0; run < RUNS; run++) {
        const paid = await runShop(`run ${run}`, join(folder, `${run}.journal`), random)
        expect(paid).toEqual(ONCE)
      }
    },
    RUNS * 60_000
  )
})

describeWithRedis('a shop of ten lines with Redis that is killed with kill -9', () => {
  const redis = new RedisServer()
  beforeAll(() => redis.start())
  afterAll(() => redis.stop())

  it(
    'pays each order once with a Redis journal',
    async () => {
      const random = randomSource('kills, redis')
      for (let run = 0; run < RUNS; run++) {
        await redis.command('FLUSHALL')
        expect(await runShop(`run ${run}`, redis.url, random)).toEqual(ONCE)
      }
    },
    RUNS * 60_000
  )
})
