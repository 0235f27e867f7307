import { isLayerError } from '../../errors/base.js'
import { now, sleep } from '../../net/timers.js'
import type { GatewayLease } from '../log/GatewayLog.js'
import { Troubles } from '../Troubles.js'
import type { CoreContext } from './CoreContext.js'
import { OutWriter } from './OutWriter.js'
import { readCoreState } from './readLog.js'
import { ActiveCore } from './ActiveCore.js'

/** Time after which a lease ends that is not renewed, ms. */
const LEASE_MS = 10_000
const RENEW_MS = 3_000
/** Interval of the attempts to acquire the lease, ms. */
const RETRY_MS = 1_000

/**
 * The core of one head. While it holds the lease (exclusive right to be core of the head), it is connected to the node;
 * while another process holds the lease, it waits for it.
 */
export class Core {
  readonly #context: Required<CoreContext>
  readonly #over = new AbortController()
  #running: Promise<void> = Promise.resolve()
  /** True while this process holds the lease. */
  active = false

  constructor(context: CoreContext) {
    const troubles = new Troubles(`core of ${context.name}`, context.logger)
    this.#context = {
      ...context,
      troubles: context.troubles ?? troubles,
      onUnreadable: context.onUnreadable ?? (() => undefined)
    }
  }

  /** Name of the head. */
  get name(): string {
    return this.#context.name
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Ends the connection to the node and releases the lease. */
  async stop(): Promise<void> {
    this.#over.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { logger, name, troubles } = this.#context
    const { signal } = this.#over
    while (!signal.aborted) {
      const lease = await this.#askForLease()
      if (lease !== null) {
        this.active = true
        logger.info?.(`core of ${name}: lease ${lease.fence} taken`)
        await this.#serve(lease).catch((error: unknown) => this.#report(error))
        this.active = false
        // The next holder of the lease learns the state of the node.
        troubles.forget('node')
        await lease.release().catch(() => undefined)
        logger.info?.(`core of ${name}: lease ${lease.fence} ended`)
      }
      if (!signal.aborted) await sleep(RETRY_MS, signal).catch(() => undefined)
    }
  }

  async #askForLease(): Promise<GatewayLease | null> {
    const { log, streams, troubles } = this.#context
    try {
      const lease = await log.lease(streams.lease, LEASE_MS)
      // Its holder reads the log next.
      if (lease === null) troubles.end('log')
      return lease
    } catch (error) {
      this.#report(error)
      return null
    }
  }

  // A lease of another core is no failure, and neither is the stop of this one.
  #report(error: unknown): void {
    if (!this.#over.signal.aborted && !isLayerError(error, 'GATEWAY_FENCED')) this.#context.troubles.begin('log', error)
  }

  /**
   * Works as core from the acquisition of the lease to its loss: connects to the node, sends the commands of the edges
   * and writes the records.
   */
  async #serve(lease: GatewayLease): Promise<void> {
    const { log, streams, troubles, onUnreadable } = this.#context
    const leadership = new AbortController()
    const signal = AbortSignal.any([this.#over.signal, leadership.signal])
    const fail = (error: unknown): void => {
      this.#report(error)
      leadership.abort()
    }
    const state = await readCoreState(log, streams, onUnreadable)
    troubles.end('log')
    // Stopped meanwhile: an aborted signal does not call later listeners.
    if (signal.aborted) return
    const fence = { lease: streams.lease, number: lease.fence }
    const writer = new OutWriter({
      log,
      streams,
      fence,
      head: state.head,
      commands: state.commands,
      sinceBase: state.sinceBase,
      onFailed: fail
    })
    const heldLease = new HeldLease(lease)
    const activeCore = new ActiveCore({
      ...this.#context,
      state,
      writer,
      signal,
      isHeld: () => heldLease.isHeld,
      onLeaseLost: () => leadership.abort(),
      onFailed: fail
    })
    const lost = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    const renewing = heldLease.renewWhile(signal).then(() => leadership.abort(), fail)
    const reading = activeCore.follow(signal).then(() => leadership.abort(), fail)
    try {
      await lost
    } finally {
      await activeCore.stop()
      await Promise.allSettled([renewing, reading, writer.idle()])
    }
  }
}

/** Renews a lease, and knows until when it certainly holds. */
class HeldLease {
  readonly #lease: GatewayLease
  #until = now() + LEASE_MS

  constructor(lease: GatewayLease) {
    this.#lease = lease
  }

  /**
   * False once the lease may have run out. A process that was suspended learns this from its own clock, before the log
   * says so.
   */
  get isHeld(): boolean {
    return now() < this.#until
  }

  /**
   * Renews the lease until it is lost or the signal aborts; rejects when the log fails or the signal aborts the wait.
   */
  async renewWhile(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(RENEW_MS, signal)
      const from = now()
      if (!(await this.#lease.renew())) return
      this.#until = from + LEASE_MS
    }
  }
}
