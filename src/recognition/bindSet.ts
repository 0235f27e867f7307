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
import { nextTask } from '../net/nextTask.js'
import type { Bundle } from './readBundle.js'

/** Sets beyond so many outputs are accumulated in parts, so that a page stays responsive. */
const SMALL_SET = 256
/** Sets whose commitments are remembered. */
const MAX_REMEMBERED = 64

/**
 * The commitments of sets that were computed before, by a hash of their elements: at most 64.
 *
 * @example
 * ```ts
 * import { SetMemo } from 'layer-sdk/recognition'
 * const memo = new SetMemo() // the member `memo` of the material: equal outputs are committed to once
 * ```
 */
export class SetMemo {
  readonly #values = new Map<string, AccumulatorValue>()

  /** The commitment of a set, if it is known. */
  get(key: string): AccumulatorValue | undefined {
    return this.#values.get(key)
  }

  /** Remembers a commitment; the oldest gives way. */
  set(key: string, value: AccumulatorValue): void {
    if (this.#values.size >= MAX_REMEMBERED) this.#values.delete(this.#values.keys().next().value!)
    this.#values.set(key, value)
  }
}

/** How a set is committed to. */
export interface BindOptions {
  readonly memo?: SetMemo | undefined
  readonly accelerator?: Accelerator | undefined
}

/** The three sets of a snapshot, read strictly. @throws {@link VerificationError} */
export function readSets({
  utxo,
  toCommit,
  toDecommit
}: Bundle): Readonly<Record<'utxo' | 'toCommit' | 'toDecommit', SetEntry[]>> {
  return {
    utxo: readUtxoSet(utxo, 'The utxo of the snapshot'),
    toCommit: readUtxoSet(toCommit, 'The utxoToCommit of the snapshot'),
    toDecommit: readUtxoSet(toDecommit, 'The utxoToDecommit of the snapshot')
  }
}

/**
 * True when a reference stands in two sets: the accumulator counts it once, so that a sum over both would count it
 * twice. No node writes such a snapshot.
 */
export function overlaps(...sets: readonly (readonly SetEntry[])[]): boolean {
  const keys = new Set<string>()
  for (const { key } of sets.flat()) {
    if (keys.has(key)) return true
    keys.add(key)
  }
  return false
}

/** The commitment to the outputs of sets; computed once for the same outputs. @throws {@link VerificationError} */
export async function commitTo(
  sets: readonly (readonly SetEntry[])[],
  { memo, accelerator }: BindOptions
): Promise<AccumulatorValue> {
  const elements = unionOf(...sets).map(({ data }) => elementOf(data))
  const key = memo === undefined ? '' : bytesToHex(sha256(concatBytes(...[...elements].sort(compareBytes))))
  const known = memo?.get(`${elements.length} ${key}`)
  if (known !== undefined) return known
  const value =
    elements.length <= SMALL_SET
      ? await accumulateElements(elements, accelerator)
      : await accumulateRoots(elements.map(rootOf), { pause: nextTurn, accelerator })
  memo?.set(`${elements.length} ${key}`, value)
  return value
}

/** Lets other tasks of the thread run. */
const nextTurn = (): Promise<void> => new Promise((resolve) => nextTask(resolve))
