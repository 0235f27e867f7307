import { isLayerError } from '../../errors/base.js'
import { BridgeDisconnectedError } from '../../errors/bridge.js'
import { OutcomeUnknownError, TxExpiredError } from '../../errors/client.js'
import type { FoundTransaction, LayerBridge } from '../../bridge/inner.js'
import { isHex } from '../../codec/hex.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ClientContext } from '../ClientContext.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { deferred } from '../deferred.js'
import type { ActionOptions, Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { fateByHistory, fateOf } from '../fate.js'
import type { ConfirmedEnd } from '../certainFate.js'
import { decodeLedgerError } from '../ledgerError.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import type { OwnTx } from '../ownTx.js'
import { startTimer } from '../../net/timers.js'
import { endOf, isVerifying } from '../ownTx.js'
import { handedOver } from '../OwnTxs.js'

/** A confirmed transaction. */
export interface ConfirmedTx {
  /** Number of the snapshot that holds it. */
  snapshotNumber: number
  /**
   * True when `snapshotNumber` confirmed it. False when it was found in the head's state, whose number that then is.
   */
  exact: boolean
  /**
   * True with the option `verify`: outputs that all parties have signed show its effect. False: only the node reports
   * it.
   */
  verified: boolean
}

/** Arguments of {@link waitForTx}. */
export interface WaitForTxOptions extends ActionOptions {
  /**
   * Upper bound of the transaction's validity, ms since the Unix epoch, as `onBeforeSend` received it. Once the head's
   * ledger is past it and the whole history does not contain the transaction, the action rejects with
   * {@link TxExpiredError}. @default the wait ends in time
   */
  expiresAt?: number | null | undefined
}

const OPTIONS: OptionNames<WaitForTxOptions> = { expiresAt: true, timeout: true, signal: true }

/** Interval between two checks of a transaction that is past its upper bound of validity, ms. */
const EXPIRED_LOOK_MS = 2_000
/** Wait past the upper bound of validity when the node does not report its ledger's slot, ms. */
const BLIND_MARGIN_MS = 600_000

/**
 * Waits until a transaction is confirmed. Its id is enough, so it may have been sent before the page was reloaded. The
 * head's state decides first, then its history, then the messages that follow.
 *
 * @throws {@link LedgerError}, {@link TxExpiredError} when it can never be confirmed; {@link OutcomeUnknownError} when
 * that is not known in time (30 s); {@link InvalidArgumentError}, {@link NotConnectedError}
 * @example
 * ```ts no-run
 * const { snapshotNumber } = await head.waitForTx(sessionStorage.getItem('txId'), { timeout: 60_000 })
 * ```
 */
export async function waitForTx(head: HeadContext, txId: string, options: WaitForTxOptions = {}): Promise<ConfirmedTx> {
  const context = contextParts(head)
  if (typeof txId !== 'string' || txId.length !== 64 || !isHex(txId))
    throw new InvalidArgumentError('txId', '64 hex characters', txId)
  const checked = readOptions(options ?? {}, OPTIONS)
  const { expiresAt = null } = checked
  if (expiresAt !== null && !(typeof expiresAt === 'number' && Number.isFinite(expiresAt)))
    throw new InvalidArgumentError('expiresAt', 'a time, ms since the Unix epoch', expiresAt)
  const id = txId.toLowerCase()
  return withDeadline('waitForTx', checked, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    const ownTx = context.txs.get(id)
    if (ownTx !== undefined) {
      context.connection.endWith(deadline, () => new BridgeDisconnectedError('waitForTx'))
      // No turn is waited for once it has left: from then on an end of the connection leaves its outcome unknown.
      if (ownTx.progress.now.state === 'reserved') await deadline.race(handedOver(ownTx), 'the transaction to be sent')
    }
    const settled =
      context.settled.get(id) ??
      (ownTx === undefined || context.txs.get(id) !== ownTx
        ? undefined
        : await deadline.race(endOf(ownTx), 'the verdict of the head').catch((error: unknown) => {
            throw new OutcomeUnknownError(id, ownTx.expiresAt, 'no verdict in time', error)
          }))
    if (settled?.outcome === 'confirmed')
      return { snapshotNumber: settled.snapshotNumber, exact: settled.exact, verified: settled.verified }
    if (settled?.outcome === 'rejected') {
      const confirmed = await confirmedAfterAll(context, id, deadline)
      if (confirmed !== null) return confirmed
      throw settled.error
    }
    await context.connection.connected('waitForTx', deadline)
    return lookUntilDecided(context, { txId: id, expiresAt }, deadline)
  })
}

/**
 * Returns the confirmation of a refused transaction that was confirmed after all, by state or history; null when it was
 * not.
 */
async function confirmedAfterAll(
  context: ClientContext,
  txId: string,
  deadline: Deadline
): Promise<ConfirmedTx | null> {
  const ownTx = context.txs.refused(txId)
  if (ownTx === undefined) return null
  const fate = fateOf(context, ownTx)
  const end = typeof fate === 'object' ? fate : await confirmedBefore(context, ownTx, deadline)
  if (end === null) return null
  context.txs.revise(end)
  return { snapshotNumber: end.snapshotNumber, exact: end.exact, verified: end.verified }
}

/**
 * Searches the history, which contains transactions that were confirmed and spent on while messages were missed; null
 * when it does not show a confirmation.
 */
async function confirmedBefore(context: ClientContext, ownTx: OwnTx, deadline: Deadline): Promise<ConfirmedEnd | null> {
  const tracked = context.bridge.trackedTx(ownTx.pending.txId)
  const isSeen = tracked.state === 'open' && !tracked.missed
  if (isSeen || !context.bridge.connected()) return null
  const found = await deadline.race(context.connection.history.find(ownTx), "the head's history").catch(() => null)
  const fate = fateByHistory(context, ownTx, { before: 'open', found })
  return typeof fate === 'object' ? fate : null
}

/**
 * Checks the head's state and history, and again after a message about the transaction or a new connection, until they
 * decide. A refusal names only the id and may be about a copy with other witnesses, so it ends the wait only when one
 * of the inputs is spent.
 */
async function lookUntilDecided(
  context: ClientContext,
  { txId, expiresAt }: { readonly txId: string; readonly expiresAt: number | null },
  deadline: Deadline
): Promise<ConfirmedTx> {
  const { bridge } = context
  let hint = deferred<ConfirmedTx | 'look' | 'refusal'>()
  let refused: Refused | null = null
  let wasConnected = bridge.connected()
  // Before the look at the state: it may be confirmed in between.
  const stops = [
    bridge.observe({
      onMessage(payload) {
        if (
          payload.tag === 'SnapshotConfirmed' &&
          payload.snapshot.confirmed.some((tx) => tx.txId === txId && tx.verified !== false)
        )
          hint.resolve({ snapshotNumber: payload.snapshot.number, exact: true, verified: isVerifying(context) })
        // Copies are free to send: after the first they change no state.
        else if (payload.tag === 'TxInvalid' && payload.transaction.txId === txId && refused === null)
          hint.resolve('look')
      }
    }),
    context.changes.subscribe(() => {
      const connected = bridge.connected() && bridge.getSnapshot().ready
      if (connected && !wasConnected) hint.resolve('look')
      else if (refused !== null && isSpent(bridge, refused)) hint.resolve('refusal')
      wasConnected = connected
    })
  ]
  try {
    for (;;) {
      const seen = hint
      // Before the look: one that is confirmed in between shows in it.
      const isOver = expiresAt !== null && (await deadline.race(isPast(context, txId, expiresAt), "the head's time"))
      const found = await deadline
        .race(bridge.findTransaction(txId), "the head's state and history")
        .catch((error: unknown) => {
          // The connection may be lost meanwhile, which a request can notice first; the next one searches again.
          if (deadline.isOver || (bridge.connected() && !isLayerError(error, 'BRIDGE_CONNECT'))) throw error
          return { status: 'unknown' as const }
        })
      if (found.status === 'confirmed')
        return { snapshotNumber: found.snapshotNumber, exact: found.exact, verified: isVerifying(context) }
      if (found.status === 'invalid') {
        refused = found
        if (isSpent(bridge, refused)) throw decodeLedgerError(txId, refused.reason)
      }
      if (isOver && found.status !== 'invalid' && 'isComplete' in found && found.isComplete)
        throw new TxExpiredError(txId)
      const stopTimer =
        expiresAt === null
          ? () => undefined
          : startTimer(Math.max(expiresAt - Date.now(), EXPIRED_LOOK_MS), () => seen.resolve('look'), true)
      const next = await deadline.race(seen.promise, 'the snapshot that confirms it').finally(stopTimer)
      if (typeof next === 'object') return next
      if (next === 'refusal') throw decodeLedgerError(txId, refused!.reason)
      hint = deferred()
    }
  } catch (error) {
    if (!deadline.isOver) throw error
    const reason =
      refused === null
        ? "neither the head's state nor its history names it"
        : `it was refused, or a copy of it (${(refused as Refused).reason})`
    throw new OutcomeUnknownError(txId, null, reason, error)
  } finally {
    for (const stop of stops) stop()
  }
}

/** True when the node's ledger is past a time, and no snapshot with the transaction is being signed. */
export async function isPast(
  { bridge, ledger }: Pick<ClientContext, 'bridge' | 'ledger'>,
  txId: string,
  timeMs: number
): Promise<boolean> {
  if (Date.now() < timeMs) return false
  const node = await bridge.inFlight().catch(() => null)
  if (node === null || node.signing.includes(txId)) return false
  const bound = ledger.slotAt(timeMs)
  // Without slots the clock decides, long after the bound: blocks come late.
  return node.slot !== null && bound !== null ? node.slot >= bound : Date.now() > timeMs + BLIND_MARGIN_MS
}

type Refused = Extract<FoundTransaction, { status: 'invalid' }>

/**
 * True when an input of a refused transaction is spent. Old nodes name only the id, without inputs: their refusal
 * counts.
 */
function isSpent(bridge: LayerBridge, { inputs }: Refused): boolean {
  return inputs.length === 0 || inputs.some((ref) => bridge.isUnspent(ref) === false)
}
