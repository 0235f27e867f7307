import type { Connector } from '../connection/Connector.js'
import type { LayerPayload, PayloadOf, SnapshotConfirmedPayload } from '../protocol/messages.js'
import { decodePayload } from '../protocol/decode.js'
import { bytesOf } from './refusedTx.js'
import { replayHistory } from './replayHistory.js'
import type { ReplayLimits } from './replayHistory.js'

/** Outcome of a transaction according to the node's history. */
export type HistoryVerdict =
  { readonly confirmed: SnapshotConfirmedPayload } | { readonly invalid: string; readonly cborHex: string | undefined }

/** Outcomes of the requested transactions according to the node's history. */
export interface HistoryScan {
  readonly found: ReadonlyMap<string, HistoryVerdict>
  /**
   * Returns true when the history goes back to the beginning and no snapshot names this transaction without proof.
   * Then, if no confirmation was found, no snapshot has held it.
   */
  isCompleteFor(txId: string): boolean
  /**
   * Returns true when the history goes back to the beginning and has no message that accepts this transaction, so that
   * no snapshot has ever held it.
   */
  excludes(txId: string): boolean
}

/** Time limit of the scan, and which refusals count. */
export interface ScanOptions extends ReplayLimits {
  /**
   * Returns true when a refused transaction with this id is the one in question, and not a copy with other witnesses.
   * @default each is
   */
  isOurs?(txId: string, cborHex: string | undefined): boolean
}

/**
 * Reads the node's history once, over a separate connection, for the outcomes of some transactions. Those that the
 * history does not contain are missing from the result.
 */
export async function scanHistory(
  connector: Connector,
  txIds: ReadonlySet<string>,
  options: ScanOptions
): Promise<HistoryScan> {
  const { isOurs = () => true, ...limits } = options
  const historyScan = createHistoryScan(txIds, isOurs)
  await replayHistory(connector, true, (message) => historyScan.read(message), limits)
  return historyScan
}

/** Collects the outcome of some transactions from replayed messages, given in their order. */
function createHistoryScan(
  txIds: ReadonlySet<string>,
  isOurs: NonNullable<ScanOptions['isOurs']>
): HistoryScan & { read(message: string): void } {
  const found = new Map<string, HistoryVerdict>()
  const valid = new Set<string>()
  const unproven = new Set<string>()
  let rotated = false
  const noteRefusal = ({ transaction, validationError }: PayloadOf<'TxInvalid'>): void => {
    const { txId } = transaction
    const cborHex = bytesOf(transaction)
    // Once valid, a refusal is about a copy; after a rotation of the log that may hold for any refusal.
    if (!txIds.has(txId) || found.has(txId) || valid.has(txId) || rotated || !isOurs(txId, cborHex)) return
    found.set(txId, { invalid: validationError.reason, cborHex })
  }
  // Valid after all, for instance sent again with its signatures: an earlier refusal does not stand.
  const noteValid = (txId: string): void => {
    valid.add(txId)
    const before = found.get(txId)
    if (before !== undefined && 'invalid' in before) found.delete(txId)
  }
  const applyMessage = (payload: LayerPayload): void => {
    if (payload.tag === 'SnapshotConfirmed') {
      for (const { txId, verified } of payload.snapshot.confirmed) {
        if (!txIds.has(txId)) continue
        if (verified !== false) found.set(txId, { confirmed: payload })
        else {
          // Said and not proven: neither confirmed, nor certainly never.
          unproven.add(txId)
          noteValid(txId)
        }
      }
    } else if (payload.tag === 'TxInvalid') noteRefusal(payload)
    else if (payload.tag === 'TxValid') noteValid(payload.transactionId)
  }
  return {
    found,
    isCompleteFor: (txId) => !rotated && !unproven.has(txId),
    excludes: (txId) => !rotated && !found.has(txId) && !valid.has(txId),
    read(message) {
      // A snapshot that was loaded from outside does not say which transactions led to it.
      rotated ||= message.includes('"EventLogRotated"') || message.includes('"SnapshotSideLoaded"')
      // Most messages are about other transactions: only those that name one of these are decoded.
      if (![...txIds].some((txId) => message.includes(txId))) return
      // An undecodable message is no proof.
      try {
        applyMessage(decodePayload(message, Date.now()))
      } catch {
        /* see above */
      }
    }
  }
}
