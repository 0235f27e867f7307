import { diagnose, readHeadFacts } from '../../src/doctor'
import { facts, utxos } from '../doctor/factsSupport'

/** Longest time between two turns of other work while `run` goes on, ms. */
async function longestBlock(run: () => Promise<unknown>): Promise<{ blockMs: number; totalMs: number }> {
  let blockMs = 0
  let last = performance.now()
  const beat = (): void => {
    const now = performance.now()
    blockMs = Math.max(blockMs, now - last)
    last = now
    timer = setImmediate(beat)
  }
  let timer = setImmediate(beat)
  const start = performance.now()
  await run()
  const totalMs = performance.now() - start
  clearImmediate(timer)
  return { blockMs: Math.max(blockMs, performance.now() - last), totalMs }
}

// The bounds hold on a machine that other work uses too: the limits are twenty times those of the plan.
it.each([
  [4_095, 1_000],
  [100_000, 10_000]
])('%d outputs are judged within twenty times %d ms, and other work gets its turn', async (count, limitMs) => {
  const given = readHeadFacts(facts({ snapshot: { utxo: utxos(count, { inlineDatum: '182a' }) } }))
  const { blockMs, totalMs } = await longestBlock(() => diagnose(given))
  console.log(`${count} outputs: ${Math.round(totalMs)} ms, longest block ${Math.round(blockMs)} ms`)
  expect(totalMs).toBeLessThan(20 * limitMs)
  expect(blockMs).toBeLessThan(20 * 50)
})
