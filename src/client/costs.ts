import { LOVELACE } from '../codec/value.js'
import { DEFAULT_MAX_FEE, DEFAULT_MAX_MIN_LOVELACE } from '../constants.js'
import { InvalidArgumentError } from '../errors/input.js'
import { CostLimitError } from '../errors/money.js'
import type { BuiltTransaction, PaymentAmount } from '../tx/inner.js'
import type { TxOutput } from '../types/utxo.js'

/**
 * Limits of the costs of a transaction beyond the amounts that the caller states: fees and minimum lovelace are
 * computed from figures that a node or provider states.
 */
export interface CostOptions {
  /** Most that a transaction may pay as its fee, lovelace. @default 5_000_000n */
  maxFee?: bigint | undefined
  /** Most lovelace that is added to an output whose lovelace was not stated. @default 10_000_000n */
  maxMinLovelace?: bigint | undefined
}

/** The limits, each one filled in: lovelace. */
export type CostLimits = { readonly [Name in keyof CostOptions]-?: bigint }

/** Default limits of a client. */
export const DEFAULT_COSTS: CostLimits = { maxFee: DEFAULT_MAX_FEE, maxMinLovelace: DEFAULT_MAX_MIN_LOVELACE }

/**
 * Returns the limits of an action, or of a client; those not given are `otherwise`. @throws
 * {@link InvalidArgumentError}
 */
export function costLimits(options: CostOptions, otherwise: CostLimits): CostLimits {
  const { maxFee = otherwise.maxFee, maxMinLovelace = otherwise.maxMinLovelace } = options
  for (const [name, limit] of Object.entries({ maxFee, maxMinLovelace }))
    if (typeof limit !== 'bigint' || limit < 0n)
      throw new InvalidArgumentError(name, 'lovelace as a bigint from 0n', limit)
  return { maxFee, maxMinLovelace }
}

/** Checks that a fee, lovelace, is within its limit. @throws {@link CostLimitError} */
export function assertFee(fee: bigint, { maxFee }: CostLimits): void {
  if (fee > maxFee) throw new CostLimitError('maxFee', fee, maxFee)
}

/**
 * Checks that the lovelace added to an output is within its limit, where the caller has not stated its lovelace.
 * @throws {@link CostLimitError}
 */
export function assertMinLovelace(
  stated: PaymentAmount,
  output: Pick<TxOutput, 'amount'>,
  { maxMinLovelace }: CostLimits
): void {
  if (statesLovelace(stated)) return
  const lovelace = BigInt(output.amount.find(({ unit }) => unit === LOVELACE)?.quantity ?? 0)
  if (lovelace > maxMinLovelace) throw new CostLimitError('maxMinLovelace', lovelace, maxMinLovelace)
}

/**
 * Checks the costs of a transaction whose first outputs are the payments, and returns it. @throws
 * {@link CostLimitError}
 */
export function withinCosts(
  built: BuiltTransaction,
  payments: readonly { readonly amount: PaymentAmount }[],
  limits: CostLimits
): BuiltTransaction {
  assertFee(built.fee, limits)
  for (const [index, { amount }] of payments.entries()) assertMinLovelace(amount, built.outputs[index]!, limits)
  return built
}

/** True where the amount says how much lovelace. */
export const statesLovelace = (amount: PaymentAmount): boolean =>
  typeof amount === 'bigint' || amount.some(({ unit }) => unit.toLowerCase() === LOVELACE)
