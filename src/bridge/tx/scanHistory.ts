import { BridgeTimeoutError } from '../../errors/bridge.js'
import type { Connector } from '../connection/Connector.js'
import { startTimer } from '../connection/timers.js'
import type { SnapshotConfirmedPayload } from '../payload.js'
import { decodePayload } from '../wire/decodePayload.js'

/** What the node's history says of a transaction. */
export type HistoryVerdict = { readonly confirmed: SnapshotConfirmedPayload } | { readonly invalid: string }

/**
 * Reads the node's history once, over a connection of its own, for what became of some transactions. Those it does not name are missing
 * from the result.
 */
export function scanHistory(connector: Connector, txIds: ReadonlySet<string>, limits: { timeoutMs: number; signal: AbortSignal }): Promise<Map<string, HistoryVerdict>> {
  return new Promise((resolve, reject) => {
    const found = new Map<string, HistoryVerdict>()
    const finish = (settle: () => void): void => {
      stopTimer()
      limits.signal.removeEventListener('abort', onAbort)
      void channel.close(true)
      settle()
    }
    const onAbort = (): void => finish(() => reject(limits.signal.reason as Error))
    const stopTimer = startTimer(limits.timeoutMs, () => finish(() => reject(new BridgeTimeoutError('Reading the history', limits.timeoutMs))))
    const channel = connector.open({
      onOpen: () => undefined,
      onInvalid: () => undefined,
      onActivity: () => undefined,
      onClose: (error) => finish(() => reject(error)),
      onMessage(message) {
        if (typeof message !== 'string') return
        // Most of the history is not about them: only what is gets decoded. Greetings ends it.
        const greetings = message.includes('"headStatus"')
        const named = [...txIds].some((txId) => message.includes(txId))
        if (named) read(message, txIds, found)
        if (greetings) finish(() => resolve(found))
      }
    }, { history: true, noSnapshotUtxo: true, unfiltered: true })
    limits.signal.addEventListener('abort', onAbort, { once: true })
  })
}

function read(message: string, txIds: ReadonlySet<string>, found: Map<string, HistoryVerdict>): void {
  try {
    const payload = decodePayload(message, Date.now())
    if (payload.tag === 'SnapshotConfirmed') {
      for (const { txId } of payload.snapshot.confirmed) if (txIds.has(txId)) found.set(txId, { confirmed: payload })
    } else if (payload.tag === 'TxInvalid' && txIds.has(payload.transaction.txId) && !found.has(payload.transaction.txId)) {
      found.set(payload.transaction.txId, { invalid: payload.validationError.reason })
    } else if (payload.tag === 'TxValid') {
      // Valid after all, for instance sent again with its signatures: an earlier refusal does not stand.
      const before = found.get(payload.transactionId)
      if (before !== undefined && 'invalid' in before) found.delete(payload.transactionId)
    }
  } catch { /* a message that cannot be read says nothing */ }
}
