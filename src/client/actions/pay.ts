import { parseAddress } from '../../codec/address.js'
import { InvalidAddressError, InvalidArgumentError } from '../../errors/input.js'
import type { TxParameters } from '../../tx/parameters.js'
import type { OutputExtras, PaymentAmount } from '../../tx/TxBuilder.js'
import { TxBuilder } from '../../tx/TxBuilder.js'
import type { Wallet } from '../../types/wallet.js'
import { assertAmount } from '../amounts.js'
import type { ClientContext } from '../ClientContext.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import { progressOf } from '../progress.js'
import type { TxPlan } from '../reserveTxs.js'
import { reserveWhenPossible } from '../reserveTxs.js'
import { assertSendOptions, completeTx } from '../sendTx.js'
import { withValidity } from '../validity.js'
import type { PayArgs, TxResult } from '../types.js'

/** One output of a payment. */
export interface Payment {
  readonly to: string
  readonly amount: PaymentAmount
  readonly extras: OutputExtras
}

/**
 * Pays from the wallet's outputs in the head, unconfirmed change of earlier payments included: parallel calls never share an input.
 *
 * @throws {@link InsufficientFundsError} naming what is there and what is missing; {@link LedgerError} when the head's ledger refuses it.
 * @throws {@link OutcomeUnknownError} when it was sent and nobody can say yet what became of it.
 * @throws {@link WalletMissingError}, {@link HeadStateError}, {@link NodeUnsyncedError}, {@link NotConnectedError}, {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * import { ada } from 'layer-sdk/utils'
 * const { txId, snapshotNumber } = await head.pay({ to: 'addr_test1...', amount: ada('2') })
 * ```
 */
export async function pay(context: ClientContext, args: PayArgs): Promise<TxResult> {
  const wallet = context.walletFor('pay')
  const payment = assertPayment(args)
  const metadata = assertMetadata(args.metadata)
  assertSendOptions(args)
  const { report, end } = progressOf(context, 'pay', args.onProgress)
  return withDeadline('pay', args, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    await context.ready('pay', deadline)
    const parameters = await deadline.race(context.loadParameters(), "the head's protocol parameters")
    const addresses = await deadline.race(context.loadAddresses(wallet), "the wallet's addresses")
    context.assertHeadNetwork(addresses)
    assertNetwork(payment.to, addresses[0]!)
    const plan = paymentPlan('pay', { wallet, addresses, parameters, payments: [payment], metadata })
    const [own] = await reserveWhenPossible(context, [plan], deadline)
    return completeTx(context, plan, own!, args, deadline, report)
  }).finally(end)
}

/** A transaction that makes some payments and gives the wallet its change. */
export function paymentPlan(
  action: string,
  details: {
    wallet: Wallet
    addresses: readonly string[]
    parameters: TxParameters
    payments: readonly Payment[]
    metadata?: PayArgs['metadata']
  }
): TxPlan {
  const { wallet, addresses, parameters, payments, metadata } = details
  const units = new Set(payments.flatMap(({ amount }) => (typeof amount === 'bigint' ? [] : amount.map(({ unit }) => unit.toLowerCase()))))
  return {
    action,
    wallet,
    addresses,
    units: [...units],
    build(pool, required, validity) {
      const builder = new TxBuilder(parameters).addInputs(pool).spend(required).changeTo(addresses[0]!)
      for (const { to, amount, extras } of payments) builder.pay(to, amount, extras)
      if (metadata !== undefined) builder.metadata(metadata)
      return withValidity(builder, validity).build()
    }
  }
}

/** @throws {@link InvalidArgumentError}, {@link InvalidAddressError} */
export function assertPayment(payment: Pick<PayArgs, 'to' | 'amount' | 'datum'>): Payment {
  if (typeof payment !== 'object' || payment === null) throw new InvalidArgumentError('args', '{ to, amount }', payment)
  const { to, amount, datum } = payment
  if (typeof to !== 'string') throw new InvalidArgumentError('to', 'an address (bech32)', to)
  parseAddress(to)
  const inlineDatum = typeof datum === 'object' && datum !== null ? datum.toCbor() : datum
  return { to, amount: assertAmount(amount), extras: inlineDatum == null ? {} : { inlineDatum } }
}

// The caller may change the object while the payment is built.
function assertMetadata(metadata: PayArgs['metadata']): PayArgs['metadata'] {
  if (metadata == null) return undefined
  if (typeof metadata !== 'object') throw new InvalidArgumentError('metadata', 'an object of metadata by label', metadata)
  return { ...metadata }
}

/** @throws {@link InvalidAddressError} when a receiver is of another network than the wallet */
export function assertNetwork(to: string, own: string): void {
  const [theirs, ours] = [parseAddress(to).networkId, parseAddress(own).networkId]
  const name = (id: number): string => (id === 1 ? 'mainnet' : 'a test network')
  if (theirs !== ours)
    throw new InvalidAddressError('The receiver is on another network than the wallet.', {
      expected: `an address of ${name(ours)}`,
      got: `one of ${name(theirs)}`
    })
}
