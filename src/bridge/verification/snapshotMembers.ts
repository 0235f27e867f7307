import { parseJson } from '../../codec/json.js'
import { VerificationError } from '../../errors/verification.js'
import type { UnverifiedSnapshot } from '../delivery/events.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { getOwn, isRecord } from '../protocol/wireRecord.js'

const SETS = ['utxo', 'utxoToCommit', 'utxoToDecommit'] as const

/** The transactions that a snapshot names, as objects. */
export function confirmedOf(snapshot: WireRecord): WireRecord[] {
  const confirmed = getOwn(snapshot, 'confirmed')
  return Array.isArray(confirmed) ? confirmed.filter(isRecord) : []
}

/** Removes the sender's marks: no transaction counts as proven. */
export function unmark(snapshot: unknown): void {
  if (!isRecord(snapshot)) return
  const confirmed = getOwn(snapshot, 'confirmed')
  if (Array.isArray(confirmed))
    snapshot['confirmed'] = confirmed.map((txId: unknown) => (typeof txId === 'string' ? { txId } : txId))
  for (const transaction of confirmedOf(snapshot)) transaction['verified'] = false
}

/** Names the pending outputs. */
export function pendingOf(snapshot: WireRecord): string {
  const keys = ['utxoToCommit', 'utxoToDecommit'].map((set) => Object.keys((getOwn(snapshot, set) ?? {}) as object))
  return JSON.stringify([getOwn(snapshot, 'version'), ...keys])
}

/** Leaves outputs out of a snapshot. */
export function leaveOut(snapshot: WireRecord, keys: readonly string[]): void {
  for (const set of SETS) for (const key of keys) delete (getOwn(snapshot, set) as WireRecord | null | undefined)?.[key]
}

/** A failed check. */
export const refused = (reason: VerificationError['reason'], detail: string): VerificationError =>
  new VerificationError(reason, detail)

/** A copy from which outputs can be left out without effect on the message. */
export function copyOfMembers(message: WireRecord): WireRecord {
  const snapshot = { ...(getOwn(message, 'snapshot') as WireRecord) }
  for (const set of SETS) if (isRecord(snapshot[set])) snapshot[set] = { ...snapshot[set] }
  return { ...message, snapshot }
}

/** Text that is not valid JSON stays text: the bridge reports it. */
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

/** The report of a snapshot that has failed. */
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
