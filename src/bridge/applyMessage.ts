import type { BridgeContext } from './BridgeContext.js'
import type { ReadMessage } from './head/readMessage.js'
import type { CacheOutcome } from './head/CacheOutcome.js'
import type { LayerPayload } from './protocol/messages.js'
import { versionWarning } from './protocol/versions.js'
import { commandRefusal } from './protocol/commandRefusal.js'

/** Arrival time of a message, ms since the Unix epoch, and the characters of its text. */
interface Arrived {
  readonly receivedAt: number
  readonly weight: number
}

/**
 * Passes one message through the bridge: model and cache, tracker, waiting callers, and then the handlers. `replaying`:
 * true for a message of the past, which is passed on but does not change the state.
 */
export function applyMessage(
  context: BridgeContext,
  { receivedAt, weight }: Arrived,
  replaying: boolean,
  readMessage: () => ReadMessage
): void {
  const { connection, emitter, dispatcher, log, model, tracker } = context
  let payload: LayerPayload
  let outcome: CacheOutcome = 'ignored'
  try {
    const read = readMessage()
    payload = read.payload
    if (model.isRepeated(payload)) return
    // Greetings ends a replay. Earlier messages may be about a head that has ended: they are delivered and do not
    // change the state.
    if (!replaying || payload.tag === 'Greetings') outcome = model.apply(payload, receivedAt, weight, read.outputs)
  } catch (error) {
    return emitter.emit('onProtocolError', error as Error)
  }
  log.debug(() => `received ${payload.tag}`)
  if (payload.tag === 'Greetings') warnOfVersion(context, payload.layerNodeVersion)
  if (replaying && payload.tag !== 'Greetings') {
    dispatcher.deliver(payload, weight)
    return emitter.message(payload, weight)
  }
  // Verdicts of the present may have been among the replayed messages: the state decides.
  if (replaying) tracker.markGap()
  tracker.onPayload(payload)
  dispatcher.deliver(payload, weight)
  // Completes the connection: it then requests the state where it is needed.
  if (!context.node.connected() && completesConnection(context, payload)) connection.markConnected()
  else if (outcome === 'needsBaseline') refreshState(context, true)
  if (outcome === 'outOfStep' && context.node.connected()) connection.resync(true)
  const refused = commandRefusal(payload, model.head)
  if (refused !== null) emitter.emit('onCommandRefused', refused.error)
  emitter.message(payload, weight)
}

/** Logs a warning about the node's version, once for each connection, because its node may be another. */
function warnOfVersion({ log }: BridgeContext, version: string | undefined): void {
  const warning = versionWarning(version)
  if (warning !== null) log.warn(() => warning)
}

/**
 * Returns true for the message with which a bridge counts as connected: Greetings, or the outputs where a gateway sends
 * them after it, so that a connected bridge can read balances.
 */
function completesConnection({ node: { connector } }: BridgeContext, payload: LayerPayload): boolean {
  if (payload.tag === 'Greetings') return connector.capabilities.deltas !== true || payload.layerHeadId === undefined
  return payload.tag === 'GatewaySnapshot' || payload.tag === 'GatewayResumed'
}

/**
 * Requests the head's state where the cache or a transaction needs it; not while connecting, when Greetings is still to
 * come.
 */
export function refreshState(
  { cache, connection, model, node: { connected, connector }, sync, tracker }: BridgeContext,
  needed = false
): void {
  if (!connected()) return
  const isCold = !cache.seeded && (model.head.headId !== null || !model.greetingsReceived)
  if (connector.capabilities.deltas === true) {
    if (isCold) connection.resync(false)
    if (tracker.uncertain) sync.refresh()
    return
  }
  if (needed || cache.provisional || tracker.uncertain || isCold) sync.refresh()
}
