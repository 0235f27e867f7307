import type { TextOutputs } from '../head/SnapshotTexts.js'
import type { LayerPayload } from '../protocol/messages.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { getOwn, isRecord } from '../protocol/wireRecord.js'

/** A message that the bridge has read. */
export interface ArrivedMessage {
  readonly payload: LayerPayload
  /** Its outputs, where they have been read from its text. */
  readonly outputs: TextOutputs | null
  /** Its text; null for one that came as a value. */
  readonly text: string | null
  /** ms since the Unix epoch. */
  readonly receivedAt: number
  /** Characters of its text. */
  readonly weight: number
}

/** A snapshot and its signatures that have not been checked. */
export interface ClaimedSnapshot {
  /** The message or answer that contains it. */
  readonly holder: WireRecord
  /** The outputs of its text, where they have been read. */
  readonly outputs: TextOutputs | null
  readonly text: string | null
}

/** Returns a payload as a record, for access to any member. */
export const recordOf = (payload: unknown): WireRecord => payload as WireRecord

/** Returns the snapshot of a message; null where it has none. */
export function snapshotOf(holder: WireRecord): WireRecord | null {
  const snapshot = getOwn(holder, 'snapshot')
  return isRecord(snapshot) ? snapshot : null
}

/** Returns true when a snapshot has its outputs. Does not access them, as that may parse their text. */
export function bringsOutputs(snapshot: WireRecord): boolean {
  const member = Object.getOwnPropertyDescriptor(snapshot, 'utxo')
  return member?.get !== undefined || (member?.value ?? null) !== null
}

/** Returns a copy of a snapshot without its outputs. Does not access them, as that may parse their text. */
export function withoutOutputs(snapshot: WireRecord): WireRecord {
  const copy: WireRecord = {}
  for (const name of Object.keys(snapshot)) if (name !== 'utxo') copy[name] = snapshot[name]
  return copy
}
