import { LayerSdkError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { Hex } from '../types/utxo.js'
import type { VerificationRule } from '../verify/index.js'

/** The newest verified snapshot of a head, as a store keeps it: plain JSON. */
export interface VerifiedRecord {
  /** Head: hex, 56 characters. */
  readonly headId: Hex
  /** Version of the snapshot. */
  readonly version: number
  /** Its number. */
  readonly number: number
  /** Rule of its signatures; null where the chain itself proved it. */
  readonly rule: VerificationRule | null
  /** True: its pending step had landed. */
  readonly settled: boolean
  /** Units that had been minted inside. */
  readonly mintedInside: readonly string[]
  /** The snapshot as JSON text. */
  readonly bundle: string
}

/** Keeps the newest verified snapshot of each head: so no older one is accepted later, and one is at hand offline. */
export interface RecognitionStore {
  /** The record of a head; null or undefined when there is none. */
  get(headId: Hex): VerifiedRecord | null | undefined | Promise<VerifiedRecord | null | undefined>
  /** Replaces the record of a head. */
  set(headId: Hex, record: VerifiedRecord): void | Promise<void>
}

/**
 * A store in memory, for as long as the program runs.
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

/** Reads the record of a head; null for another head's or a damaged one. */
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
    throw new InvalidArgumentError('store', 'a store whose get and set do not fail', 'one that failed')
  }
}
