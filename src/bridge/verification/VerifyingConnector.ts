import { parseJson, stringifyJson } from '../../codec/json.js'
import type { RuleVersions } from '../../errors/verification.js'
import type {
  Connector,
  ConnectorCapabilities,
  ConnectorChannel,
  ConnectorListener,
  ConnectorOpenOptions,
  ConnectorReply,
  ConnectorRequest
} from '../connection/Connector.js'
import { isRecord } from '../protocol/wireRecord.js'
import type { ArrivedMessage } from './ArrivedMessage.js'
import type { SnapshotGate } from './SnapshotGate.js'
import type { GatedChannel, ResolvedVerification, VerificationListener } from './types.js'
import type { VerificationLag } from '../delivery/events.js'

/**
 * A connector that passes on only snapshots that the parties have signed. Answers and the history are verified before
 * they are passed on, so the parts of the bridge that use them need no change. Messages of the bridge's own connection
 * are first read by the bridge, come back with {@link receive}, and are applied in their order when they are verified.
 * The code for it is loaded with the first connection.
 */
export class VerifyingConnector implements Connector {
  readonly #inner: Connector
  readonly #options: ResolvedVerification
  readonly #listener: VerificationListener
  #loading: Promise<SnapshotGate> | null = null
  #gate: SnapshotGate | null = null
  /** The bridge's own connection. */
  #main: GatedChannel | null = null
  /** Resolves when the gate has received all messages so far. */
  #received: Promise<void> = Promise.resolve()
  #waiting = 0
  /** Lag of the verification. */
  lag: VerificationLag = { behindMs: 0, waiting: 0 }

  constructor(inner: Connector, options: ResolvedVerification, listener: VerificationListener) {
    this.#inner = inner
    this.#options = options
    this.#listener = listener
  }

  /**
   * Those of the inner connector, but without `deltas`: outputs that a gateway sends are not signed, so the bridge
   * requests GET /snapshot, which is.
   */
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
   * Returns true when the outputs of a head may be cached: it is the configured head, or none is configured, and its
   * node is not newer than the known rules.
   */
  counts(headId: string): boolean {
    return (this.#options.headId ?? headId) === headId && this.#gate?.isUnknown !== true
  }

  /**
   * Checks the waiting snapshots now, and resolves when all that have arrived are verified or rejected. @returns
   * {@link verified}
   */
  async verifyNow(): Promise<number> {
    await this.#received
    await this.#gate?.verifyNow()
    return this.verified
  }

  /** True while messages that have come are not verified yet. */
  get busy(): boolean {
    return this.#waiting > 0
  }

  /** Receives a message of the bridge's own connection, which the bridge has read, and verifies it. */
  receive(message: ArrivedMessage): void {
    const channel = this.#main
    if (channel === null || channel.isOver) return
    this.#waiting++
    // Before the first load is over, messages wait for it in their order.
    const done = this.#received.then(async () => (await this.#load()).receive(message, channel))
    this.#received = done
      .catch((error: unknown) => channel.end(error as Error))
      .finally(() => {
        this.#waiting--
      })
  }

  open(listener: ConnectorListener, options: ConnectorOpenOptions): ConnectorChannel {
    // Set where the bridge opens a connection beside its own, to read the history or a Greetings.
    return options.unfiltered === true ? this.#openScan(listener, options) : this.#openMain(listener, options)
  }

  #openMain(listener: ConnectorListener, options: ConnectorOpenOptions): ConnectorChannel {
    const gated: GatedChannel = {
      isPresent: true,
      isOver: false,
      pass: (message) => {
        if (!gated.isOver) this.#listener.onVerifiedMessage(message)
      },
      end: (error) => {
        if (gated.isOver) return
        gated.isOver = true
        listener.onClose(error)
      }
    }
    this.#main = gated
    const channel = this.#inner.open(
      {
        ...listenerOf(listener),
        onOpen: (details) => {
          gated.isPresent = details?.replay !== true
          listener.onOpen(details)
        },
        // After the messages before it: they are verified or not, however the channel ended.
        onClose: (error) => void this.#close(gated, error)
      },
      options
    )
    return {
      ...channelOf(channel),
      close: (graceful) => {
        gated.isOver = true
        void this.#gate?.leave(gated, false)
        return channel.close(graceful)
      }
    }
  }

  async #close(gated: GatedChannel, error: Error): Promise<void> {
    if (gated.isOver) return
    if (this.#main === gated) this.#listener.onClosing()
    await this.#received
    await this.#gate?.leave(gated, true)
    gated.end(error)
  }

  /**
   * Opens a connection that only reads (the history, or a Greetings): each message is verified by itself, and passed on
   * or dropped.
   */
  #openScan(listener: ConnectorListener, options: ConnectorOpenOptions): ConnectorChannel {
    let queue = Promise.resolve()
    let isOver = false
    const end = (error: Error): void => {
      if (!isOver) listener.onClose(error)
      isOver = true
    }
    const inOrder = (step: () => void | Promise<void>): void => {
      queue = queue.then(() => (isOver ? undefined : step())).catch((error: unknown) => end(error as Error))
    }
    const inspect = async (rawMessage: unknown): Promise<void> => {
      const message = parsed(rawMessage)
      if (isRecord(message) && !(await (await this.#load()).inspectPast(message))) return
      // A snapshot as it is now, in the form that it came in; other messages as they came.
      const isChanged = isRecord(message) && typeof rawMessage === 'string' && message['tag'] === 'SnapshotConfirmed'
      if (!isOver) listener.onMessage(isChanged ? stringifyJson(message) : rawMessage)
    }
    // A scan of the history reads the outcomes of transactions, and no outputs; but up to 2.1 those are signed.
    const needsOutputs = this.#gate?.needsOutputs === true
    const channel = this.#inner.open(
      {
        ...listenerOf(listener),
        onMessage: (message) => {
          // A message counts as traffic at once, although it waits to be verified.
          listener.onActivity()
          inOrder(() => inspect(message))
        },
        onInvalid: (error) => inOrder(() => listener.onInvalid(error)),
        onClose: (error) => inOrder(() => end(error))
      },
      needsOutputs ? { ...options, noSnapshotUtxo: false } : options
    )
    return {
      ...channelOf(channel),
      close: (graceful) => {
        isOver = true
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
    this.#loading ??= Promise.all([import('./SnapshotGate.js'), import('../../verify/inSteps.js')]).then(
      ([{ SnapshotGate }, verify]) =>
        (this.#gate = new SnapshotGate(this.#inner, this.#options, this.#noticing(), verify))
    )
    // A failed load is retried by the next call.
    this.#loading.catch(() => {
      this.#loading = null
    })
    return this.#loading
  }

  /** Returns the listener, extended so that the reported lag is stored. */
  #noticing(): VerificationListener {
    return {
      ...this.#listener,
      onLag: (lag) => {
        this.lag = lag
        this.#listener.onLag(lag)
      }
    }
  }
}

/** Returns a listener that passes each call on to the given one. */
function listenerOf(listener: ConnectorListener): ConnectorListener {
  return {
    onOpen: (details) => listener.onOpen(details),
    onMessage: (message) => listener.onMessage(message),
    onInvalid: (error) => listener.onInvalid(error),
    onActivity: () => listener.onActivity(),
    onClose: (error) => listener.onClose(error)
  }
}

/** Returns the methods of a channel without `close`. */
function channelOf(channel: ConnectorChannel): Omit<ConnectorChannel, 'close'> {
  return {
    send: (text) => channel.send(text),
    ...(channel.ping === undefined ? {} : { ping: () => channel.ping!() }),
    ...(channel.pause === undefined ? {} : { pause: () => channel.pause!() }),
    ...(channel.resume === undefined ? {} : { resume: () => channel.resume!() })
  }
}

/** Parses a message. A text that is not valid JSON is returned as it is; the bridge reports it. */
function parsed(message: unknown): unknown {
  if (typeof message !== 'string') return message
  try {
    return parseJson(message, 'A message')
  } catch {
    return message
  }
}
