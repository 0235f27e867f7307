/**
 * What a test of `npm test` may take: twenty times the figure. It finds what hangs or grows with the square, on the
 * busiest machine too; the figures themselves are held by `npm run test:perf`.
 */
export const HANG_FACTOR = 20

/** Time since `started` (of `performance.now()`), ms; throws beyond {@link HANG_FACTOR} times the figure. */
export function expectNoHang(figureMs: number, started: number): number {
  const tookMs = performance.now() - started
  if (tookMs > figureMs * HANG_FACTOR)
    throw new Error(`took ${tookMs.toFixed(0)} ms, more than ${HANG_FACTOR} times the ${figureMs} ms that it may take`)
  return tookMs
}

/**
 * Shortest of up to five runs, ms: what the work takes when nothing else holds the processor. Stops once below
 * `enoughMs`.
 */
export function shortestRun(run: () => unknown, enoughMs: number): number {
  let shortest = Infinity
  for (let i = 0; i < 5 && shortest >= enoughMs; i++) {
    const start = performance.now()
    run()
    shortest = Math.min(shortest, performance.now() - start)
  }
  return shortest
}

/**
 * Runs something that may take `figureMs`, up to five times; throws when no run stays within {@link HANG_FACTOR} times
 * the figure.
 */
export function runsInTime(figureMs: number, run: () => unknown): void {
  const limitMs = figureMs * HANG_FACTOR
  const shortest = shortestRun(run, limitMs)
  if (shortest > limitMs)
    throw new Error(
      `took ${shortest.toFixed(0)} ms at best, more than ${HANG_FACTOR} times the ${figureMs} ms that it may take`
    )
}
