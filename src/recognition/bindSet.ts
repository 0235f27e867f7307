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

/** Outputs that are read between two turns of the event loop. */
const OUTPUTS_A_READ = 256
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

/** The three sets of a snapshot, read strictly. Their entries come in no order. @throws {@link VerificationError} */
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
  const elements = await mapInSteps(unionOf(...sets), ({ data }) => elementOf(data))
  const key = memo === undefined ? '' : bytesToHex(sha256(concatBytes(...[...elements].sort(compareBytes))))
  const known = memo?.get(`${elements.length} ${key}`)
  if (known !== undefined) return known
  const value =
    elements.length <= SMALL_SET
      ? await accumulateElements(elements, accelerator)
      : await accumulateRoots(await mapInSteps(elements, rootOf), { pause: nextTurn, accelerator })
  memo?.set(`${elements.length} ${key}`, value)
  return value
}
