import type { TxOutJson, UTxOObject } from '../protocol/types.js'

/** Outputs by key, in an order of their own. */
export interface OutputSet {
  readonly size: number
  has(key: string): boolean
  get(key: string): TxOutJson | undefined
  keys(): Iterable<string>
}

/** Returns the outputs of the node's JSON as a set. */
export function outputSet(utxo: UTxOObject): OutputSet {
  const keys = Object.keys(utxo)
  return { size: keys.length, has: (key) => Object.hasOwn(utxo, key), get: (key) => utxo[key], keys: () => keys }
}
