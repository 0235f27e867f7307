import { described } from '../../../errors/base.js'
import { InvalidArgumentError } from '../../../errors/input.js'
import { readOptions } from '../../../codec/options.js'
import type { Amount } from '../../../types/utxo.js'
import { isObject } from '../../json/isObject.js'

type Body = Readonly<Record<string, unknown>>

/**
 * Returns a body after checking that it has known members only. @throws {@link InvalidArgumentError} on any other
 * member, because a misspelt one would mean something else.
 */
export function readControlBody(body: Body, names: readonly string[]): Body {
  return readOptions(body, Object.fromEntries(names.map((name) => [name, true])) as Record<string, true>, 'body')
}

/** Returns a member that has to be a text. @throws {@link InvalidArgumentError} */
export function readText(body: Body, name: string): string {
  const value = body[name]
  if (typeof value !== 'string') throw new InvalidArgumentError(name, 'a text', value)
  return value
}

/** Returns a member that has to be a number. @throws {@link InvalidArgumentError} */
export function readNumber(body: Body, name: string): number {
  const value = body[name]
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new InvalidArgumentError(name, 'a number', value)
  return value
}

/**
 * Returns the amounts of `lovelace` or `amount`; quantities are numbers or decimal texts.
 * @throws {@link InvalidArgumentError}
 */
export function readAmounts({ lovelace, amount }: Body): readonly Amount[] {
  if ((lovelace == null) === (amount == null))
    throw new InvalidArgumentError(
      'lovelace',
      'either lovelace or amount',
      lovelace == null ? described('neither') : described('both')
    )
  if (lovelace != null) return [{ unit: 'lovelace', quantity: quantityOf('lovelace', lovelace) }]
  if (!Array.isArray(amount)) throw new InvalidArgumentError('amount', 'an array of { unit, quantity }', amount)
  return amount.map((each: unknown, i) => {
    if (!isObject(each) || typeof each['unit'] !== 'string')
      throw new InvalidArgumentError(`amount[${i}]`, '{ unit, quantity }', each)
    return { unit: each['unit'], quantity: quantityOf(`amount[${i}].quantity`, each['quantity']) }
  })
}

function quantityOf(name: string, value: unknown): string {
  const whole =
    typeof value === 'bigint' || Number.isSafeInteger(value) || (typeof value === 'string' && /^\d{1,20}$/.test(value))
  const quantity = whole ? BigInt(value as string | number | bigint) : 0n
  if (quantity <= 0n) throw new InvalidArgumentError(name, 'a whole number above 0, or its decimal text', value)
  return String(quantity)
}
