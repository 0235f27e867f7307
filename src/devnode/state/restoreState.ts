import type { AgendaEntry, AgendaTask } from '../Agenda.js'
import type { Draft } from '../deposits/DepositDrafts.js'
import { readFaults } from '../faults.js'
import type { SavedRuntime } from '../head/HeadRuntime.js'
import type { SavedHub } from '../api/clientHub.js'
import type { BaseTransaction } from '../ledger/baseHistory.js'
import type { PendingChange } from '../ledger/headLedger.js'
import type { UtxoView } from '../ledger/utxoSet.js'
import type { NodeContext } from '../NodeContext.js'
import { JsonText } from '../wire/jsonText.js'
import type { StateRoots, StateRows } from './document.js'
import { StateReader } from './StateReader.js'

/** A state that has been read to its end: what is left is to put it in place, which cannot fail. */
export interface ReadState {
  readonly clockOffsetMs: number
  readonly base: { readonly produced: number; readonly utxo: UtxoView }
  readonly baseTxs: readonly BaseTransaction[]
  readonly hub: SavedHub
  readonly ledger: { readonly confirmed: UtxoView; readonly local: UtxoView; readonly pending: readonly PendingChange[] }
  readonly runtime: SavedRuntime
  readonly drafts: ReadonlyMap<string, Draft>
  readonly agenda: readonly AgendaEntry[]
  readonly faults: Partial<NodeContext['faults']>
  readonly impersonated: readonly (readonly [address: string, keys: readonly string[]])[]
}

interface WrittenRoots {
  readonly clockOffsetMs: number
  readonly base: { readonly produced: number; readonly utxo: number }
  readonly hub: { readonly seq: number; readonly first: number | null; readonly held: readonly number[]; readonly rotated: string | null }
  readonly ledger: { readonly confirmed: number; readonly local: number; readonly pending: readonly (readonly [tx: number, decommit: boolean])[] }
  readonly head: unknown
  readonly drafts: readonly (readonly [txId: string, draft: unknown])[]
  readonly agenda: readonly (readonly [dueMs: number, task: unknown])[]
  readonly faults: Partial<NodeContext['faults']>
  readonly impersonated: readonly (readonly [address: string, keys: readonly string[]])[]
}

/** Reads a state; nothing of the node changes. @throws whatever is wrong with what was written. */
export function readState(rows: StateRows, roots: StateRoots, { features }: Pick<NodeContext, 'features'>): ReadState {
  const reader = new StateReader(rows, features)
  const { clockOffsetMs, base, hub, ledger, head, drafts, agenda, faults, impersonated } = roots as unknown as WrittenRoots
  const history = hub.first === null ? [] : Array.from({ length: reader.messages - hub.first }, (_, i) => reader.message(hub.first! + i))
  return {
    clockOffsetMs,
    base: { produced: base.produced, utxo: reader.utxo(base.utxo) },
    baseTxs: reader.baseTxs(),
    hub: {
      seq: hub.seq,
      history,
      held: hub.held.map((each) => reader.message(each)),
      rotated: hub.rotated === null ? null : new JsonText(hub.rotated)
    },
    ledger: {
      confirmed: reader.utxo(ledger.confirmed),
      local: reader.utxo(ledger.local),
      pending: ledger.pending.map(([tx, decommit]) => ({ tx: reader.tx(tx), decommit }))
    },
    runtime: reader.value(head) as SavedRuntime,
    drafts: new Map(drafts.map(([txId, draft]) => [txId, reader.value(draft) as Draft])),
    agenda: agenda.map(([dueMs, task]) => ({ dueMs, task: reader.value(task) as AgendaTask })),
    faults: readFaults(faults),
    impersonated
  }
}

/** Puts a state in place of the node's own. Connections end, counters go on. */
export function applyState(state: ReadState, context: NodeContext): void {
  const { clock, base, ledger, runtime, hub, drafts, agenda, faults, impersonated } = context
  // Timers of the old state end before time changes.
  agenda.restore([])
  clock.setOffset(state.clockOffsetMs)
  Object.assign(faults, state.faults)
  impersonated.clear()
  for (const [address, keys] of state.impersonated) impersonated.set(address, keys)
  base.restore(state.base)
  base.history.restore(state.baseTxs)
  ledger.restore(state.ledger)
  drafts.restore(state.drafts)
  hub.restore(state.hub)
  runtime.restore(state.runtime)
  agenda.restore(state.agenda)
}
