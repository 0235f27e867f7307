import { readFileSync } from 'node:fs'

const cell = new Int32Array(new SharedArrayBuffer(4))

/**
 * Time that this thread has had of a processor, ms: other processes do not count, nor does the runtime's compiler, whose
 * threads work for whichever side's code is new. Without Linux' own figure it is the time of the whole process.
 */
export function threadMs() {
  // The kernel adds up what a thread has used when it sleeps.
  Atomics.wait(cell, 0, 0, 0.01)
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/** Time of this thread that some work needs, ms. */
export async function threadTimeOf(work) {
  const started = threadMs()
  await work()
  return threadMs() - started
}
