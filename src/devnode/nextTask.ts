/** Resolves in a later task: what waits for the event loop, such as messages of sockets, comes first. */
export function nextTask(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => unknown }
  return new Promise((resolve) => void (setImmediate === undefined ? setTimeout(resolve, 0) : setImmediate(resolve)))
}
