import { byteLengthOf } from '../log/bounds.js'
import type { OutRecord } from '../records.js'

/** Amounts in `out` since its newest base record (whole state). */
export interface SinceBase {
  readonly snapshots: number
  readonly records: number
  /** Total size of the records. */
  readonly bytes: number
}

/** Amounts when a base has just been written. */
export const NOTHING: SinceBase = { snapshots: 0, records: 0, bytes: 0 }

/** Returns the amounts after one further record. */
export function addRecord({ snapshots, records, bytes }: SinceBase, { kind }: OutRecord, text: string): SinceBase {
  return {
    snapshots: snapshots + (kind === 'snapshot' ? 1 : 0),
    records: records + 1,
    bytes: bytes + byteLengthOf(text)
  }
}
