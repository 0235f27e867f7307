import type { SavedHub } from '../party/clientHub.js'
import type { LocalHead, Party } from '../party/Party.js'
import type { BaseTransaction } from '../chain/baseHistory.js'
import type { StateDocument, StateRoots } from './document.js'
import { checksumOf, identityOf, STATE_FORMAT, STATE_VERSION } from './document.js'
import type { PartyLabel } from './StateWriter.js'
import { StateWriter } from './StateWriter.js'

/** Returns the whole state of a node as one document, without changing the node. */
export function dumpState(local: LocalHead): StateDocument {
  const writer = new StateWriter()
  for (const tx of local.chain.base.history.transactions()) writeBaseTx(writer, tx)
  const roots = writeRoots(writer, local)
  const content = { node: identityOf(local), rows: writer.drain(), roots }
  return { format: STATE_FORMAT, version: STATE_VERSION, ...content, checksum: checksumOf(content) }
}

/** Writes a transaction of the base ledger's history. */
export function writeBaseTx(writer: StateWriter, tx: BaseTransaction): void {
  writer.baseTx(tx, tx.submitted === null ? null : writer.bytes(tx.submitted.bytes))
}

/**
 * Writes the whole state except the base ledger's history; messages that have no row yet get theirs. The first party's
 * own parts are roots themselves; those of the others are in roots named `party 1` and so on.
 */
export function writeRoots(writer: StateWriter, { chain, head, node, parties }: LocalHead): StateRoots {
  const { clock, base, impersonated } = chain
  const { drafts, network, ids, signing } = head
  const others = parties.filter((party) => party !== node)
  const { produced, utxo } = base.saved()
  const onBase = writer.utxo(utxo, 'base')
  return {
    clockOffsetMs: clock.offsetMs,
    base: { produced, utxo: onBase },
    ...writeParty(writer, node, [], { heads: ids.count, signing: signing.saved() }),
    drafts: [...drafts.saved()].map(([txId, draft]) => [txId, writer.value(draft)]),
    impersonated: [...impersonated],
    ...Object.fromEntries(
      others.map((party) => [
        `party ${party.index}`,
        writeParty(writer, party, [party.index], { heads: 0, signing: null })
      ])
    ),
    ...(others.length === 0 ? {} : { network: writer.value(network.saved()) })
  }
}

/**
 * Writes the state of a party: its messages, its local ledger, its view of the head, its tasks and its faults. The
 * state that the parties share is saved with the runtime of the node.
 */
function writeParty(
  writer: StateWriter,
  { ledger, runtime, hub, agenda, faults }: Party,
  label: PartyLabel,
  shared: { readonly heads: number; readonly signing: unknown }
): StateRoots {
  const messages = writeMessages(writer, hub.saved(), label)
  return {
    hub: messages,
    ledger: {
      confirmed: writer.utxo(ledger.confirmed, ['head', ...label].join(' ')),
      local: writer.utxo(ledger.local, ['local', ...label].join(' ')),
      pending: ledger.pending.map(({ tx, decommit }) => [writer.tx(tx), decommit])
    },
    head: writer.value({ ...runtime.saved(), ...shared }),
    agenda: agenda.entries().map(({ dueMs, task }) => [dueMs, writer.value(task)]),
    faults: { ...faults }
  }
}

/** Writes rows for new messages; the history is the party's last rows, from `first` on. */
function writeMessages(writer: StateWriter, { seq, history, held, rotated }: SavedHub, label: PartyLabel): unknown {
  const inHistory = new Set(history)
  const heldRows = held.filter((message) => !inHistory.has(message)).map((message) => writer.message(message, label))
  let firstNew = history.length
  while (firstNew > 0 && !writer.has(history[firstNew - 1]!)) firstNew--
  for (const message of history.slice(firstNew)) writer.message(message, label)
  const rows = [
    ...heldRows,
    ...held.filter((message) => inHistory.has(message)).map((message) => writer.message(message, label))
  ]
  const [first] = history
  return {
    seq,
    first: first === undefined ? null : writer.message(first, label),
    held: rows,
    rotated: rotated?.text ?? null
  }
}
