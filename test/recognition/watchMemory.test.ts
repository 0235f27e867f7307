import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { watchRecognition } from '../../src/recognition'
import { fullRun, scaled } from '../support/scale'
import { HEAD_ID, output, OWN, ref, signedBundle } from './madeHead'
import { settle, WatchedHead } from './watchedHeads'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const HEADS = scaled(100)
/** An hour of looks, one in 20 seconds; a third of it in the short run. */
const LOOKS = fullRun ? 180 : 60
const SNAPSHOT_EVERY = LOOKS / 6
const ADA = 1_000_000

jest.setTimeout(fullRun ? 1_200_000 : 100_000)

const heapUsed = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

it('heads that are watched for an hour leave the heap as it was after its first third', async () => {
  const utxo = (seed: number): Record<string, object> =>
    Object.fromEntries(Array.from({ length: 15 }, (_, i) => [ref(seed * 100 + i), output(ADA + seed, OWN)]))
  const lovelace = 15 * (ADA + LOOKS)
  const bundles: string[] = []
  for (let number = 1; number <= LOOKS / SNAPSHOT_EVERY; number++)
    bundles.push(JSON.stringify(await signedBundle({ utxo: utxo(number), number })))
  const heads = Array.from({ length: HEADS }, () => new WatchedHead(HEAD_ID, lovelace, {}))
  const calls = heads.map(() => 0)
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] })
  const ends = heads.map((head, at) => {
    head.body = bundles[0]!
    const options = head.options({ endpoints: ['https://a.example'], addresses: [OWN] })
    return watchRecognition(options, ({ state }) => {
      if (state === 'VERIFIED_IN_HEAD') calls[at]!++
    })
  })
  const lookedAt = async (): Promise<void> => {
    await settle(() => heads.every(({ endpoints }) => endpoints.length === 1) && jest.getTimerCount() === HEADS)
    for (const head of heads) {
      head.endpoints = []
      head.chain = []
    }
  }
  await lookedAt()
  const heap: number[] = []
  for (let look = 1; look < LOOKS; look++) {
    for (const head of heads) {
      head.block++
      head.body = bundles[Math.floor(look / SNAPSHOT_EVERY)]!
    }
    await jest.advanceTimersByTimeAsync(20_000)
    await lookedAt()
    if ((look + 1) % (LOOKS / 3) === 0) heap.push(heapUsed())
  }
  for (const end of ends) end()
  jest.useRealTimers()
  expect(heads.flatMap(({ errors }) => errors)).toEqual([])
  expect(new Set(calls)).toEqual(new Set([LOOKS / SNAPSHOT_EVERY]))
  const [before, , after] = heap as [number, number, number]
  const looks = ((2 * LOOKS) / 3) * HEADS
  // An answer has 5 KB. The heap alone varies by some hundreds of kilobytes, as code is compiled.
  expect(after - before).toBeLessThan(512 * 1024 + 100 * looks)
})
