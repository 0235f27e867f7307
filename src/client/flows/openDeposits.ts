import { OpenDepositError } from '../../errors/journal.js'
import type { JournalEntry } from '../../types/journal.js'
import type { ClientContext } from '../ClientContext.js'

const isOpenDeposit = ({ action, state, parts }: JournalEntry): boolean =>
  action === 'deposit' && state === 'open' && parts.some(({ txs }) => txs.length > 0)

const depositIds = ({ parts }: JournalEntry): string[] => parts.flatMap(({ txs }) => txs.at(-1)?.txId ?? [])

/** @throws {@link OpenDepositError} while a deposit with an id is on its way into the head, unless `force` */
export function assertNoOpenDeposit({ account }: ClientContext, force: boolean | undefined): void {
  if (force === true) return
  const open = account.records.all().filter(isOpenDeposit)
  if (open.length > 0) throw new OpenDepositError(open.flatMap(depositIds))
}

/** Records that a deposit is back on the base ledger: the same id may deposit again. */
export function noteRecovered({ account: { records } }: ClientContext, depositTxId: string): void {
  for (const entry of records.all()) {
    if (entry.action !== 'deposit' || !depositIds(entry).includes(depositTxId)) continue
    records.set({ ...entry, state: 'failed', step: 'recovered' })
    records.writeLater(entry.id)
  }
}
