import { ClientHub } from './api/clientHub.js'
import { DepositDrafts } from './deposits/DepositDrafts.js'
import type { DevNodeFaults } from './faults.js'
import { noFaults, readFaults } from './faults.js'
import { chainTxJson } from './wire/chainTxJson.js'
import { remainingOf } from './head/chainTxs.js'
import type { ChainTx } from './head/types.js'
import { greetingsText, participantsOf, snapshotUtxo } from './wire/greetings.js'
import { HeadRuntime } from './head/HeadRuntime.js'
import type { RuntimeContext } from './head/RuntimeContext.js'
import { startNode } from './head/startNode.js'
import { checkpointJson, headStateJson } from './wire/headStateJson.js'
import type { JsonValue } from './wire/jsonText.js'
import { deriveKey } from './keys.js'
import { clientMessageText, invalidInputText } from './wire/messages.js'
import type { DevNodeOptions, ResolvedOptions } from './options.js'
import { readDevNodeOptions, resolveOptions } from './options.js'
import { PROFILES } from './profiles.js'
import { defaultProtocolParameters, ledgerParameters } from './ledger/protocolParameters.js'
import { SnapshotSigner } from './head/snapshotSigner.js'

/** What a node is made of. */
export interface NodeContext {
  readonly options: ResolvedOptions
  readonly faults: DevNodeFaults
  /** Body of GET /protocol-parameters. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly hub: ClientHub
  readonly runtime: HeadRuntime
  readonly drafts: DepositDrafts
  /** The node's own Hydra verification key, hex. */
  readonly party: string
  /** The whole head state, as GET /head shows it. */
  headState(): JsonValue
  /** A transaction of the head, as PostTxOnChainFailed shows it. */
  chainTx(tx: ChainTx): JsonValue
}

/**
 * Makes the parts and joins them: the runtime speaks through the hub, the hub greets with what the runtime knows.
 *
 * @throws {@link InvalidArgumentError}
 */
export function assembleNode(from: DevNodeOptions): NodeContext {
  const given = readDevNodeOptions(from)
  const options = resolveOptions(given)
  const { seed, clock, timings, historyLimit } = options
  const faults: DevNodeFaults = { ...noFaults(), ...readFaults(given.faults ?? {}) }
  const features = PROFILES[options.profile]
  const parameters = { ...defaultProtocolParameters(features), ...given.protocolParameters }
  const keys = Array.from({ length: options.parties }, (_, i) => deriveKey(seed, `party ${i + 1}`))
  const signer = new SnapshotSigner(keys, features.signingRule)
  const headState = (): JsonValue => {
    const { state, ledger, slot, blockHash } = runtime
    return headStateJson(state, { features, ledger, ...timings, inFlight: () => runtime.inFlight(), slot, blockHash })
  }
  const chainTx = (tx: ChainTx): JsonValue => {
    const { state, ledger, slot } = runtime
    const inHead = state.head.status === 'Initializing' ? snapshotUtxo(state.head)! : remainingOf(state.head, ledger)
    return chainTxJson(tx, { features, ...timings, slot, head: state.head, inHead, parties: signer.parties, participants: participantsOf(options, keys) })
  }
  const hub: ClientHub = new ClientHub({
    features,
    faults,
    clock,
    historyLimit,
    later: (delayMs, callback) => runtime.later(delayMs, callback),
    greetings(withUtxo) {
      const { state, slot } = runtime
      return greetingsText({ options, features, head: state.head, synced: state.synced, slot, keys }, withUtxo)
    },
    checkpoint: () => checkpointJson(runtime.state, headState(), features.syncStatus ? { slot: runtime.slot, timeMs: clock.now() } : null)
  })
  const context: RuntimeContext = {
    options,
    parameters: ledgerParameters(parameters),
    signer,
    faults,
    messages: {
      publish: (output) => hub.publish(output),
      broadcast: (message) => hub.broadcast(message, clientMessageText(message, { headState, chainTx })),
      refuse: (client, reason, input) => hub.sendTo(client, invalidInputText(reason, input))
    }
  }
  const runtime: HeadRuntime = new HeadRuntime(context)
  startNode(runtime, context)
  const drafts = new DepositDrafts(runtime.base, options, deriveKey(seed, 'fuel'), ledgerParameters(parameters))
  return { options, faults, parameters, hub, runtime, drafts, party: signer.parties[0]!, headState, chainTx }
}
