import type { CheckedDraft, DepositDraft } from '../../bridge/inner.js'
import { assertDepositDraft } from '../../bridge/inner.js'
import { parseAddress } from '../../codec/address.js'
import { NETWORK_ID } from '../../constants.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { isLayerError } from '../../errors/base.js'
import { ClientTimeoutError, DepositExpiredError, HeadStateError, OutcomeUnknownError } from '../../errors/client.js'
import { WalletCapabilityError } from '../../errors/clientWallet.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { BridgeRequestError, UnsupportedByNodeError } from '../../errors/operation.js'
import type { UTxO } from '../../types/utxo.js'
import type { Wallet } from '../../types/wallet.js'
import { toUtxos } from '../../tx/inner.js'
import { assertAmount } from '../amounts.js'
import { listOutputs } from '../BaseOutputs.js'
import type { ClientContext } from '../ClientContext.js'
import { costLimits } from '../costs.js'
import type { Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { depositRequest, ownOf, takesBlueprints } from '../flows/depositRequest.js'
import type { DepositRequest, DepositSource } from '../flows/depositRequest.js'
import { DEFAULT_RETRIES } from '../limits.js'
import { progressOf } from '../progress.js'
import { assertReceiverNetwork } from '../paymentPlan.js'
import { assertSendOptions } from '../sendTx.js'
import { signWith } from '../signWith.js'
import { untilVerified } from '../verified.js'
import { watchDeposit } from '../flows/watchDeposit.js'
import type { DepositArgs, DepositResult } from '../types.js'

const ARGS: OptionNames<DepositArgs> = {
  amount: true,
  utxos: true,
  blueprint: true,
  to: true,
  datum: true,
  changeAddress: true,
  deadline: true,
  retries: true,
  maxLock: true,
  depositScript: true,
  maxFee: true,
  maxMinLovelace: true,
  onProgress: true,
  timeout: true,
  signal: true
}

/** Clocks differ, and a draft is made a moment after its request, ms. */
const CLOCK_MARGIN_MS = 600_000
/** Longest lock of a deposit where a node states no periods, or longer ones, ms. */
const LONGEST_LOCK_MS = 30 * 86_400_000
/** Nodes let a draft be signed for 200 seconds; no honest one requests a signature for longer, ms. */
const LONGEST_VALIDITY_MS = 3_600_000

/**
 * Moves money from the base ledger into the head: has the node draft the deposit, holds the draft to the request, has
 * the wallet sign it, submits it and waits until it is final. Exactly the amount enters the head. It lasts as long as
 * the node's deposit period; without `timeout` or `deadline` the deposit's own deadline ends the wait. Parallel
 * deposits never choose the same outputs.
 *
 * @throws {@link DraftMismatchError} when the node's draft is another deposit than the requested one: it is not signed.
 * @throws {@link DepositExpiredError} when the head did not include it in time: `recover` brings it back.
 * @throws {@link InsufficientFundsError}, {@link WalletCapabilityError}, {@link HeadStateError},
 * {@link BridgeRequestError} with the node's reason
 * @throws {@link CostLimitError} when a fee or a least lovelace is above `maxFee` or `maxMinLovelace`
 * @throws {@link OutcomeUnknownError} when it was submitted and the wait ended before it was final
 * @example
 * ```ts no-run
 * await head.deposit({ amount: 10_000_000n })
 * ```
 */
export async function deposit(context: ClientContext, args: DepositArgs): Promise<DepositResult> {
  const wallet = context.account.walletFor('deposit')
  const given = readArgs(args)
  const costs = costLimits(given, context.settings.costs)
  const { report, end } = progressOf(context, 'deposit', given.onProgress)
  const limitMs = given.deadline === undefined ? Infinity : given.deadline - Date.now()
  const timeout = typeof given.timeout === 'number' ? Math.min(given.timeout, limitMs) : given.timeout
  const label = Symbol('deposit')
  return withDeadline('deposit', { ...given, timeout }, limitMs, async (deadline) => {
    await context.connection.ready('deposit', deadline)
    const own = await deadline.race(context.account.load(wallet), "the wallet's addresses")
    const { amount, utxos, blueprint, changeAddress = own[0]!, to = own[0]!, datum } = given
    if (given.to !== undefined) assertReceiverNetwork(to, own[0]!)
    const inlineDatum = typeof datum === 'object' ? datum.toCbor() : datum
    const receiver = { to, inlineDatum }
    const bounds = { context, wallet, deadline, report, costs }
    const source: DepositSource = { ...bounds, amount, utxos, blueprint, receiver, changeAddress, own, label }
    let request = await requestFor(source, takesBlueprints(context))
    for (let retriesLeft = given.retries ?? DEFAULT_RETRIES; ;) {
      const askedAt = Date.now()
      let draft: DepositDraft
      try {
        draft = await deadline.race(context.bridge.commit(request.commit), "the node's draft")
      } catch (error) {
        // Gateways draft whole outputs only: one of the exact amount is made first.
        if (!isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_CONNECTOR') || !('blueprint' in request)) throw error
        request = await requestFor(source, false)
        continue
      }
      const { txId } = await checkDraft(source, draft, { request, askedAt, given })
      const result = await complete(source, request, { txId, cborHex: draft.cborHex })
      if (!(result instanceof BridgeRequestError)) return result
      // Both drafts spend the same outputs, so that only one can ever enter the head.
      if (retriesLeft-- <= 0) throw result
    }
  }).finally(() => {
    context.account.base.release(label)
    end()
  })
}

/** @throws {@link UnsupportedByNodeError} for a blueprint where whole outputs alone can be deposited */
async function requestFor(source: DepositSource, takesBlueprint: boolean): Promise<DepositRequest> {
  if (source.blueprint === undefined) return depositRequest(source, takesBlueprint)
  if (!takesBlueprint)
    throw new UnsupportedByNodeError('A deposit of a blueprint', { expected: 'a node from 1.1 on, without a gateway' })
  const { designedDeposit } = await import('../flows/designedDeposit.js')
  return designedDeposit(source, source.blueprint)
}

/** @throws {@link InvalidArgumentError} */
function readArgs(args: DepositArgs): DepositArgs {
  const given = readOptions(args, ARGS, 'args')
  const { utxos, blueprint, deadline, retries, maxLock, changeAddress, to, datum } = given
  if (blueprint !== undefined) assertBlueprint(given)
  else if (given.amount === undefined && utxos === undefined)
    throw new InvalidArgumentError('args', '{ amount }, { utxos } or both, or { blueprint }', args)
  assertSendOptions({ retries })
  if (utxos !== undefined && (!Array.isArray(utxos) || utxos.length === 0))
    throw new InvalidArgumentError('utxos', 'at least one output of the base ledger', utxos)
  if (deadline !== undefined && !(typeof deadline === 'number' && deadline > Date.now()))
    throw new InvalidArgumentError('deadline', 'a time to come, ms since the Unix epoch', deadline)
  if (maxLock !== undefined && !(typeof maxLock === 'number' && maxLock > 0))
    throw new InvalidArgumentError('maxLock', 'a number of milliseconds', maxLock)
  if (changeAddress !== undefined) parseAddress(changeAddress, 'changeAddress')
  if (to !== undefined) parseAddress(to, 'to')
  if ((to !== undefined || datum !== undefined) && given.amount === undefined)
    throw new InvalidArgumentError('amount', 'an amount beside to and datum: whole outputs keep their own', undefined)
  if (datum !== undefined && typeof datum !== 'string' && typeof datum?.toCbor !== 'function')
    throw new InvalidArgumentError('datum', 'CBOR hex, or PlutusData', datum)
  return {
    ...given,
    ...(given.amount === undefined ? {} : { amount: assertAmount(given.amount) }),
    ...(utxos === undefined ? {} : { utxos: [...utxos] })
  }
}

/** @throws {@link InvalidArgumentError} */
function assertBlueprint({ blueprint, amount, utxos, to, datum, changeAddress }: DepositArgs): void {
  if (typeof blueprint?.cborHex !== 'string' || !Array.isArray(blueprint.utxo) || !Array.isArray(blueprint.outputs))
    throw new InvalidArgumentError('blueprint', 'what TxBuilder.blueprint() or scriptBlueprint() returns', blueprint)
  for (const [name, value] of Object.entries({ amount, utxos, to, datum, changeAddress }))
    if (value !== undefined) throw new InvalidArgumentError(name, 'nothing beside blueprint, which states it', value)
}

/** Holds the node's draft to the request. @throws {@link DraftMismatchError} */
async function checkDraft(
  { context, wallet, own, deadline, costs }: DepositSource,
  draft: DepositDraft,
  { request, askedAt, given }: { request: DepositRequest; askedAt: number; given: DepositArgs }
): Promise<CheckedDraft> {
  const { headId, headStatus, depositSpan } = context.bridge.getSnapshot()
  if (headId === null) throw new HeadStateError('deposit', headStatus, ['Open'])
  // Requested after the draft: no output that the wallet holds by now passes for the node's own.
  const listed = await deadline.race(listOutputs(wallet, own), "the wallet's outputs on the base ledger")
  if (listed === null && own.some((address) => parseAddress(address).networkId === NETWORK_ID.MAINNET))
    throw new WalletCapabilityError(
      'deposit on mainnet',
      'a wallet that lists its outputs (queryUTxOs, or the option fetcher): without the list, a draft could spend others of them for the fee'
    )
  const lockMs = given.maxLock ?? Math.min(depositSpan ?? LONGEST_LOCK_MS, LONGEST_LOCK_MS) + CLOCK_MARGIN_MS
  const latestDeadline = Date.now() + lockMs
  const slot =
    context.bridge.slotZeroTimestamp === null
      ? null
      : context.ledger.slotAt(Math.min(latestDeadline, Date.now() + LONGEST_VALIDITY_MS))
  return assertDepositDraft(draft, {
    commit: request.commit,
    headId,
    ownUtxos: [...(listed ?? []), ...(given.utxos ?? [])],
    ownAddresses: own,
    earliestDeadline: askedAt,
    latestDeadline,
    latestSlot: slot ?? undefined,
    maxFee: costs.maxFee,
    depositScript: given.depositScript
  })
}

/**
 * Has a checked draft signed, submits it and waits until it is final. Resolves with the refusal of a draft that ran out
 * before it was submitted.
 */
async function complete(
  source: DepositSource,
  request: DepositRequest,
  { txId, cborHex }: { readonly txId: string; readonly cborHex: string }
): Promise<DepositResult | BridgeRequestError> {
  const { context, wallet, deadline, report, label } = source
  report('drafted', txId)
  deadline.throwIfOver()
  const signed =
    request.signs === false
      ? cborHex
      : await deadline.race(signWith(wallet, txId, cborHex, true), "the wallet's signature")
  report('signed', txId)
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
    try {
      const taken = await deadline.race(watch.final, 'the head to take the deposit')
      const isThere = (): boolean =>
        request.refs.every((ref) => context.bridge.isUnspent(ref) === true && !context.bridge.isArriving(ref))
      return {
        ...taken,
        verified: await untilVerified(context, isThere, deadline, 'the verified snapshot that holds it')
      }
    } catch (error) {
      throw error instanceof DepositExpiredError || error instanceof OutcomeUnknownError ? error : unknown(txId, error)
    }
  } finally {
    watch.stop()
  }
}

/** The change of a draft that comes back to the wallet. */
function changeOf({ own }: DepositSource, txId: string, cborHex: string): UTxO[] {
  const { outputs } = decodeTransactionBody(readTransaction(toTransactionBytes(cborHex)))
  return ownOf(toUtxos({ txId, outputs }), own)
}

/** Answers of proxies that received none in time from the server behind them. */
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

async function submitDraft(
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
