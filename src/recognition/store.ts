import { described, LayerSdkError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { Hex } from '../types/utxo.js'
import type { VerificationRule } from '../verify/index.js'

/** The newest verified snapshot of a head, as a store keeps it: plain JSON. */
export interface VerifiedRecord {
  /** Id of the head: hex, 56 characters. */
  readonly headId: Hex
  /** Version of the snapshot. */
  readonly version: number
  /** Number of the snapshot. */
  readonly number: number
  /** Rule that its signatures follow; null where the chain itself proved it. */
  readonly rule: VerificationRule | null
  /** True: its pending deposit or decommit had been carried out on the base ledger. */
  readonly settled: boolean
  /** Units of the tokens that were minted in the head. */
  readonly mintedInside: readonly string[]
  /** The snapshot and its signatures as JSON text. */
  readonly bundle: string
}

/**
 * Store of the newest verified snapshot of each head: with it no older one is accepted later, and one is available
 * offline.
 */
export interface RecognitionStore {
  /** Returns the record of a head; null or undefined when there is none. */
  get(headId: Hex): VerifiedRecord | null | undefined | Promise<VerifiedRecord | null | undefined>
  /** Replaces the record of a head. */
  set(headId: Hex, record: VerifiedRecord): void | Promise<void>
}

/**
 * Creates a store in memory, which lasts as long as the program runs.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'layer-sdk/recognition'
 * const store = createMemoryStore()
 * console.log(await store.get('00'.repeat(28))) // undefined
 * ```
 */
export function createMemoryStore(): RecognitionStore {
  const records = new Map<Hex, VerifiedRecord>()
  return { get: (headId) => records.get(headId), set: (headId, record) => void records.set(headId, record) }
}

/** Reads the record of a head; null if there is none, or if it is of another head or damaged. */
export async function readRecord(store: RecognitionStore | undefined, headId: Hex): Promise<VerifiedRecord | null> {
  if (store === undefined) return null
  const record = await calledStore(() => store.get(headId))
  const isUsable =
    typeof record === 'object' &&
    record !== null &&
    record.headId === headId &&
    Number.isSafeInteger(record.version) &&
    Number.isSafeInteger(record.number) &&
    typeof record.settled === 'boolean' &&
    typeof record.bundle === 'string' &&
    Array.isArray(record.mintedInside)
  return isUsable ? record : null
}

/** Writes a record, unless another call has written a newer one meanwhile. */
export async function writeRecord(store: RecognitionStore | undefined, record: VerifiedRecord): Promise<void> {
  if (store === undefined) return
  const present = await readRecord(store, record.headId)
  const isOlder =
    present !== null &&
    (record.version < present.version || (record.version === present.version && record.number < present.number))
  if (!isOlder) await calledStore(() => store.set(record.headId, record))
}

async function calledStore<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof LayerSdkError) throw error
    throw new InvalidArgumentError('store', 'a store whose get and set do not fail', described('one that failed'))
  }
}
