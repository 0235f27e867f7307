import type { VerificationError } from '../../errors/verification.js'
import { runInTasks } from '../../net/nextTask.js'
import type { ConnectorReply } from '../connection/Connector.js'
import { readSnapshotReply } from '../head/readMessage.js'
import type { ReadSnapshotReply } from '../head/readMessage.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { getOwn } from '../protocol/wireRecord.js'
import { bringsOutputs, snapshotOf } from './ArrivedMessage.js'
import type { SnapshotChecks } from './SnapshotChecks.js'
import { isEmptySet, refused, unmark } from './snapshotMembers.js'
import type { VerificationListener } from './types.js'

/** Error for a snapshot without outputs: up to 2.1 the outputs themselves are signed, and are needed for the check. */
export const NEEDS_OUTPUTS: VerificationError = refused('rule', 'The snapshot has no outputs that could be verified.')

/** Reads a reply to GET /snapshot. @returns null for an unreadable one, which is checked as it came, and rejected */
export function readReply(
  texts: VerificationListener['texts'],
  { status, text }: ConnectorReply
): Promise<ReadSnapshotReply | null> {
  return runInTasks(readSnapshotReply(texts, status, text)).catch(() => null)
}

/** Checks the body of a reply to GET /snapshot. @returns the outputs as they were read, or the error of the body */
export async function checkReply(
  checks: SnapshotChecks,
  body: WireRecord,
  { read, text, least }: { read: ReadSnapshotReply | null; text: string; least: number }
): Promise<{ outputs: ReadSnapshotReply['outputs'] } | VerificationError> {
  const snapshot = snapshotOf(body)
  unmark(snapshot)
  if (getOwn(body, 'tag') !== 'InitialSnapshot') {
    if (snapshot !== null && !bringsOutputs(snapshot)) return NEEDS_OUTPUTS
    return checks.check({ holder: body, outputs: read?.outputs ?? null, text }, { least })
  }
  if (!checks.isWanted(getOwn(body, 'headId'))) return refused('input', 'The snapshot is of another head.')
  if (!isEmptySet(getOwn(body, 'initialUTxO'))) return refused('initial', 'The initial snapshot is not signed.')
  return checks.stalenessOf({ headId: getOwn(body, 'headId'), number: 0 }, least) ?? { outputs: null }
}
