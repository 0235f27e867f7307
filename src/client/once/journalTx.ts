import type { JournalTx } from '../../types/journal.js'
import type { ClientContext } from '../ClientContext.js'
import { parseTx } from '../parsedTx.js'

/** Converts a signed transaction to the form that a journal entry stores. */
export function toJournalTx({ ledger }: ClientContext, signed: string): JournalTx {
  const { txId, cborHex, fee, ttl, inputs } = parseTx(signed)
  const now = ledger.slotAt(Date.now())
  return {
    txId,
    cborHex,
    fee: String(fee),
    expirySlot: ttl === undefined ? null : Number(ttl),
    // Slots of both ledgers: one second each.
    expiresAt: ttl === undefined || now === null ? null : Date.now() + (Number(ttl) - now) * 1_000,
    spent: inputs.map(({ txHash, index }) => `${txHash}#${index}`)
  }
}
