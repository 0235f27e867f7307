import type { Accelerator, AccumulatorValue } from '../accumulator/inner.js'
import { accumulateElements, fail, hashOfSet, readUtxoSet, reading } from '../accumulator/inner.js'
import { isBytes } from '../codec/bytes.js'
import type { Hex } from '../types/utxo.js'
import { assertAccelerator } from './accelerator.js'
import { elementsOf } from './snapshotMessage.js'
import type { AnyUtxo, SnapshotOutputs } from './types.js'
import { optionsOf, typedRejections } from './verdict.js'

/**
 * Options of the functions that compute an accumulator (the commitment to a head's outputs that the parties sign) or
 * proofs from it, such as {@link snapshotAccumulator}.
 */
export interface AcceleratorOptions {
  /** Faster replacement for the code that computes the accumulator. @default `@noble/curves`, pure JavaScript */
  readonly accelerator?: Accelerator | undefined
}

/**
 * Returns the SHA-256 of a UTxO set's outputs in the order of their inputs, as the parties sign it: hex, 64 characters.
 * Outputs at Byron addresses are left out, as the node does.
 *
 * @throws {@link VerificationError} with reason `output`.
 * @example
 * ```ts
 * import { utxoHash } from 'layer-sdk/verify'
 * console.log(utxoHash({})) // e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
 * ```
 */
export function utxoHash(utxo: AnyUtxo): Hex {
  return hashOfSet(utxo)
}

/**
 * Computes the accumulator of elements. An element is any bytes, and equal elements count separately.
 *
 * @throws {@link VerificationError} with reason `too-large` beyond 4,095 elements.
 * @example
 * ```ts
 * import { accumulate } from 'layer-sdk/verify'
 * console.log((await accumulate([])).hash) // 34758143d508cf8e757b5298b216d453759175423c5987685c8c043713bebc31
 * ```
 */
export function accumulate(
  elements: readonly Uint8Array[],
  options: AcceleratorOptions = {}
): Promise<AccumulatorValue> {
  return typedRejections(async () => {
    const { accelerator } = optionsOf(options)
    const checked = reading('input', 'The elements', () => {
      if (!Array.isArray(elements)) return fail('input', 'The elements', 'an array of Uint8Array', elements)
      return Array.from(elements as unknown[], (element) =>
        isBytes(element) ? element : fail('input', 'An element', 'a Uint8Array', element)
      )
    })
    return accumulateElements(checked, assertAccelerator(accelerator))
  })
}

/**
 * Computes the accumulator of a snapshot's outputs, pending ones included. The parties sign it from node 2.2 on.
 *
 * The time grows with the number of outputs. Only as many points of the trusted setup as needed are loaded, 16 to 262
 * KB.
 *
 * @throws {@link VerificationError} with reason `output` or `too-large`.
 * @example
 * ```ts
 * import { snapshotAccumulator } from 'layer-sdk/verify'
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const { commitment, hash } = await snapshotAccumulator({ utxo: { [`${'00'.repeat(32)}#0`]: { address, value: { lovelace: 5000000 } } } })
 * console.log(commitment.length, hash.length) // 96 64
 * ```
 */
export function snapshotAccumulator(outputs: SnapshotOutputs & AcceleratorOptions): Promise<AccumulatorValue> {
  return typedRejections(async () => {
    const { utxo, utxoToCommit, utxoToDecommit, accelerator } = optionsOf(outputs)
    const elements = elementsOf({
      utxo: readUtxoSet(utxo, 'The utxo'),
      toCommit: readUtxoSet(utxoToCommit, 'The utxoToCommit'),
      toDecommit: readUtxoSet(utxoToDecommit, 'The utxoToDecommit')
    })
    return accumulateElements(elements, assertAccelerator(accelerator))
  })
}
