import { Agenda } from './Agenda.js'
import { ClientHub } from './api/clientHub.js'
import { newCounters } from './counters.js'
import { DepositDrafts } from './deposits/DepositDrafts.js'
import { noFaults, readFaults } from './faults.js'
import { HeadRuntime } from './head/HeadRuntime.js'
import { openingMs } from './head/openAtStart.js'
import { runTask } from './head/runTask.js'
import { SnapshotSigner } from './head/snapshotSigner.js'
import { startNode } from './head/startNode.js'
import { deriveKey } from './keys.js'
import { BaseLedger } from './ledger/baseLedger.js'
import { HeadLedger } from './ledger/headLedger.js'
import { OrderedOutputs } from './ledger/orderedOutputs.js'
import { defaultProtocolParameters, ledgerParameters } from './ledger/protocolParameters.js'
import { ScriptRunner } from './ledger/ScriptRunner.js'
import type { NodeContext } from './NodeContext.js'
import { NodeClock } from './NodeClock.js'
import type { DevNodeOptions } from './options.js'
import { readDevNodeOptions, resolveOptions } from './options.js'
import { PROFILES } from './profiles.js'
import { Timers } from './Timers.js'

/**
 * Creates the parts of one node, which find each other through the context, and starts it.
 *
 * @throws {@link InvalidArgumentError}
 */
export function createNodeContext(from: DevNodeOptions, listensOn: NodeContext['listensOn'], forkedHeadId: string | null = null): NodeContext {
  const given = readDevNodeOptions(from)
  const resolved = resolveOptions(given)
  // What a node goes through that starts with an open head has happened when it starts.
  const clock = new NodeClock(resolved.clock, resolved.open ? -openingMs(resolved.timings) : 0)
  const options = { ...resolved, clock }
  const features = PROFILES[options.profile]
  const protocolParameters = { ...defaultProtocolParameters(features), ...given.protocolParameters }
  const keys = Array.from({ length: options.parties }, (_, i) => deriveKey(options.seed, `party ${i + 1}`))
  const parameters = ledgerParameters(protocolParameters)
  const { scriptEvaluator, evaluatorTimeoutMs: timeoutMs, slotZeroMs } = options
  const scripts = scriptEvaluator === null ? null : new ScriptRunner(scriptEvaluator, { timeoutMs, slotZeroMs })
  const timers = new Timers(clock)
  const impersonated: NodeContext['impersonated'] = new Map()
  const context: NodeContext = {
    options,
    clock,
    features,
    faults: { ...noFaults(), ...readFaults(given.faults ?? {}) },
    counters: newCounters(),
    impersonated,
    protocolParameters,
    parameters,
    scripts,
    keys,
    forkedHeadId,
    signer: new SnapshotSigner(keys, features.signingRule),
    timers,
    agenda: new Agenda(timers, clock, (task) => runTask(task, context)),
    base: new BaseLedger({ options, features, parameters, scripts, impersonated }),
    baseListeners: new Set(),
    // Without an accumulator the parties sign the hash of all outputs.
    ledger: new HeadLedger(features.accumulatorInSnapshots ? null : new OrderedOutputs()),
    get hub() {
      return hub
    },
    get runtime() {
      return runtime
    },
    get drafts() {
      return drafts
    },
    listensOn
  }
  const hub = new ClientHub(context)
  const runtime = new HeadRuntime(context)
  const drafts = new DepositDrafts(context)
  startNode(context)
  return context
}
