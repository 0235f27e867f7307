import type { BridgeContext } from './BridgeContext.js'
import { weightOf } from './delivery/weightOf.js'
import { readMessage, runToEnd } from './head/readMessage.js'
import type { CacheOutcome } from './head/SnapshotCache.js'
import { decodeMessage } from './protocol/decode.js'
import type { LayerPayload } from './protocol/messages.js'
import { commandRefusal } from './submissions/commandRefusal.js'

/** Takes one message through the bridge: decoder, model and cache, tracker, waiting callers, and then the handlers. */
export function receiveMessage(context: BridgeContext, message: unknown): void {
  const { connection, emitter, dispatcher, log, model, tracker } = context
  const receivedAt = Date.now()
  const weight = weightOf(message)
  const { replaying } = connection
  let payload: LayerPayload
  let outcome: CacheOutcome = 'ignored'
  try {
    const read =
      typeof message === 'string'
        ? runToEnd(readMessage(context.cache.texts, message, receivedAt, replaying))
        : { payload: decodeMessage(message, receivedAt), outputs: null }
    payload = read.payload
    if (model.isRepeated(payload)) return
    // Greetings ends a replay. What comes before it may be about a head that has ended: it is delivered and changes nothing.
    if (!replaying || payload.tag === 'Greetings') outcome = model.apply(payload, receivedAt, weight, read.outputs)
  } catch (error) {
    return emitter.emit('onProtocolError', error as Error)
  }
  log.debug(() => `received ${payload.tag}`)
  if (replaying && payload.tag !== 'Greetings') {
    dispatcher.deliver(payload, weight)
    return emitter.message(payload, weight)
  }
  // Verdicts of the present may have been among the replayed messages: the state decides.
  if (replaying) tracker.markGap()
  tracker.onPayload(payload)
  dispatcher.deliver(payload, weight)
  // Greetings completes the connection, which then requests the state where it is needed.
  if (payload.tag === 'Greetings' && !context.connected()) connection.markConnected()
  else if (outcome === 'needsBaseline') refreshState(context, true)
  const refused = commandRefusal(payload, model.head)
  if (refused !== null) emitter.emit('onCommandRefused', refused.error)
  emitter.message(payload, weight)
}

/** Requests the head's state where the cache or a transaction needs it. While connecting, Greetings is still to come. */
export function refreshState({ cache, connected, model, sync, tracker }: BridgeContext, needed = false): void {
  if (!connected()) return
  const isCold = !cache.seeded && (model.head.headId !== null || !model.greetingsReceived)
  if (needed || cache.provisional || tracker.uncertain || isCold) sync.refresh()
}
