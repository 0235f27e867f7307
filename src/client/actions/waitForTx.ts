import { OutcomeUnknownError } from '../../errors/client.js'
import { isHex } from '../../codec/hex.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ClientContext } from '../ClientContext.js'
import { deferred } from '../deferred.js'
import type { ActionOptions, Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { decodeLedgerError } from '../ledgerError.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'

/** A confirmed transaction. */
export interface ConfirmedTx {
  /** Number of the snapshot that holds it. */
  snapshotNumber: number
  /** False when it was found in the head's state: `snapshotNumber` is then that state's. */
  exact: boolean
}

/**
 * Waits for a transaction by its id alone, also one that was sent before the page was loaded again: decided by the head's state, then by its
 * history, then by the messages to come.
 *
 * @throws {@link LedgerError}, {@link TxExpiredError} when it can never be confirmed; {@link OutcomeUnknownError} when that is not known in time
 * (30 s); {@link InvalidArgumentError}, {@link NotConnectedError}
 * @example
 * ```ts no-run
 * const { snapshotNumber } = await head.waitForTx(sessionStorage.getItem('txId'), { timeout: 60_000 })
 * ```
 */
export async function waitForTx(context: ClientContext, txId: string, options: ActionOptions = {}): Promise<ConfirmedTx> {
  if (typeof txId !== 'string' || txId.length !== 64 || !isHex(txId)) throw new InvalidArgumentError('txId', '64 hex characters', txId)
  const id = txId.toLowerCase()
  return withDeadline('waitForTx', options, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    const own = context.txs.get(id)
    if (own !== undefined) await deadline.race(own.sent.promise, 'the transaction to be sent')
    const settled =
      context.settled.get(id) ??
      (own === undefined || context.txs.get(id) !== own
        ? undefined
        : await deadline.race(own.end.promise, 'the verdict of the head').catch((error: unknown) => {
            throw new OutcomeUnknownError(id, own.expiresAt, 'no verdict in time', error)
          }))
    if (settled?.outcome === 'confirmed') return { snapshotNumber: settled.snapshotNumber, exact: settled.exact }
    if (settled?.outcome === 'rejected') throw settled.error
    await context.connected('waitForTx', deadline)
    return lookUntilDecided(context, id, deadline)
  })
}

/** Looks at the head's state and history, and again when a message about the transaction or a new connection makes that worth while. */
async function lookUntilDecided(context: ClientContext, txId: string, deadline: Deadline): Promise<ConfirmedTx> {
  const { bridge } = context
  let hint = deferred<ConfirmedTx | null>()
  let wasConnected = bridge.connected()
  // Before the look at the state: it may be confirmed in between.
  const stops = [
    bridge.events.on('SnapshotConfirmed', ({ snapshot }) => {
      if (snapshot.confirmed.some((tx) => tx.txId === txId)) hint.resolve({ snapshotNumber: snapshot.number, exact: true })
    }),
    bridge.events.on('TxInvalid', ({ transaction }) => {
      if (transaction.txId === txId) hint.resolve(null)
    }),
    context.subscribe(() => {
      const connected = bridge.connected() && bridge.getSnapshot().seeded
      if (connected && !wasConnected) hint.resolve(null)
      wasConnected = connected
    })
  ]
  try {
    for (;;) {
      const seen = hint
      const found = await deadline.race(bridge.findTransaction(txId), "the head's state and history").catch((error: unknown) => {
        // The connection may be lost during the look; after the next one comes another.
        if (deadline.isOver || bridge.connected()) throw error
        return { status: 'unknown' as const }
      })
      if (found.status === 'confirmed') return { snapshotNumber: found.snapshotNumber, exact: found.exact }
      if (found.status === 'invalid') throw decodeLedgerError(txId, found.reason)
      const confirmed = await deadline.race(seen.promise, 'the snapshot that confirms it')
      if (confirmed !== null) return confirmed
      hint = deferred()
    }
  } catch (error) {
    if (!deadline.isOver) throw error
    throw new OutcomeUnknownError(txId, null, "neither the head's state nor its history names it", error)
  } finally {
    for (const stop of stops) stop()
  }
}
