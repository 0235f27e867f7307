import { nextTask } from '../net/nextTask.js'

/** Number of outputs that are worked on before other tasks may run. */
const OUTPUTS_A_STEP = 256
/** Number of outputs up to which a snapshot is checked without a pause, in some milliseconds. */
export const SMALL_SET = 16

/** Lets other tasks of the thread run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => nextTask(resolve))

/** Lets other tasks run between two steps of the work on so many outputs; without a pause for a small set. */
export async function pauseFor(count: number): Promise<void> {
  if (count > SMALL_SET) await nextTurn()
}

/** Calls `map` for each entry of a list, and lets other tasks run after each part of it. */
export async function mapInSteps<T, U>(list: readonly T[], map: (each: T) => U): Promise<U[]> {
  const mapped: U[] = []
  for (const [at, each] of list.entries()) {
    if (at > 0 && at % OUTPUTS_A_STEP === 0) await nextTurn()
    mapped.push(map(each))
  }
  return mapped
}
