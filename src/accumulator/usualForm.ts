import { LOVELACE } from '../codec/value.js'
import type { UncheckedRecord } from './record.js'
import { isPlainRecord } from './record.js'

/** Characters of a policy id. */
export const POLICY_CHARACTERS = 56
/** Maximum number of digits of a quantity that a double certainly holds exactly. */
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

/**
 * Returns true when an output in the node's form has only address, value and datum hash, and value and hash are its
 * own, not inherited.
 */
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

/**
 * Returns true when an output in the package's form has only address, amount and datum hash, and amount and hash are
 * its own, not inherited.
 */
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

/** Returns a quantity in the package's form as a number if a double holds it exactly; -1 for any other value. */
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

/**
 * Returns the assets of a value in the order of their bytes; null when one is not of the usual form, or its quantity is
 * 0.
 */
export function usualAssets(value: UncheckedRecord): UsualAssets | null {
  const assets: [string, UsualAssets[number][1]][] = []
  for (const policy of Object.keys(value)) {
    if (policy === LOVELACE) continue
    const policyAssets = value[policy]
    const names = isPlainRecord(policyAssets) ? usualNames(policyAssets) : null
    if (names === null) return null
    assets.push([policy, names])
  }
  return assets.sort(byText)
}

/**
 * Returns the asset names of a policy in the order of their bytes, with their quantities; null when there is none or a
 * quantity is not usual or 0. The caller checks the form of the names and of the policy id.
 */
export function usualNames(assets: UncheckedRecord): [string, number][] | null {
  const names: [string, number][] = []
  for (const name of Object.keys(assets)) {
    const quantity = assets[name]
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
