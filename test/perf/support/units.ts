/**
 * Time is measured in units: one pass of a fixed loop, measured in the same run. It is about a millisecond on the
 * processor that the figures of the documentation come from, so a figure in ms is a limit in units on every machine,
 * busy or not.
 */
const ROUNDS = 9

/** One unit of work: arithmetic, small objects and strings, as codecs do it. */
function pass(): number {
  const bytes = new Uint8Array(4_096)
  const counts = new Map<string, number>()
  let mixed = 0x9e3779b9
  for (let index = 0; index < 190_000; index++) {
    mixed = Math.imul(mixed ^ (mixed >>> 15), 1 | mixed)
    bytes[index & 4_095] = mixed
    if ((index & 15) === 0) {
      const key = (mixed & 1_023).toString(16)
      counts.set(key, (counts.get(key) ?? 0) + bytes[(mixed >>> 8) & 4_095]!)
    }
  }
  return mixed + counts.size
}

function timeOf(run: () => unknown): number {
  const started = performance.now()
  run()
  return performance.now() - started
}

/** How long one unit takes now, ms: the shortest of several passes. */
export function unitMs(): number {
  let shortest = Infinity
  for (let round = 0; round < ROUNDS * 3; round++) shortest = Math.min(shortest, timeOf(pass))
  return shortest
}

/** How many units some work takes: the shortest of several runs over the shortest of the passes between them. */
export function unitsOf(run: () => unknown): number {
  let unit = Infinity
  let work = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    for (let warm = 0; warm < 2; warm++) unit = Math.min(unit, timeOf(pass))
    work = Math.min(work, timeOf(run))
  }
  return work / unit
}

/** By which factor the time of some work grows from a small to a large input, each at its best of several runs. */
export function growth(small: () => unknown, large: () => unknown): number {
  let before = Infinity
  let after = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    before = Math.min(before, timeOf(small))
    after = Math.min(after, timeOf(large))
  }
  return after / before
}

/** Units that some waiting takes, of which the machine may be busy with others for most: the shortest of a few runs. */
export async function unitsUntil(rounds: number, run: () => Promise<number>): Promise<number> {
  const unit = unitMs()
  let shortest = Infinity
  for (let round = 0; round < rounds; round++) shortest = Math.min(shortest, await run())
  return shortest / Math.max(unit, unitMs())
}
