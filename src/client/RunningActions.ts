import type { LayerBridge } from '../bridge/inner.js'
import type { Deadline } from './deadline.js'

/** The client's waiting actions, each with the error that it is rejected with when the connection ends for good. */
export class RunningActions {
  readonly #bridge: LayerBridge
  readonly #onEnd: () => void
  readonly #errors = new Map<Deadline, () => Error>()
  #stopWatching: (() => void) | null = null

  /** `onEnd`: called when the connection ends for good, before the actions are rejected. */
  constructor(bridge: LayerBridge, onEnd: () => void) {
    this.#bridge = bridge
    this.#onEnd = onEnd
  }

  /**
   * Registers an action that is rejected with this error as soon as the client is disconnected or gives up
   * reconnecting. A later call for the same deadline replaces the error.
   *
   * @throws the error, when the connection has ended already
   */
  add(deadline: Deadline, error: () => Error): void {
    if (deadline.isDone) return
    if (/^(disconnected|failed)$/.test(this.#bridge.getSnapshot().state)) throw error()
    this.#errors.set(deadline, error)
    this.#stopWatching ??= this.#bridge.observe({ onEnd: () => this.#endAll() })
    deadline.whenDone(() => {
      this.#errors.delete(deadline)
      if (this.#errors.size > 0) return
      this.#stopWatching?.()
      this.#stopWatching = null
    })
  }

  #endAll(): void {
    this.#onEnd()
    for (const [deadline, error] of [...this.#errors]) deadline.stop(error())
  }
}
