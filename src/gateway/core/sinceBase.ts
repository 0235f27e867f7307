import { byteLengthOf } from '../log/bounds.js'
import type { OutRecord } from '../records.js'

/** Amounts that follow the newest base in `out`. */
export interface SinceBase {
  readonly snapshots: number
  readonly records: number
  /** Of the records' texts. */
  readonly bytes: number
}

/** A base has just been written. */
export const NOTHING: SinceBase = { snapshots: 0, records: 0, bytes: 0 }

/** Returns the amounts with one record more. */
export function addRecord({ snapshots, records, bytes }: SinceBase, { kind }: OutRecord, text: string): SinceBase {
  return {
    snapshots: snapshots + (kind === 'snapshot' ? 1 : 0),
    records: records + 1,
    bytes: bytes + byteLengthOf(text)
  }
}
