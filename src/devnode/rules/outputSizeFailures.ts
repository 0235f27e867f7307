import { minLovelaceOfSize } from '../../codec/txOutput.js'
import type { Value } from '../../codec/value.js'
import { LOVELACE } from '../../codec/value.js'
import type { TxOutput } from '../../types/utxo.js'
import * as show from './failures.js'
import type { LedgerParameters } from './LedgerParameters.js'

/** An output, its value, and the bytes that each takes. */
export interface SizedOutput {
  readonly output: TxOutput
  readonly value: Value
  readonly sizes: { readonly output: number; readonly value: number }
}

/** Returns the failures of outputs with too little lovelace for their size, and with too large a value. */
export function outputSizeFailures(
  outputs: readonly SizedOutput[],
  { coinsPerUtxoByte, maxValueSize }: Pick<LedgerParameters, 'coinsPerUtxoByte' | 'maxValueSize'>
): string[] {
  const small: string[] = []
  const big: string[] = []
  for (const { output, value, sizes } of outputs) {
    const least = minLovelaceOfSize(sizes.output, coinsPerUtxoByte)
    const shown = show.showOutput({ output, value })
    if ((value.get(LOVELACE) ?? 0n) < least) small.push(`(${shown},${show.showCoin(least)})`)
    // Alonzo Rules/Utxo.hs:438: a left fold that conses, so the last comes first.
    if (sizes.value > maxValueSize) big.unshift(`(${sizes.value},${maxValueSize},${shown})`)
  }
  const failures: string[] = []
  if (small.length > 0) failures.push(`BabbageOutputTooSmallUTxO [${small.join(',')}]`)
  if (big.length > 0) failures.push(`OutputTooBigUTxO [${big.join(',')}]`)
  return failures
}
