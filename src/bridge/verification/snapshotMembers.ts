import { parseJson } from '../../codec/json.js'
import { VerificationError } from '../../errors/verification.js'
import type { UnverifiedSnapshot } from '../delivery/events.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { getOwn, isRecord } from '../protocol/wireRecord.js'

const SETS = ['utxo', 'utxoToCommit', 'utxoToDecommit'] as const

/** Returns the transactions that a snapshot names, as objects. */
export function confirmedOf(snapshot: WireRecord): WireRecord[] {
  const confirmed = getOwn(snapshot, 'confirmed')
  return Array.isArray(confirmed) ? confirmed.filter(isRecord) : []
}

/** Overwrites `verified` marks of the sender, so that no transaction counts as proven yet. */
export function unmark(snapshot: unknown): void {
  if (!isRecord(snapshot)) return
  const confirmed = getOwn(snapshot, 'confirmed')
  if (Array.isArray(confirmed))
    snapshot['confirmed'] = confirmed.map((txId: unknown) => (typeof txId === 'string' ? { txId } : txId))
  for (const transaction of confirmedOf(snapshot)) transaction['verified'] = false
}

/** Returns a text that is equal for snapshots of the same version with the same pending outputs. */
export function pendingOf(snapshot: WireRecord): string {
  const keys = ['utxoToCommit', 'utxoToDecommit'].map((set) => Object.keys((getOwn(snapshot, set) ?? {}) as object))
  return JSON.stringify([getOwn(snapshot, 'version'), ...keys])
}

/** Removes outputs from a snapshot. */
export function omitOutputs(snapshot: WireRecord, keys: readonly string[]): void {
  for (const set of SETS) for (const key of keys) delete (getOwn(snapshot, set) as WireRecord | null | undefined)?.[key]
}

/** Returns the error of a failed check. */
export const refused = (reason: VerificationError['reason'], detail: string): VerificationError =>
  new VerificationError(reason, detail)

/** Returns a copy of a message, so that outputs can be removed from one of them without effect on the other. */
export function copyOfMembers(message: WireRecord): WireRecord {
  const snapshot = { ...(getOwn(message, 'snapshot') as WireRecord) }
  for (const set of SETS) if (isRecord(snapshot[set])) snapshot[set] = { ...snapshot[set] }
  return { ...message, snapshot }
}

/** Parses a message. A text that is not valid JSON is returned as it is; the bridge reports it. */
export function parsed(message: unknown): unknown {
  if (typeof message !== 'string') return message
  try {
    return parseJson(message, 'A message')
  } catch {
    return message
  }
}

export function isEmptySet(utxo: unknown): boolean {
  return utxo === undefined || utxo === null || (isRecord(utxo) && Object.keys(utxo).length === 0)
}

/** Returns the report (`onUnverified`) about a snapshot that has failed a check. */
export function toUnverified(
  error: VerificationError,
  source: UnverifiedSnapshot['source'],
  snapshot: unknown
): UnverifiedSnapshot {
  const { versions, reason, message } = error
  const [headId, number] = isRecord(snapshot) ? [getOwn(snapshot, 'headId'), getOwn(snapshot, 'number')] : []
  return {
    reason,
    detail: message,
    source,
    headId: typeof headId === 'string' ? headId : null,
    number: typeof number === 'number' ? number : null,
    ...(versions === undefined ? {} : { versions })
  }
}
