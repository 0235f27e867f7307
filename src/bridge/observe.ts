import type { BridgeEmitter } from './delivery/events.js'
import { assertFunction } from './delivery/Emitter.js'
import type { MessageDispatcher } from './delivery/MessageDispatcher.js'
import type { LayerPayload } from './protocol/messages.js'
import type { TxChanges, TxState } from './txs/TxState.js'

/** Functions that a bridge calls with all its messages; see {@link LayerBridge.observe}. */
export interface MessageObserver {
  /** Receives each message. An error that it throws goes to `onHandlerError`. */
  onMessage?: ((payload: LayerPayload) => void) | undefined
  /**
   * Receives each state of each transaction that the bridge follows, by its id (hex, 64 characters), in order: `sent`,
   * `valid`, `confirmed`, `refused`, `unknown`. A late confirmation follows `refused` or `unknown` as `confirmed`. None
   * is dropped, however slow the handlers of events are.
   */
  onTx?: ((txId: string, tx: TxState) => void) | undefined
  /** Called when no further message will come, unless `connect()` is called again. */
  onEnd?: (() => void) | undefined
  /** True: this observer does not keep a Node process alive while the bridge waits to reconnect. @default false */
  background?: boolean | undefined
}

/** Sources of an observer, and the guard that shields them from its errors. */
interface ObservedParts {
  readonly dispatcher: MessageDispatcher
  readonly emitter: BridgeEmitter
  readonly tracker: { readonly changes: TxChanges }
}

/** Subscribes an observer, and shields the bridge from its errors. @throws {@link InvalidArgumentError} */
export function observeBridge(
  { dispatcher, emitter, tracker }: ObservedParts,
  { onMessage, onTx, onEnd, background }: MessageObserver
): () => void {
  if (onMessage !== undefined) assertFunction('onMessage', onMessage)
  if (onTx !== undefined) assertFunction('onTx', onTx)
  if (onEnd !== undefined) assertFunction('onEnd', onEnd)
  const stops = [
    dispatcher.subscribe({
      background,
      onPayload: (payload) => emitter.invokeSafely('observe', () => onMessage?.(payload)),
      onEnd: () => emitter.invokeSafely('observe', () => onEnd?.())
    })
  ]
  if (onTx !== undefined)
    stops.push(tracker.changes.subscribe((txId, tx) => emitter.invokeSafely('observe', () => onTx(txId, tx))))
  return () => {
    for (const stop of stops) stop()
  }
}
