import { OutcomeUnknownError } from '../../errors/client.js'
import type { PaymentAmount } from '../../tx/inner.js'
import type { JournalTx } from '../../types/journal.js'
import type { UTxO } from '../../types/utxo.js'
import type { BeforeSend } from '../beforeSend.js'
import { keepers } from '../keepTx.js'
import type { ClientContext } from '../ClientContext.js'
import type { CostLimits } from '../costs.js'
import type { Deadline } from '../deadline.js'
import type { EntryRecord } from '../EntryRecord.js'
import { sendDecommit } from '../flows/sendDecommit.js'
import type { SignedDecommit } from '../flows/sendDecommit.js'
import { holdAll, splitOff, splitOf } from '../flows/withdrawal.js'
import type { WithdrawReport, Withdrawal } from '../flows/withdrawal.js'
import { assertReceiverNetwork } from '../paymentPlan.js'
import { inputsOf, parseTx } from '../parsedTx.js'
import { refOf } from '../PendingView.js'
import type { WithdrawResult } from '../types.js'
import { startOf } from './adoptTx.js'
import { toJournalTx } from './journalTx.js'

/** Parts of a withdrawal's entry: the transaction that splits the amount off, and the decommit. */
const [SPLIT, DECOMMIT] = [0, 1] as const

/** A requested withdrawal. */
export interface WantedWithdrawal {
  /** Amount to withdraw; undefined: whole outputs. */
  readonly amount: PaymentAmount | undefined
  /** Outputs to withdraw whole; undefined: all of the wallet's, unless `taken` is given. */
  readonly utxos: readonly UTxO[] | undefined
  readonly all: boolean
  /** True: a decommit is sent even if the base ledger would refuse it. */
  readonly force: boolean
  /** Receiver on the base ledger; undefined: the wallet's change address. */
  readonly receiver: string | undefined
  readonly costs: CostLimits
  readonly onBeforeSend: BeforeSend | undefined
}

let counter = 0

/** Moves outputs out of the head, or continues the withdrawal that the record has begun. */
export async function makeWithdrawal(
  context: ClientContext,
  { amount, utxos, all, force, receiver, costs, onBeforeSend }: WantedWithdrawal,
  { record, report: reportStep }: { readonly record: EntryRecord | null; readonly report: WithdrawReport },
  deadline: Deadline
): Promise<WithdrawResult> {
  const wallet = context.account.walletFor('withdraw')
  const label = `withdraw ${++counter}`
  const report: WithdrawReport = (state, txId, fee) => {
    reportStep(state, txId, fee)
    if (state === 'split' || state === 'submitted' || state === 'approved') record?.note(state)
  }
  let unknownUntil: number | null = null
  try {
    await context.connection.ready('withdraw', deadline)
    const parameters = await deadline.race(context.ledger.loadParameters(), "the head's protocol parameters")
    const addresses = await deadline.race(context.account.load(wallet), "the wallet's addresses")
    context.account.assertHeadNetwork(addresses)
    const to = receiver ?? addresses[0]!
    assertReceiverNetwork(to, addresses[0]!)
    const withdrawal: Withdrawal = { context, wallet, addresses, parameters, to, all, costs, label }
    const before = record === null ? null : decommitOf(context, record)
    const leaving =
      before?.decommit.inputs ??
      (amount === undefined
        ? holdAll(withdrawal, utxos)
        : [await split(withdrawal, amount, { record, onBeforeSend }, deadline, report)])
    context.view.hold(leaving.map(refOf), label)
    if (record?.entry.parts.length === 0) record.addParts([1, 1])
    const endTurn = await context.ledger.withdrawals.begin(deadline)
    try {
      await context.ledger.withdrawals.untilFree(deadline)
      const keep = keeperOf(context, record, onBeforeSend)
      const result = await sendDecommit(withdrawal, leaving, { keep, before, force }, deadline, report)
      await record?.reach('confirmed', result)
      return result
    } catch (error) {
      // It expires like a payment.
      if (error instanceof OutcomeUnknownError) unknownUntil = Date.now() + 2 * context.settings.expiresInMs
      throw error
    } finally {
      endTurn()
    }
  } finally {
    // While it is not known whether they leave, they are not paid with.
    if (unknownUntil === null) context.view.release(label)
    else context.view.releaseAt(label, unknownUntil)
    context.changes.announce()
  }
}

/** Makes an output of the amount inside the head, or finds the one that an earlier call or process made. */
async function split(
  withdrawal: Withdrawal,
  amount: PaymentAmount,
  { record, onBeforeSend }: { readonly record: EntryRecord | null; readonly onBeforeSend: BeforeSend | undefined },
  deadline: Deadline,
  report: WithdrawReport
): Promise<UTxO> {
  const { context } = withdrawal
  if (record?.entry.parts.length === 0) record.addParts([1, 1])
  const made = record?.entry.parts[SPLIT]
  if (made?.end != null) return splitOf(withdrawal, made.end.txId)
  const isBegun = record !== null && made !== undefined && made.txs.length > 0
  // A snapshot that a party signs before it has seen the last decommit wedges the head as another decommit would.
  if (!isBegun) await context.ledger.withdrawals.untilFree(deadline)
  const start = isBegun ? await deadline.race(startOf(context, record, SPLIT), "the head's state") : null
  const keep = keepers(
    record?.id,
    [onBeforeSend, context.settings.onBeforeSend],
    record === null ? null : (ownTx, signed, attempts) => record.beforeSend(SPLIT, ownTx, signed, attempts)
  )
  const onReserved = record === null ? {} : { onReserved: record.onReserved.bind(record) }
  return splitOff(withdrawal, amount, { keep, start, ...onReserved }, deadline, report)
}

/** Returns the newest decommit of a record; null where none was signed. */
function decommitOf(context: ClientContext, record: EntryRecord): SignedDecommit | null {
  const tx = record.entry.parts[DECOMMIT]?.txs.at(-1)
  if (tx === undefined) return null
  const parsed = parseTx(tx.cborHex)
  const decommit = { txId: tx.txId, inputs: inputsOf(context, parsed), outputs: parsed.outputs }
  return { decommit, signed: tx.cborHex, expiresAt: tx.expiresAt }
}

/**
 * Returns a function that calls the caller's callbacks and then stores a signed decommit in the journal; null when
 * there are neither.
 */
function keeperOf(
  context: ClientContext,
  record: EntryRecord | null,
  onBeforeSend: BeforeSend | undefined
): ((signed: string) => Promise<void>) | null {
  const callbacks = [onBeforeSend, context.settings.onBeforeSend].filter((each) => each != null)
  if (record === null && callbacks.length === 0) return null
  return async (signed) => {
    const tx: JournalTx = toJournalTx(context, signed)
    const { txId, cborHex, expiresAt } = tx
    for (const callback of callbacks)
      await callback(Object.freeze({ id: record?.id ?? null, txId, cborHex, expiresAt }))
    if (record === null) return
    const sent = record.entry.parts[DECOMMIT]!.txs.map((each) => each.txId).filter((each) => record.wasSent(each))
    await record.keep(DECOMMIT, tx, sent)
    record.markSent(txId)
  }
}
