import type { NodeContext } from '../NodeContext.js'
import type { BaseTransaction } from '../ledger/baseHistory.js'
import type { StateDocument, StateRoots } from './document.js'
import { checksumOf, identityOf, STATE_FORMAT, STATE_VERSION } from './document.js'
import { StateWriter } from './StateWriter.js'

/** The whole state of a node as one document; nothing changes. */
export function dumpState(context: NodeContext): StateDocument {
  const writer = new StateWriter()
  for (const tx of context.base.history.transactions()) writeBaseTx(writer, tx)
  const roots = writeRoots(writer, context)
  const content = { node: identityOf(context), rows: writer.take(), roots }
  return { format: STATE_FORMAT, version: STATE_VERSION, ...content, checksum: checksumOf(content) }
}

/** A transaction of the base ledger's history. */
export function writeBaseTx(writer: StateWriter, tx: BaseTransaction): void {
  writer.baseTx(tx, tx.submitted === null ? null : writer.bytes(tx.submitted.bytes))
}

/** Everything but the base ledger's history; messages that have no row yet get theirs. */
export function writeRoots(writer: StateWriter, context: NodeContext): StateRoots {
  const { clock, base, ledger, runtime, hub, drafts, agenda, faults, impersonated } = context
  const { produced, utxo } = base.saved()
  const { state, initializedMs, heads, signing } = runtime.saved()
  const onBase = writer.utxo(utxo, 'base')
  const messages = writeMessages(writer, hub.saved())
  return {
    clockOffsetMs: clock.offsetMs,
    base: { produced, utxo: onBase },
    hub: messages,
    ledger: {
      confirmed: writer.utxo(ledger.confirmed),
      local: writer.utxo(ledger.local, 'local'),
      pending: ledger.pending.map(({ tx, decommit }) => [writer.tx(tx), decommit])
    },
    head: writer.value({ state, initializedMs, heads, signing }),
    drafts: [...drafts.saved()].map(([txId, draft]) => [txId, writer.value(draft)]),
    agenda: agenda.entries().map(({ dueMs, task }) => [dueMs, writer.value(task)]),
    faults: { ...faults },
    impersonated: [...impersonated]
  }
}

/** Rows for what is new; the history is the last rows, from `first` on. */
function writeMessages(writer: StateWriter, { seq, history, held, rotated }: ReturnType<NodeContext['hub']['saved']>): unknown {
  const inHistory = new Set(history)
  const heldRows = held.filter((message) => !inHistory.has(message)).map((message) => writer.message(message))
  let known = history.length
  while (known > 0 && !writer.has(history[known - 1]!)) known--
  for (const message of history.slice(known)) writer.message(message)
  const rows = [...heldRows, ...held.filter((message) => inHistory.has(message)).map((message) => writer.message(message))]
  const [first] = history
  return { seq, first: first === undefined ? null : writer.message(first), held: rows, rotated: rotated?.text ?? null }
}
