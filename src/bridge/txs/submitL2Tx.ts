import { DEFAULT_NODE_WAIT_TIMEOUT, DEFAULT_SUBMIT_TIMEOUT } from '../../constants.js'
import { BridgeDisconnectedError } from '../../errors/bridge.js'
import {
  BridgeRequestError,
  SubmitError,
  UnsupportedByConnectorError,
  UnsupportedByNodeError
} from '../../errors/operation.js'
import type { Transaction } from '../../types/transaction.js'
import { startTimer } from '../../net/timers.js'
import { valueOf } from '../connection/nodeRequests.js'
import type { SubmitL2TxResponse } from '../protocol/types.js'
import { toEnvelope } from '../protocol/clientInput.js'
import { decodeSubmitL2Reply } from '../protocol/replies.js'
import { routes } from '../protocol/routes.js'
import { assertTimeout, assertTransaction } from './submitTx.js'
import type { SubmitContext, SubmittableTransaction } from './submitTx.js'
import type { TxListener, TxRefusal } from './TxEntry.js'
import { toTxRefs } from './txRefs.js'
import type { TxState } from './TxState.js'

/** Limits of the wait for the node's verdict. */
export interface SubmitL2TxOptions {
  /** Time limit, ms. @default 300000, the node's own limit */
  timeout?: number
  /** Ends the wait, which then rejects with the signal's reason; the transaction may still be confirmed. */
  signal?: AbortSignal
}

/** The node answers at its own limit, so the default waits a little longer than it, ms. */
const ANSWER_GRACE_MS = 5_000
/** Grace period after a 503, which may be about another client's transaction: this one may still be accepted, ms. */
const REFUSAL_GRACE_MS = 1_000
const NEEDS = 'a node from 1.0; submitTxSync works on every version'

/** One call: its dependencies, and its state so far. */
interface Submission {
  readonly context: SubmitContext
  readonly txId: string
  readonly timeoutMs: number
  readonly listener: TxListener
  /** Signal that is aborted when the call ends. */
  readonly signal: AbortSignal
  answer(verdict: SubmitL2TxResponse): void
  fail(error: unknown): void
  /** Runs `action` after `ms`; replaces an earlier schedule. */
  schedule(ms: number, action: () => void): void
  /** The verdict according to the messages. */
  known: SubmitL2TxResponse | null
  /** True while the reply to the request is still to come, which has precedence over the messages. */
  awaitingReply: boolean
  /** Gives the caller the refusal in the reply, once the head's state agrees with it. */
  reportRefusal: (() => void) | null
}

/**
 * Sends a transaction over POST /transaction, once, and resolves with the node's verdict. When the answer is lost on
 * its way, the messages and the head's state decide instead.
 */
export function submitL2Tx(
  context: SubmitContext,
  transaction: SubmittableTransaction,
  options: SubmitL2TxOptions = {}
): Promise<SubmitL2TxResponse> {
  return new Promise<SubmitL2TxResponse>((resolve, reject) => {
    const timeoutMs = assertTimeout(options.timeout, DEFAULT_NODE_WAIT_TIMEOUT)
    const envelope = toEnvelope(assertTransaction(transaction))
    const { signal } = options
    signal?.throwIfAborted()
    if (!context.profile().hasSubmitRoute) throw new UnsupportedByNodeError('submitL2Tx', { expected: NEEDS })
    const abort = new AbortController()
    let stopTimer = (): void => undefined
    let stopListening: (() => void) | undefined
    let sent = false
    const settle = (action: () => void): void => {
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
      stopListening?.()
      abort.abort()
      action()
    }
    const submission: Submission = {
      context,
      txId: envelope.txId,
      timeoutMs,
      signal: abort.signal,
      known: null,
      awaitingReply: false,
      reportRefusal: null,
      listener: (tx) => onTxState(submission, tx),
      answer: (verdict) => settle(() => resolve(sent ? verdict : { ...verdict, deduplicated: true })),
      fail: (error) => settle(() => reject(error as Error)),
      schedule(ms, action) {
        stopTimer()
        stopTimer = startTimer(ms, action)
      }
    }
    const onAbort = (): void => submission.fail(signal?.reason)
    submission.schedule(options.timeout ?? timeoutMs + ANSWER_GRACE_MS, () => onTimeout(submission))
    signal?.addEventListener('abort', onAbort, { once: true })
    stopListening = context.tracker.follow(
      { ...toTxRefs(envelope.txId, envelope.cborHex), cborHex: envelope.cborHex },
      submission.listener,
      () => {
        sent = true
        void sendRequest(submission, envelope)
      }
    )
    // follow() has settled it at once: it was known already.
    if (abort.signal.aborted) stopListening()
  })
}

async function sendRequest(submission: Submission, envelope: Transaction): Promise<void> {
  const { context, timeoutMs, signal } = submission
  submission.awaitingReply = true
  try {
    const request = routes.submitL2Tx(envelope)
    onHttpVerdict(
      submission,
      valueOf(
        request,
        await context.requestNode(request, decodeSubmitL2Reply, { timeoutMs: timeoutMs * 2, signal }),
        NEEDS
      )
    )
  } catch (error) {
    submission.awaitingReply = false
    // The call is settled; this is the abort of its request.
    if (signal.aborted) return
    if (submission.known !== null && !isFinal(error)) submission.answer(submission.known)
    else if (error instanceof BridgeRequestError && error.status === 400) {
      submission.reportRefusal = () => submission.fail(error)
      reportRefused(submission, { tag: 'InvalidInput', reason: error.reason })
    } else if (isFinal(error)) submission.fail(error)
    else {
      // It may have arrived. No transaction is resent: the messages and the head's state decide.
      context.tracker.markUncertain(submission.txId)
      scheduleTimeout(submission)
      context.reconcile()
    }
  }
}

// The node's reply. A refusal may be about a copy of the transaction, or another client's: messages and state have
// precedence.
function onHttpVerdict(submission: Submission, verdict: SubmitL2TxResponse): void {
  const { context, txId, answer } = submission
  const { tag } = verdict
  if (tag === 'SubmitTxSubmitted' && verdict.timedOut === true)
    context.tracker.timedOut(txId, submission.listener, submission.timeoutMs)
  // While the entry is still followed: a repeated call need not send it, although TxValid has not arrived yet.
  else if (tag === 'SubmitTxConfirmed' || tag === 'SubmitTxSubmitted') context.tracker.markValid(txId)
  submission.awaitingReply = false
  if (tag === 'SubmitTxConfirmed' || tag === 'SubmitTxSubmitted') return answer(verdict)
  if (submission.known !== null) return answer(submission.known)
  submission.reportRefusal = () => answer(verdict)
  if (tag === 'SubmitTxInvalid') onHttpRefusal(submission, verdict.validationError)
  else
    submission.schedule(REFUSAL_GRACE_MS, () =>
      reportRefused(submission, { tag: 'RejectedInputBecauseUnsynced', reason: verdict.reason, ambiguous: true })
    )
}

// The reply names no transaction: it is about the first of this id that was refused, which may be another client's
// copy. The message that quotes it is on its way; without a connection there is none.
function onHttpRefusal(submission: Submission, reason: string): void {
  const { context, txId } = submission
  const report = (): void => {
    if (context.tracker.wasCopyRefused(txId)) scheduleTimeout(submission)
    else reportRefused(submission, { tag: 'TxInvalid', reason })
  }
  if (context.connected()) submission.schedule(REFUSAL_GRACE_MS, report)
  else report()
}

function reportRefused(submission: Submission, refusal: TxRefusal): void {
  // Before the tracker: it may settle the call at once.
  scheduleTimeout(submission)
  submission.context.tracker.onRefusal(submission.txId, refusal)
}

function scheduleTimeout(submission: Submission): void {
  submission.schedule(Math.min(submission.timeoutMs, DEFAULT_SUBMIT_TIMEOUT), () => onTimeout(submission))
}

// The node's handler ignores CommandFailed and would keep the request until its limit.
function onTxState(submission: Submission, tx: TxState): void {
  submission.known = verdictOf(tx) ?? submission.known
  const { known, awaitingReply, reportRefusal, answer, fail } = submission
  const error = tx.state === 'refused' || tx.state === 'unknown' ? tx.error : null
  if (tx.state === 'refused' && reportRefusal !== null) reportRefusal()
  else if (known !== null && ((error !== null && error.tag !== 'TxInvalid') || !awaitingReply)) answer(known)
  else if (error !== null && !awaitingReply) fail(error)
}

function onTimeout(submission: Submission): void {
  const { context, txId, timeoutMs, listener, known, answer, fail } = submission
  if (known !== null) return answer(known)
  context.tracker.timedOut(txId, listener, timeoutMs)
  fail(new SubmitError(txId, 'Timeout', `no verdict within ${timeoutMs} ms`))
}

function verdictOf(tx: TxState): SubmitL2TxResponse | null {
  if (tx.state === 'valid') return { tag: 'SubmitTxSubmitted' }
  if (tx.state === 'confirmed') return { tag: 'SubmitTxConfirmed', snapshotNumber: tx.snapshotNumber }
  if (tx.state !== 'refused') return null
  const { tag, reason } = tx.error
  return tag === 'TxInvalid'
    ? { tag: 'SubmitTxInvalid', validationError: reason }
    : { tag: 'SubmitTxRejected', reason: `${tag}: ${reason}` }
}

// The node has not accepted it: it refused the request as such, or was never reached.
function isFinal(error: unknown): boolean {
  if (
    error instanceof UnsupportedByNodeError ||
    error instanceof UnsupportedByConnectorError ||
    error instanceof BridgeDisconnectedError
  )
    return true
  if (!(error instanceof BridgeRequestError)) return false
  return error.status === 0
    ? /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(error.reason)
    : error.status < 500 && error.status !== 408
}
