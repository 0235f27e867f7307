import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { described } from '../../errors/base.js'
import { BridgeDisconnectedError } from '../../errors/bridge.js'
import { InputReservedError } from '../../errors/client.js'
import { WalletMissingError } from '../../errors/clientWallet.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { keepers } from '../keepTx.js'
import type { ClientContext } from '../ClientContext.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { assertFee, costLimits } from '../costs.js'
import type { Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import type { EntryRecord } from '../EntryRecord.js'
import { followTx } from '../followTx.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import type { OwnTx } from '../ownTx.js'
import { handedOver } from '../OwnTxs.js'
import { inputsOf, parseTx } from '../parsedTx.js'
import type { ParsedTx } from '../parsedTx.js'
import { doOnce } from '../once/doOnce.js'
import { resultsOf } from '../once/payments.js'
import { progressOf } from '../progress.js'
import type { Report } from '../progress.js'
import { assertSendOptions } from '../sendTx.js'
import { signWith } from '../signWith.js'
import type { AnyTransaction, SendOptions, TxResult } from '../types.js'
import { SEND_OPTIONS } from '../paymentPlan.js'

const OPTIONS: OptionNames<SendOptions<'submit'>> = { ...SEND_OPTIONS, id: true }

/**
 * Sends a transaction of your own making. The wallet signs it where a signature of its keys is missing. Submitting the
 * same transaction again, at the same time or later, waits for the first: no transaction is sent twice.
 *
 * @throws {@link CostLimitError} when one that the wallet signs pays a fee above `maxFee`.
 * @throws {@link InvalidArgumentError}, {@link InvalidCborError} on a value that is no transaction;
 * {@link InputReservedError} when another transaction in flight spends one of its inputs; {@link ScriptInputError} when
 * one with Plutus scripts lacks a signature that this wallet cannot add; otherwise as {@link pay}. It is never built
 * again.
 * @example
 * ```ts no-run
 * const { snapshotNumber } = await head.submit(signedCborHex)
 * ```
 */
export async function submit(
  head: HeadContext,
  transaction: AnyTransaction,
  options: SendOptions<'submit'> = {}
): Promise<TxResult> {
  const context = contextParts(head)
  const tx = parseTx(transaction)
  const checked = readOptions(options ?? {}, OPTIONS, 'options')
  assertSendOptions(checked)
  // A signer has agreed to its fee.
  if (!tx.isSigned) assertFee(tx.fee, costLimits(checked, context.settings.costs))
  if (!tx.isSigned && context.account.wallet === null)
    throw new WalletMissingError(
      'submit of an unsigned transaction',
      'a signed transaction, or the option wallet of createHeadClient'
    )
  const { report, end } = progressOf(context, 'submit', checked.onProgress)
  const once = { id: checked.id, action: 'submit', key: tx.txId, args: null } as const
  return withDeadline('submit', checked, DEFAULT_TX_TIMEOUT_MS, (deadline) =>
    doOnce(context, { ...once, deadline, read: (entry) => resultsOf(entry)[0]! }, (record) =>
      submitTx(context, { tx, options: checked, record, report }, deadline)
    )
  ).finally(end)
}

/** A transaction to be submitted. */
interface Submission {
  readonly tx: ParsedTx
  readonly options: SendOptions<'submit'>
  readonly record: EntryRecord | null
  readonly report: Report
}

async function submitTx(
  context: ClientContext,
  { tx, options, record, report }: Submission,
  deadline: Deadline
): Promise<TxResult> {
  record?.begin()
  const settledTx = context.settled.get(tx.txId)
  if (settledTx?.outcome === 'confirmed') {
    record?.confirm(0, settledTx, tx.fee)
    return {
      txId: tx.txId,
      snapshotNumber: settledTx.snapshotNumber,
      exact: settledTx.exact,
      verified: settledTx.verified,
      fee: tx.fee
    }
  }
  for (;;) {
    const running = context.txs.get(tx.txId)
    // As after ready(): whatever the wallet or the head still owes, disconnect() ends the call.
    if (running !== undefined || context.connection.isReady)
      context.connection.endWith(deadline, () => new BridgeDisconnectedError('submit'))
    if (running === undefined) {
      // In the call's own step where the head is there: a call that comes later finds the inputs reserved.
      if (context.connection.isReady) break
      await context.connection.ready('submit', deadline)
    } else if (await deadline.race(handedOver(running), 'the same transaction, which another call submits')) {
      record?.follow(0, running)
      return followTx(context, running, options, deadline, report)
    }
  }
  const ownTx = reserve(context, tx)
  context.changes.announce()
  try {
    await signAndSend(context, ownTx, { tx, options, record, report }, deadline)
  } catch (error) {
    context.txs.abandon(ownTx)
    throw error
  }
  report('submitted', tx.txId)
  return followTx(context, ownTx, options, deadline, report)
}

/** Loads, on demand, the check for missing signatures: a program that signs with its own wallet alone never does. */
async function lacksOwnSignature(context: ClientContext, ownTx: OwnTx): Promise<boolean> {
  return (await import('../addSignature.js')).lacksOwnSignature(context, ownTx)
}

/** True for the error of a wallet that has none of the keys, or no keys at all. */
const isWithoutKey = (error: unknown): boolean =>
  ['CLIENT_WALLET_SIGNED_NOTHING', 'WALLET_READ_ONLY'].includes(String((error as { code?: unknown } | null)?.code))

/**
 * Checks the signatures of a transaction with scripts, because the ledger would report a missing signature by its key
 * alone, without the script that demands it.
 */
async function assertSignatures(context: ClientContext, ownTx: OwnTx, signed: string): Promise<void> {
  ;(await import('../addSignature.js')).assertScriptSignatures(context, ownTx, signed)
}

async function signAndSend(
  context: ClientContext,
  ownTx: OwnTx,
  { tx, options, record, report }: Submission,
  deadline: Deadline
): Promise<void> {
  const { account, settings, txs } = context
  if (account.wallet !== null) await deadline.race(account.load(account.wallet), "the wallet's addresses")
  report('built', tx.txId, tx.fee)
  deadline.throwIfOver()
  const isOurs = !tx.isSigned || (account.wallet !== null && (await lacksOwnSignature(context, ownTx)))
  // A signer has agreed to its fee.
  if (isOurs) assertFee(tx.fee, costLimits(options, settings.costs))
  const signed = !isOurs
    ? tx.cborHex
    : await deadline
        .race(signWith(account.wallet!, tx.txId, tx.cborHex, true), "the wallet's signature")
        .catch(async (error: unknown) => {
          // The key, the input and the script say more than a wallet that has no key.
          if (tx.hasScripts && isWithoutKey(error)) await assertSignatures(context, ownTx, tx.cborHex)
          throw error
        })
  if (tx.hasScripts) await assertSignatures(context, ownTx, signed)
  report('signed', tx.txId)
  const keep = keepers(
    options.id,
    [options.onBeforeSend, settings.onBeforeSend],
    record === null ? null : (each, bytes) => record.beforeSend(0, each, bytes, [])
  )
  if (keep !== null) await deadline.race(keep(ownTx, signed, []), 'the journal')
  // Built on an abandoned transaction: the ledger would not know its inputs.
  if (!(await deadline.race(txs.parentsSent(ownTx), 'the transactions that this one builds on')))
    throw new InvalidArgumentError(
      'transaction',
      'inputs that exist',
      described('an input of a transaction that was never sent')
    )
  deadline.throwIfOver()
  txs.send(ownTx, signed)
}

function reserve(context: ClientContext, tx: ParsedTx): OwnTx {
  for (const { txHash, index } of tx.inputs) {
    const ref = `${txHash}#${index}`
    const by = context.view.reservedBy(ref)
    // An offer of this client keeps them for this very transaction.
    if (by !== undefined && by !== tx.txId) throw new InputReservedError(ref, by)
  }
  const inputs = inputsOf(context, tx)
  const slot = tx.ttl === undefined ? null : Number(tx.ttl)
  const now = context.ledger.slotAt(Date.now())
  return context.txs.add(
    { ...tx, inputs },
    slot === null || now === null ? null : { slot, at: Date.now() + (slot - now) * 1000 }
  )
}
