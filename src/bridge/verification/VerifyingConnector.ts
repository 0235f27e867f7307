import type { Accelerator } from '../../accumulator/curve.js'
import type { VerificationReason } from '../../errors/verification.js'
import type { Hex } from '../../types/utxo.js'
import type {
  Connector,
  ConnectorCapabilities,
  ConnectorChannel,
  ConnectorListener,
  ConnectorOpenOptions,
  ConnectorReply,
  ConnectorRequest
} from '../connection/Connector.js'
import type { SnapshotGate } from './SnapshotGate.js'

/** How a bridge verifies snapshots. */
export interface BridgeVerification {
  /**
   * Head keys of all parties, in their order: hex, 64 characters each. `'from-head'`: as GET /head of the same server names them, which finds
   * mistakes and broken relays, but no server that lies.
   */
  parties: readonly Hex[] | 'from-head'
  /** The head's id, hex: snapshots of another head are refused. @default any head of these parties */
  headId?: Hex
  /** Computes the accumulators of large heads faster. @default `@noble/curves`, pure JavaScript */
  accelerator?: Accelerator
}

/** A snapshot, or outputs without signatures, that did not reach the cache or any handler. */
export interface UnverifiedSnapshot {
  /** Why. @see {@link VerificationReason} */
  reason: VerificationReason
  /** The same for people. */
  detail: string
  /** What brought it: a message, or the answer to a request. */
  source: 'message' | 'request'
  /** Head that it claims to be of. */
  headId: string | null
  /** Number that it claims. */
  number: number | null
}

/** Whom a {@link VerifyingConnector} informs. */
export interface VerificationListener {
  onUnverified(facts: UnverifiedSnapshot): void
  /** The newest verified snapshot is another. */
  onVerified(): void
}

/**
 * A connector whose snapshots are signed by the parties: what is not never gets past it, in messages, replays and answers alike, so that
 * no part behind it has to know. Messages keep their order. The verification is loaded with the first connection.
 */
export class VerifyingConnector implements Connector {
  readonly #inner: Connector
  readonly #options: BridgeVerification
  readonly #listener: VerificationListener
  #loading: Promise<SnapshotGate> | null = null
  #gate: SnapshotGate | null = null

  constructor(inner: Connector, options: BridgeVerification, listener: VerificationListener) {
    this.#inner = inner
    this.#options = options
    this.#listener = listener
  }

  get capabilities(): ConnectorCapabilities {
    return this.#inner.capabilities
  }

  /** Number of the newest verified snapshot of the present head; -1 before the first. */
  get verified(): number {
    return this.#gate?.verified ?? -1
  }

  open(listener: ConnectorListener, options: ConnectorOpenOptions): ConnectorChannel {
    let queue = Promise.resolve()
    let isOver = false
    const inOrder = (step: () => void | Promise<void>): void => {
      queue = queue.then(() => (isOver ? undefined : step())).catch((error: unknown) => end(error as Error))
    }
    const end = (error: Error): void => {
      if (isOver) return
      isOver = true
      listener.onClose(error)
    }
    let isPresent = true
    const channel = this.#inner.open(
      {
        onOpen: (facts) => {
          isPresent = facts?.replay !== true
          listener.onOpen(facts)
        },
        onMessage: (message) =>
          inOrder(async () => {
            const passed = await (await this.#load()).inspectMessage(message, isPresent)
            isPresent ||= (passed as { tag?: unknown } | null)?.tag === 'Greetings'
            if (passed !== null && !isOver) listener.onMessage(passed)
          }),
        onInvalid: (error) => inOrder(() => listener.onInvalid(error)),
        onActivity: () => listener.onActivity(),
        // After the messages before it: they are verified or not, however the channel ended.
        onClose: (error) => inOrder(() => end(error))
      },
      options
    )
    return {
      send: (text) => channel.send(text),
      ...(channel.ping === undefined ? {} : { ping: () => channel.ping!() }),
      close(graceful) {
        isOver = true
        return channel.close(graceful)
      }
    }
  }

  async request(request: ConnectorRequest): Promise<ConnectorReply> {
    if (request.method !== 'GET' || !/^\/snapshot(\/utxo)?$/.test(request.path)) return this.#inner.request(request)
    const gate = await this.#load()
    const { verified } = gate
    return gate.inspectReply(request.path, await this.#inner.request(request), verified)
  }

  #load(): Promise<SnapshotGate> {
    if (this.#gate !== null) return Promise.resolve(this.#gate)
    this.#loading ??= import('./SnapshotGate.js').then(({ SnapshotGate }) => (this.#gate = new SnapshotGate(this.#inner, this.#options, this.#listener)))
    // A failed load is retried by the next call.
    this.#loading.catch(() => {
      this.#loading = null
    })
    return this.#loading
  }
}
