import { OpenDepositError } from '../../errors/journal.js'
import type { JournalEntry } from '../../types/journal.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'

const isOpenDeposit = ({ action, state, parts }: JournalEntry): boolean =>
  action === 'deposit' && state === 'open' && parts.some(({ txs }) => txs.length > 0)

const depositIds = ({ parts }: JournalEntry): string[] => parts.flatMap(({ txs }) => txs.at(-1)?.txId ?? [])

/**
 * Checks that no deposit of this client is on its way into the head. @throws {@link OpenDepositError} when one is,
 * unless `force`
 */
export async function assertNoOpenDeposit(
  { account, bridge }: ClientContext,
  force: boolean | undefined,
  deadline: Deadline
): Promise<void> {
  if (force === true) return
  const open = new Set([
    ...account.records.all().filter(isOpenDeposit).flatMap(depositIds),
    ...account.deposits.running
  ])
  const { lost } = account.deposits
  if (lost.size > 0) {
    // Gateways and nodes before 0.20 have no list: then it may be on its way.
    const pending = await deadline.race(
      bridge.pendingDeposits().catch(() => [...lost]),
      "the head's deposits"
    )
    for (const txId of pending) if (lost.has(txId)) open.add(txId)
  }
  if (open.size > 0) throw new OpenDepositError([...open])
}

/** Records that a deposit is back on the base ledger, so that a deposit with the same id can be made again. */
export function noteRecovered({ account: { records, deposits } }: ClientContext, depositTxId: string): void {
  deposits.end(depositTxId)
  for (const entry of records.all()) {
    if (entry.action !== 'deposit' || !depositIds(entry).includes(depositTxId)) continue
    records.set({ ...entry, state: 'failed', step: 'recovered' })
    records.writeLater(entry.id)
  }
}
