import type { LayerBridge } from '../bridge/inner.js'

/**
 * Notifier of changes: calls listeners when the head, the connection, the pending view or the wallet's addresses
 * change.
 */
export class ChangeFeed {
  readonly #bridge: Pick<LayerBridge, 'subscribe'>
  readonly #listeners = new Set<() => void>()
  #stopBridge: (() => void) | null = null
  #isScheduled = false

  constructor(bridge: Pick<LayerBridge, 'subscribe'>) {
    this.#bridge = bridge
  }

  /**
   * Calls `listener` after each change; several changes within one task cause one call. @returns a function that
   * unsubscribes
   */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#stopBridge ??= this.#bridge.subscribe(() => this.announce())
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stopBridge?.()
      this.#stopBridge = null
    }
  }

  /** Resolves at the next change, or after `withinMs` without one. */
  next(withinMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        stop()
        clearTimeout(timer)
        resolve()
      }
      const stop = this.subscribe(finish)
      const timer = withinMs === undefined ? undefined : setTimeout(finish, withinMs)
    })
  }

  /** Calls the listeners, after the current task. */
  announce(): void {
    if (this.#isScheduled || this.#listeners.size === 0) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      for (const listener of [...this.#listeners]) listener()
    })
  }
}
