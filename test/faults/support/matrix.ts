import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../support/markdown'
import { fullRun } from '../../support/scale'

/** Where the results of the rows are kept for `scripts/reliability.mjs`. */
export const RESULTS = join(ROOT, '.cache', 'faults')

/** What a row's test does with one repetition. */
export interface Repetition {
  /** From 0. */
  readonly index: number
  /** A pseudo-random number from 0 up to 1, the same in every run. */
  random(): number
  /** Says that a fault was injected. */
  injected(count?: number): void
  /** Checks how often something went over the wire, and records it. */
  wire(what: string, actual: number, expected: number): void
}

/** A row of the fault matrix, as it stands in docs/reliability.md. */
export interface FaultRow {
  readonly row: number
  /** Letter of one of several tests of the row. */
  readonly part?: string
  readonly fault: string
  readonly expected: string
  /** Repetitions in `npm test`; `npm run test:full` runs twenty times as many. */
  readonly repeats: number
  /** Longest time of all repetitions together, ms. @default 60000 */
  readonly timeout?: number
}

/**
 * Defines the test of a row. Around every repetition it checks that nothing was written to the console, that no promise
 * was left rejected, and that no timer or socket stayed behind.
 */
export function faultRow(definition: FaultRow, run: (repetition: Repetition) => Promise<void>): void {
  const repeats = fullRun ? definition.repeats * 20 : definition.repeats
  const name = `${definition.row}${definition.part ?? ''}`
  // Which rows there are, for the check of the page.
  const list = process.env['LAYER_SDK_FAULT_ROWS']
  if (list !== undefined) appendFileSync(list, `${JSON.stringify(definition)}\n`)
  it(
    `row ${name}: ${definition.fault}`,
    async () => {
      const record = { ...definition, repeats, injected: 0, wire: {} as Record<string, number>, passed: false }
      try {
        for (let index = 0; index < repeats; index++) await repeatOnce(record, index, run)
        expect(record.injected).toBeGreaterThan(0)
        expect(Object.keys(record.wire).length).toBeGreaterThan(0)
        record.passed = true
      } finally {
        mkdirSync(RESULTS, { recursive: true })
        writeFileSync(join(RESULTS, `row-${name}.json`), JSON.stringify(record))
      }
    },
    (definition.timeout ?? 60_000) * (fullRun ? 20 : 1)
  )
}

async function repeatOnce(
  record: { row: number; injected: number; wire: Record<string, number> },
  index: number,
  run: (repetition: Repetition) => Promise<void>
): Promise<void> {
  const written: string[] = []
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((method) =>
    jest
      .spyOn(console, method)
      .mockImplementation((...parts: unknown[]) => void written.push(parts.map(String).join(' ')))
  )
  const rejections: unknown[] = []
  const onRejection = (reason: unknown): void => void rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  const before = lasting()
  try {
    await run({
      index,
      random: randomFrom(record.row * 1000 + index),
      injected: (count = 1) => void (record.injected += count),
      wire(what, actual, expected) {
        expect({ [what]: actual }).toEqual({ [what]: expected })
        record.wire[what] = (record.wire[what] ?? 0) + actual
      }
    })
    await settled(before)
    expect(written).toEqual([])
    expect(rejections).toEqual([])
  } finally {
    process.off('unhandledRejection', onRejection)
    for (const spy of spies) spy.mockRestore()
  }
}

/** Timers and sockets that keep the process alive. */
function lasting(): number {
  return process.getActiveResourcesInfo().filter((name) => /^(Timeout|TCP)/.test(name)).length
}

/** Waits, briefly, until no more of them are there than before. */
async function settled(before: number): Promise<void> {
  for (let turn = 0; turn < 200 && lasting() > before; turn++) await new Promise((resolve) => setImmediate(resolve))
  // Others of the process may be among them for a while: a timer of the test runner's own, or what an earlier suite
  // still closes.
  for (let turn = 0; turn < 400 && lasting() > before; turn++) await new Promise((resolve) => setTimeout(resolve, 25))
  expect(lasting()).toBeLessThanOrEqual(before)
}

/** mulberry32: small, and good enough to vary timing. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Waits until a condition holds, checking at every turn of the loop; fails after the limit. */
export async function until(what: string, condition: () => boolean, limitMs = 10_000): Promise<void> {
  const started = performance.now()
  while (!condition()) {
    if (performance.now() - started > limitMs) throw new Error(`not within ${limitMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
