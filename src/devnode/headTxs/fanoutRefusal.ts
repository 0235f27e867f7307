import { CborWriter } from '../../codec/cbor/writer.js'
import { encodeTxOutput } from '../../codec/txOutput.js'
import type { Value } from '../../codec/value.js'
import { addValue, encodeValue, LOVELACE } from '../../codec/value.js'
import * as show from '../rules/failures.js'
import type { LedgerParameters } from '../rules/LedgerParameters.js'
import { outputSizeFailures } from '../rules/outputSizeFailures.js'
import type { LedgerEntry, UtxoView } from '../rules/utxoSet.js'

/** Bytes of a fanout beside its outputs: the head's input, its redeemer, the proof and the fee. */
const ENVELOPE_BYTES = 840

/** A step of a fanout as the base ledger sees it. */
interface FanoutStep {
  /** Outputs that it pays. */
  readonly utxo: UtxoView
  /** True when it leaves no output in the head: the tokens of the head are burned with it. */
  readonly isLast: boolean
  /** The head's output; undefined where the local head keeps none. */
  readonly current: LedgerEntry | undefined
  readonly headId: string
  /** Of the base ledger. */
  readonly parameters: LedgerParameters
}

/**
 * Returns the reasons of the base ledger against a step of a fanout; none when it accepts the step. Outputs obey the
 * base ledger's rules and not the head's, and tokens that the head's output does not hold cannot be paid.
 */
export function fanoutRefusal({ utxo, isLast, current, headId, parameters }: FanoutStep): readonly string[] {
  const { entries } = utxo
  return [
    ...(current === undefined ? [] : balanceFailures(entries, isLast, current.value, headId)),
    ...outputFailures(entries, parameters)
  ].map(show.utxoFailure)
}

/**
 * Returns a reason unless the head's tokens cover the paid ones, in the last step exactly. Ada is not compared, because
 * the wallet pays the fee and receives the rest.
 */
function balanceFailures(entries: readonly LedgerEntry[], isLast: boolean, headValue: Value, headId: string): string[] {
  const paid: Value = new Map()
  for (const { value } of entries) addValue(paid, value)
  const units = new Set([...headValue.keys(), ...paid.keys()])
  const isBalanced = [...units].every((unit) => {
    if (unit === LOVELACE || unit.startsWith(headId)) return true
    const left = (headValue.get(unit) ?? 0n) - (paid.get(unit) ?? 0n)
    return isLast ? left === 0n : left >= 0n
  })
  return isBalanced
    ? []
    : [`ValueNotConservedUTxO ${show.showMismatch(show.showValue(headValue), show.showValue(paid))}`]
}

function outputFailures(entries: readonly LedgerEntry[], parameters: LedgerParameters): string[] {
  const sized = entries.map(({ output, value }) => ({
    output,
    value,
    sizes: { output: encodeTxOutput(output).length, value: sizeOfValue(value) }
  }))
  const failures = outputSizeFailures(sized, parameters)
  // The local head pays all outputs in one step: only one that no step could hold is refused.
  const least = ENVELOPE_BYTES + sized.reduce((largest, { sizes }) => Math.max(largest, sizes.output), 0)
  if (least > parameters.maxTxSize)
    failures.push(`MaxTxSizeUTxO ${show.showMismatch(String(least), String(parameters.maxTxSize))}`)
  return failures
}

function sizeOfValue(value: Value): number {
  const writer = new CborWriter()
  encodeValue(writer, value)
  return writer.toBytes().length
}
