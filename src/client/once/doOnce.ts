import { isLayerError } from '../../errors/base.js'
import { IdReusedError } from '../../errors/journal.js'
import type { JournalAction, JournalEntry } from '../../types/journal.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'
import { EntryRecord } from '../EntryRecord.js'
import { ENTRY_VERSION, argumentsHash } from '../journalEntry.js'
import { walletNetwork } from './walletNetwork.js'

/** A request for work that is done once for an id. */
export interface OnceRequest<Result> {
  readonly id: string | undefined
  readonly action: JournalAction
  /** JSON values that identify the work: a call with the same id and other values is refused. */
  readonly key: unknown
  /** JSON values that are stored, from which a later process builds the transactions again. */
  readonly args: unknown
  readonly deadline: Deadline
  /** Reads the result from a confirmed entry. */
  readonly read: (entry: JournalEntry) => Result
}

/**
 * Does work once for an id: a later call returns the first one's result, or continues work that is still open. Without
 * an id it is done each time.
 *
 * @param work - does the work, or continues it when the record shows that it was begun
 * @throws {@link IdReusedError}
 */
export async function doOnce<Result>(
  context: ClientContext,
  request: OnceRequest<Result>,
  work: (record: EntryRecord | null) => Promise<Result>
): Promise<Result> {
  const { id, action, key, deadline, read } = request
  if (id === undefined) return work(null)
  const { records } = context.account
  const argsHash = argumentsHash(action, key)
  const done = doneBefore(context, request, argsHash)
  if (done !== null) return read(done)
  await context.connection.ready(action, deadline)
  const doneEntry = doneBefore(context, request, argsHash)
  if (doneEntry !== null) return read(doneEntry)
  const running = records.running.get(id)
  if (running !== undefined) {
    await deadline.race(running, 'the payment of this id, which is under way')
    return read(records.get(id)!)
  }
  if (records.get(id) === undefined) records.set(newEntry(context, request, argsHash))
  const record = new EntryRecord(records, id, true)
  const run = records.run(id, () => runRecorded(context, record, deadline, () => work(record)))
  try {
    return await run
  } finally {
    record.endCall()
  }
}

/**
 * Runs the work of a record, and records a failure, so that a payment whose caller was told that it failed is not sent
 * again.
 */
async function runRecorded<Result>(
  context: ClientContext,
  record: EntryRecord,
  deadline: Deadline,
  work: () => Promise<Result>
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { parts } = record.entry
    const sent = (txId: string): boolean => record.wasSent(txId) || wasSent(context, txId)
    const isOut = parts.some(({ txs }) => txs.some(({ txId }) => sent(txId)))
    const isUndecided = isLayerError(error, 'CLIENT_OUTCOME_UNKNOWN') || deadline.isOver || isGone(error)
    if (!isOut || !isUndecided) await record.fail(failedStep(record.entry), sent)
    throw error
  }
}

/**
 * Returns the step to record for a failure: `new`, `expired` and `recovered` are kept, because a deposit that expired
 * can be recovered.
 */
function failedStep({ step }: JournalEntry): string {
  return ['new', 'expired', 'recovered'].includes(step) ? step : 'failed'
}

/** True for a transaction that this process has given to the bridge, or that an earlier one may have sent. */
export function wasSent({ txs, settled }: ClientContext, txId: string): boolean {
  return txs.get(txId) !== undefined || txs.refused(txId) !== undefined || settled.has(txId)
}

/** True when the connection ended for good. */
export function isGone(error: unknown): boolean {
  return (['BRIDGE_DISCONNECTED', 'BRIDGE_NOT_CONNECTED', 'BRIDGE_RECONNECT_EXHAUSTED'] as const).some((code) =>
    isLayerError(error, code)
  )
}

/** Returns the entry of an id that is confirmed. @throws {@link IdReusedError} */
function doneBefore<Result>(
  { account: { records } }: ClientContext,
  { id, action }: OnceRequest<Result>,
  argsHash: string
): JournalEntry | null {
  const entry = records.get(id!)
  if (entry === undefined) return null
  if (entry.action !== action || entry.argsHash !== argsHash) throw new IdReusedError(entry.id, action, entry.action)
  return entry.state === 'confirmed' ? entry : null
}

function newEntry<Result>(
  context: ClientContext,
  { id, action, args }: OnceRequest<Result>,
  argsHash: string
): JournalEntry {
  const [wallet = null] = context.account.addresses ?? []
  const now = Date.now()
  return {
    version: ENTRY_VERSION,
    id: id!,
    action,
    argsHash,
    args,
    headId: context.bridge.getSnapshot().headId ?? '',
    network: walletNetwork(context),
    wallet,
    state: 'open',
    step: 'new',
    parts: [],
    result: null,
    createdAt: now,
    updatedAt: now
  }
}
