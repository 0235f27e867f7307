import type { Connector } from '../connection/Connector.js'
import type { LayerPayload, SnapshotConfirmedPayload } from '../protocol/messages.js'
import { decodePayload } from '../protocol/decode.js'
import { replayHistory } from './replayHistory.js'
import type { ReplayLimits } from './replayHistory.js'

/** What the node's history contains about a transaction. */
export type HistoryVerdict = { readonly confirmed: SnapshotConfirmedPayload } | { readonly invalid: string }

/** What the node's history contains about some transactions. */
export interface HistoryScan {
  readonly found: ReadonlyMap<string, HistoryVerdict>
  /** Whether the history goes back to the beginning and never accepted this transaction: then no snapshot has ever held it. */
  excludes(txId: string): boolean
}

/**
 * Reads the node's history once, over a connection of its own, for the outcome of some transactions. Those that it does not contain are missing
 * from the result.
 */
export async function scanHistory(connector: Connector, txIds: ReadonlySet<string>, limits: ReplayLimits): Promise<HistoryScan> {
  const historyScan = createHistoryScan(txIds)
  await replayHistory(connector, true, (message) => historyScan.read(message), limits)
  return historyScan
}

/** Collects the outcome of some transactions from replayed messages, given in their order. */
function createHistoryScan(txIds: ReadonlySet<string>): HistoryScan & { read(message: string): void } {
  const found = new Map<string, HistoryVerdict>()
  const valid = new Set<string>()
  let rotated = false
  const noteRefusal = (txId: string, reason: string): void => {
    // Once valid, a refusal is about a copy; after a rotation of the log that may hold for any refusal.
    if (txIds.has(txId) && !found.has(txId) && !valid.has(txId) && !rotated) found.set(txId, { invalid: reason })
  }
  const applyMessage = (payload: LayerPayload): void => {
    if (payload.tag === 'SnapshotConfirmed') {
      for (const { txId } of payload.snapshot.confirmed) if (txIds.has(txId)) found.set(txId, { confirmed: payload })
    } else if (payload.tag === 'TxInvalid') noteRefusal(payload.transaction.txId, payload.validationError.reason)
    else if (payload.tag === 'TxValid') {
      // Valid after all, for instance sent again with its signatures: an earlier refusal does not stand.
      valid.add(payload.transactionId)
      const before = found.get(payload.transactionId)
      if (before !== undefined && 'invalid' in before) found.delete(payload.transactionId)
    }
  }
  return {
    found,
    excludes: (txId) => !rotated && !found.has(txId) && !valid.has(txId),
    read(message) {
      rotated ||= message.includes('"EventLogRotated"')
      // Most messages are about other transactions: only those that name one of these are decoded.
      if (![...txIds].some((txId) => message.includes(txId))) return
      // An undecodable message proves nothing.
      try {
        applyMessage(decodePayload(message, Date.now()))
      } catch {
        /* see above */
      }
    }
  }
}
