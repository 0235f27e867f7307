import { LOVELACE } from '../codec/value.js'
import type { UncheckedRecord } from './record.js'
import { isPlainRecord } from './record.js'

/** Characters of a policy id. */
export const POLICY_CHARACTERS = 56
/** Digits of a quantity that a double holds for sure. */
const MAX_DIGITS = 15

/** Assets in the order of their bytes. */
export type UsualAssets = readonly (readonly [
  policy: string,
  names: readonly (readonly [name: string, quantity: number])[]
])[]

/** False for null and undefined: the node writes absent members as null. */
export function isSet(member: unknown): boolean {
  return member !== undefined && member !== null
}

/** True when no member but address, value and datum hash counts, and these are the output's own. */
export function isUsualNodeForm(record: UncheckedRecord): boolean {
  return (
    Object.hasOwn(record, 'value') &&
    !isSet(record['datum']) &&
    !isSet(record['inlineDatum']) &&
    !isSet(record['inlineDatumRaw']) &&
    !isSet(record['inlineDatumhash']) &&
    !isSet(record['referenceScript']) &&
    (!isSet(record['datumhash']) || Object.hasOwn(record, 'datumhash'))
  )
}

/** True when no member but address, amount and datum hash counts, and these are the output's own. */
export function isUsualPackageForm(record: UncheckedRecord): boolean {
  return (
    Object.hasOwn(record, 'amount') &&
    !isSet(record['value']) &&
    !isSet(record['inlineDatum']) &&
    !isSet(record['scriptRef']) &&
    (!isSet(record['datumHash']) || Object.hasOwn(record, 'datumHash'))
  )
}

/** True for a whole number from 0 on that a double holds. */
export function isQuantity(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** A quantity of the package's form that a double holds; -1 for any other value. */
export function usualQuantity(quantity: unknown): number {
  if (typeof quantity !== 'string') return isQuantity(quantity) ? quantity : -1
  const { length } = quantity
  if (length === 0 || length > MAX_DIGITS || (length > 1 && quantity.charCodeAt(0) === 48)) return -1
  let value = 0
  for (let i = 0; i < length; i++) {
    const digit = quantity.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

/** Assets in the order of their bytes, without those of quantity 0; null where one is not of the usual form. */
export function usualAssets(value: UncheckedRecord): UsualAssets | null {
  const assets: [string, UsualAssets[number][1]][] = []
  for (const policy of Object.keys(value)) {
    if (policy === LOVELACE) continue
    const held = value[policy]
    const names = isPlainRecord(held) ? usualNames(held) : null
    if (names === null) return null
    assets.push([policy, names])
  }
  return assets.sort(byText)
}

/** Names of a policy in the order of their bytes; their form and that of the policy are still to be checked. */
export function usualNames(held: UncheckedRecord): [string, number][] | null {
  const names: [string, number][] = []
  for (const name of Object.keys(held)) {
    const quantity = held[name]
    if (!isQuantity(quantity) || quantity === 0) return null
    names.push([name, quantity])
  }
  return names.length === 0 ? null : names.sort(byText)
}

const byText = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0

/** True when two units are of one policy. */
export function isSamePolicy(a: string, b: string): boolean {
  return a.startsWith(b.slice(0, POLICY_CHARACTERS))
}
