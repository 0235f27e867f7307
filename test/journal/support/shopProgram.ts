// The program that the tests kill: a shop that pays its orders, and runs again after each kill.
import { createHeadClient } from '../../../src/client/index.js'
import { fileJournal, redisJournal } from '../../../src/journal/index.js'
import type { Journal } from '../../../src/types/journal.js'
import { ChainCliWallet } from '../../../src/wallet/index.js'

/** What a shop is told by its environment. */
export interface ShopSettings {
  readonly url: string
  readonly skey: string
  readonly to: string
  readonly orders: number
  /** Number of orders that it pays at once. */
  readonly atOnce: number
  /** Path of a file, or URL of a Redis. */
  readonly journal: string
  /** The step at which it kills itself, and at which occurrence of it. */
  readonly kill: { readonly step: string; readonly at: number } | null
}

const { url, skey, to, orders, atOnce, journal: place, kill } = JSON.parse(process.env['SHOP']!) as ShopSettings
const seen = new Map<string, number>()
const reach = (step: string): void => {
  const count = (seen.get(step) ?? 0) + 1
  seen.set(step, count)
  if (kill?.step === step && kill.at === count) process.kill(process.pid, 'SIGKILL')
}
const kept = place.startsWith('redis:') ? redisJournal(place) : fileJournal(place)
const journal: Journal = {
  ...kept,
  async put(entry) {
    reach('before the journal')
    await kept.put(entry)
    reach('after the journal')
  }
}
const wallet = new ChainCliWallet({ networkId: 0, skey })

const head = createHeadClient({ url, wallet, journal, onBeforeSend: () => reach('before sending') })
head.bridge.events.on('onTxProgress', ({ state }) => reach(`at the node: ${state}`))
await head.connect()
reach('connected')
let next = 0
const payOn = async (): Promise<void> => {
  while (next < orders) {
    const index = next++
    await head.pay({
      id: `order-${index}`,
      to,
      amount: 1_000_000n + BigInt(index),
      // A busy machine lets it wait: it is the outcome that counts.
      timeout: 900_000,
      onProgress: ({ state }) => reach(state)
    })
  }
}
await Promise.all(Array.from({ length: atOnce }, payOn))
await head.disconnect()
console.log('paid')
