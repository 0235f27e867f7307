import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { isLayerError } from '../../errors/base.js'
import { ClientTimeoutError, DepositExpiredError, OutcomeUnknownError } from '../../errors/client.js'
import { BridgeRequestError } from '../../errors/operation.js'
import { toUtxos } from '../../tx/inner.js'
import type { UTxO } from '../../types/utxo.js'
import type { Wallet } from '../../types/wallet.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'
import { signWith } from '../signWith.js'
import type { DepositResult } from '../types.js'
import { untilVerified } from '../verified.js'
import { ownOf } from './depositRequest.js'
import type { DepositRequest, DepositSource } from './depositRequest.js'
import { watchDeposit } from './watchDeposit.js'

/** Function that stores a signed deposit before it is submitted; if it rejects, nothing is submitted. */
export type KeepDraft = (signed: string) => Promise<void>

/**
 * Has a checked draft signed, submits it and waits until it is final. Resolves with the node's refusal when the draft
 * expired before it was submitted.
 */
export async function completeDeposit(
  source: DepositSource,
  request: DepositRequest,
  { txId, cborHex }: { readonly txId: string; readonly cborHex: string },
  keep: KeepDraft | null
): Promise<DepositResult | BridgeRequestError> {
  const { context, wallet, deadline, report, label } = source
  report('drafted', txId)
  deadline.throwIfOver()
  const signed =
    request.signs === false
      ? cborHex
      : await deadline.race(signWith(wallet, txId, cborHex, true), "the wallet's signature")
  report('signed', txId)
  if (keep !== null) await deadline.race(keep(signed), 'the journal')
  deadline.throwIfOver()
  const watch = watchDeposit(context, { depositTxId: txId, cborHex, ...request }, report)
  try {
    try {
      await submitDraft(context, wallet, signed, deadline)
    } catch (error) {
      if (error instanceof BridgeRequestError && /OutsideValidityInterval/.test(error.reason)) return error
      if (isRefusal(error)) throw error
      context.account.base.spend(label, changeOf(source, txId, cborHex))
      throw unknown(txId, error)
    }
    context.account.base.spend(label, changeOf(source, txId, cborHex))
    report('submitted', txId)
    return await untilFinal(context, watch, { txId, refs: request.refs }, deadline)
  } finally {
    watch.stop()
  }
}

/** Waits until a deposit is final in the head. @throws {@link DepositExpiredError}, {@link OutcomeUnknownError} */
export async function untilFinal(
  context: ClientContext,
  watch: Pick<ReturnType<typeof watchDeposit>, 'final'>,
  { txId, refs }: { readonly txId: string; readonly refs: readonly string[] },
  deadline: Deadline
): Promise<DepositResult> {
  const { deposits } = context.account
  deposits.begin(txId)
  try {
    const final = await deadline.race(watch.final, 'the head to take the deposit')
    deposits.end(txId)
    const isThere = (): boolean =>
      refs.every((ref) => context.bridge.isUnspent(ref) === true && !context.bridge.isArriving(ref))
    return {
      ...final,
      verified: await untilVerified(context, isThere, deadline, 'the verified snapshot that holds it')
    }
  } catch (error) {
    if (error instanceof DepositExpiredError) deposits.end(txId)
    throw error instanceof DepositExpiredError || error instanceof OutcomeUnknownError ? error : unknown(txId, error)
  } finally {
    deposits.lose(txId)
  }
}

/** Returns the change outputs of a draft that come back to the wallet. */
function changeOf({ own }: DepositSource, txId: string, cborHex: string): UTxO[] {
  const { outputs } = decodeTransactionBody(readTransaction(toTransactionBytes(cborHex)))
  return ownOf(toUtxos({ txId, outputs }), own)
}

/** HTTP statuses of proxies that received no timely answer from the server behind them. */
const NO_ANSWER: readonly number[] = [408, 502, 504]

/** Returns true when a submission has certainly failed; without an answer the base ledger may have it all the same. */
function isRefusal(error: unknown): boolean {
  if (error instanceof BridgeRequestError) return error.status >= 400 && !NO_ANSWER.includes(error.status)
  return (
    isLayerError(error) &&
    error.code !== 'BRIDGE_TIMEOUT' &&
    error.code !== 'BRIDGE_DISCONNECTED' &&
    error.code !== 'CLIENT_TIMEOUT' &&
    (error as { outcome?: unknown }).outcome !== 'unknown'
  )
}

function unknown(depositTxId: string, cause: unknown): OutcomeUnknownError {
  const reason =
    cause instanceof ClientTimeoutError
      ? 'the head has not taken it yet'
      : isLayerError(cause)
        ? cause.message.split('\n')[0]!
        : 'the wait was ended'
  return new OutcomeUnknownError(depositTxId, null, `${reason}; recover() brings back what expires`, cause)
}

/** Submits a signed deposit through the node, or through the wallet when the node cannot submit it. */
export async function submitDraft(
  { bridge }: ClientContext,
  wallet: Wallet,
  signed: string,
  deadline: Deadline
): Promise<void> {
  try {
    await deadline.race(bridge.submitCardanoTransaction({ cborHex: signed, description: '' }), 'the base ledger')
  } catch (error) {
    if (
      (error as { code?: unknown } | null)?.code !== 'BRIDGE_UNSUPPORTED_BY_CONNECTOR' ||
      wallet.submitTx === undefined
    )
      throw error
    await deadline.race(wallet.submitTx(signed), 'the base ledger')
  }
}
