import type { CommandRefusedError } from '../../errors/operation.js'
import type { RuleVersions, VerificationReason } from '../../errors/verification.js'
import { Emitter } from './Emitter.js'
import type { EventHandler } from './Emitter.js'
import type { LayerHeadTag, LayerPayload, PayloadOf, SnapshotConfirmedPayload } from '../protocol/messages.js'

/** A snapshot, or outputs without signatures, that did not reach the cache or any handler. */
export interface UnverifiedSnapshot {
  /** Reason. @see {@link VerificationReason} */
  reason: VerificationReason
  /** The reason in words. */
  detail: string
  /** Its source: a message, or the answer to a request. */
  source: 'message' | 'request'
  /** Head that it claims to belong to. */
  headId: string | null
  /** Number that it claims. */
  number: number | null
  /** With reason `unknown-rule`, which is reported once: the node's version and the newest one that is known. */
  versions?: RuleVersions
}

/** Delay of the verification (option `verify`) behind the messages that have arrived. */
export interface VerificationLag {
  /** Time that the oldest undecided snapshot has waited, ms; 0 when verification has caught up. */
  behindMs: number
  /** Number of snapshots that wait to be verified. */
  waiting: number
}

/** Step of a transaction: its id `txId` (hex, 64 characters) and its `state`. */
export type TxProgress =
  | { txId: string; state: 'submitted' | 'valid' }
  /** The snapshot `snapshotNumber` holds it. */
  | { txId: string; state: 'confirmed'; snapshotNumber: number }
  /** The head refused it; `reason` is the node's text. */
  | { txId: string; state: 'invalid'; reason: string }
  | { txId: string; state: 'timedOut' }

/** A transaction was confirmed after its caller had got another result, or an unknown outcome. */
export interface LateConfirmation {
  /** Transaction id: hex, 64 characters. */
  txId: string
  /** Number of the snapshot that holds it. */
  snapshotNumber: number
  /** The message that confirmed it. */
  snapshot: SnapshotConfirmedPayload
}

/** Events of the bridge itself, with the arguments of their handlers. Each message's tag is an event too. */
export interface LifecycleEvents {
  /** Greetings has arrived (or no message for a second): the bridge can be used. */
  onConnected: []
  /** The connection has ended, by `disconnect()` or a loss. */
  onDisconnected: []
  /** An attempt to connect failed, or a connection ended for a reason that forbids another attempt. */
  onConnectError: [error: Error]
  /** A message of the node has arrived; the cache has already applied it. */
  onMessage: [payload: LayerPayload]
  /** Attempt `attempt` (from 1) begins after `delayMs` ms. */
  onReconnecting: [attempt: { attempt: number; delayMs: number }]
  /**
   * A transaction was confirmed after its caller had got another result, or an unknown outcome. The event can be
   * missed. The bridge watches a transaction for ten minutes after its last caller was answered, at most the newest
   * 10,000 of them, and none after `disconnect()`. One that was confirmed while messages were missed is found only
   * while the head holds one of its outputs; over a gateway, only while a message contains it. So a transaction without
   * this event may still be confirmed: read the outputs of the head, or submit the same transaction again.
   */
  onLateConfirmation: [confirmation: LateConfirmation]
  /**
   * A transaction that this bridge submitted has reached its next state: sent, valid, confirmed, refused or timed out.
   */
  onTxProgress: [progress: TxProgress]
  /**
   * Handlers are slower than the node: `queued` deliveries wait in a bounded queue, and the number `dropped` of the
   * oldest were dropped: messages, and the frequent events `onTxProgress`, `onProtocolError`, `onCommandRefused` and
   * `onUnverified`. The cache still applies all messages.
   */
  onSlowConsumer: [backlog: { queued: number; dropped: number }]
  /** The node sent something that could not be read; it was ignored. */
  onProtocolError: [error: Error]
  /** A handler or callback threw or rejected. `event`: its event, or the method that it was passed to. */
  onHandlerError: [error: unknown, event: string]
  /** A command was refused; the error has the state, the states that allow it and the node's reason. */
  onCommandRefused: [error: CommandRefusedError]
  /** A snapshot was not signed by all parties (option `verify`): it reached neither the cache nor a handler. */
  onUnverified: [snapshot: UnverifiedSnapshot]
  /**
   * Verification (option `verify`) is two seconds or more behind the messages: `waiting` snapshots are not shown yet,
   * the oldest since `behindMs` ms. Emitted again after each check while this lasts, and with 0 and 0 once verification
   * has caught up.
   */
  onVerificationLag: [lag: VerificationLag]
}

/** All events with the arguments of their handlers. */
export interface BridgeEventMap extends LifecycleEvents, MessageEvents {}

/** Events named after the tags of messages, each with the message as its argument. */
export type MessageEvents = { [Tag in LayerHeadTag]: [payload: PayloadOf<Tag>] }

/** {@link MessageEvents} as an interface, so that the compiler's error for a misspelt tag prints this short name. */
export interface MessageEventMap extends MessageEvents {}

/** Subscribes to events. */
export interface BridgeEvents {
  /**
   * Calls `handler` for each event of this name.
   * @returns a function that ends the subscription
   * @throws {@link InvalidArgumentError} when `handler` is not a function
   */
  on<Name extends keyof BridgeEventMap>(name: Name, handler: EventHandler<BridgeEventMap[Name]>): () => void
  /**
   * Calls `handler` for the next event of this name alone.
   * @returns a function that ends the subscription
   * @throws {@link InvalidArgumentError} when `handler` is not a function
   */
  once<Name extends keyof BridgeEventMap>(name: Name, handler: EventHandler<BridgeEventMap[Name]>): () => void
  /** Ends the subscription of `handler` that `on` has made. */
  off<Name extends keyof BridgeEventMap>(name: Name, handler: EventHandler<BridgeEventMap[Name]>): void
}

/** The emitter behind {@link BridgeEvents}, with typed emission. */
export interface BridgeEmitter {
  readonly events: BridgeEvents
  emit<Name extends keyof LifecycleEvents>(name: Name, ...args: LifecycleEvents[Name]): void
  /** Emits `onMessage` and the tag's own event. */
  message(payload: LayerPayload, weight: number): void
  /** Runs a caller's callback; an error goes to `onHandlerError`. */
  invokeSafely(name: string, callback: () => unknown): void
  /** Returns true when any handler would receive messages. */
  hasListeners(): boolean
  clear(): void
}

// They are as frequent as messages, and may be dropped like them.
const FREQUENT = /^on(TxProgress|ProtocolError|CommandRefused|Unverified)$/

/** Creates the events of one bridge. `warn` receives errors of handlers when `onHandlerError` has no handler. */
export function createEvents(warn: (message: () => string) => void): BridgeEmitter {
  const emitter = new Emitter((error, event) => {
    // An error in the error handler must not come back here.
    if (event !== 'onHandlerError' && emitter.count('onHandlerError') > 0)
      emitter.emit([['onHandlerError', error, event]])
    else warn(() => `a handler of ${event} failed: ${String(error)}`)
  })
  return {
    events: {
      on: (name, handler) => emitter.on(name, handler as EventHandler<never>),
      once: (name, handler) => emitter.once(name, handler as EventHandler<never>),
      off: (name, handler) => emitter.off(name, handler as EventHandler<never>)
    },
    emit: (name, ...args) => emitter.emit([[name, ...args]], FREQUENT.test(name) ? 100 : 0),
    message(payload, weight) {
      const { tag } = payload
      // A node cannot forge an event of ours by its choice of tag.
      emitter.emit(
        /^on[A-Z]/.test(tag)
          ? [['onMessage', payload]]
          : [
              ['onMessage', payload],
              [tag, payload]
            ],
        weight
      )
    },
    invokeSafely: (name, callback) => emitter.invokeSafely(name, callback),
    hasListeners: () => [...emitter.names].some((name) => name === 'onMessage' || !/^on[A-Z]/.test(name)),
    clear: () => emitter.clear()
  }
}
