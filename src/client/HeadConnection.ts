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

/** The successive connections of one client, and the actions that wait for one. */
export class HeadConnection {
  /** Looks for transactions in the node's history, once for each connection. */
  readonly history: HistoryLooks
  readonly #bridge: LayerBridge
  readonly #changes: ChangeFeed
  readonly #running: RunningActions
  /** Resumes the payments of the journal; null when there are none to resume. */
  #resume: (() => Promise<void>) | null = null
  #resuming: Promise<void> | null = null
  #count = 0
  #next = deferred<void>()
  #inFlight: { readonly connection: number; readonly answer: Promise<HeadInFlight | null> } | null = null

  /** `onEnd`: called when the connection ends for good, before the waiting actions are rejected. */
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

  /** Notes that a new connection has been made. */
  onConnected(): void {
    this.#count++
    this.#next.resolve()
    this.#next = deferred()
  }

  /** Makes actions wait until the payments of the journal are resumed; `resume` rejects when they cannot be. */
  resumeFirst(resume: () => Promise<void>): void {
    this.#resume = resume
  }

  /** Resumes the payments of the journal if that is still to be done. Requires a connection and an open head. */
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

  /**
   * Returns the transactions that the node holds unconfirmed, requested once for each connection; null when the node
   * does not report them.
   */
  inFlight(): Promise<HeadInFlight | null> {
    if (this.#inFlight?.connection !== this.#count)
      this.#inFlight = { connection: this.#count, answer: this.#bridge.inFlight().catch(() => null) }
    return this.#inFlight.answer
  }

  /**
   * Registers an action that is rejected with `error()` when the connection ends for good; see
   * {@link RunningActions.add}. @throws that error, when the connection has ended already
   */
  endWith(deadline: Deadline, error: () => Error): void {
    this.#running.add(deadline, error)
  }

  /**
   * Waits while the client is connecting. From then on the action is rejected with {@link BridgeDisconnectedError} when
   * the connection ends for good.
   *
   * @throws {@link NotConnectedError} when the client is not connecting
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

  /**
   * True while the client is connected, the head is open, its outputs are known and the payments of the journal are
   * resumed.
   */
  get isReady(): boolean {
    return this.#resume === null && this.isOpen
  }

  /** True under the conditions of {@link isReady}, except that payments of the journal may still have to be resumed. */
  get isOpen(): boolean {
    const { state, ready, headStatus, synced } = this.#bridge.getSnapshot()
    const isOpen = headStatus === null || headStatus === 'Open'
    return state === 'connected' && ready && isOpen && synced !== false
  }

  /**
   * Waits until the client is connected, the head's outputs are known and the payments of the journal are resumed, and
   * checks that the head is open.
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
