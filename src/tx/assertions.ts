import { parseAddress } from '../codec/address.js'
import type { Value } from '../codec/value.js'
import { LOVELACE, valueFromAmounts } from '../codec/value.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { Amount } from '../types/utxo.js'

const MAX_SLOT = 2n ** 64n - 1n

/** An address that an output can have: any but a reward address. */
export function assertReceiver(address: string, what: string): string {
  if (parseAddress(address, what).type === 'reward') throw new InvalidArgumentError(what, 'an address that can hold funds', address)
  return address
}

/** Whether it is a list of objects; their fields are checked where they are read. */
export function isAmounts(amounts: unknown): boolean {
  return Array.isArray(amounts) && amounts.every((each: unknown) => typeof each === 'object' && each !== null)
}

/** What a payment holds: something, of at least one unit. */
export function assertPayment(amount: bigint | readonly Amount[]): Value {
  const isWellFormed = typeof amount === 'bigint' ? amount > 0n : isAmounts(amount)
  const value = !isWellFormed ? new Map<string, bigint>() : typeof amount === 'bigint' ? new Map([[LOVELACE, amount]]) : valueFromAmounts(amount)
  if (value.size === 0) throw new InvalidArgumentError('amount', 'lovelace above 0 as a bigint, or a list of { unit, quantity }', amount)
  return value
}

/** A slot number of 64 bits. */
export function assertSlot(name: string, slot: number | bigint): bigint {
  const exact = typeof slot === 'bigint' || Number.isSafeInteger(slot) ? BigInt(slot) : -1n
  if (exact < 0n || exact > MAX_SLOT) throw new InvalidArgumentError(name, 'a slot number from 0', slot)
  return exact
}
