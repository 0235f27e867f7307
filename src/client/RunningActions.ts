import type { LayerBridge } from '../bridge/inner.js'
import type { Deadline } from './deadline.js'

/** Actions of a client that wait, each with the error that it gets when the connection ends for good. */
export class RunningActions {
  readonly #bridge: LayerBridge
  readonly #onEnd: () => void
  readonly #errors = new Map<Deadline, () => Error>()
  #stopWatching: (() => void) | null = null

  /** `onEnd`: called before the actions end. */
  constructor(bridge: LayerBridge, onEnd: () => void) {
    this.#bridge = bridge
    this.#onEnd = onEnd
  }

  /**
   * Ends an action at once, with this error, when the client is disconnected or gives the connection up. The last call
   * for a deadline stands.
   *
   * @throws the error, when that has happened already
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
