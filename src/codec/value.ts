import { InvalidArgumentError } from '../errors/input.js'
import type { Amount } from '../types/utxo.js'
import { compareBytes } from './bytes.js'
import type { CborReader } from './cbor/reader.js'
import { MAJOR } from './cbor/reader.js'
import type { CborWriter } from './cbor/writer.js'
import { bytesToHex, hexToBytes, isHex } from './hex.js'

/** Amounts by unit: `'lovelace'`, or policy id (56 hex characters) followed by the asset name (up to 64). */
export type Value = Map<string, bigint>

/** Name of the unit lovelace, a millionth of an ada. */
export const LOVELACE = 'lovelace'
const POLICY_CHARACTERS = 56
const MAX_NAME_CHARACTERS = 64

/** Adds `amount` of a unit to `value`, in place. A unit whose sum is zero is removed. */
export function addUnit(value: Value, unit: string, amount: bigint): void {
  const sum = (value.get(unit) ?? 0n) + amount
  if (sum === 0n) value.delete(unit)
  else value.set(unit, sum)
}

/** Adds `other` to `value`, in place, or subtracts it when `sign` is -1. Units whose sum is zero are removed. */
export function addValue(value: Value, other: ReadonlyMap<string, bigint>, sign: 1n | -1n = 1n): void {
  for (const [unit, amount] of other) addUnit(value, unit, sign * amount)
}

/**
 * Converts amounts of outputs to a value; the amounts of a repeated unit are added.
 *
 * @throws {@link InvalidArgumentError} on a unit or quantity that is not well formed.
 */
export function valueFromAmounts(amounts: readonly Amount[]): Value {
  const value: Value = new Map()
  for (const { unit, quantity } of amounts) addUnit(value, assertUnit(unit), parseQuantity(quantity))
  return value
}

/** Converts a value to amounts of an output, lovelace first. */
export function valueToAmounts(value: ReadonlyMap<string, bigint>): Amount[] {
  const amounts: Amount[] = [{ unit: LOVELACE, quantity: String(value.get(LOVELACE) ?? 0n) }]
  for (const [unit, quantity] of value) if (unit !== LOVELACE) amounts.push({ unit, quantity: String(quantity) })
  return amounts
}

/** Parses a quantity: a whole, unsigned decimal number of any size. @throws {@link InvalidArgumentError} */
export function parseQuantity(quantity: unknown): bigint {
  if (typeof quantity === 'string' && /^\d+$/.test(quantity)) return BigInt(quantity)
  throw new InvalidArgumentError('quantity', 'a whole number in decimal digits', quantity)
}

/**
 * Checks a unit, and returns it in lower case: `'lovelace'`, or hex of a policy id and up to 32 bytes of asset name.
 *
 * @throws {@link InvalidArgumentError}
 */
export function assertUnit(unit: string): string {
  const isValid =
    unit === LOVELACE ||
    (typeof unit === 'string' &&
      unit.length >= POLICY_CHARACTERS &&
      unit.length <= POLICY_CHARACTERS + MAX_NAME_CHARACTERS &&
      isHex(unit))
  if (!isValid)
    throw new InvalidArgumentError(
      'unit',
      `"${LOVELACE}", or a policy id (56 hex characters) followed by the asset name (up to 64)`,
      unit
    )
  return unit.toLowerCase()
}

/** Reads the value of an output: `coin` or `[coin, multiasset]`. */
export function decodeValue(reader: CborReader): Value {
  const value: Value = new Map()
  if (reader.peekMajor() !== MAJOR.ARRAY) return value.set(LOVELACE, reader.readUint())
  const count = reader.readArrayHeader()
  value.set(LOVELACE, reader.readUint())
  decodeMultiAsset(reader, value)
  if (count < 0) reader.readBreak()
  else if (count !== 2) reader.fail('[coin, assets]', `${count} items`)
  return value
}

/** Reads a map of policies to maps of asset names to integers, and adds the amounts to `value`. */
export function decodeMultiAsset(reader: CborReader, value: Value): void {
  reader.eachEntry(() => {
    const policy = reader.readBytes()
    if (policy.length * 2 !== POLICY_CHARACTERS) reader.fail('a policy id of 28 bytes', `${policy.length} bytes`)
    const policyHex = bytesToHex(policy)
    reader.eachEntry(() => {
      const name = reader.readBytes()
      if (name.length * 2 > MAX_NAME_CHARACTERS) reader.fail('an asset name of up to 32 bytes', `${name.length} bytes`)
      addUnit(value, policyHex + bytesToHex(name), reader.readInt())
    })
  })
}

/** Writes a value in the ledger's order: policies sorted by bytes, asset names by length, then by bytes. */
export function encodeValue(writer: CborWriter, value: ReadonlyMap<string, bigint>): void {
  const lovelace = value.get(LOVELACE) ?? 0n
  if (value.size === (value.has(LOVELACE) ? 1 : 0)) writer.uint(lovelace)
  else {
    writer.array(2).uint(lovelace)
    encodeMultiAsset(writer, value)
  }
}

/** Writes the assets of a value, without its lovelace. */
export function encodeMultiAsset(writer: CborWriter, value: ReadonlyMap<string, bigint>): void {
  const policies = new Map<string, [name: Uint8Array, amount: bigint][]>()
  for (const [unit, amount] of value) {
    if (unit === LOVELACE) continue
    const policy = unit.slice(0, POLICY_CHARACTERS)
    const names = policies.get(policy) ?? []
    names.push([hexToBytes(unit.slice(POLICY_CHARACTERS), 'asset name'), amount])
    policies.set(policy, names)
  }
  writer.map(policies.size)
  for (const policy of [...policies.keys()].sort()) {
    const names = policies.get(policy)!.sort(([a], [b]) => compareBytes(a, b))
    writer.bytes(hexToBytes(policy, 'policy id')).map(names.length)
    for (const [name, amount] of names) writer.bytes(name).int(amount)
  }
}
