import type { Accelerator, AccumulatorValue, SetEntry } from '../accumulator/inner.js'
import {
  accumulateElements,
  accumulateRoots,
  elementOf,
  readUtxoSet,
  rootOf,
  sha256,
  unionOf
} from '../accumulator/inner.js'
import { concatBytes, compareBytes } from '../codec/bytes.js'
import { bytesToHex } from '../codec/hex.js'
import { mapInSteps, nextTurn, SMALL_SET } from './inSteps.js'
import type { Bundle, OutputsByRef } from './readBundle.js'

/** Number of outputs that are read before other tasks may run. */
const OUTPUTS_A_READ = 256
/** Maximum number of sets whose commitments are remembered. */
const MAX_REMEMBERED = 64

/**
 * Cache of the commitments to sets of outputs, by a hash of their elements: at most 64. It saves computing the same
 * commitment again.
 *
 * @example
 * ```ts
 * import { SetMemo } from 'layer-sdk/recognition'
 * const memo = new SetMemo() // the member `memo` of the material: equal outputs are committed to once
 * ```
 */
export class SetMemo {
  readonly #values = new Map<string, AccumulatorValue>()

  /** Returns the commitment to a set, if it is known. */
  get(key: string): AccumulatorValue | undefined {
    return this.#values.get(key)
  }

  /** Remembers a commitment; the oldest one is dropped at the limit. */
  set(key: string, value: AccumulatorValue): void {
    if (this.#values.size >= MAX_REMEMBERED) this.#values.delete(this.#values.keys().next().value!)
    this.#values.set(key, value)
  }
}

/** Options for computing the commitment to a set. */
export interface BindOptions {
  readonly memo?: SetMemo | undefined
  readonly accelerator?: Accelerator | undefined
}

/** Reads the three sets of a snapshot strictly; their entries are in no order. @throws {@link VerificationError} */
export async function readSets({
  utxo,
  toCommit,
  toDecommit
}: Bundle): Promise<Readonly<Record<'utxo' | 'toCommit' | 'toDecommit', SetEntry[]>>> {
  return {
    utxo: await readSet(utxo, 'The utxo of the snapshot'),
    toCommit: await readSet(toCommit, 'The utxoToCommit of the snapshot'),
    toDecommit: await readSet(toDecommit, 'The utxoToDecommit of the snapshot')
  }
}

async function readSet(outputs: OutputsByRef, what: string): Promise<SetEntry[]> {
  const refs = Object.keys(outputs)
  if (refs.length <= SMALL_SET) return readUtxoSet(outputs, what)
  const entries: SetEntry[] = []
  for (let from = 0; from < refs.length; from += OUTPUTS_A_READ) {
    await nextTurn()
    const part = refs.slice(from, from + OUTPUTS_A_READ).map((ref) => [ref, outputs[ref]])
    entries.push(...readUtxoSet(Object.fromEntries(part), what))
  }
  return entries
}

/**
 * Returns true when two sets have a reference in common. The accumulator would count it once and a sum over both sets
 * twice; no node writes such a snapshot.
 */
export function overlaps(...sets: readonly (readonly SetEntry[])[]): boolean {
  const keys = new Set<string>()
  for (const { key } of sets.flat()) {
    if (keys.has(key)) return true
    keys.add(key)
  }
  return false
}

/** Computes the commitment to the outputs of sets, once for the same outputs. @throws {@link VerificationError} */
export async function commitTo(
  sets: readonly (readonly SetEntry[])[],
  { memo, accelerator }: BindOptions
): Promise<AccumulatorValue> {
  const elements = await mapInSteps(unionOf(...sets), ({ data }) => elementOf(data))
  const key = memo === undefined ? '' : bytesToHex(sha256(concatBytes(...[...elements].sort(compareBytes))))
  const cached = memo?.get(`${elements.length} ${key}`)
  if (cached !== undefined) return cached
  const value =
    elements.length <= SMALL_SET
      ? await accumulateElements(elements, accelerator)
      : await accumulateRoots(await mapInSteps(elements, rootOf), { pause: nextTurn, accelerator })
  memo?.set(`${elements.length} ${key}`, value)
  return value
}
