import { parseAddress } from '../codec/address.js'
import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
import { isLayerError } from '../errors/base.js'
import { InvalidAddressError, InvalidArgumentError } from '../errors/input.js'
import { InsufficientFundsError } from '../errors/tx.js'
import type { OutputExtras, PaymentAmount, TxParameters } from '../tx/inner.js'
import { PaymentBuilder, resolveTxParameters } from '../tx/inner.js'
import type { Wallet } from '../types/wallet.js'
import { assertAmount } from './amounts.js'
import { withinCosts } from './costs.js'
import type { CostLimits } from './costs.js'
import type { ReservationPlan } from './reserveTxs.js'
import { inputsWithin } from './selection.js'
import type { PayArgs, SendOptions } from './types.js'
import { withValidity } from './validity.js'

/** One output of a payment. */
export interface PlannedPayment {
  readonly to: string
  readonly amount: PaymentAmount
  readonly extras: OutputExtras
}

/** Names of the options of every action that sends a transaction into the head. */
export const SEND_OPTIONS: OptionNames<Omit<SendOptions, 'id'>> = {
  wait: true,
  retries: true,
  onSettled: true,
  onProgress: true,
  onBeforeSend: true,
  timeout: true,
  signal: true,
  maxFee: true,
  maxMinLovelace: true
}
/** Names of the members of one payment. */
export const PAYMENT: OptionNames<Pick<PayArgs, 'to' | 'amount' | 'datum'>> = { to: true, amount: true, datum: true }
/**
 * Returns the plan of one transaction that makes the given payments and returns the change to the wallet: the addresses
 * and units that it spends, and `build`, which makes the unsigned transaction of the outputs that were reserved.
 */
export function paymentPlan(
  action: string,
  details: {
    wallet: Wallet
    addresses: readonly string[]
    parameters: TxParameters
    payments: readonly PlannedPayment[]
    costs: CostLimits
    metadata?: PayArgs['metadata']
  }
): ReservationPlan {
  const { wallet, addresses, parameters, payments, costs, metadata } = details
  const units = new Set(
    payments.flatMap(({ amount }) => (typeof amount === 'bigint' ? [] : amount.map(({ unit }) => unit.toLowerCase())))
  )
  return {
    action,
    wallet,
    addresses,
    units: [...units],
    mostInputs: inputsWithin(resolveTxParameters(parameters).maxTxSize),
    build(pool, required, validity) {
      const builder = new PaymentBuilder(parameters).addInputs(pool).spend(required).changeTo(addresses[0]!)
      for (const { to, amount, extras } of payments) builder.pay(to, amount, extras)
      if (metadata !== undefined) builder.metadata(metadata)
      try {
        return withinCosts(withValidity(builder, validity).build(), payments, costs)
      } catch (error) {
        throw pool.length + required.length === 0 && isLayerError(error, 'TX_INSUFFICIENT_FUNDS')
          ? emptyWallet(addresses[0]!, error)
          : error
      }
    }
  }
}

/** Returns the error of a payment from a wallet without outputs, which advises a deposit first. */
function emptyWallet(address: string, { missing }: InsufficientFundsError): InsufficientFundsError {
  const missingUnits = new Map(Object.entries(missing).map(([unit, quantity]) => [unit, BigInt(quantity)]))
  const summary = `${address.slice(0, 14)}...${address.slice(-6)} holds nothing in this head that can be spent: deposit first.`
  return new InsufficientFundsError(missingUnits, {
    purpose: 'outputs and fee',
    available: new Map(),
    inputs: 0,
    unspendable: 0,
    summary
  })
}

/** Checks one payment, and returns it as planned. @throws {@link InvalidArgumentError}, {@link InvalidAddressError} */
export function assertPayment(payment: Pick<PayArgs, 'to' | 'amount' | 'datum'>): PlannedPayment {
  const { to, amount, datum } = readOptions(payment, PAYMENT, 'payment')
  if (typeof to !== 'string') throw new InvalidArgumentError('to', 'an address (bech32)', to)
  parseAddress(to)
  const inlineDatum = typeof datum === 'object' && datum !== null ? datum.toCbor() : datum
  return { to, amount: assertAmount(amount), extras: inlineDatum == null ? {} : { inlineDatum } }
}

/** Checks that a receiver is on the wallet's network. @throws {@link InvalidAddressError} when it is not */
export function assertReceiverNetwork(to: string, walletAddress: string): void {
  const [theirs, ours] = [parseAddress(to).networkId, parseAddress(walletAddress).networkId]
  const name = (id: number): string => (id === 1 ? 'mainnet' : 'a test network')
  if (theirs !== ours)
    throw new InvalidAddressError('The receiver is on another network than the wallet.', {
      expected: `an address of ${name(ours)}`,
      got: `one of ${name(theirs)}`
    })
}
