/** Shortest of up to five runs, ms: what the work takes when nothing else holds the processor. Stops once below `enoughMs`. */
export function shortestRun(run: () => unknown, enoughMs: number): number {
  let shortest = Infinity
  for (let i = 0; i < 5 && shortest >= enoughMs; i++) {
    const start = performance.now()
    run()
    shortest = Math.min(shortest, performance.now() - start)
  }
  return shortest
}
