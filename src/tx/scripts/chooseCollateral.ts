import { parseAddress } from '../../codec/address.js'
import { minLovelace } from '../../codec/txOutput.js'
import type { Value } from '../../codec/value.js'
import { addUnit, addValue, LOVELACE, valueFromAmounts, valueToAmounts } from '../../codec/value.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { InsufficientFundsError } from '../../errors/tx.js'
import type { TxOutput, UTxO } from '../../types/utxo.js'
import { inputKey } from '../inputs.js'

/** Collateral of a transaction: the ledger collects `total` of it when a script fails. */
export interface Collateral {
  readonly inputs: readonly UTxO[]
  /** Output that returns the rest; absent when there is no rest. */
  readonly change?: TxOutput | undefined
  /** Lovelace. */
  readonly total: bigint
}

/** Limits of the ledger for the collateral of a transaction. */
export interface CollateralLimits {
  /** Least collateral, lovelace. */
  readonly needed: bigint
  readonly maxInputs: number
  readonly coinsPerUtxoByte: bigint
}

/**
 * Chooses the collateral: all outputs that the caller `named`, else as few outputs of `pool` as possible. One output
 * that suffices is preferred, with ada only before others, then the smallest. The rest returns to the address of the
 * first.
 *
 * @throws {@link InsufficientFundsError} when the outputs do not suffice, {@link InvalidArgumentError} when too many
 * are named, or one that is not at the address of a key
 */
export function chooseCollateral(named: readonly UTxO[], pool: readonly UTxO[], limits: CollateralLimits): Collateral {
  if (named.length > limits.maxInputs)
    throw new InvalidArgumentError('collateral', `at most ${limits.maxInputs} outputs`, named.length)
  const locked = named.find((utxo) => !isKeyLocked(utxo))
  if (locked !== undefined)
    throw new InvalidArgumentError('collateral', 'outputs at the addresses of keys', locked.output.address)
  if (named.length > 0) return collateralOf(named, limits) ?? refuse(named, limits)
  const candidates = pool.filter(isKeyLocked).sort(inOrder)
  const alone = candidates.flatMap((candidate) => collateralOf([candidate], limits) ?? [])
  // First those that lose no more than is needed.
  const best = alone.find(({ total }) => total === limits.needed) ?? alone[0]
  if (best !== undefined) return best
  // None suffices alone: the largest together.
  const largest = candidates.sort((a, b) =>
    lovelaceOf(a) === lovelaceOf(b) ? 0 : lovelaceOf(a) > lovelaceOf(b) ? -1 : 1
  )
  for (let count = 2; count <= Math.min(limits.maxInputs, largest.length); count++) {
    const found = collateralOf(largest.slice(0, count), limits)
    if (found !== null) return found
  }
  return refuse(largest.slice(0, limits.maxInputs), limits)
}

function isKeyLocked({ output: { address } }: UTxO): boolean {
  return parseAddress(address).payment?.kind === 'key'
}

const lovelaceOf = ({ output }: UTxO): bigint => valueFromAmounts(output.amount).get(LOVELACE) ?? 0n

/**
 * Compares outputs: with ada only first, then the smallest; equal ones by reference, so that the choice is repeatable.
 */
function inOrder(a: UTxO, b: UTxO): number {
  const units = Number(a.output.amount.length > 1) - Number(b.output.amount.length > 1)
  if (units !== 0) return units
  const [x, y] = [lovelaceOf(a), lovelaceOf(b)]
  if (x !== y) return x < y ? -1 : 1
  return inputKey(a.input) < inputKey(b.input) ? -1 : 1
}

/** Returns the collateral that these inputs make; null when they do not suffice. */
function collateralOf(inputs: readonly UTxO[], { needed, coinsPerUtxoByte }: CollateralLimits): Collateral | null {
  const rest: Value = new Map()
  for (const { output } of inputs) addValue(rest, valueFromAmounts(output.amount))
  const sum = rest.get(LOVELACE) ?? 0n
  addUnit(rest, LOVELACE, -needed)
  if (rest.size === 0) return { inputs, total: needed }
  const change = { address: inputs[0]!.output.address, amount: valueToAmounts(rest) }
  if (sum >= needed && (rest.get(LOVELACE) ?? 0n) >= minLovelace(change, coinsPerUtxoByte))
    return { inputs, change, total: needed }
  // Too little to return, and no assets with it: all of it is collateral.
  return sum >= needed && rest.size === 1 && rest.has(LOVELACE) ? { inputs, total: sum } : null
}

function refuse(inputs: readonly UTxO[], { needed, coinsPerUtxoByte }: CollateralLimits): never {
  const available: Value = new Map()
  for (const { output } of inputs) addValue(available, valueFromAmounts(output.amount))
  const lovelace = available.get(LOVELACE) ?? 0n
  const address = inputs[0]?.output.address
  const least =
    address === undefined || available.size <= 1
      ? 0n
      : minLovelace({ address, amount: valueToAmounts(available) }, coinsPerUtxoByte)
  const short = needed + least - lovelace
  throw new InsufficientFundsError(new Map([[LOVELACE, short > 0n ? short : 1n]]), {
    purpose: 'the collateral of the scripts',
    available,
    inputs: inputs.length,
    unspendable: 0
  })
}
