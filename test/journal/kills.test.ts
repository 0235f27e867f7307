import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWithRedis, RedisServer } from '../gateway/log/RedisServer'
import { randomSource } from '../support/random.js'
import { fullRun } from '../support/scale.js'
import { AT_RANDOM, runKilledShop, STEPS } from './support/killedShop'
import type { KilledShopOptions, KillMoment } from './support/killedShop'
import { Shop } from './support/Shop'

/** Runs for each journal: each is a shop that is killed, and started again until it has paid. */
const RUNS = fullRun ? 200 : 20
const ORDERS = fullRun ? 500 : 40
/** Runs beside other clients of the wallet, in which each payment may wait for those that spend the same output. */
const RUNS_BESIDE = fullRun ? 20 : 3
const NEIGHBOURS = 3

/** Moments of first kills, one run after the other. */
const MOMENTS: readonly KillMoment[] = [...STEPS, AT_RANDOM]

const shop = new Shop()
beforeAll(() => shop.build())
afterAll(() => shop.remove())

/**
 * Expects that each order is paid once, and that no client of the wallet is told what is not so.
 *
 * @returns the moments at which the shop was killed
 */
async function expectOnce(
  run: number,
  options: Omit<KilledShopOptions, 'random' | 'orders' | 'first'>
): Promise<readonly KillMoment[]> {
  const random = randomSource(`kills ${options.neighbours ?? 0} ${run}`)
  const first = MOMENTS[run % MOMENTS.length]!
  const result = await runKilledShop(shop, { ...options, random, first, orders: ORDERS }).catch((error: unknown) => {
    throw new Error(`run ${run}: ${String(error)}`, { cause: error })
  })
  const { beside, refused, killedAt } = result
  expect({ run, ...result }).toEqual({
    run,
    paid: new Array<number>(ORDERS).fill(1),
    untrue: [],
    beside,
    refused,
    killedAt
  })
  if (options.neighbours !== undefined) expect(beside).toBeGreaterThan(0)
  return killedAt
}

/** Runs of a shop alone; each step of a payment is one at which it was killed. */
async function expectOnceWhereverKilled(prepare: (run: number) => Promise<string>): Promise<void> {
  const killedAt = new Set<KillMoment>()
  for (let run = 0; run < RUNS; run++)
    for (const moment of await expectOnce(run, { journal: await prepare(run) })) killedAt.add(moment)
  expect(killedAt).toEqual(new Set(MOMENTS))
}

describe('a shop of ten lines that is killed with kill -9', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'layer-sdk-kills-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it(
    'pays each order once with a file journal',
    () => expectOnceWhereverKilled(async (run) => join(folder, `${run}.journal`)),
    RUNS * 60_000
  )

  it(
    'pays each order once while three clients of its wallet without a journal pay too',
    async () => {
      for (let run = 0; run < RUNS_BESIDE; run++)
        await expectOnce(run, { journal: join(folder, `${run}.journal`), neighbours: NEIGHBOURS })
    },
    RUNS_BESIDE * 300_000
  )
})

describeWithRedis('a shop of ten lines with Redis that is killed with kill -9', () => {
  const redis = new RedisServer()
  beforeAll(() => redis.start())
  afterAll(() => redis.stop())

  it(
    'pays each order once with a Redis journal',
    () =>
      expectOnceWhereverKilled(async () => {
        await redis.command('FLUSHALL')
        return redis.url
      }),
    RUNS * 60_000
  )
})
