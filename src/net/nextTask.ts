interface TaskQueues {
  setImmediate?: (task: () => void) => unknown
  MessageChannel?: new () => {
    port1: { onmessage: (() => void) | null; close(): void }
    port2: { postMessage(value: null): void }
  }
}

/**
 * Runs `task` after the tasks that already wait: the runtime reads its sockets, answers input and draws in between.
 * Sooner than a timer would.
 */
export function nextTask(task: () => void): void {
  const { setImmediate, MessageChannel } = globalThis as TaskQueues
  if (typeof setImmediate === 'function') {
    setImmediate(task)
    return
  }
  if (typeof MessageChannel !== 'function') {
    setTimeout(task, 0)
    return
  }
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    // An open one would keep the process alive.
    port1.close()
    task()
  }
  port2.postMessage(null)
}

/**
 * Runs a generator to its end, one step per task. @throws the generator's error, or the signal's reason between two
 * steps
 */
export async function runInTasks<T>(steps: Generator<undefined, T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await new Promise<void>((resolve) => nextTask(resolve))
    if (signal?.aborted === true) throw signal.reason
  }
}
