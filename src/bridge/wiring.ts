import { BridgeDisconnectedError } from '../errors/bridge.js'
import type { BridgeContext } from './BridgeContext.js'
import { identifyNode } from './connection/identifyNode.js'
import { Lifetimes } from './connection/Lifetimes.js'
import type { NodeAccess } from './connection/NodeAccess.js'
import { createNodeRequests } from './connection/nodeRequests.js'
import { Connection } from './connection/ReconnectingConnection.js'
import { createEvents } from './delivery/events.js'
import { MessageDispatcher } from './delivery/MessageDispatcher.js'
import { HeadModel } from './head/HeadModel.js'
import { HeadSync } from './head/HeadSync.js'
import { SnapshotCache } from './head/SnapshotCache.js'
import { resolveBridgeOptions } from './options.js'
import type { InitLayerBridgeOptions } from './options.js'
import { encodeInput } from './protocol/encode.js'
import { versionProfile } from './protocol/versions.js'
import { MessageReceiver } from './MessageReceiver.js'
import { refreshState, applyMessage } from './applyMessage.js'
import { snapshotsMissed } from './moves/nodeQueries.js'
import { Reconciler } from './txs/Reconciler.js'
import { TxTracker } from './txs/TxTracker.js'

/** Creates the parts of one bridge and connects them to each other. @throws {@link BridgeOptionsError} */
export function createBridgeContext(options: InitLayerBridgeOptions): BridgeContext {
  const { connector, log, maxKeptText, policy, requestTimeout, verifier } = resolveBridgeOptions(options, {
    onUnverified: (snapshot) => emitter.emit('onUnverified', snapshot),
    onVerified: () => model.changed(),
    get texts() {
      return cache.texts
    },
    onVerifiedMessage: (message) => applyMessage(context, message, connection.replaying, () => message),
    onClosing: () => receiver.flush(),
    onLag: (lag) => {
      model.changed()
      emitter.emit('onVerificationLag', lag)
    },
    shows: (headId, number) => cache.headId === headId && cache.number === number && cache.seeded,
    holds: (headId, number) => cache.headId === headId && cache.number >= number,
    onOutputs: (baseline) => {
      if (cache.applyBaseline({ ...baseline, epoch: cache.epoch }) !== 'applied') return
      tracker.startAt(cache.number)
      model.changed()
    },
    onBehind: (missed) => {
      if (missed) tracker.markGap()
      sync.refresh()
    }
  })
  const emitter = createEvents(log.warn)
  const dispatcher = new MessageDispatcher()
  // Transactions of a snapshot are not signed: with a verifier only proven outputs reach the cache.
  const cache = new SnapshotCache(verifier === null, maxKeptText, (headId) => verifier?.counts(headId) ?? true)
  const lifetimes = new Lifetimes()
  const model = new HeadModel(cache, () => connection.state, verifier)
  const node: NodeAccess = {
    connector,
    requestNode: createNodeRequests(connector, requestTimeout, () => lifetimes.bridge),
    connected: () => connection.state === 'connected',
    send(input) {
      log.debug(() => `sending ${input.tag}`)
      connection.send(encodeInput(input), input.tag)
    },
    head: () => model.head,
    profile: () => versionProfile(model.head.nodeVersion),
    session: () => (/^(idle|disconnected|failed)$/.test(connection.state) ? lifetimes.bridge : lifetimes.session),
    end: () => lifetimes.endBridge()
  }
  const tracker = new TxTracker({
    cache,
    connector,
    emitter,
    verifier,
    head: () => model.head,
    // Without a connection too: POST /transaction needs none.
    reconcile: () => sync.refresh()
  })
  const sync: HeadSync = new HeadSync({ ...node, cache, log, model, txs: new Reconciler({ ...node, tracker }) })
  const connection: Connection = new Connection(connector, policy, {
    onOpen: () => {
      receiver.clear()
      model.startConnection()
      lifetimes.startSession()
    },
    onMessage: (message) => receiver.receive(message),
    onInvalid: (error) => receiver.receiveInvalid(error),
    isReading: () => receiver.busy || verifier?.busy === true,
    onClosing: () => receiver.flush(),
    onConnected: () => {
      refreshState(context)
      emitter.emit('onConnected')
    },
    onLost: (next) => {
      receiver.clear()
      lifetimes.endSession()
      onLost(context, next)
    },
    onDisconnected: () => emitter.emit('onDisconnected'),
    onConnectError: (error) => emitter.emit('onConnectError', error),
    onReconnecting: (attempt) => emitter.emit('onReconnecting', attempt),
    onState: () => {
      log.debug(() => connection.state)
      model.changed()
    },
    identify: () => identifyNode({ ...node, model }),
    since: () => cache.since,
    probe: (signal) => snapshotsMissed(node, cache.number, signal),
    keepAlive: () => emitter.hasListeners() || dispatcher.size > 0 || tracker.pending > 0 || model.watched
  })
  const context: BridgeContext = {
    node,
    connection,
    log,
    emitter,
    dispatcher,
    cache,
    model,
    tracker,
    sync,
    verifier
  }
  const receiver = new MessageReceiver(context)
  return context
}

function onLost(
  { cache, node: { connector }, emitter, dispatcher, model, tracker }: BridgeContext,
  next: 'retrying' | 'failed' | 'requested'
): void {
  if (connector.capabilities.deltas === true && next !== 'requested') cache.suspend()
  else cache.reset()
  model.changed()
  tracker.markGap()
  if (next === 'retrying') return
  tracker.disconnect(next === 'requested')
  dispatcher.end(next === 'requested' ? null : new BridgeDisconnectedError('Waiting for messages'))
  if (next === 'requested') emitter.clear()
}
