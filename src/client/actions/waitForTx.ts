import { OutcomeUnknownError } from '../../errors/client.js'
import { isHex } from '../../codec/hex.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ClientContext } from '../ClientContext.js'
import { deferred } from '../OwnTxs.js'
import type { ActionOptions } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { decodeLedgerError } from '../ledgerError.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'

/** A confirmed transaction. */
export interface ConfirmedTx {
  snapshotNumber: number
  /** False when it was found in the head's state: `snapshotNumber` is then that state's. */
  exact: boolean
}

/**
 * Waits for a transaction by its id alone, also one that was sent before the page was loaded again: decided by the head's state, then by its
 * history, then by the messages to come.
 *
 * @throws {@link LedgerError}, {@link TxExpiredError} when it can never be confirmed; {@link OutcomeUnknownError} when that is not known in time
 */
export async function waitForTx(context: ClientContext, txId: string, options: ActionOptions = {}): Promise<ConfirmedTx> {
  if (typeof txId !== 'string' || txId.length !== 64 || !isHex(txId)) throw new InvalidArgumentError('txId', '64 hex characters', txId)
  const id = txId.toLowerCase()
  const { bridge } = context
  const seen = deferred<ConfirmedTx>()
  // Before the look at the state: it may be confirmed in between.
  const stop = bridge.events.on('SnapshotConfirmed', ({ snapshot }) => {
    if (snapshot.confirmed.some((tx) => tx.txId === id)) seen.resolve({ snapshotNumber: snapshot.number, exact: true })
  })
  try {
    return await withDeadline('waitForTx', options, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
      const own = context.txs.get(id)
      const settled = context.settled.get(id) ?? (own === undefined ? undefined : await deadline.race(own.end.promise, 'the verdict of the head').catch((error: unknown) => {
        throw new OutcomeUnknownError(id, own.expiresAt, 'no verdict in time', error)
      }))
      if (settled?.outcome === 'confirmed') return { snapshotNumber: settled.snapshotNumber, exact: settled.exact }
      if (settled?.outcome === 'rejected') throw settled.error
      await context.connected('waitForTx', deadline)
      const found = await deadline.race(bridge.findTransaction(id), "the head's state and history")
      if (found.status === 'confirmed') return { snapshotNumber: found.snapshotNumber, exact: found.exact }
      if (found.status === 'invalid') throw decodeLedgerError(id, found.reason)
      return deadline.race(seen.promise, 'the snapshot that confirms it').catch((error: unknown) => {
        throw new OutcomeUnknownError(id, null, "neither the head's state nor its history names it", error)
      })
    })
  } finally {
    stop()
  }
}
