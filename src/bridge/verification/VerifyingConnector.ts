import type { Accelerator } from '../../accumulator/curve.js'
import type { RuleVersions } from '../../errors/verification.js'
import type { Hex } from '../../types/utxo.js'
import type { VerificationRule } from '../../verify/types.js'
import type {
  Connector,
  ConnectorCapabilities,
  ConnectorChannel,
  ConnectorListener,
  ConnectorOpenOptions,
  ConnectorReply,
  ConnectorRequest
} from '../connection/Connector.js'
import type { UnverifiedSnapshot } from '../delivery/events.js'
import type { Baseline } from '../head/baseline.js'
import type { SnapshotGate } from './SnapshotGate.js'

/** How a bridge verifies snapshots. */
export interface BridgeVerification {
  /**
   * Head keys of all parties, in their order: hex, 64 characters each. `'from-head'`: as GET /head of the same server
   * names them, which finds mistakes and broken relays, but no server that lies.
   */
  parties: readonly Hex[] | 'from-head'
  /** The head's id, hex: snapshots of another head are refused. @default any head of these parties */
  headId?: Hex
  /** Which bytes were signed, whatever version the node states. @default by the node's version */
  rule?: VerificationRule
  /** Computes the accumulators of large heads faster. @default `@noble/curves`, pure JavaScript */
  accelerator?: Accelerator
  /**
   * Least time between two checks where snapshots come without outputs (`noSnapshotUtxo`), ms: the outputs that follow
   * from their transactions are compared with the signed accumulator, and show when they are proven. Never less than
   * four times what a check takes; 0 checks each snapshot on its own.
   * @default 1000
   */
  checkInterval?: number
}

/** The same, with its defaults. */
export interface ResolvedVerification extends Omit<BridgeVerification, 'checkInterval'> {
  readonly checkInterval: number
  /** Whether snapshots are to come without outputs. */
  readonly isLean: boolean
}

/** Receives what a {@link VerifyingConnector} finds. */
export interface VerificationListener {
  onUnverified(snapshot: UnverifiedSnapshot): void
  /** The newest verified snapshot is another, or the node is newer than the verification knows, or no longer so. */
  onVerified(): void
  /** Whether the cache holds this snapshot of the head, or a newer one. */
  holds(headId: string, number: number): boolean
  /** Outputs are proven that no message brings. */
  onOutputs(baseline: Omit<Baseline, 'epoch'>): void
  /** Snapshots cannot go on without GET /snapshot. `missed`: some were refused, with what they confirm. */
  onBehind(missed: boolean): void
}

/** A channel as the gate sees it. */
export interface GatedChannel {
  /** Whether it only reads the history. */
  readonly isScan: boolean
  /** Whether its messages are of the present: Greetings ends a replay. */
  isPresent: boolean
  /** Hands on a message that may go on. */
  pass(message: unknown): void
  /** Ends the channel. */
  end(error: Error): void
}

/**
 * A connector whose snapshots are signed by the parties: what is not never gets past it, in messages, replays and
 * answers alike, so that no part behind it has to know. Messages keep their order. The verification is loaded with the
 * first connection.
 */
export class VerifyingConnector implements Connector {
  readonly #inner: Connector
  readonly #options: ResolvedVerification
  readonly #listener: VerificationListener
  #loading: Promise<SnapshotGate> | null = null
  #gate: SnapshotGate | null = null
  /** Resolves when the gate has received all messages of the present channel so far. */
  #drain: () => Promise<void> = () => Promise.resolve()

  constructor(inner: Connector, options: ResolvedVerification, listener: VerificationListener) {
    this.#inner = inner
    this.#options = options
    this.#listener = listener
  }

  /** Outputs that a gateway sends are not signed: the bridge requests GET /snapshot, which is. */
  get capabilities(): ConnectorCapabilities {
    return { ...this.#inner.capabilities, deltas: false }
  }

  /** Number of the newest verified snapshot of the present head; -1 before the first. */
  get verified(): number {
    return this.#gate?.verified ?? -1
  }

  /** Versions of a node that is newer than the verification knows; null while it is not. */
  get unknownRule(): RuleVersions | null {
    return this.#gate?.unknownRule ?? null
  }

  /**
   * Whether anything of a head counts: it is not another than the configured one, and its node is not newer than what
   * can be verified.
   */
  counts(headId: string): boolean {
    return (this.#options.headId ?? headId) === headId && this.#gate?.isUnknown !== true
  }

  /**
   * Checks what waits for it now, and resolves when all that has come is verified or refused. @returns {@link verified}
   */
  async verifyNow(): Promise<number> {
    await this.#drain()
    await this.#gate?.verifyNow()
    return this.verified
  }

  open(listener: ConnectorListener, options: ConnectorOpenOptions): ConnectorChannel {
    let queue = Promise.resolve()
    let isOver = false
    const inOrder = (step: () => void | Promise<void>): void => {
      queue = queue.then(() => (isOver ? undefined : step())).catch((error: unknown) => gated.end(error as Error))
    }
    const gated: GatedChannel = {
      // Set where the bridge opens a connection beside its own, to read the history or a Greetings.
      isScan: options.unfiltered === true,
      isPresent: true,
      pass: (message) => {
        if (!isOver) listener.onMessage(message)
      },
      end: (error) => {
        if (isOver) return
        isOver = true
        listener.onClose(error)
      }
    }
    // A scan of the history reads what transactions came to, and nothing of outputs; but up to 2.1 those are what is
    // signed.
    const needsOutputs = gated.isScan && this.#gate?.needsOutputs === true
    const channel = this.#inner.open(
      {
        onOpen: (details) => {
          gated.isPresent = details?.replay !== true
          listener.onOpen(details)
        },
        onMessage: (message) => {
          // A message counts as traffic at once, although it waits to be verified.
          listener.onActivity()
          inOrder(async () => (await this.#load()).receive(message, gated))
        },
        onInvalid: (error) => inOrder(() => listener.onInvalid(error)),
        onActivity: () => listener.onActivity(),
        // After the messages before it: they are verified or not, however the channel ended.
        onClose: (error) =>
          inOrder(async () => {
            await this.#gate?.leave(gated, true)
            gated.end(error)
          })
      },
      needsOutputs ? { ...options, noSnapshotUtxo: false } : options
    )
    if (!gated.isScan) this.#drain = () => queue
    return {
      send: (text) => channel.send(text),
      ...(channel.ping === undefined ? {} : { ping: () => channel.ping!() }),
      close: (graceful) => {
        isOver = true
        void this.#gate?.leave(gated, false)
        return channel.close(graceful)
      }
    }
  }

  async request(request: ConnectorRequest): Promise<ConnectorReply> {
    if (request.method !== 'GET' || !/^\/snapshot(\/utxo)?$/.test(request.path)) return this.#inner.request(request)
    const gate = await this.#load()
    const { verified } = gate
    gate.assertKnownRule()
    return gate.inspectReply(request.path, await this.#inner.request(request), verified)
  }

  #load(): Promise<SnapshotGate> {
    if (this.#gate !== null) return Promise.resolve(this.#gate)
    this.#loading ??= import('./SnapshotGate.js').then(
      ({ SnapshotGate }) => (this.#gate = new SnapshotGate(this.#inner, this.#options, this.#listener))
    )
    // A failed load is retried by the next call.
    this.#loading.catch(() => {
      this.#loading = null
    })
    return this.#loading
  }
}
