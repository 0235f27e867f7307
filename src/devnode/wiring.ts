import { Agenda } from './chain/Agenda.js'
import { BaseLedger } from './chain/baseLedger.js'
import type { Chain } from './chain/Chain.js'
import { NodeClock } from './chain/NodeClock.js'
import { Timers } from './chain/Timers.js'
import { DepositDrafts } from './deposits/DepositDrafts.js'
import { HeadLedger } from './head/headLedger.js'
import { HeadTxs } from './headTxs/HeadTxs.js'
import { SnapshotSigner } from './head/snapshotSigner.js'
import type { AgendaTask } from './party/AgendaTask.js'
import { ClientHub } from './party/clientHub.js'
import { newCounters } from './party/counters.js'
import type { Head } from './party/Head.js'
import { HeadIds } from './party/HeadIds.js'
import { HeadRuntime } from './party/HeadRuntime.js'
import { openingMs } from './party/openAtStart.js'
import type { LocalHead, Party } from './party/Party.js'
import { PartyNetwork } from './party/PartyNetwork.js'
import { runTask } from './party/runTask.js'
import { SnapshotSigning } from './party/SnapshotSigning.js'
import { startNode } from './party/startNode.js'
import { OrderedOutputs } from './rules/orderedOutputs.js'
import { defaultProtocolParameters, ledgerParameters } from './rules/protocolParameters.js'
import { ScriptRunner } from './rules/ScriptRunner.js'
import type { DevNodeFaults } from './settings/faults.js'
import { readFaults, watchedFaults } from './settings/faults.js'
import { deriveKey, vkeysOf } from './settings/keys.js'
import type { DevNodeOptions, ListeningAddress } from './settings/options.js'
import { readDevNodeOptions, resolveOptions } from './settings/resolveOptions.js'
import { PROFILES } from './settings/profiles.js'

/**
 * Creates a local head with its parties, and starts them.
 *
 * @throws {@link InvalidArgumentError}
 */
export function createLocalHead(
  from: DevNodeOptions,
  listensOn: (party: number) => ListeningAddress,
  forkedHeadId: string | null = null
): LocalHead {
  const options = readDevNodeOptions(from)
  const chain = createChain(options)
  const faults = watchedFaults(readFaults(options.faults ?? {}), () => node.runtime.noticeStall())
  const head = createHead(chain, faults, forkedHeadId)
  const node = createParty({ index: 0, chain, head, faults, listensOn: () => listensOn(0) })
  head.network.add(node)
  const others = head.keys.slice(1).map((_, i) => {
    const faultless = watchedFaults({}, () => party.runtime.noticeStall())
    const party = createParty({ index: i + 1, chain, head, faults: faultless, listensOn: () => listensOn(i + 1) })
    head.network.add(party, () => faults.peerLagMs)
    return party
  })
  const parties = [node, ...others]
  for (const party of parties) startNode(party)
  return { chain, head, node, parties }
}

function createChain(from: DevNodeOptions): Chain {
  const { clock: clockOfOptions, ...options } = resolveOptions(from)
  // The opening of a head at the start lies in the past.
  const clock = new NodeClock(clockOfOptions, options.open ? -openingMs(options.timings) : 0)
  const features = PROFILES[options.profile]
  const protocolParameters = { ...defaultProtocolParameters(features), ...from.protocolParameters }
  const parameters = ledgerParameters(protocolParameters)
  const { scriptEvaluator, evaluatorTimeoutMs: timeoutMs, slotZeroMs } = options
  const scripts = scriptEvaluator === null ? null : new ScriptRunner(scriptEvaluator, { timeoutMs, slotZeroMs })
  const impersonated: Chain['impersonated'] = new Map()
  return {
    options,
    features,
    clock,
    timers: new Timers(clock),
    base: new BaseLedger({ options, features, clock, parameters, scripts, impersonated }),
    durability: { current: null },
    protocolParameters,
    parameters,
    scripts,
    impersonated
  }
}

function createHead(chain: Chain, faults: DevNodeFaults, forkedHeadId: string | null): Head {
  const { options, features, clock } = chain
  const { seed, timings } = options
  const keys = Array.from({ length: options.parties }, (_, i) => deriveKey(seed, `party ${i + 1}`))
  const signer = new SnapshotSigner(keys, features.signingRule)
  const network = new PartyNetwork(clock)
  const txs = new HeadTxs({ options, features, base: chain.base, faults })
  const { contestationPeriodMs } = timings
  return {
    keys,
    signer,
    faults,
    network,
    signing: new SnapshotSigning({ chain, signer, network, commitments: txs.commitments }),
    txs,
    drafts: new DepositDrafts(chain),
    ids: new HeadIds({ seed, parties: vkeysOf(keys), contestationPeriodMs, forkedHeadId }),
    committer: vkeysOf(keys)[0]!,
    forkedHeadId
  }
}

/** Creates a party with a history and a local ledger of its own. */
function createParty(from: Pick<Party, 'index' | 'chain' | 'head' | 'faults' | 'listensOn'>): Party {
  const { timers, clock, features } = from.chain
  const party: Party = {
    ...from,
    counters: newCounters(),
    agenda: new Agenda<AgendaTask>(timers, clock, (task) => runTask(task, party)),
    // Without an accumulator the parties sign the hash of all outputs.
    ledger: new HeadLedger(features.accumulatorInSnapshots ? null : new OrderedOutputs()),
    get hub() {
      return hub
    },
    get runtime() {
      return runtime
    }
  }
  const hub = new ClientHub(party)
  const runtime = new HeadRuntime(party)
  return party
}
