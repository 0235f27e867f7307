import type { TxOutJson, UTxOObject } from '../bridge/inner.js'

/** Outputs by key, `'txHash#index'`: those of snapshot n, S(n), or a part of them. */
export type Outputs = ReadonlyMap<string, TxOutJson>

/** Change from some outputs to others. An output never changes under its key. */
export interface OutputsChange {
  /** Outputs that are gone: their addresses by key. */
  readonly spent: ReadonlyMap<string, string>
  /** Outputs that are new. */
  readonly made: Outputs
}

/** Returns S(n): the outputs of a snapshot, including those of its pending deposit. */
export function outputsOf({
  utxo,
  utxoToCommit
}: {
  readonly utxo?: UTxOObject | null
  readonly utxoToCommit?: UTxOObject | null
}): Map<string, TxOutJson> {
  return new Map([...Object.entries(utxo ?? {}), ...Object.entries(utxoToCommit ?? {})])
}

/** Returns the change from `before` to `after`. */
export function changeBetween(before: Outputs, after: Outputs): OutputsChange {
  const spent = new Map<string, string>()
  const made = new Map<string, TxOutJson>()
  for (const [key, { address }] of before) if (!after.has(key)) spent.set(key, address)
  for (const [key, output] of after) if (!before.has(key)) made.set(key, output)
  return { spent, made }
}
