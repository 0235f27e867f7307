/** Milliseconds that no timer of the sources waits for. */
export const HELD_MS = 98_765

/**
 * Holds every timer of {@link HELD_MS} until `fire` is called: a time limit that ends after what the test is about has
 * happened, however busy the machine is.
 *
 * @example
 * const limit = holdTimer()
 * const paid = failureOf(alice.pay({ to, amount, timeout: HELD_MS }))
 * await until(() => sent() === 1)
 * limit.fire()
 */
export function holdTimer(): { fire(): void } {
  const { setTimeout: start } = globalThis
  const held: (() => void)[] = []
  const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((
    callback: () => void,
    delay?: number,
    ...args: []
  ) => {
    if (delay !== HELD_MS) return start(callback, delay, ...args)
    held.push(callback)
    // A handle that can be cleared; it never runs.
    const handle = start(() => undefined, 2 ** 31 - 1)
    handle.unref()
    return handle
  }) as typeof setTimeout)
  return {
    fire() {
      spy.mockRestore()
      if (held.length === 0) throw new Error(`No timer of ${HELD_MS} ms is held.`)
      for (const callback of held) callback()
    }
  }
}
