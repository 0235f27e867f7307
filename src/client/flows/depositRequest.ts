import type { CommitRequest } from '../../bridge/inner.js'
import { versionProfile } from '../../bridge/inner.js'
import type { DepositTimes } from '../../codec/depositPhase.js'
import { isLayerError } from '../../errors/base.js'
import { InputReservedError, OutcomeUnknownError } from '../../errors/client.js'
import { WalletCapabilityError } from '../../errors/clientWallet.js'
import { UnsupportedByNodeError } from '../../errors/operation.js'
import type { Blueprint, BuiltTransaction, PaymentAmount, TxParameters } from '../../tx/inner.js'
import {
  buildDeposit,
  buildPayment,
  depositAmount,
  PaymentBuilder,
  resolveTxParameters,
  toUtxos
} from '../../tx/inner.js'
import type { UTxO } from '../../types/utxo.js'
import type { Wallet } from '../../types/wallet.js'
import { listOutputs } from '../BaseOutputs.js'
import { callWallet } from '../callWallet.js'
import type { ClientContext } from '../ClientContext.js'
import type { CostLimits } from '../costs.js'
import { assertFee, assertMinLovelace, statesLovelace } from '../costs.js'
import type { Deadline } from '../deadline.js'
import { refOf } from '../PendingView.js'
import { signWith } from '../signWith.js'
import type { DepositStep } from '../types.js'

/** Interval between two requests to the base ledger, ms. */
const POLL_MS = 1_000

/** Request to the node for the draft of a deposit, with the outputs that the deposit makes in the head. */
export interface DepositRequest {
  /** True for a blueprint, to which the node adds the change. */
  readonly blueprint?: true
  readonly commit: CommitRequest | Blueprint | UTxO[]
  readonly refs: readonly string[]
  readonly utxos: readonly UTxO[]
  /** False when no key has to sign: an extra signature would require a higher fee than the draft pays. @default true */
  readonly signs?: boolean
}

/** Reports the steps of a deposit. */
export type DepositReport = (state: DepositStep, txId?: string, fee?: bigint, times?: DepositTimes) => void

/** The requested deposit, and the parts of the client that make it. */
export interface DepositSource {
  readonly context: ClientContext
  readonly wallet: Wallet
  readonly deadline: Deadline
  readonly report: DepositReport
  readonly costs: CostLimits
  /** Undefined: all of `utxos`. */
  readonly amount: PaymentAmount | undefined
  /** The deposit as the caller designed it; undefined: it is made from `amount` and `utxos`. */
  readonly blueprint: Blueprint | undefined
  /** Address and datum of the output that holds the amount in the head. `inlineDatum`: CBOR hex. */
  readonly receiver: { readonly to: string; readonly inlineDatum: string | undefined }
  /** Undefined: whatever the wallet holds on the base ledger. */
  readonly utxos: readonly UTxO[] | undefined
  readonly changeAddress: string
  /** Metadata of its transaction by label; undefined: only that of the node. */
  readonly metadata: Readonly<Record<string, { toCbor(): string }>> | undefined
  /** The wallet's addresses; the first one receives. */
  readonly own: readonly string[]
  /** Label under which the chosen outputs are reserved against other deposits of the client. */
  readonly label: symbol
}

/**
 * True for nodes that accept a blueprint and balance it (from 1.1 on); a node that does not name its version counts as
 * the newest.
 */
export function supportsBlueprints({ bridge }: ClientContext): boolean {
  const { version } = versionProfile(bridge.getSnapshot().nodeVersion)
  return version === null || version[0] > 1 || (version[0] === 1 && version[1] >= 1)
}

/**
 * Chooses the outputs to deposit. A node that deposits whole outputs only needs an output of the exact amount, which is
 * made first on the base ledger.
 */
export async function depositRequest(source: DepositSource, supportsBlueprint: boolean): Promise<DepositRequest> {
  const { context, amount, utxos, own, changeAddress, label, metadata } = source
  if (metadata !== undefined && !supportsBlueprint)
    throw new UnsupportedByNodeError('A deposit with an endpoint hint', {
      expected: 'a node from 1.1 on, without a gateway'
    })
  if (amount === undefined) {
    const heldRef = context.account.base.heldOf(utxos!)
    if (heldRef !== undefined) throw new InputReservedError(heldRef)
    context.account.base.hold(utxos!, label)
    if (metadata === undefined) return wholeOutputs(utxos!)
    // Without outputs of its own, a blueprint deposits its inputs whole.
    const commit = new PaymentBuilder().spend(utxos!).metadata(metadata).blueprint()
    return { ...wholeOutputs(commit.utxo), blueprint: true, commit }
  }
  const { to, inlineDatum } = source.receiver
  if (!supportsBlueprint) {
    // An output at a script could not be deposited whole without its redeemer.
    if (to !== own[0] || inlineDatum !== undefined)
      throw new UnsupportedByNodeError('A deposit to another address', {
        expected: 'a node from 1.1 on, without a gateway'
      })
    return wholeOutputs([await splitOnBaseLedger(source, amount)])
  }
  const parameters = await baseParameters(source, statesLovelace(amount))
  const whole = statedAmount(source, amount, parameters)
  const blueprint = await choose(source, (pool) => {
    const built = buildDeposit({ utxos: pool, to, amount: whole, inlineDatum, changeAddress, parameters, metadata })
    return { built, inputs: built.utxo }
  })
  const inHead = toUtxos({ txId: blueprint.txId, outputs: blueprint.outputs })
  return { blueprint: true, commit: blueprint, refs: inHead.map(refOf), utxos: inHead }
}

const wholeOutputs = (utxos: readonly UTxO[]): DepositRequest => ({ commit: [...utxos], refs: utxos.map(refOf), utxos })

/** Returns the amount with the lovelace that its deposit needs, which is checked against the limit. */
function statedAmount(
  { receiver: { to, inlineDatum }, costs }: DepositSource,
  amount: PaymentAmount,
  parameters: TxParameters
): PaymentAmount {
  const extras = inlineDatum === undefined ? {} : { inlineDatum }
  const whole = depositAmount(to, amount, resolveTxParameters(parameters).coinsPerUtxoByte, extras)
  if (typeof whole !== 'bigint') assertMinLovelace(amount, { amount: [...whole] }, costs)
  return whole
}

/**
 * Builds from outputs that no other deposit has chosen, and reserves its choice, in one synchronous step. Waits for
 * outputs that other deposits will free, when they are needed.
 */
async function choose<T>(
  source: DepositSource,
  build: (pool: readonly UTxO[]) => { readonly built: T; readonly inputs: readonly UTxO[] }
): Promise<T> {
  const { context, utxos, deadline, label } = source
  const { base } = context.account
  for (;;) {
    const all = utxos ?? (await deadline.race(listAll(source), "the wallet's outputs on the base ledger"))
    try {
      const { built, inputs } = build(base.free(all))
      base.hold(inputs, label)
      return built
    } catch (error) {
      if (!isLayerError(error, 'TX_INSUFFICIENT_FUNDS')) throw error
      const later = utxos === undefined ? base.later(all) : all.filter((utxo) => base.heldOf([utxo]) !== undefined)
      if (later.length === 0) throw error
      // Throws where they would not suffice either.
      build([...base.free(all), ...later])
      if (utxos !== undefined) throw new InputReservedError(refOf(later[0]!))
    }
    await deadline.race(context.changes.next(POLL_MS), 'outputs that another deposit of this client holds')
  }
}

async function listAll({ wallet, own }: DepositSource): Promise<UTxO[]> {
  const found = await listOutputs(wallet, own)
  if (found === null)
    throw new WalletCapabilityError(
      'deposit',
      'a wallet that lists its outputs (queryUTxOs, or the option fetcher), or the outputs to deposit from in utxos'
    )
  return found
}

/** Returns the base ledger's parameters; empty (the builder's defaults) when `isOptional` or the wallet has none. */
async function baseParameters({ wallet, deadline }: DepositSource, isOptional: boolean): Promise<TxParameters> {
  if (isOptional || typeof wallet.getProtocolParameters !== 'function') return {}
  try {
    const { coinsPerUtxoByte, maxValueSize } = await deadline.race(
      callWallet('getProtocolParameters', () => wallet.getProtocolParameters!()),
      "the base ledger's parameters"
    )
    return { coinsPerUtxoByte, maxValueSize }
  } catch (error) {
    if (isLayerError(error, 'WALLET_FETCHER_MISSING')) return {}
    throw error
  }
}

async function splitOnBaseLedger(source: DepositSource, amount: PaymentAmount): Promise<UTxO> {
  const { context, wallet, own, changeAddress, costs, deadline, report, label } = source
  const parameters = await splitParameters(source)
  const whole = statedAmount(source, amount, parameters)
  const built = await choose(source, (pool) => {
    const payment = buildPayment({ utxos: pool, to: own[0]!, amount: whole, changeAddress, parameters })
    assertFee(payment.fee, costs)
    return { built: payment, inputs: payment.inputs }
  })
  deadline.throwIfOver()
  const signed = await deadline.race(signWith(wallet, built.txId, built.cborHex, false), 'a split on the base ledger')
  deadline.throwIfOver()
  await deadline.race(submitSplit(source, built.txId, signed), 'a split on the base ledger')
  const [split, ...change] = toUtxos(built)
  context.account.base.spend(label, ownOf(change, own))
  context.account.base.hold([split!], label)
  report('split', built.txId, built.fee)
  return splitOutput(source, built)
}

/**
 * Submits the transaction that splits off the amount. @throws {@link OutcomeUnknownError} when the wallet rejects with
 * a value that is not an error: the base ledger may have accepted the transaction.
 */
async function submitSplit({ context, wallet }: DepositSource, txId: string, signed: string): Promise<void> {
  if (wallet.submitTx === undefined)
    return void (await context.bridge.submitCardanoTransaction({ cborHex: signed, description: '' }))
  try {
    await callWallet('submitTx', () => wallet.submitTx!(signed))
  } catch (error) {
    if (!isLayerError(error, 'CLIENT_WALLET_FAILED')) throw error
    throw new OutcomeUnknownError(txId, null, "the wallet's submitTx failed without an error", error.cause)
  }
}

/** Returns the outputs at own addresses, which other deposits can spend once the base ledger lists them. */
export const ownOf = (utxos: readonly UTxO[], ownAddresses: readonly string[]): UTxO[] =>
  utxos.filter(({ output }) => ownAddresses.includes(output.address))

async function splitParameters({ wallet, deadline }: DepositSource): Promise<TxParameters> {
  const needs =
    'a wallet with a provider (queryUTxOs and getProtocolParameters), or whole outputs in utxos: this node cannot split an output'
  const failed = new WalletCapabilityError('deposit of a part of an output', needs)
  if (typeof wallet.getProtocolParameters !== 'function' || typeof wallet.queryUTxOs !== 'function') throw failed
  try {
    const all = await deadline.race(
      callWallet('getProtocolParameters', () => wallet.getProtocolParameters!()),
      "the base ledger's parameters"
    )
    const { minFeeA, minFeeB, coinsPerUtxoByte, maxTxSize, maxValueSize } = all
    return { minFeeA, minFeeB, coinsPerUtxoByte, maxTxSize, maxValueSize }
  } catch (error) {
    throw isLayerError(error, 'WALLET_FETCHER_MISSING') ? failed : error
  }
}

async function splitOutput(
  { context, wallet, own, deadline }: DepositSource,
  { txId }: BuiltTransaction
): Promise<UTxO> {
  for (;;) {
    const listed = await deadline.race(
      callWallet('queryUTxOs', () => wallet.queryUTxOs!(own[0]!)),
      'a split on the base ledger'
    )
    const found = listed.find(({ input }) => input.txHash === txId && input.index === 0)
    if (found !== undefined) return found
    await deadline.race(context.changes.next(POLL_MS), 'a split on the base ledger')
  }
}
