import type { AgendaEntry } from '../chain/Agenda.js'
import type { AgendaTask } from '../party/AgendaTask.js'
import type { Draft } from '../deposits/DepositDrafts.js'
import type { DevNodeFaults } from '../settings/faults.js'
import { readFaults } from '../settings/faults.js'
import type { SavedRuntime } from '../party/HeadRuntime.js'
import type { SavedMember } from '../party/PartyNetwork.js'
import type { SavedHub } from '../party/clientHub.js'
import type { BaseTransaction } from '../chain/baseHistory.js'
import type { PendingChange } from '../head/headLedger.js'
import type { UtxoView } from '../rules/utxoSet.js'
import type { LocalHead, Party } from '../party/Party.js'
import type { SavedSigning } from '../party/SavedSigning.js'
import { JsonText } from '../json/jsonText.js'
import type { StateOwner, StateRoots, StateRows } from './document.js'
import { StateReader } from './StateReader.js'

/** State of a party. */
export interface ReadParty {
  readonly hub: SavedHub
  readonly ledger: {
    readonly confirmed: UtxoView
    readonly local: UtxoView
    readonly pending: readonly PendingChange[]
  }
  readonly runtime: SavedRuntime
  readonly agenda: readonly AgendaEntry<AgendaTask>[]
  readonly faults: Partial<DevNodeFaults>
}

/** State that the parties share; it is saved with the runtime of the first party. */
interface SavedHead {
  /** Number of heads so far. */
  readonly heads: number
  readonly signing: SavedSigning | null
}

/** A state that has been read completely, so that restoring it by {@link applyState} cannot fail. */
export interface ReadState {
  readonly clockOffsetMs: number
  readonly base: { readonly produced: number; readonly utxo: UtxoView }
  readonly baseTxs: readonly BaseTransaction[]
  readonly drafts: ReadonlyMap<string, Draft>
  readonly impersonated: readonly (readonly [address: string, keys: readonly string[]])[]
  readonly head: SavedHead
  readonly parties: readonly ReadParty[]
  /** Null in a head of one party. */
  readonly network: readonly SavedMember[] | null
}

interface WrittenParty {
  readonly hub: {
    readonly seq: number
    readonly first: number | null
    readonly held: readonly number[]
    readonly rotated: string | null
  }
  readonly ledger: {
    readonly confirmed: number
    readonly local: number
    readonly pending: readonly (readonly [tx: number, decommit: boolean])[]
  }
  readonly head: unknown
  readonly agenda: readonly (readonly [dueMs: number, task: unknown])[]
  readonly faults: Partial<DevNodeFaults>
}

interface WrittenRoots extends WrittenParty {
  readonly clockOffsetMs: number
  readonly base: { readonly produced: number; readonly utxo: number }
  readonly drafts: readonly (readonly [txId: string, draft: unknown])[]
  readonly impersonated: readonly (readonly [address: string, keys: readonly string[]])[]
  readonly network?: unknown
}

/** Reads a state, without a change to the node. @throws the errors of a damaged document. */
export function readState(rows: StateRows, roots: StateRoots, { chain, head }: StateOwner): ReadState {
  const reader = new StateReader(rows, chain.features)
  const written = roots as unknown as WrittenRoots
  const { clockOffsetMs, base, drafts, impersonated, network } = written
  const [, ...others] = head.keys
  return {
    clockOffsetMs,
    base: { produced: base.produced, utxo: reader.utxo(base.utxo) },
    baseTxs: reader.baseTxs(),
    drafts: new Map(drafts.map(([txId, draft]) => [txId, reader.value(draft) as Draft])),
    impersonated,
    head: reader.value(written.head) as SavedHead,
    parties: [
      readParty(written, 0, reader),
      ...others.map((_, i) => readParty(roots[`party ${i + 1}`] as WrittenParty, i + 1, reader))
    ],
    network: others.length === 0 ? null : (reader.value(network) as SavedMember[])
  }
}

function readParty({ hub, ledger, head, agenda, faults }: WrittenParty, party: number, reader: StateReader): ReadParty {
  const { seq, first, held, rotated } = hub
  return {
    hub: { seq, ...reader.messages(party, first, held), rotated: rotated === null ? null : new JsonText(rotated) },
    ledger: {
      confirmed: reader.utxo(ledger.confirmed),
      local: reader.utxo(ledger.local),
      pending: ledger.pending.map(([tx, decommit]) => ({ tx: reader.tx(tx), decommit }))
    },
    runtime: reader.value(head) as SavedRuntime,
    agenda: agenda.map(([dueMs, task]) => ({ dueMs, task: reader.value(task) as AgendaTask })),
    faults: readFaults(faults)
  }
}

/** Replaces the node's state. Connections end; counters are not reset. */
export function applyState(state: ReadState, { chain, head, parties }: LocalHead): void {
  const { clock, base, impersonated } = chain
  const { drafts, network, ids, signing } = head
  // Timers of the old state end before time changes.
  for (const { agenda } of parties) agenda.restore([])
  clock.setOffset(state.clockOffsetMs)
  impersonated.clear()
  for (const [address, keys] of state.impersonated) impersonated.set(address, keys)
  base.restore(state.base)
  base.history.restore(state.baseTxs)
  drafts.restore(state.drafts)
  if (state.network !== null) network.restore(state.network)
  ids.restore(state.head.heads)
  if (state.head.signing !== null) signing.restore(state.head.signing)
  parties.forEach((party, i) => applyParty(state.parties[i]!, party))
}

function applyParty(state: ReadParty, { ledger, hub, runtime, agenda, faults }: Party): void {
  Object.assign(faults, state.faults)
  ledger.restore(state.ledger)
  hub.restore(state.hub)
  runtime.restore(state.runtime)
  agenda.restore(state.agenda)
}
