import { type OptionNames, readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { TxOutJson } from '../protocol/types.js'
import { getOwn, isRecord } from '../protocol/wireRecord.js'
import { LargestFirst } from './LargestFirst.js'

const LOVELACE = 'lovelace'
/** Policy id, and an asset name of up to 32 bytes. */
const UNIT = /^[\da-f]{56}(?:[\da-f]{2}){0,32}$/i
const POLICY_CHARACTERS = 56

/** Bounds of a list of an address's outputs. Without any, all of them are listed. */
export interface AddressUTxOOptions {
  /** Lists outputs that hold this unit only: `'lovelace'`, or policy id and asset name in hex. */
  unit?: string | undefined
  /**
   * Ends the list with the output that brings the sum of `unit` to this quantity. When the address holds less, all its
   * outputs with the unit are listed. @default no such end; counts lovelace when `unit` is left out
   */
  atLeast?: bigint | undefined
  /** Maximum number of outputs listed, from 1. @default no limit */
  limit?: number | undefined
  /**
   * `'largest'`: lists the outputs with the most of `unit` first, of lovelace when `unit` is left out.
   * @default the order in which the bridge has them
   */
  order?: 'largest' | undefined
}

const OPTIONS: OptionNames<AddressUTxOOptions> = { unit: true, atLeast: true, limit: true, order: true }

/**
 * Checks the options of a list, and returns them. @throws {@link InvalidArgumentError} on an unknown option, or a value
 * of the wrong type
 */
export function checkBounds(options: AddressUTxOOptions): AddressUTxOOptions {
  const { unit, atLeast, limit, order } = readOptions(options, OPTIONS)
  if (unit !== undefined && unit !== LOVELACE && !(typeof unit === 'string' && UNIT.test(unit))) {
    throw new InvalidArgumentError(
      'unit',
      `'${LOVELACE}', or a policy id (56 hex characters) followed by the asset name (up to 64)`,
      unit
    )
  }
  if (atLeast !== undefined && !(typeof atLeast === 'bigint' && atLeast > 0n))
    throw new InvalidArgumentError('atLeast', 'a bigint from 1n', atLeast)
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0))
    throw new InvalidArgumentError('limit', 'a whole number from 1', limit)
  if (order !== undefined && order !== 'largest') throw new InvalidArgumentError('order', "'largest'", order)
  // The node writes hex in lower case.
  return { unit: unit?.toLowerCase(), atLeast, limit, order }
}

/** Returns the quantity of a unit in an output whose value has been checked. */
export function quantityOf({ value }: TxOutJson, unit: string): number | bigint {
  const entry = getOwn(value, unit === LOVELACE ? unit : unit.slice(0, POLICY_CHARACTERS))
  const quantity = unit !== LOVELACE && isRecord(entry) ? getOwn(entry, unit.slice(POLICY_CHARACTERS)) : entry
  return typeof quantity === 'number' || typeof quantity === 'bigint' ? quantity : 0
}

/** Orders outputs by their quantity of a unit, lovelace by default. */
export function largestFirst(
  keys: Iterable<string>,
  get: (key: string) => TxOutJson,
  unit: string = LOVELACE
): LargestFirst {
  return new LargestFirst(Array.from(keys, (key) => [key, quantityOf(get(key), unit)] as const))
}

/** Returns the keys of outputs within bounds, in their order; reads only the outputs that it lists or skips. */
export function selectOutputs(
  keys: Iterable<string>,
  get: (key: string) => TxOutJson,
  { unit, atLeast, limit = Infinity, order }: AddressUTxOOptions
): string[] {
  const ordered = order === 'largest' ? largestFirst(keys, get, unit).keys() : keys
  const selected: string[] = []
  let sum = 0n
  for (const key of ordered) {
    const quantity = quantityOf(get(key), unit ?? LOVELACE)
    if (unit !== undefined && !(quantity > 0)) continue
    selected.push(key)
    if (atLeast !== undefined) sum += BigInt(quantity)
    if (selected.length >= limit || (atLeast !== undefined && sum >= atLeast)) break
  }
  return selected
}
