import { type OptionNames, readOptions } from '../codec/options.js'
import type { Metadatum } from '../codec/metadatum.js'
import type { Amount, UTxO } from '../types/utxo.js'
import { assertReceiver } from './assertions.js'
import { resolveTxParameters } from './parameters.js'
import type { TxParameters } from './parameters.js'
import { depositAmount } from './blueprint.js'
import type { Blueprint } from './blueprint.js'
import type { BuiltTransaction } from './buildTx.js'
import { PaymentBuilder } from './PaymentBuilder.js'

/** Arguments of {@link buildPayment}. */
export interface PaymentOptions {
  /** Outputs to choose inputs from. */
  utxos: readonly UTxO[]
  /** The receiver's address. */
  to: string
  /** Lovelace, or amounts of several units. */
  amount: bigint | readonly Amount[]
  /** Address of the change. */
  changeAddress: string
  /**
   * Fees and limits of the ledger, e.g. `txParametersFromProtocol(...)`. @default no fees and 4310 lovelace a byte of
   * an output, as in most heads
   */
  parameters?: TxParameters
  /** First slot at which the payment is no longer valid. */
  validUntil?: number | bigint
}

const PAYMENT_OPTIONS: OptionNames<PaymentOptions> = {
  utxos: true,
  to: true,
  amount: true,
  changeAddress: true,
  parameters: true,
  validUntil: true
}

/**
 * Builds a payment to one address, unsigned.
 *
 * @throws {@link InsufficientFundsError} {@link OutputBelowMinimumError}
 *
 * @example
 * ```ts
 * import { buildPayment } from 'layer-sdk/tx'
 *
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const output = { address, amount: [{ unit: 'lovelace', quantity: '5000000' }] }
 * const utxos = [{ input: { txHash: '00'.repeat(32), index: 0 }, output }]
 * console.log(buildPayment({ utxos, to: address, amount: 1_000_000n, changeAddress: address }).txId)
 * ```
 */
export function buildPayment(options: PaymentOptions): BuiltTransaction {
  const { utxos, to, amount, changeAddress, parameters, validUntil } = readOptions(options, PAYMENT_OPTIONS)
  const builder = new PaymentBuilder(parameters)
    .addInputs(utxos)
    .pay(assertReceiver(to, 'to'), amount)
    .changeTo(changeAddress)
  return (validUntil == null ? builder : builder.validUntil(validUntil)).build()
}

/** Arguments of {@link buildSweep}. */
export interface SweepOptions {
  /** Outputs to spend, all of them. */
  utxos: readonly UTxO[]
  /** The receiver's address. */
  to: string
  /**
   * Fees and limits of the ledger, e.g. `txParametersFromProtocol(...)`. @default no fees and 4310 lovelace a byte of
   * an output, as in most heads
   */
  parameters?: TxParameters
}

const SWEEP_OPTIONS: OptionNames<SweepOptions> = { utxos: true, to: true, parameters: true }

/**
 * Builds an unsigned transaction that moves the whole amount of some outputs to one address. All its outputs can leave
 * a head by `decommit`, which always withdraws the whole transaction.
 *
 * @throws {@link InsufficientFundsError} when the outputs do not cover the fee and the least lovelace.
 * @example
 * ```ts
 * import { buildSweep } from 'layer-sdk/tx'
 *
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const output = { address, amount: [{ unit: 'lovelace', quantity: '5000000' }] }
 * const utxos = [{ input: { txHash: '00'.repeat(32), index: 0 }, output }]
 * console.log(buildSweep({ utxos, to: address }).outputs[0]?.amount)
 * ```
 */
export function buildSweep(options: SweepOptions): BuiltTransaction {
  const { utxos, to, parameters } = readOptions(options, SWEEP_OPTIONS)
  return new PaymentBuilder(parameters).spend(utxos).changeTo(assertReceiver(to, 'to')).build()
}

/** Arguments of {@link buildDeposit}. */
export interface DepositOptions {
  /** Outputs on the base ledger to choose inputs from. */
  utxos: readonly UTxO[]
  /** Address that owns the deposit in the head. */
  to: string
  /**
   * Exact amount that enters the head: lovelace, or amounts of several units. If the list names no lovelace, the least
   * that a deposit must hold is added.
   */
  amount: bigint | readonly Amount[]
  /** Inline datum of the output in the head, for a script at `to`: CBOR hex. @default none */
  inlineDatum?: string | undefined
  /** Address to which the node sends the change, on the base ledger. */
  changeAddress: string
  /** Limits of the base ledger. @default 4310 lovelace a byte of an output; the node pays the fee */
  parameters?: TxParameters
  /** Metadata of the deposit's transaction, by label; the node adds its own. @default none */
  metadata?: Readonly<Record<string | number, Pick<Metadatum, 'toCbor'>>> | undefined
}

const DEPOSIT_OPTIONS: OptionNames<DepositOptions> = {
  utxos: true,
  to: true,
  amount: true,
  inlineDatum: true,
  changeAddress: true,
  parameters: true,
  metadata: true
}

/**
 * Builds a blueprint, the draft of a deposit that the node completes, for `bridge.commit`. Exactly `amount` enters the
 * head; the node (from 1.1 on) adds the fee and returns the rest to `changeAddress`.
 *
 * @throws {@link InsufficientFundsError} {@link OutputBelowMinimumError}
 * @example
 * ```ts
 * import { buildDeposit } from 'layer-sdk/tx'
 *
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const output = { address, amount: [{ unit: 'lovelace', quantity: '9000000' }] }
 * const utxos = [{ input: { txHash: '00'.repeat(32), index: 0 }, output }]
 * const blueprint = buildDeposit({ utxos, to: address, amount: 5_000_000n, changeAddress: address })
 * console.log(blueprint.utxo.length) // then: await bridge.commit(blueprint)
 * ```
 */
export function buildDeposit(options: DepositOptions): Blueprint {
  const { utxos, to, amount, changeAddress, parameters, inlineDatum, metadata } = readOptions(options, DEPOSIT_OPTIONS)
  const extras = inlineDatum === undefined ? {} : { inlineDatum }
  const builder = new PaymentBuilder(parameters).addInputs(utxos)
  const { coinsPerUtxoByte } = resolveTxParameters(parameters)
  const whole = depositAmount(assertReceiver(to, 'to'), amount, coinsPerUtxoByte, extras)
  if (metadata !== undefined) builder.metadata(metadata)
  return builder.pay(to, whole, extras).changeTo(changeAddress).blueprint()
}
