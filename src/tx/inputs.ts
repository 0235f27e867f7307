import type { NativeScript } from '../codec/nativeScript.js'
import { InvalidArgumentError } from '../errors/input.js'
import { valueFromAmounts } from '../codec/value.js'
import type { TxInput, UTxO } from '../types/utxo.js'
import { sortInputs } from './encodeTransaction.js'

/** @throws {@link InvalidArgumentError} unless it is an array of outputs with their inputs. */
export function assertUtxos(utxos: readonly UTxO[]): readonly UTxO[] {
  if (Array.isArray(utxos) && utxos.every((utxo: Partial<UTxO> | null | undefined) => utxo?.input && utxo.output)) return utxos
  throw new InvalidArgumentError('utxos', 'an array of { input, output }', utxos)
}

/** `txHash#index`: what names an output in a map. */
export function inputKey({ txHash, index }: TxInput): string {
  return `${txHash}#${index}`
}

/** Inputs in the order in which the ledger numbers them. */
export function inLedgerOrder(inputs: readonly UTxO[]): UTxO[] {
  const byKey = new Map(inputs.map((utxo) => [inputKey(utxo.input), utxo]))
  return sortInputs(inputs.map(({ input }) => input)).map((input) => byKey.get(inputKey(input))!)
}

/** Position of the output that holds most of a unit, or -1 when none holds any. */
export function largest(pool: readonly UTxO[], unit: string): number {
  let best = -1
  let most = 0n
  pool.forEach(({ output }, index) => {
    const held = valueFromAmounts(output.amount).get(unit) ?? 0n
    if (held > most) [best, most] = [index, held]
  })
  return best
}

/** Key hashes that a native script names anywhere. */
export function keyHashesOf(script: NativeScript): string[] {
  switch (script.type) {
    case 'sig':
      return [script.keyHash]
    case 'all':
    case 'any':
    case 'atLeast':
      return script.scripts.flatMap(keyHashesOf)
    case 'after':
    case 'before':
      return []
  }
}
