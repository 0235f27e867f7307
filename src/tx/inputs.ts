import type { NativeScript } from '../codec/nativeScript.js'
import { isHex } from '../codec/hex.js'
import { InvalidArgumentError } from '../errors/input.js'
import { valueFromAmounts } from '../codec/value.js'
import type { TxInput, UTxO } from '../types/utxo.js'
import { isAmounts } from './assertions.js'
import { sortInputs } from './encodeTransaction.js'

/** @throws {@link InvalidArgumentError} unless it is an array of outputs with their inputs. */
export function assertUtxos(utxos: readonly UTxO[]): readonly UTxO[] {
  if (!Array.isArray(utxos)) throw new InvalidArgumentError('utxos', 'an array of { input, output }', utxos)
  for (const utxo of utxos as (UTxO | null | undefined)[]) {
    const { input, output } = utxo ?? {}
    if (!input || !isAmounts(output?.amount))
      throw new InvalidArgumentError('utxos', '{ input, output } with an address and amounts', utxo)
    const { txHash, index } = input
    if (typeof txHash !== 'string' || txHash.length !== 64 || !isHex(txHash))
      throw new InvalidArgumentError('input.txHash', '64 hex characters', txHash)
    if (!Number.isSafeInteger(index) || index < 0)
      throw new InvalidArgumentError('input.index', 'a whole number from 0', index)
  }
  return utxos as readonly UTxO[]
}

/** Returns `txHash#index`, the key of an output in a map. */
export function inputKey({ txHash, index }: TxInput): string {
  return `${txHash.toLowerCase()}#${index}`
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
