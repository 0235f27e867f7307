import { assertTransactionId, readTransaction, toTransactionBytes, transactionId } from '../../codec/transaction.js'
import { DEFAULT_SUBMIT_TIMEOUT } from '../../constants.js'
import { NotConnectedError } from '../../errors/bridge.js'
import { SubmitError } from '../../errors/operation.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { startTimer } from '../../net/timers.js'
import type { StopTimer } from '../../net/timers.js'
import type { SnapshotConfirmedPayload } from '../protocol/messages.js'
import { assertSignal } from '../delivery/MessageDispatcher.js'
import type { NodeAccess } from '../connection/NodeAccess.js'
import type { TxTracker } from './TxTracker.js'
import { toEnvelope } from '../protocol/clientInput.js'
import { buildInput } from '../protocol/encode.js'
import { toTxRefs } from './txRefs.js'
import type { TxListener } from './TxEntry.js'

/** A confirmed transaction. */
export interface SubmitTxResult {
  /** Hex, 64 characters. */
  txId: string
  /** True when the head's ledger accepted it; always true here. */
  isValid: boolean
  /** True when a snapshot holds it; always true here. */
  isConfirmed: boolean
  /** True with the option `verify`: outputs that all parties have signed show it. False: only the node states it. */
  verified: boolean
  /**
   * The message that confirmed it, with the number of the snapshot in `snapshot.number`; after missed messages, that of
   * a later snapshot. Null when it was confirmed without a message that the bridge has seen.
   */
  result: SnapshotConfirmedPayload | null
  /**
   * True when this call sent no request: an earlier call had submitted the same transaction. Two payments that are
   * built from the same confirmed outputs, with equal amounts and addresses, are the same transaction, and so only one
   * payment.
   */
  deduplicated?: true
}

/**
 * Shortest and longest time between two requests for the head's state, ms. The longest applies however long the time
 * limit is, so that no caller waits more than seconds for a result that is known.
 */
const MIN_POLL_MS = 1_000
const MAX_POLL_MS = 3_000

/** A signed transaction: CBOR hex, the node's envelope, or the result of a builder with the signed `cborHex` put in. */
export type SubmittableTransaction =
  | string
  | {
      /** CBOR hex. */
      readonly cborHex: string
      /** Hex, 64 characters. */
      readonly txId: string
      /** Ignored, as the node does. */
      readonly type?: string
      /** Ignored, as the node does. */
      readonly description?: string
    }

/** Parts of a bridge that submissions use. */
export interface SubmitContext extends NodeAccess {
  readonly tracker: TxTracker
  /** Requests the head's state, to decide transactions that were refused or whose messages may have been missed. */
  reconcile(): void
}

/** Bounds of the wait for the confirmation. */
export interface SubmitOptions {
  /** Time limit, ms. @default 30000 */
  timeout?: number
  /**
   * Ends the wait. Before the transaction is sent, the call then rejects with the signal's reason. After that it
   * rejects with {@link SubmitError}, tag `Aborted` and `outcome: 'unknown'`, because the transaction may still be
   * confirmed.
   */
  signal?: AbortSignal | undefined
}

/**
 * Sends a transaction into the head and waits until a snapshot holds it. One that is on its way already is not sent
 * again.
 * @throws {@link SubmitError} as a rejection
 */
export function submitTx(
  context: SubmitContext,
  transaction: SubmittableTransaction,
  options?: SubmitOptions
): Promise<SubmitTxResult> {
  return new Promise<SubmitTxResult>((resolve, reject) => {
    const timeoutMs = assertTimeout(options?.timeout, DEFAULT_SUBMIT_TIMEOUT)
    const signal = assertSignal(options?.signal)
    const { txId, ...envelope } = assertTransaction(transaction)
    signal?.throwIfAborted()
    let sent = false
    const listener: TxListener = (tx) => {
      if (tx.state === 'sent' || tx.state === 'valid') return
      end()
      if (tx.state === 'confirmed')
        resolve({
          txId,
          isValid: true,
          isConfirmed: true,
          verified: tx.verified,
          result: tx.snapshot,
          ...(sent ? {} : { deduplicated: true })
        })
      else reject(tx.error)
    }
    // Not a background timer: a caller awaits the result.
    const stopTimer = startTimer(timeoutMs, () => context.tracker.timedOut(txId, listener, timeoutMs))
    const { partial, deltas } = context.connector.capabilities
    // A gateway sends every verdict on a transaction of this client.
    const stopPolling = partial && deltas !== true ? pollState(context, txId, timeoutMs) : () => undefined
    const onAbort = (): void => context.tracker.aborted(txId, listener, signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const end = (): void => {
      stopTimer()
      stopPolling()
      signal?.removeEventListener('abort', onAbort)
    }
    try {
      if (!context.connected() && !context.tracker.knows(txId)) throw new NotConnectedError('Submitting a transaction')
      context.tracker.follow(
        { ...toTxRefs(txId, envelope.cborHex), cborHex: envelope.cborHex, watchMs: timeoutMs },
        listener,
        () => {
          // Before send(): the verdict can arrive in the same tick.
          sent = true
          context.send(buildInput('NewTx', toEnvelope({ ...envelope, txId })))
        }
      )
    } catch (error) {
      end()
      reject(
        error instanceof NotConnectedError
          ? new SubmitError(txId, 'NotConnected', 'there is no open connection; no transaction was sent')
          : (error as Error)
      )
    }
  })
}

// With an address filter the snapshot that confirms it may never arrive: the head's state decides.
function pollState(context: SubmitContext, txId: string, timeoutMs: number): StopTimer {
  let stop: StopTimer
  const arm = (): void => {
    stop = startTimer(
      Math.min(Math.max(MIN_POLL_MS, timeoutMs / 8), MAX_POLL_MS),
      () => {
        context.tracker.markUncertain(txId)
        context.reconcile()
        arm()
      },
      true
    )
  }
  arm()
  return () => stop()
}

/**
 * Returns the transaction with its id as the node writes it: hex digits in lower case.
 * @throws {@link InvalidArgumentError} unless it has the two fields that are used, and the id is that of the body
 * @throws {@link InvalidHexError} {@link InvalidCborError} on bytes that are not a transaction
 */
export function assertTransaction(transaction: SubmittableTransaction): Exclude<SubmittableTransaction, string> {
  if (typeof transaction === 'string')
    return { cborHex: transaction, txId: transactionId(readTransaction(toTransactionBytes(transaction))) }
  const { cborHex, txId, type, description } = (transaction ?? {}) as Partial<Exclude<SubmittableTransaction, string>>
  if (typeof cborHex !== 'string')
    throw new InvalidArgumentError('transaction.cborHex', 'the signed transaction as CBOR hex', cborHex)
  if (typeof txId !== 'string') throw new InvalidArgumentError('transaction.txId', 'the transaction id as hex', txId)
  return {
    cborHex,
    txId: assertTransactionId(cborHex, txId, 'transaction.txId'),
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description })
  }
}

/**
 * Returns a time limit, ms, or the default. @throws {@link InvalidArgumentError} unless it is a number from 0: a
 * transaction that would time out at once is not sent
 */
export function assertTimeout(timeoutMs: number | null | undefined, byDefault: number, name = 'timeout'): number {
  const ms = timeoutMs ?? byDefault
  if (typeof ms === 'number' && ms >= 0) return ms
  throw new InvalidArgumentError(name, 'a number of milliseconds', timeoutMs)
}
