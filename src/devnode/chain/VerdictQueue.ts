/**
 * Queue of validations, whose results (verdicts) come one after another: one that is added while scripts run waits for
 * them, any other runs at once.
 */
export class VerdictQueue {
  readonly #tasks: (() => Promise<void> | void)[] = []
  #busy = false
  readonly #waiting: (() => void)[] = []

  /** Resolves when no validation is under way; undefined when none is now. */
  idle(): Promise<void> | undefined {
    if (!this.#busy) return undefined
    return new Promise((resolve) => void this.#waiting.push(resolve))
  }

  /**
   * Runs a task when its turn comes; one that returns a promise, which must not reject, keeps the next ones waiting.
   */
  add(task: () => Promise<void> | void): void {
    this.#tasks.push(task)
    this.#next()
  }

  #next(): void {
    while (!this.#busy) {
      const running = this.#tasks.shift()
      if (running === undefined) return
      const wait = running()
      if (wait === undefined) continue
      this.#busy = true
      void wait.finally(() => {
        this.#busy = false
        this.#next()
        if (!this.#busy) for (const resolve of this.#waiting.splice(0)) resolve()
      })
    }
  }
}
