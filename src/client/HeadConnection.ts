import type { HeadInFlight, LayerBridge } from '../bridge/inner.js'
import { BridgeDisconnectedError, NotConnectedError } from '../errors/bridge.js'
import { HeadStateError, NodeUnsyncedError } from '../errors/client.js'
import { unknownRuleError } from '../errors/verification.js'
import type { CallerCallbacks } from './CallerCallbacks.js'
import type { ChangeFeed } from './ChangeFeed.js'
import type { Deadline } from './deadline.js'
import { deferred } from './deferred.js'
import { HistoryLooks } from './HistoryLooks.js'
import { RunningActions } from './RunningActions.js'

/** The connections of one client, one after another, and the actions that wait for them. */
export class HeadConnection {
  /** Looks for transactions in the node's history, once for each connection. */
  readonly history: HistoryLooks
  readonly #bridge: LayerBridge
  readonly #changes: ChangeFeed
  readonly #running: RunningActions
  /** Resumes the payments of the journal; null where that is done. */
  #resume: (() => Promise<void>) | null = null
  #resuming: Promise<void> | null = null
  #count = 0
  #next = deferred<void>()
  #inFlight: { readonly connection: number; readonly answer: Promise<HeadInFlight | null> } | null = null

  /** `onEnd`: called when the connection ends for good, before the actions that wait end. */
  constructor(bridge: LayerBridge, changes: ChangeFeed, onEnd: () => void) {
    this.#bridge = bridge
    this.#changes = changes
    this.#running = new RunningActions(bridge, onEnd)
    const count = (): number => this.#count
    this.history = new HistoryLooks({
      bridge,
      get connections() {
        return count()
      }
    })
  }

  /** Number of connections so far. */
  get count(): number {
    return this.#count
  }

  /** Notes that the next connection stands. */
  onConnected(): void {
    this.#count++
    this.#next.resolve()
    this.#next = deferred()
  }

  /** Has actions wait until the payments of the journal are resumed: `resume` rejects where they cannot be. */
  resumeFirst(resume: () => Promise<void>): void {
    this.#resume = resume
  }

  /** Resumes the payments of the journal, where that is to be done; the connection stands and the head is open. */
  async resumed(): Promise<void> {
    const resume = this.#resume
    if (resume === null) return
    this.#resuming ??= resume().finally(() => {
      this.#resuming = null
    })
    await this.#resuming
    if (this.#resume === resume) this.#resume = null
  }

  /** Resumes the payments of the journal as soon as the head is open. */
  resumeOnceOpen(callbacks: CallerCallbacks): void {
    const stop = this.#changes.subscribe(() => {
      const { state } = this.#bridge.getSnapshot()
      if (state === 'disconnected' || state === 'failed' || this.#resume === null) return stop()
      if (!this.isOpen) return
      stop()
      callbacks.invokeSafely('journal', () => this.resumed())
    })
  }

  /** Resolves with the next connection. */
  next(): Promise<void> {
    return this.#next.promise
  }

  /** The transactions that the node holds unconfirmed, requested once for each connection; null where it has none. */
  inFlight(): Promise<HeadInFlight | null> {
    if (this.#inFlight?.connection !== this.#count)
      this.#inFlight = { connection: this.#count, answer: this.#bridge.inFlight().catch(() => null) }
    return this.#inFlight.answer
  }

  /**
   * Ends an action with the connection. See {@link RunningActions.add}. @throws the error, when the connection has
   * ended already
   */
  endWith(deadline: Deadline, error: () => Error): void {
    this.#running.add(deadline, error)
  }

  /**
   * Waits for the connection while the client makes one. From then on the action ends with it, as
   * {@link BridgeDisconnectedError}.
   *
   * @throws {@link NotConnectedError} when it makes none
   */
  async connected(action: string, deadline: Deadline): Promise<void> {
    const notConnected = (): Error => new NotConnectedError(action)
    this.endWith(deadline, notConnected)
    for (;;) {
      const { state } = this.#bridge.getSnapshot()
      if (state === 'connected') break
      if (state !== 'connecting' && state !== 'reconnecting') throw notConnected()
      await deadline.race(this.#changes.next(), 'the connection')
    }
    this.endWith(deadline, () => new BridgeDisconnectedError(action))
  }

  /** True while the connection stands, the head is open and its outputs are known. */
  get isReady(): boolean {
    return this.#resume === null && this.isOpen
  }

  /** As {@link isReady}, while the payments of the journal may still be resumed. */
  get isOpen(): boolean {
    const { state, ready, headStatus, synced } = this.#bridge.getSnapshot()
    const isOpen = headStatus === null || headStatus === 'Open'
    return state === 'connected' && ready && isOpen && synced !== false
  }

  /**
   * Waits until the connection stands and the head's outputs are known, and checks that the head is open.
   *
   * @throws {@link HeadStateError}, {@link NodeUnsyncedError}, {@link NotConnectedError}; with `verify`
   * {@link VerificationError} of a node that is too new
   */
  async ready(action: string, deadline: Deadline): Promise<void> {
    for (;;) {
      await this.connected(action, deadline)
      const { ready, headStatus, synced, unknownRule } = this.#bridge.getSnapshot()
      if (headStatus !== null && headStatus !== 'Open') throw new HeadStateError(action, headStatus, ['Open'])
      if (synced === false) throw new NodeUnsyncedError(action)
      if (unknownRule !== undefined && !ready) throw unknownRuleError(unknownRule)
      if (ready) return await deadline.race(this.resumed(), 'the open payments of the journal')
      await deadline.race(this.#changes.next(), "the head's state")
    }
  }
}
