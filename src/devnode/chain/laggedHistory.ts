import type { LedgerEntry } from '../rules/utxoSet.js'
import type { BaseHistory, BaseTransaction } from './baseHistory.js'

/** The part of a base ledger's history that its endpoints read. */
export type ShownHistory = Pick<BaseHistory, 'get' | 'spending' | 'transactions'>

/** Returns the history up to a slot: later transactions have not happened there. */
export function historyUpTo(history: BaseHistory, slot: number): ShownHistory {
  const isSeen = (tx: BaseTransaction): boolean => tx.slot <= slot
  return {
    get: (txId) => only(history.get(txId), isSeen),
    spending: (ref) => only(history.spending(ref), ({ tx }) => isSeen(tx)),
    *transactions() {
      for (const tx of history.transactions()) if (isSeen(tx)) yield tx
    }
  }
}

/** Returns the outputs that were unspent at a slot: the present ones that existed then, and those spent later. */
export function outputsAt(slot: number, now: readonly LedgerEntry[], history: BaseHistory): LedgerEntry[] {
  const existed = ({ input }: LedgerEntry): boolean => (history.get(input.txHash)?.slot ?? 0) <= slot
  const spentLater: LedgerEntry[] = []
  for (const tx of history.transactions()) if (tx.slot > slot) spentLater.push(...tx.spent.filter(existed))
  return [...spentLater, ...now.filter(existed)]
}

function only<T>(value: T | undefined, filter: (value: T) => boolean): T | undefined {
  return value !== undefined && filter(value) ? value : undefined
}
