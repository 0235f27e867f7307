import { nextTask } from '../net/nextTask.js'

/** Outputs that are worked on between two turns of the event loop. */
const OUTPUTS_A_STEP = 256
/** Snapshots of at most so many outputs are checked without a pause: that takes some milliseconds. */
export const SMALL_SET = 16

/** Lets other tasks of the thread run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => nextTask(resolve))

/** As {@link nextTurn}, between two steps of the work on so many outputs; none for a small set. */
export async function pauseFor(count: number): Promise<void> {
  if (count > SMALL_SET) await nextTurn()
}

/** Calls `map` for each of a list, with a pause between two parts of it. */
export async function mapInSteps<T, U>(list: readonly T[], map: (each: T) => U): Promise<U[]> {
  const mapped: U[] = []
  for (const [at, each] of list.entries()) {
    if (at > 0 && at % OUTPUTS_A_STEP === 0) await nextTurn()
    mapped.push(map(each))
  }
  return mapped
}
