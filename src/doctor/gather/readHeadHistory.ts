import { decodePayload, replayHistory } from '../../bridge/inner.js'
import { FundsLog } from '../facts/FundsLog.js'
import type { DepositFacts, HistoryFacts } from '../facts/HeadFacts.js'
import type { NodeReader } from './NodeReader.js'

/** Time limit for reading the whole history, ms. */
const HISTORY_MS = 60_000
/** Messages that move funds, or show the state of the node; all others are only counted. */
const FUNDS =
  /"tag":\s*"(HeadIsInitializing|HeadIsOpen|Commit\w+|Deposit\w+|Decommit\w+|EventLogRotated|SyncedStatusReport|NodeUnsynced)"/

/** Reads the stored history of a node: its messages are counted while they stream, and are not kept. */
export async function readHeadHistory(reader: NodeReader): Promise<HistoryFacts> {
  if (!reader.connector.capabilities.history) throw new Error('this connection has no history')
  const funds = new FundsLog()
  const counts = { bytes: 0, transactions: 0, drift: -1, finalAt: -1 }
  const read = (message: string): void => {
    counts.bytes += message.length
    if (message.includes('"TxValid"')) counts.transactions++
    else if (FUNDS.test(message)) apply(message, funds, counts)
  }
  await replayHistory(reader.connector, true, read, { timeoutMs: HISTORY_MS, signal: reader.signal })
  return {
    complete: funds.complete,
    bytes: counts.bytes,
    transactions: counts.transactions,
    entered: Object.fromEntries([...funds.entered].map(([unit, quantity]) => [unit, String(quantity)])),
    deposits: depositsOf(funds),
    decommitFinalizedAt: counts.finalAt < 0 ? null : counts.finalAt,
    maxDrift: counts.drift < 0 ? null : counts.drift
  }
}

function apply(message: string, funds: FundsLog, counts: { drift: number; finalAt: number }): void {
  try {
    const payload = decodePayload(message, 0)
    funds.apply(payload)
    if (payload.tag === 'EventLogRotated') funds.markGap()
    if (payload.tag === 'SyncedStatusReport' || payload.tag === 'NodeUnsynced')
      counts.drift = Math.max(counts.drift, Number(payload.drift) || 0)
    if (payload.tag === 'DecommitFinalized') counts.finalAt = Math.max(counts.finalAt, Date.parse(payload.timestamp))
  } catch {
    // A message that cannot be decoded may have moved funds.
    funds.markGap()
  }
}

/** Deposits of a log, with the times that the judges need. */
export function depositsOf(funds: FundsLog): DepositFacts[] {
  return funds.deposits.map(({ id, times, deadline, step }) => ({
    txId: id,
    recordedAt: times.recorded ?? null,
    activatedAt: times.activated ?? null,
    recoverableAt: deadline,
    approved: step === 'approved' || times.approved !== undefined
  }))
}
