import type { NativeScript } from '../codec/nativeScript.js'
import { isHex } from '../codec/hex.js'
import { InvalidArgumentError } from '../errors/input.js'
import { valueFromAmounts } from '../codec/value.js'
import type { TxInput, UTxO } from '../types/utxo.js'
import { isAmounts } from './assertions.js'
import { sortInputs } from './encodeTransaction.js'

/**
 * Returns an array of outputs with their references (`input`).
 *
 * @throws {@link InvalidArgumentError} on another value
 */
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

/** Returns outputs in the ledger's order of inputs: by transaction id, then by index. */
export function inLedgerOrder(inputs: readonly UTxO[]): UTxO[] {
  const byKey = new Map(inputs.map((utxo) => [inputKey(utxo.input), utxo]))
  return sortInputs(inputs.map(({ input }) => input)).map((input) => byKey.get(inputKey(input))!)
}

/** Returns the position of the output with the largest amount of a unit; -1 when no output has any. */
export function largest(pool: readonly UTxO[], unit: string): number {
  let best = -1
  let most = 0n
  pool.forEach(({ output }, index) => {
    const quantity = valueFromAmounts(output.amount).get(unit) ?? 0n
    if (quantity > most) [best, most] = [index, quantity]
  })
  return best
}

/** Returns all key hashes in a native script, at any depth. */
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
