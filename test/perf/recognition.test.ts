import { recognise } from 'layer-sdk/recognition'
import { verifySnapshot } from 'layer-sdk/verify'
import { material, openHead, output, OTHER, OWN, PARTIES, ref, signedBundle } from '../recognition/madeHead'
import { unitsUntil } from './support/units'

const ADA = 1_000_000

const tokens = (at: number): Record<string, object> => ({
  [at.toString(16).padStart(56, '0')]: { aa: 1, bb: 2, cc: 3, dd: 4 }
})

/** Both calls of one bundle, parsed before, each of which throws where it does not hold. */
async function callsOf(
  count: number,
  hasTokens = false
): Promise<Record<'recognised' | 'verified', () => Promise<void>>> {
  const utxo = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      ref(i + 1),
      output(ADA, i % 3 === 0 ? OWN : OTHER, hasTokens ? tokens(i) : {})
    ])
  )
  const body = await signedBundle({ utxo })
  const { snapshot, signatures } = body as { snapshot: never; signatures: never }
  const given = {
    ...material(openHead(count * ADA), ''),
    answers: [{ endpoint: 'https://a.example', status: 200, body }]
  }
  return {
    async recognised() {
      const { state } = await recognise(given)
      if (state !== 'VERIFIED_IN_HEAD') throw new Error(state)
    },
    async verified() {
      const verdict = await verifySnapshot({ snapshot, signatures, parties: PARTIES, rule: '2.4' })
      if (!verdict.ok) throw new Error(verdict.detail)
    }
  }
}

async function timeOf(run: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/** The longest time in which no other task of the thread ran, ms. */
async function standstillOf(run: () => Promise<void>): Promise<number> {
  let [longest, last, isDone] = [0, performance.now(), false]
  const tick = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setImmediate(tick)
  }
  setImmediate(tick)
  await run()
  isDone = true
  tick()
  return longest
}

it.each([
  [5, 25],
  [200, 9],
  [1_000, 5]
])('recognise takes at most 1.1 times as long as verifySnapshot, of %d outputs', async (count, rounds) => {
  const { recognised, verified } = await callsOf(count)
  for (const call of [recognised, verified, recognised, verified]) await call()
  const best = [Infinity, Infinity]
  for (let round = 0; round < rounds; round++)
    for (const [at, call] of [recognised, verified].entries()) best[at] = Math.min(best[at]!, await timeOf(call))
  expect(best[0]! / best[1]!).toBeLessThan(1.1)
})

it.each([
  ['of ada alone', false],
  ['with four tokens each', true]
])('4,095 outputs %s keep the thread from other work for less than 50 ms', async (_, hasTokens) => {
  const { recognised } = await callsOf(4_095, hasTokens)
  expect(await unitsUntil(3, () => standstillOf(recognised))).toBeLessThan(50)
})
