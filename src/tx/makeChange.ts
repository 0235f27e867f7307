import { CborWriter } from '../codec/cbor/writer.js'
import { minLovelace } from '../codec/txOutput.js'
import type { Value } from '../codec/value.js'
import { encodeValue, LOVELACE, valueToAmounts } from '../codec/value.js'
import type { TxOutput } from '../types/utxo.js'
import type { ResolvedTxParameters } from './parameters.js'

/** Outputs of the change, or the lovelace that is missing for them. */
export type Change =
  | { readonly outputs: TxOutput[]; readonly missingLovelace: 0n }
  | { readonly outputs: null; readonly missingLovelace: bigint }

/** Maximum size of an encoded lovelace amount, with its head. */
const COIN_BYTES = 9

/**
 * Makes the outputs of the change from the remaining value `left`: no output for an empty value, otherwise as few as
 * the limit on a value's size allows. Each gets the least lovelace that it must hold, and the first also the rest.
 */
export function makeChange(
  left: ReadonlyMap<string, bigint>,
  address: string,
  parameters: ResolvedTxParameters
): Change {
  if (left.size === 0) return { outputs: [], missingLovelace: 0n }
  const outputs = groupBySize(left, parameters.maxValueSize).map((group) => ({
    address,
    amount: valueToAmounts(group)
  }))
  let spare = left.get(LOVELACE) ?? 0n
  for (const output of outputs) {
    const minimum = minLovelace(output, parameters.coinsPerUtxoByte)
    output.amount[0]!.quantity = String(minimum)
    spare -= minimum
  }
  if (spare < 0n) return { outputs: null, missingLovelace: -spare }
  const first = outputs[0]!.amount[0]!
  first.quantity = String(BigInt(first.quantity) + spare)
  // A larger coin needs more bytes, and those cost lovelace too.
  const short = minLovelace(outputs[0]!, parameters.coinsPerUtxoByte) - BigInt(first.quantity)
  return short > 0n ? { outputs: null, missingLovelace: short } : { outputs, missingLovelace: 0n }
}

/** Splits the assets of a value, without lovelace, into groups whose encoded values stay within the size limit. */
function groupBySize(value: ReadonlyMap<string, bigint>, maxValueSize: number): Value[] {
  const groups: Value[] = [new Map()]
  for (const unit of [...value.keys()].filter((key) => key !== LOVELACE).sort()) {
    const group = groups.at(-1)!
    group.set(unit, value.get(unit)!)
    if (group.size === 1 || valueSizeBytes(group) <= maxValueSize) continue
    group.delete(unit)
    groups.push(new Map([[unit, value.get(unit)!]]))
  }
  return groups
}

/** Returns the size of a value with these assets and the largest possible lovelace amount. */
function valueSizeBytes(assets: ReadonlyMap<string, bigint>): number {
  const writer = new CborWriter()
  encodeValue(writer, assets)
  return writer.length + COIN_BYTES
}
