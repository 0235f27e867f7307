import type { NodeContext } from '../party/NodeContext.js'
import type { BaseTransaction } from '../chain/baseHistory.js'
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

/**
 * Everything but the base ledger's history; messages that have no row yet get theirs. What the first party has for
 * itself stands among the roots, what another one has in `party 1` and so on.
 */
export function writeRoots(writer: StateWriter, context: NodeContext): StateRoots {
  const { clock, base, drafts, impersonated, network } = context
  const { produced, utxo } = base.saved()
  const onBase = writer.utxo(utxo, 'base')
  const others = network.contexts.slice(1)
  return {
    clockOffsetMs: clock.offsetMs,
    base: { produced, utxo: onBase },
    ...writeParty(writer, context),
    drafts: [...drafts.saved()].map(([txId, draft]) => [txId, writer.value(draft)]),
    impersonated: [...impersonated],
    ...Object.fromEntries(others.map((party) => [`party ${party.party}`, writeParty(writer, party)])),
    ...(others.length === 0 ? {} : { network: writer.value(network.saved()) })
  }
}

/**
 * What a party has for itself: its messages, its local ledger, its view of the head, what it will do, and its faults.
 */
function writeParty(writer: StateWriter, { party, ledger, runtime, hub, agenda, faults }: NodeContext): StateRoots {
  const messages = writeMessages(writer, hub.saved(), party)
  return {
    hub: messages,
    ledger: {
      confirmed: writer.utxo(ledger.confirmed, party === 0 ? 'head' : `head ${party}`),
      local: writer.utxo(ledger.local, party === 0 ? 'local' : `local ${party}`),
      pending: ledger.pending.map(({ tx, decommit }) => [writer.tx(tx), decommit])
    },
    head: writer.value(runtime.saved()),
    agenda: agenda.entries().map(({ dueMs, task }) => [dueMs, writer.value(task)]),
    faults: { ...faults }
  }
}

/** Rows for what is new; the history is the party's last rows, from `first` on. */
function writeMessages(
  writer: StateWriter,
  { seq, history, held, rotated }: ReturnType<NodeContext['hub']['saved']>,
  party: number
): unknown {
  const inHistory = new Set(history)
  const heldRows = held.filter((message) => !inHistory.has(message)).map((message) => writer.message(message, party))
  let known = history.length
  while (known > 0 && !writer.has(history[known - 1]!)) known--
  for (const message of history.slice(known)) writer.message(message, party)
  const rows = [
    ...heldRows,
    ...held.filter((message) => inHistory.has(message)).map((message) => writer.message(message, party))
  ]
  const [first] = history
  return {
    seq,
    first: first === undefined ? null : writer.message(first, party),
    held: rows,
    rotated: rotated?.text ?? null
  }
}
