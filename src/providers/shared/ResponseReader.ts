import { describeValue } from '../../errors/base.js'
import { ProviderResponseError } from '../../errors/provider.js'
import { parseJson } from '../../codec/json.js'
import { isRecord } from '../../codec/record.js'
import type { Amount } from '../../types/utxo.js'

/**
 * Reads the fields of a provider's response. A value is `unknown` until one of these functions returns it; each throws
 * {@link ProviderResponseError} with the field's name.
 */
export class ResponseReader {
  /** Public name of the request. */
  readonly url: string

  readonly #redact: (text: string) => string

  /** `redact` removes the secrets that a server may repeat from a request. */
  constructor(url: string, redact: (text: string) => string) {
    this.url = url
    this.#redact = redact
  }

  /** Parses the whole response as JSON. */
  parse(text: string): unknown {
    try {
      return parseJson(text)
    } catch (error) {
      throw new ProviderResponseError(this.url, '', 'JSON', `${text.length} characters that are not valid JSON`, error)
    }
  }

  /** Returns the value if `holds` is true; throws otherwise. */
  check<T>(holds: boolean, field: string, expected: string, value: T): T {
    if (!holds) throw new ProviderResponseError(this.url, field, expected, this.#redact(describeValue(value)))
    return value
  }

  object(value: unknown, field: string): Record<string, unknown> {
    return this.check(isRecord(value), field, 'an object', value) as Record<string, unknown>
  }

  list(value: unknown, field: string): unknown[] {
    return this.check(Array.isArray(value), field, 'an array', value) as unknown[]
  }

  text(value: unknown, field: string): string {
    return this.check(typeof value === 'string' && value !== '', field, 'a text', value) as string
  }

  /** Returns lower-case hex of whole bytes; of exactly `bytes` bytes when given. */
  hex(value: unknown, field: string, bytes?: number): string {
    if (
      typeof value === 'string' &&
      (bytes ? value.length === bytes * 2 : value.length % 2 === 0) &&
      /^[\da-f]*$/.test(value)
    )
      return value
    return this.check<never>(
      false,
      field,
      bytes ? `lower-case hex of ${bytes} bytes` : 'lower-case hex',
      value as never
    )
  }

  /** Returns a whole number that a JavaScript number holds exactly. */
  whole(value: unknown, field: string): number {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    return this.check(
      Number.isSafeInteger(number) && (number as number) >= 0,
      field,
      'a whole number',
      number
    ) as number
  }

  /** Returns a whole number of any size (number, bigint or decimal text) as decimal text. */
  quantity(value: unknown, field: string): string {
    const text =
      typeof value === 'string'
        ? value
        : typeof value === 'bigint' || Number.isSafeInteger(value)
          ? `${value as number}`
          : ''
    this.check(/^(0|[1-9]\d{0,19})$/.test(text), field, 'a whole number', value)
    return text
  }

  /** Returns amounts with lovelace first and each unit once; `next` gives the unit and the quantity of an entry. */
  amounts<T>(
    entries: readonly T[],
    field: string,
    next: (entry: T) => readonly [unit: unknown, quantity: unknown]
  ): Amount[] {
    const amounts: Amount[] = []
    const quantityField = `${field}.quantity`
    for (const entry of entries) {
      const [unit, quantity] = next(entry)
      const isLovelace = unit === 'lovelace'
      const isUnit = isLovelace || (typeof unit === 'string' && unit.length % 2 === 0 && /^[\da-f]{56,120}$/.test(unit))
      if (!isUnit) this.check(false, `${field}.unit`, 'lovelace or an asset', unit)
      amounts.push({ unit: unit as string, quantity: this.quantity(quantity, quantityField) })
      if (isLovelace && amounts.length > 1) amounts.unshift(amounts.pop()!)
    }
    const isOnceEach = amounts.length < 2 || new Set(amounts.map(({ unit }) => unit)).size === amounts.length
    this.check(
      isOnceEach && amounts[0]?.unit === 'lovelace',
      field,
      'an amount of lovelace, and each unit once',
      undefined
    )
    return amounts
  }
}
