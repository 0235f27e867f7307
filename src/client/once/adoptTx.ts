import type { JournalTx } from '../../types/journal.js'
import { certainFate } from '../attempts.js'
import type { ClientContext } from '../ClientContext.js'
import type { EntryRecord } from '../EntryRecord.js'
import type { NewTx, OwnTx, TxExpiry } from '../ownTx.js'
import { inputsOf, parseTx } from '../parsedTx.js'
import type { PaymentStart } from '../sendTx.js'

/** Registers a transaction that an earlier process signed and perhaps sent, and reserves its inputs. */
export function adoptTx(context: ClientContext, tx: JournalTx): OwnTx {
  return context.txs.get(tx.txId) ?? context.txs.add(...described(context, tx))
}

/** Registers an earlier attempt to be watched, without reserving its inputs. */
function recallTx(context: ClientContext, tx: JournalTx): OwnTx {
  const { txs } = context
  return txs.get(tx.txId) ?? txs.refused(tx.txId) ?? txs.recall(...described(context, tx))
}

function described(context: ClientContext, tx: JournalTx): [NewTx, TxExpiry | null] {
  const parsed = parseTx(tx.cborHex)
  const { txId, cborHex, fee, outputs } = parsed
  const { expirySlot, expiresAt, spent } = tx
  return [
    { txId, cborHex, fee, outputs, inputs: inputsOf(context, parsed), spent },
    expirySlot === null || expiresAt === null ? null : { slot: expirySlot, at: expiresAt }
  ]
}

/**
 * Returns the start from which a part (transaction) of an entry continues: its last attempt, which is sent again unless
 * the node holds it, or none, so that a new attempt is built that excludes all earlier ones.
 */
export async function startOf(context: ClientContext, record: EntryRecord, index: number): Promise<PaymentStart> {
  const { txs } = record.entry.parts[index]!
  const last = txs.at(-1)!
  const attempts = txs.slice(0, -1).map((tx) => recallTx(context, tx))
  // Of a call that failed, and that the caller repeats: its inputs may be spent by others meanwhile.
  const own = context.txs.get(last.txId) ?? null
  for (const each of [...attempts, ...(own === null ? [] : [own])]) record.follow(index, each)
  if (own === null) {
    const failed = recallTx(context, last)
    record.follow(index, failed)
    return { own: null, attempts: [...attempts, failed] }
  }
  if (own.progress.now.state !== 'reserved') return { own, attempts }
  const fate = await certainFate(context, own)
  if (typeof fate === 'object') context.txs.confirm(own, fate)
  else if (fate === 'dead') context.txs.supersede(own)
  else await watchIfHeld(context, own)
  if (fate === 'dead') return { own: null, attempts: [...attempts, own] }
  return { own, attempts, signed: last.cborHex }
}

/** Watches a transaction that the node holds already, instead of sending it again: a node refuses a copy. */
async function watchIfHeld(context: ClientContext, ownTx: OwnTx): Promise<void> {
  const { txId } = ownTx.pending
  const node = await context.connection.inFlight()
  const isHeld = node !== null && (node.txIds.includes(txId) || node.signing.includes(txId))
  if (isHeld && ownTx.progress.now.state === 'reserved') context.txs.watch(ownTx)
}
