import { parseAddress } from '../../codec/address.js'
import type { DepositEndpointHint } from '../../codec/endpointHint.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { addOldProperties, OLD_NAMES, refuseOldOption } from '../../errors/oldNames.js'
import type { JournalEntry } from '../../types/journal.js'
import type { UTxO } from '../../types/utxo.js'
import { assertAmount } from '../amounts.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { costLimits } from '../costs.js'
import { withDeadline } from '../deadline.js'
import { doOnce } from '../once/doOnce.js'
import { makeDeposit } from '../once/makeDeposit.js'
import { refOf } from '../PendingView.js'
import { progressOf } from '../progress.js'
import { assertSendOptions } from '../sendTx.js'
import type { DepositArgs, DepositResult } from '../types.js'

const ARGS: OptionNames<DepositArgs> = {
  amount: true,
  utxos: true,
  blueprint: true,
  to: true,
  datum: true,
  changeAddress: true,
  expiresAt: true,
  retries: true,
  maxLock: true,
  depositScript: true,
  endpointHint: true,
  maxFee: true,
  maxMinLovelace: true,
  id: true,
  onBeforeSend: true,
  onProgress: true,
  timeout: true,
  signal: true
}

const NO_TIMES = { recordedAt: null, claimableAt: null, expiresAt: null } as const

/**
 * Moves money from the base ledger into the head: has the node draft the deposit, checks the draft against the request,
 * has the wallet sign it, submits it and waits until it is final. Exactly the amount enters the head. This lasts as
 * long as the node's deposit period. Without `timeout` or `expiresAt` the deposit's own deadline ends the wait.
 * Parallel deposits never choose the same outputs.
 *
 * @throws {@link DraftMismatchError} when the node's draft differs from the requested deposit; it is not signed.
 * @throws {@link DepositExpiredError} when the head did not include it in time: `recover` brings it back.
 * @throws {@link InvalidArgumentError} for whole outputs with a datum, before anything is sent: a node refuses them
 * @throws {@link InsufficientFundsError}, {@link WalletCapabilityError}, {@link HeadStateError},
 * {@link BridgeRequestError} with the node's reason
 * @throws {@link CostLimitError} when the fee, or the lovelace that is added to an output, is above `maxFee` or
 * `maxMinLovelace`
 * @throws {@link OutcomeUnknownError} when it was submitted and the wait ended before it was final
 * @example
 * ```ts no-run
 * await head.deposit({ amount: 10_000_000n })
 * ```
 */
export async function deposit(head: HeadContext, args: DepositArgs): Promise<DepositResult> {
  const context = contextParts(head)
  context.account.walletFor('deposit')
  const checkedArgs = readArgs(args)
  const hint = checkedArgs.endpointHint === undefined ? null : await readHint(checkedArgs)
  const costs = costLimits(checkedArgs, context.settings.costs)
  const { report, end } = progressOf(context, 'deposit', checkedArgs.onProgress)
  const limitMs = checkedArgs.expiresAt === undefined ? Infinity : checkedArgs.expiresAt - Date.now()
  const timeout = typeof checkedArgs.timeout === 'number' ? Math.min(checkedArgs.timeout, limitMs) : checkedArgs.timeout
  const {
    amount,
    utxos,
    blueprint,
    to = null,
    changeAddress = null,
    maxLock = null,
    depositScript = null
  } = checkedArgs
  const key = {
    amount: typeof amount === 'bigint' ? String(amount) : (amount ?? null),
    utxos: utxos?.map(refOf) ?? null,
    blueprint: blueprint?.cborHex ?? null,
    to,
    datum: typeof checkedArgs.datum === 'object' ? checkedArgs.datum.toCbor() : (checkedArgs.datum ?? null),
    changeAddress,
    // Journals of earlier releases have none.
    ...(hint === null ? {} : { endpointHint: { ...hint, label: String(hint.label) } })
  }
  const stored = { ...key, utxos: utxos ?? null, blueprint: blueprint ?? null, maxLock, depositScript }
  return withDeadline('deposit', { ...checkedArgs, timeout }, limitMs, (deadline) => {
    // Entries of earlier releases have the deadline alone.
    const read = ({ result }: JournalEntry): DepositResult => ({ ...NO_TIMES, ...(result as DepositResult) })
    const once = { id: checkedArgs.id, action: 'deposit', key, args: stored, deadline, read } as const
    const depositArgs = hint === null ? checkedArgs : { ...checkedArgs, endpointHint: hint }
    return doOnce(context, once, (record) => makeDeposit(context, depositArgs, { record, report, costs }, deadline))
  })
    .then((result) => addOldProperties({ ...result }, OLD_NAMES.deposit))
    .finally(end)
}

/** Checks the arguments of {@link deposit}. @throws {@link InvalidArgumentError}, {@link RenamedError} */
function readArgs(args: DepositArgs): DepositArgs {
  refuseOldOption(args, 'deadline', 'expiresAt', 'deposit')
  const checkedArgs = readOptions(args, ARGS, 'args')
  const { utxos, blueprint, expiresAt, retries, maxLock, changeAddress, to, datum } = checkedArgs
  if (blueprint !== undefined) assertBlueprint(checkedArgs)
  else if (checkedArgs.amount === undefined && utxos === undefined)
    throw new InvalidArgumentError('args', '{ amount }, { utxos } or both, or { blueprint }', args)
  assertSendOptions({ retries, id: checkedArgs.id, onBeforeSend: checkedArgs.onBeforeSend })
  if (utxos !== undefined && (!Array.isArray(utxos) || utxos.length === 0))
    throw new InvalidArgumentError('utxos', 'at least one output of the base ledger', utxos)
  // Drafted as plain outputs; a node refuses those.
  if (utxos !== undefined && checkedArgs.amount === undefined && checkedArgs.endpointHint === undefined)
    assertWithoutDatum(utxos)
  if (expiresAt !== undefined && !(typeof expiresAt === 'number' && expiresAt > Date.now()))
    throw new InvalidArgumentError('expiresAt', 'a time to come, ms since the Unix epoch', expiresAt)
  if (maxLock !== undefined && !(typeof maxLock === 'number' && maxLock > 0))
    throw new InvalidArgumentError('maxLock', 'a number of milliseconds', maxLock)
  if (changeAddress !== undefined) parseAddress(changeAddress, 'changeAddress')
  if (to !== undefined) parseAddress(to, 'to')
  if ((to !== undefined || datum !== undefined) && checkedArgs.amount === undefined)
    throw new InvalidArgumentError('amount', 'an amount beside to and datum: whole outputs keep their own', undefined)
  if (datum !== undefined && typeof datum !== 'string' && typeof datum?.toCbor !== 'function')
    throw new InvalidArgumentError('datum', 'CBOR hex, or PlutusData', datum)
  return {
    ...checkedArgs,
    ...(checkedArgs.amount === undefined ? {} : { amount: assertAmount(checkedArgs.amount) }),
    ...(utxos === undefined ? {} : { utxos: [...utxos] })
  }
}

/** Checks that none of the outputs carries a datum. @throws {@link InvalidArgumentError} naming those that do */
function assertWithoutDatum(utxos: readonly UTxO[]): void {
  const carrying = utxos.filter(({ output }) => output?.inlineDatum != null || output?.datumHash != null)
  if (carrying.length > 0)
    throw new InvalidArgumentError(
      'utxos',
      `outputs without a datum, and a blueprint (TxBuilder: spend().blueprint()) of ${carrying.slice(0, 5).map(refOf).join(', ')}`,
      carrying
    )
}

/** Checks the option `endpointHint`, with code that is loaded on demand. @throws {@link InvalidArgumentError} */
async function readHint({ endpointHint }: DepositArgs): Promise<DepositEndpointHint> {
  return (await import('../flows/hintMetadata.js')).readHint(endpointHint)
}

/** Checks a blueprint, and that no option beside it states the same. @throws {@link InvalidArgumentError} */
function assertBlueprint({ blueprint, amount, utxos, to, datum, changeAddress, endpointHint }: DepositArgs): void {
  if (typeof blueprint?.cborHex !== 'string' || !Array.isArray(blueprint.utxo) || !Array.isArray(blueprint.outputs))
    throw new InvalidArgumentError('blueprint', 'what TxBuilder.blueprint() or scriptBlueprint() returns', blueprint)
  for (const [name, value] of Object.entries({ amount, utxos, to, datum, changeAddress, endpointHint }))
    if (value !== undefined) throw new InvalidArgumentError(name, 'nothing beside blueprint, which states it', value)
}
