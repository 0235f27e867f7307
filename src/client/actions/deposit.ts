import { versionProfile } from '../../bridge/protocol/versions.js'
import type { CommitRequest, DepositDraft } from '../../bridge/submissions/deposits.js'
import { isLayerError } from '../../errors/base.js'
import { ClientTimeoutError, DepositExpiredError, OutcomeUnknownError, WalletCapabilityError } from '../../errors/client.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { BridgeRequestError } from '../../errors/operation.js'
import type { Blueprint } from '../../tx/blueprint.js'
import { toUtxos } from '../../tx/chaining.js'
import { buildDeposit, buildPayment } from '../../tx/payment.js'
import type { UTxO } from '../../types/utxo.js'
import type { Wallet } from '../../types/wallet.js'
import { assertAmount } from '../amounts.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_RETRIES } from '../limits.js'
import { refOf } from '../PendingView.js'
import { progressOf } from '../progress.js'
import { assertSendOptions } from '../sendTx.js'
import { signWith } from '../signWith.js'
import { watchDeposit } from '../watchDeposit.js'
import type { DepositArgs, DepositResult, DepositState } from '../types.js'

/** Between two looks for the output of a split on the base ledger, ms. */
const SPLIT_POLL_MS = 1_000

/** What the node is asked to draft, and where its outputs will be found in the head. */
interface DepositRequest {
  /** The node makes the change. */
  readonly blueprint?: true
  readonly commit: CommitRequest | Blueprint | UTxO[]
  readonly refs: readonly string[]
  readonly utxos: readonly UTxO[]
}

type Report = (state: DepositState, txId?: string) => void

/**
 * Moves money from the base ledger into the head: drafts the deposit, has the wallet sign it, submits it and waits until it is final.
 * Exactly the amount enters the head. It takes as long as the node's deposit period; without `timeout` or `deadline` the deposit's own
 * deadline ends the wait.
 *
 * @throws {@link DepositExpiredError} when the head did not take it in time: `recover` brings it back.
 * @throws {@link InsufficientFundsError}, {@link WalletCapabilityError}, {@link HeadStateError}, {@link BridgeRequestError} with the node's reason
 * @throws {@link OutcomeUnknownError} when it was submitted and the wait ended before it was final
 * @example
 * ```ts no-run
 * await head.deposit({ amount: 10_000_000n })
 * ```
 */
export async function deposit(context: ClientContext, args: DepositArgs): Promise<DepositResult> {
  const wallet = context.walletFor('deposit')
  const { utxos, changeAddress, deadline: latest, retries = DEFAULT_RETRIES } = args ?? {}
  const amount = args?.amount === undefined ? undefined : assertAmount(args.amount)
  if (amount === undefined && utxos === undefined) throw new InvalidArgumentError('args', '{ amount }, { utxos } or both', args)
  assertSendOptions({ retries })
  if (utxos !== undefined && (!Array.isArray(utxos) || utxos.length === 0))
    throw new InvalidArgumentError('utxos', 'at least one output of the base ledger', utxos)
  if (latest !== undefined && !(typeof latest === 'number' && latest > Date.now()))
    throw new InvalidArgumentError('deadline', 'a time to come, ms since the Unix epoch', latest)
  const { report, end } = progressOf(context, 'deposit', args.onProgress)
  const limitMs = latest === undefined ? Infinity : latest - Date.now()
  const timeout = typeof args.timeout === 'number' ? Math.min(args.timeout, limitMs) : args.timeout
  return withDeadline('deposit', { ...args, timeout }, limitMs, async (deadline) => {
    await context.ready('deposit', deadline)
    const addresses = await deadline.race(context.loadAddresses(wallet), "the wallet's addresses")
    const source = { amount, utxos, change: changeAddress ?? addresses[0]!, own: addresses }
    let request = await depositRequest(context, wallet, source, isFrom11(context), deadline, report)
    for (let retriesLeft = retries; ; retriesLeft--) {
      let draft: DepositDraft
      try {
        draft = await deadline.race(context.bridge.commit(request.commit), "the node's draft")
      } catch (error) {
        // Gateways draft whole outputs only: one of the exact amount is made first.
        if (!isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_CONNECTOR') || !('blueprint' in request)) throw error
        request = await depositRequest(context, wallet, source, false, deadline, report)
        continue
      }
      report('drafted', draft.txId)
      deadline.throwIfOver()
      const signed = await deadline.race(signWith(wallet, draft.txId, draft.cborHex, true), "the wallet's signature")
      report('signed', draft.txId)
      deadline.throwIfOver()
      const watch = watchDeposit(context, { depositTxId: draft.txId, cborHex: draft.cborHex, ...request }, report)
      try {
        await submitDraft(context, wallet, signed, deadline)
      } catch (error) {
        watch.stop()
        // Both drafts spend the same outputs, so that only one can ever be taken.
        if (retriesLeft > 0 && error instanceof BridgeRequestError && /OutsideValidityInterval/.test(error.reason)) continue
        throw isRefusal(error) ? error : unknown(draft.txId, error)
      }
      report('submitted', draft.txId)
      try {
        return await deadline.race(watch.final, 'the head to take the deposit')
      } catch (error) {
        throw error instanceof DepositExpiredError || error instanceof OutcomeUnknownError ? error : unknown(draft.txId, error)
      } finally {
        watch.stop()
      }
    }
  }).finally(end)
}

/** Whether a submission has certainly come to nothing; without an answer the base ledger may have it all the same. */
function isRefusal(error: unknown): boolean {
  if (error instanceof BridgeRequestError) return error.status >= 400 && ![408, 502, 504].includes(error.status)
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
    cause instanceof ClientTimeoutError ? 'the head has not taken it yet' : isLayerError(cause) ? cause.message.split('\n')[0]! : 'the wait was ended'
  return new OutcomeUnknownError(depositTxId, null, `${reason}; recover() brings back what expires`, cause)
}

async function submitDraft({ bridge }: ClientContext, wallet: Wallet, signed: string, deadline: Deadline): Promise<void> {
  try {
    await deadline.race(bridge.submitCardanoTransaction({ cborHex: signed, description: '' }), 'the base ledger')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'BRIDGE_UNSUPPORTED_BY_CONNECTOR' || wallet.submitTx === undefined) throw error
    await deadline.race(wallet.submitTx(signed), 'the base ledger')
  }
}

async function depositRequest(
  context: ClientContext,
  wallet: Wallet,
  source: { amount: DepositArgs['amount']; utxos: readonly UTxO[] | undefined; change: string; own: readonly string[] },
  takesBlueprint: boolean,
  deadline: Deadline,
  report: Report
): Promise<DepositRequest> {
  const { amount, utxos: given, change, own } = source
  if (amount === undefined) return wholeOutputs(given!)
  const utxos = given ?? (await deadline.race(queryAll(wallet, own), "the wallet's outputs on the base ledger"))
  if (takesBlueprint) {
    const blueprint = buildDeposit({ utxos, to: own[0]!, amount, changeAddress: change })
    const inHead = toUtxos({ txId: blueprint.txId, outputs: blueprint.outputs })
    return { blueprint: true, commit: blueprint, refs: inHead.map(refOf), utxos: inHead }
  }
  // Before 1.1 the node deposits whole outputs only: one of the exact amount is made first.
  const split = await deadline.race(splitOnBaseLedger(context, wallet, { utxos, amount, change, own: own[0]! }, deadline, report), 'a split on the base ledger')
  return wholeOutputs([split])
}

const wholeOutputs = (utxos: readonly UTxO[]): DepositRequest => ({ commit: [...utxos], refs: utxos.map(refOf), utxos })

// A node that does not name its version is taken for the newest.
function isFrom11({ bridge }: ClientContext): boolean {
  const { version } = versionProfile(bridge.getSnapshot().layerNodeVersion)
  return version === null || version[0] > 1 || (version[0] === 1 && version[1] >= 1)
}

async function queryAll(wallet: Wallet, addresses: readonly string[]): Promise<UTxO[]> {
  if (typeof wallet.queryUTxOs !== 'function') throw new WalletCapabilityError('deposit', 'a wallet with queryUTxOs, or the outputs to deposit from in utxos')
  const found = new Map<string, UTxO>()
  for (const address of addresses) for (const utxo of await wallet.queryUTxOs(address)) found.set(refOf(utxo), utxo)
  return [...found.values()]
}

async function splitOnBaseLedger(
  context: ClientContext,
  wallet: Wallet,
  source: { utxos: readonly UTxO[]; amount: NonNullable<DepositArgs['amount']>; change: string; own: string },
  deadline: Deadline,
  report: Report
): Promise<UTxO> {
  const needs = 'a wallet with queryUTxOs and getProtocolParameters, or whole outputs in utxos: this node cannot split an output'
  if (typeof wallet.getProtocolParameters !== 'function' || typeof wallet.queryUTxOs !== 'function')
    throw new WalletCapabilityError('deposit of a part of an output', needs)
  const { utxos, amount, change, own } = source
  const { minFeeA, minFeeB, coinsPerUtxoByte, maxTxSize, maxValueSize } = await wallet.getProtocolParameters()
  const built = buildPayment({ utxos, to: own, amount, changeAddress: change, parameters: { minFeeA, minFeeB, coinsPerUtxoByte, maxTxSize, maxValueSize } })
  deadline.throwIfOver()
  const signed = await signWith(wallet, built.txId, built.cborHex, false)
  deadline.throwIfOver()
  if (wallet.submitTx === undefined) await context.bridge.submitCardanoTransaction({ cborHex: signed, description: '' })
  else await wallet.submitTx(signed)
  report('split', built.txId)
  for (;;) {
    const found = (await wallet.queryUTxOs(own)).find(({ input }) => input.txHash === built.txId && input.index === 0)
    if (found !== undefined) return found
    await deadline.race(context.nextChange(SPLIT_POLL_MS), 'a split on the base ledger')
  }
}
