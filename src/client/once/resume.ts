import { isLayerError } from '../../errors/base.js'
import { BridgeDisconnectedError } from '../../errors/bridge.js'
import { JournalMismatchError } from '../../errors/journal.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { EntryRecord } from '../EntryRecord.js'
import { followTx } from '../followTx.js'
import { inputsSpentError } from '../ledgerError.js'
import type { DepositResult, WithdrawResult } from '../types.js'
import { readDeposit, readPayments, readWithdrawal } from './storedPayments.js'
import { adoptTx, startOf } from './adoptTx.js'
import { isGone, wasSent } from './doOnce.js'
import { leaveEndedHead } from './endedHeads.js'
import { walletNetwork } from './walletNetwork.js'
import { makeDeposit } from './makeDeposit.js'
import { makeWithdrawal } from './makeWithdrawal.js'
import { makePayments } from './payments.js'

/**
 * Reads the journal, and checks that its entries belong to the wallet and its network.
 * @throws the journal's errors, {@link JournalMismatchError}
 */
export async function loadJournal(context: ClientContext, deadline: Deadline): Promise<void> {
  const { records, wallet } = context.account
  await deadline.race(records.load(), 'the journal')
  const walletAddresses =
    wallet === null ? null : await deadline.race(context.account.load(wallet), "the wallet's addresses")
  for (const entry of records.all()) {
    // Without a wallet, transactions are submitted as they are signed.
    if (walletAddresses === null || entry.wallet === null) continue
    const network = walletNetwork(context)
    if (entry.network !== network) throw new JournalMismatchError('network', entry.id, network, entry.network)
    if (!walletAddresses.includes(entry.wallet))
      throw new JournalMismatchError('wallet', entry.id, walletAddresses[0]!, entry.wallet)
  }
}

/**
 * Resumes payments, deposits and withdrawals that an earlier process, or an earlier connection, left open. The inputs
 * of their transactions are reserved before this resolves; the transactions are sent, watched or built again
 * afterwards, in the order in which their ids were first used.
 *
 * @throws {@link JournalMismatchError} for a journal of another head
 */
export async function resumeJournal(context: ClientContext): Promise<void> {
  const { records } = context.account
  await withDeadline('connect', {}, Infinity, async (deadline) => {
    await loadJournal(context, deadline)
    await leaveEndedHead(context)
  })
  const open = records.all().filter(({ id, state }) => state === 'open' && !records.running.has(id))
  // In one step: whatever is paid from now on spends other outputs.
  for (const { action, parts } of open) {
    if (action === 'deposit') continue
    // A decommit stands in the second part: the outputs that leave are held, not spent.
    const spending = action === 'withdraw' ? parts.slice(0, 1) : parts
    for (const { txs, end } of spending) if (end === null && txs.length > 0) adoptTx(context, txs.at(-1)!)
  }
  context.changes.announce()
  for (const entry of open) {
    const record = new EntryRecord(records, entry.id, false)
    void records.run(entry.id, () => resumeEntry(context, record))
  }
}

/** Completes an open entry, and reports its end through `onSettled`, because no call waits for it. */
async function resumeEntry(context: ClientContext, record: EntryRecord): Promise<void> {
  try {
    const result = await withDeadline(record.entry.action, {}, Infinity, (deadline) => goOn(context, record, deadline))
    if (record.entry.action === 'deposit' || record.entry.action === 'withdraw') reportMoved(context, record, result)
  } catch (error) {
    // Not decided: the next connection goes on with it.
    if (isGone(error) || isLayerError(error, 'CLIENT_OUTCOME_UNKNOWN')) return
    const txId = record.entry.parts.flatMap(({ txs }) => txs).at(-1)?.txId ?? ''
    const step = isLayerError(error, 'CLIENT_DEPOSIT_EXPIRED') ? 'expired' : 'failed'
    await record.fail(step, (each) => record.wasSent(each) || wasSent(context, each))
    const { records } = context.account
    records.options.onSettled({ id: record.id, txId, outcome: 'rejected', error: error as Error })
  }
}

/** Calls `onSettled` for a deposit that is in the head, or a withdrawal that has left it. */
function reportMoved({ bridge, account }: ClientContext, { id }: EntryRecord, result: unknown): void {
  const { depositTxId, decommitTxId, verified } = result as Partial<DepositResult & WithdrawResult>
  account.records.options.onSettled({
    id,
    txId: depositTxId ?? decommitTxId ?? '',
    outcome: 'confirmed',
    snapshotNumber: bridge.lastSnapshotNumber,
    exact: false,
    verified: verified === true
  })
}

async function goOn(context: ClientContext, record: EntryRecord, deadline: Deadline): Promise<unknown> {
  const { entry } = record
  const report = (): void => undefined
  if (entry.action === 'submit') {
    record.begin()
    context.connection.endWith(deadline, () => new BridgeDisconnectedError('submit'))
    const start = await startOf(context, record, 0)
    const { own, signed } = start
    if (own === null) throw inputsSpentError(entry.parts[0]!.txs.at(-1)!.txId)
    await deadline.race(context.txs.parentsSent(own), 'the transactions that this one builds on')
    if (own.progress.now.state === 'reserved') context.txs.send(own, signed!)
    return followTx(context, own, {}, deadline, report)
  }
  if (entry.action === 'deposit') {
    const depositArgs = readDeposit(entry)
    return makeDeposit(context, depositArgs, { record, report, costs: context.settings.costs }, deadline)
  }
  if (entry.action === 'withdraw') {
    const withdrawalArgs = readWithdrawal(context, entry)
    return makeWithdrawal(context, withdrawalArgs, { record, report }, deadline)
  }
  const request = readPayments(entry, context.settings.costs)
  return makePayments(context, request, { record, options: {}, report }, deadline)
}
