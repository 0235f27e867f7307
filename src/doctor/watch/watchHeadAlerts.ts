import { readOptions } from '../../codec/options.js'
import type { OptionNames } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { now, sleep } from '../../net/timers.js'
import { readRules } from './rules.js'
import { runWatch } from './runWatch.js'
import type { AlertRule, AlertSink, AlertState, WatchedHead } from './types.js'

/** Options of {@link watchHeadAlerts}. */
export interface WatchHeadAlertsOptions {
  /** Nodes to watch: 1 to 50. Several nodes of one head share the snapshots that they have shown. */
  heads: readonly WatchedHead[]
  /** Changes of the built-in rules, and further rules. @default none */
  rules?: readonly AlertRule[]
  /** Receives each alert, and the notice of its end. */
  sink: AlertSink
  /** Storage between two runs; without one, a restart forgets the newest snapshot that was seen. @default none */
  state?: AlertState
  /** Time between two readings of a node's routes, ms; its messages are read at once. @default 15000 */
  interval?: number
  /** Ends the watch, whose promise then resolves. */
  signal?: AbortSignal
}

const OPTIONS: OptionNames<WatchHeadAlertsOptions> = {
  heads: true,
  rules: true,
  sink: true,
  state: true,
  interval: true,
  signal: true
}
const HEAD: OptionNames<WatchedHead> = {
  node: true,
  parties: true,
  provider: true,
  fuelAddress: true,
  metricsUrl: true,
  baseTime: true
}
const MAX_HEADS = 50
const INTERVAL_MS = 15_000
const MAX_INTERVAL_MS = 3_600_000

/**
 * Watches heads and sends alerts: about a close with an older snapshot than one that was seen, deposits and withdrawals
 * that do not proceed, nodes that are lost or behind, and the subjects of further rules. It only reads: it sends no
 * input, and never contests. An alert fires once and resolves once; a critical one is sent again every hour. With a
 * `state` this also holds over restarts. Resolves once `signal` has ended it.
 *
 * @throws {@link AlertRulesError} that lists every wrong rule; {@link WatchStateError}; {@link InvalidArgumentError};
 * the error of a state that cannot be written
 * @example
 * ```ts
 * import { createHeadClient } from 'layer-sdk/client'
 * import { watchHeadAlerts } from 'layer-sdk/doctor'
 * import { startDevNode } from 'layer-sdk/devnode'
 *
 * const node = await startDevNode({ port: 0, open: true })
 * const over = new AbortController()
 * const watching = watchHeadAlerts({
 *   heads: [{ node: node.url }],
 *   sink: {
 *     async send({ rule, state }) {
 *       console.log(rule, state) // closed-by-other firing
 *       over.abort()
 *     }
 *   },
 *   signal: over.signal
 * })
 * const head = createHeadClient({ url: node.url })
 * await head.connect()
 * await head.closeHead()
 * await watching
 * await head.disconnect()
 * await node.stop()
 * ```
 */
export async function watchHeadAlerts(options: WatchHeadAlertsOptions): Promise<void> {
  const settings = readOptions(options, OPTIONS, 'options')
  const { heads, rules = [], sink, state = FORGETFUL, interval = INTERVAL_MS, signal } = settings
  if (!Array.isArray(heads) || heads.length === 0 || heads.length > MAX_HEADS)
    throw new InvalidArgumentError('heads', `a list of 1 to ${MAX_HEADS} heads`, heads)
  if (typeof sink?.send !== 'function') throw new InvalidArgumentError('sink', 'an object with send()', sink)
  if (typeof state?.load !== 'function' || typeof state.save !== 'function')
    throw new InvalidArgumentError('state', 'an object with load() and save()', state)
  if (!Number.isSafeInteger(interval) || interval < 1 || interval > MAX_INTERVAL_MS)
    throw new InvalidArgumentError('interval', `whole ms from 1 to ${MAX_INTERVAL_MS}`, interval)
  return runWatch({
    heads: (heads as WatchedHead[]).map((head, i) => readOptions(head, HEAD, `heads[${i}]`)),
    rules: readRules(rules),
    sink,
    state,
    intervalMs: interval,
    signal: signal ?? new AbortController().signal,
    time: { now: Date.now, monotonic: now, sleep }
  })
}

const FORGETFUL: AlertState = { load: () => Promise.resolve(null), save: () => Promise.resolve() }
