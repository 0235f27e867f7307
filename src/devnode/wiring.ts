import { Agenda } from './chain/Agenda.js'
import type { ListeningAddress } from './serve/api/configJson.js'
import { ClientHub } from './party/clientHub.js'
import { newCounters } from './party/counters.js'
import { DepositDrafts } from './deposits/DepositDrafts.js'
import { readFaults, watchedFaults } from './settings/faults.js'
import { HeadRuntime } from './party/HeadRuntime.js'
import { PartyNetwork } from './party/PartyNetwork.js'
import { openingMs } from './party/openAtStart.js'
import { runTask } from './party/runTask.js'
import { SnapshotSigner } from './head/snapshotSigner.js'
import { startNode } from './party/startNode.js'
import { deriveKey } from './settings/keys.js'
import { BaseLedger } from './chain/baseLedger.js'
import { HeadLedger } from './head/headLedger.js'
import { OrderedOutputs } from './rules/orderedOutputs.js'
import { defaultProtocolParameters, ledgerParameters } from './rules/protocolParameters.js'
import { ScriptRunner } from './rules/ScriptRunner.js'
import type { NodeContext } from './party/NodeContext.js'
import { NodeClock } from './chain/NodeClock.js'
import type { DevNodeOptions } from './settings/options.js'
import { readDevNodeOptions, resolveOptions } from './settings/options.js'
import { PROFILES } from './settings/profiles.js'
import { Timers } from './chain/Timers.js'

/**
 * Creates the parts of one node, which find each other through the context, and starts it.
 *
 * @throws {@link InvalidArgumentError}
 */
export function createNodeContext(
  from: DevNodeOptions,
  listensOn: (party: number) => ListeningAddress,
  forkedHeadId: string | null = null
): NodeContext {
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
  const network = new PartyNetwork()
  const impersonated: NodeContext['impersonated'] = new Map()
  const context: NodeContext = {
    options,
    clock,
    features,
    faults: watchedFaults(readFaults(given.faults ?? {}), () => runtime.noticeStall()),
    counters: newCounters(),
    impersonated,
    durability: { current: null },
    protocolParameters,
    parameters,
    scripts,
    keys,
    party: 0,
    network,
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
    listensOn: () => listensOn(0)
  }
  network.add(context)
  const hub = new ClientHub(context)
  const runtime = new HeadRuntime(context)
  const drafts = new DepositDrafts(context)
  for (let party = 1; party < keys.length; party++) network.add(createParty(context, party, () => listensOn(party)))
  startNode(context)
  return context
}

/** Another party of the same head: a key, a history and a local ledger of its own, on the same base ledger. */
function createParty(first: NodeContext, party: number, listensOn: NodeContext['listensOn']): NodeContext {
  const { timers, clock } = first
  const context: NodeContext = {
    ...first,
    party,
    faults: watchedFaults({}, () => runtime.noticeStall()),
    counters: newCounters(),
    agenda: new Agenda(timers, clock, (task) => runTask(task, context)),
    ledger: new HeadLedger(),
    get hub() {
      return hub
    },
    get runtime() {
      return runtime
    },
    listensOn
  }
  const hub = new ClientHub(context)
  const runtime = new HeadRuntime(context)
  return context
}
