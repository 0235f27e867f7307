import { BridgeTimeoutError } from '../../errors/bridge.js'
import type { Connector, ConnectorChannel } from '../connection/Connector.js'
import { startTimer } from '../../net/timers.js'
import type { LayerPayload, SnapshotConfirmedPayload } from '../protocol/messages.js'
import { decodePayload } from '../protocol/decode.js'

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
export function scanHistory(connector: Connector, txIds: ReadonlySet<string>, limits: { timeoutMs: number; signal: AbortSignal }): Promise<HistoryScan> {
  return new Promise((resolve, reject) => {
    const historyScan = createHistoryScan(txIds)
    let channel: ConnectorChannel | undefined
    const finish = (settle: () => void): void => {
      stopTimer()
      limits.signal.removeEventListener('abort', onAbort)
      void channel?.close(true)
      settle()
    }
    const fail = (error: unknown): void => finish(() => reject(error as Error))
    const onAbort = (): void => fail(limits.signal.reason)
    const stopTimer = startTimer(limits.timeoutMs, () => fail(new BridgeTimeoutError('Reading the history', limits.timeoutMs)))
    limits.signal.addEventListener('abort', onAbort, { once: true })
    try {
      channel = connector.open(
        {
          onOpen: () => undefined,
          onInvalid: () => undefined,
          onActivity: () => undefined,
          onClose: fail,
          onMessage(message) {
            if (typeof message !== 'string') return
            historyScan.read(message)
            // Greetings ends the replay.
            if (message.includes('"headStatus"')) finish(() => resolve(historyScan))
          }
        },
        { history: true, noSnapshotUtxo: true, unfiltered: true }
      )
    } catch (error) {
      fail(error)
    }
  })
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
