import { describeValue } from '../errors/base.js'
import { ProviderResponseError } from '../errors/provider.js'
import { parseJson } from '../codec/json.js'
import type { Amount } from '../types/utxo.js'

/**
 * Reads the fields of a provider's answer. What comes is `unknown` until one of these functions returns it; each throws
 * {@link ProviderResponseError} with the field's name.
 */
export class AnswerReader {
  /** Public name of the request. */
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /** The whole answer, as JSON. */
  parse(text: string): unknown {
    try {
      return parseJson(text)
    } catch (error) {
      throw new ProviderResponseError(this.url, '', 'JSON', `a text of ${text.length} characters that is none`, error)
    }
  }

  /** The value, if the check holds. */
  check<T>(holds: boolean, field: string, expected: string, value: T): T {
    if (!holds) throw new ProviderResponseError(this.url, field, expected, describeValue(value))
    return value
  }

  object(value: unknown, field: string): Record<string, unknown> {
    return this.check(typeof value === 'object' && value !== null && !Array.isArray(value), field, 'an object', value) as Record<string, unknown>
  }

  list(value: unknown, field: string): unknown[] {
    return this.check(Array.isArray(value), field, 'an array', value) as unknown[]
  }

  text(value: unknown, field: string): string {
    return this.check(typeof value === 'string' && value !== '', field, 'a text', value) as string
  }

  /** Lower-case hex of whole bytes; exactly `bytes` of them when given. */
  hex(value: unknown, field: string, bytes?: number): string {
    const holds = typeof value === 'string' && /^([\da-f]{2})*$/.test(value) && (bytes === undefined || value.length === bytes * 2)
    return this.check(holds, field, `lower-case hex${bytes === undefined ? '' : ` of ${bytes} bytes`}`, value) as string
  }

  /** A whole number that a JavaScript number holds. */
  whole(value: unknown, field: string): number {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    return this.check(Number.isSafeInteger(number) && (number as number) >= 0, field, 'a whole number', number) as number
  }

  /** A whole number of any size, as number, bigint or decimal text; in decimal. */
  quantity(value: unknown, field: string): string {
    const text = typeof value === 'string' ? value : typeof value === 'bigint' || Number.isSafeInteger(value) ? `${value as number}` : ''
    this.check(/^(0|[1-9]\d{0,19})$/.test(text), field, 'a whole number', value)
    return text
  }

  /** Amounts with lovelace first and each unit once. */
  amounts(entries: readonly (readonly [unit: unknown, quantity: unknown])[], field: string): Amount[] {
    const amounts: Amount[] = []
    const seen = new Set<unknown>()
    for (const [unit, quantity] of entries) {
      const known = unit === 'lovelace' || (typeof unit === 'string' && /^[\da-f]{56}([\da-f]{2}){0,32}$/.test(unit))
      this.check(known && !seen.has(unit), `${field}.unit`, 'lovelace or an asset, each once', unit)
      seen.add(unit)
      const amount = { unit: unit as string, quantity: this.quantity(quantity, `${field}.quantity`) }
      if (unit === 'lovelace') amounts.unshift(amount)
      else amounts.push(amount)
    }
    this.check(seen.has('lovelace'), field, 'an amount of lovelace', undefined)
    return amounts
  }
}
