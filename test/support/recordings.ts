import { parseJson } from '../../src/codec/json'
import { readShared } from './vectors'

/** What real nodes said and signed, beside a development checkout: `../shared/real`, amounts read without rounding. */
export function readRecording<T = any>(name: string): T {
  return parseJson(readShared(`real/${name}.json`)) as T
}

/** A SnapshotConfirmed of the recording, or what GET /snapshot answered. */
export interface RecordedSnapshot {
  readonly headId: string
  readonly snapshot: Record<string, any>
  readonly signatures: { readonly multiSignature: readonly string[] }
}

/** The two signed snapshots of 2.4.1. */
export interface SignedRecording {
  readonly hydraNodeVersion: string
  readonly headId: string
  readonly partyKeys: readonly string[]
  readonly withDeposit: RecordedSnapshot
  readonly withoutDeposit: RecordedSnapshot
}
