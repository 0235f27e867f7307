import { DEFAULT_NODE_WAIT_TIMEOUT, DEFAULT_SUBMIT_TIMEOUT } from '../../constants.js'
import { BridgeDisconnectedError } from '../../errors/bridge.js'
import { BridgeRequestError, SubmitError, UnsupportedByConnectorError, UnsupportedByNodeError } from '../../errors/operation.js'
import type { Transaction } from '../../types/transaction.js'
import { startTimer } from '../connection/timers.js'
import { valueOf } from '../http.js'
import type { BridgePorts } from '../ports.js'
import type { SubmitL2TxResponse } from '../shapes.js'
import { toEnvelope } from '../wire/echo.js'
import { decodeSubmitL2Reply } from '../wire/replies.js'
import { routes } from '../wire/routes.js'
import { assertTimeout, assertTransaction } from './submit.js'
import type { TxFact, TxListener } from './txFacts.js'
import { shapeOf } from './txShape.js'

/** How long to wait for the node's verdict. */
export interface SubmitL2TxOptions {
  /** ms. @default 300000, the node's own limit */
  timeout?: number
  /** Ends the wait, which then rejects with the signal's reason; the transaction may still be confirmed. */
  signal?: AbortSignal
}

/** The node answers at its own limit, so the default waits a little longer than it, ms. */
const ANSWER_GRACE_MS = 5_000
/** A refusal may be about another client's transaction, or a copy of ours: so long is watched whether ours is taken after all, ms. */
const REFUSAL_GRACE_MS = 1_000
const NEEDS = 'a node from 1.0; submitTxSync works on every version'

/** One call: what it needs, and what is known so far. */
interface Submission {
  readonly ports: BridgePorts
  readonly txId: string
  readonly timeoutMs: number
  readonly listener: TxListener
  /** Ends with the call. */
  readonly signal: AbortSignal
  answer(verdict: SubmitL2TxResponse): void
  fail(error: unknown): void
  /** Runs `action` after `ms`, instead of what was to be run before. */
  schedule(ms: number, action: () => void): void
  /** What the messages say. */
  known: SubmitL2TxResponse | null
  /** The answer to the request is still to come; it goes first, unless there is none. */
  asking: boolean
}

/**
 * Sends a transaction over POST /transaction, once, and resolves with the node's verdict. When the answer is lost on its way, the messages
 * and the head's state tell instead.
 */
export function submitL2Tx(ports: BridgePorts, transaction: Transaction, options: SubmitL2TxOptions = {}): Promise<SubmitL2TxResponse> {
  return new Promise<SubmitL2TxResponse>((resolve, reject) => {
    const timeoutMs = assertTimeout(options.timeout, DEFAULT_NODE_WAIT_TIMEOUT)
    const envelope = toEnvelope(assertTransaction(transaction))
    const { signal } = options
    signal?.throwIfAborted()
    if (!ports.profile().hasSubmitRoute) throw new UnsupportedByNodeError('submitL2Tx', { expected: NEEDS })
    const abort = new AbortController()
    let stopTimer = (): void => undefined
    let stopListening: (() => void) | undefined
    const settle = (action: () => void): void => {
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
      stopListening?.()
      abort.abort()
      action()
    }
    const submission: Submission = {
      ports, txId: envelope.txId, timeoutMs, signal: abort.signal, known: null, asking: false,
      listener: (fact) => hear(submission, fact),
      answer: (verdict) => settle(() => resolve(verdict)),
      fail: (error) => settle(() => reject(error as Error)),
      schedule(ms, action) {
        stopTimer()
        stopTimer = startTimer(ms, action)
      }
    }
    const onAbort = (): void => submission.fail(signal?.reason)
    submission.schedule(options.timeout ?? timeoutMs + ANSWER_GRACE_MS, () => expire(submission))
    signal?.addEventListener('abort', onAbort, { once: true })
    stopListening = ports.tracker.follow(shapeOf(envelope.txId, envelope.cborHex), submission.listener, () => { void post(submission, envelope) })
  })
}

async function post(submission: Submission, envelope: Transaction): Promise<void> {
  const { ports, timeoutMs, signal } = submission
  submission.asking = true
  try {
    const request = routes.submitL2Tx(envelope)
    take(submission, valueOf(request, await ports.ask(request, decodeSubmitL2Reply, { timeoutMs: timeoutMs * 2, signal }), NEEDS))
  } catch (error) {
    submission.asking = false
    // Settled already: this is only the request being ended.
    if (signal.aborted) return
    if (isFinal(error)) submission.fail(error)
    else if (submission.known !== null) submission.answer(submission.known)
    else {
      // It may have arrived. Nothing is resent: the messages and the head's state decide.
      ports.tracker.markDoubtful(submission.txId)
      ports.reconcile()
      submission.schedule(Math.min(timeoutMs, DEFAULT_SUBMIT_TIMEOUT), () => expire(submission))
    }
  }
}

// The node's answer. It may be about a copy of the transaction, or another client's, so that what the messages say outweighs a refusal.
function take(submission: Submission, verdict: SubmitL2TxResponse): void {
  const { ports, txId, answer } = submission
  if (verdict.tag === 'SubmitTxSubmitted' && verdict.timedOut === true) ports.tracker.timedOut(txId, submission.listener, submission.timeoutMs)
  submission.asking = false
  if (verdict.tag === 'SubmitTxConfirmed' || verdict.tag === 'SubmitTxSubmitted') return answer(verdict)
  if (submission.known !== null) return answer(submission.known)
  // Most refusals are told to the listener at once.
  if (verdict.tag === 'SubmitTxInvalid') ports.tracker.invalid(txId, verdict.validationError)
  if (submission.signal.aborted) return
  submission.schedule(REFUSAL_GRACE_MS, () => {
    ports.tracker.markTold(txId)
    answer(verdict)
  })
}

// The node's handler ignores CommandFailed and would keep the request until its limit.
function hear(submission: Submission, fact: TxFact): void {
  submission.known = verdictOf(fact) ?? submission.known
  const { known, asking, answer, fail } = submission
  const over = fact.state === 'failed' && fact.error.tag !== 'TxInvalid'
  if (known !== null && (over || !asking)) answer(known)
  else if (fact.state === 'failed' && !asking) fail(fact.error)
}

function expire(submission: Submission): void {
  const { ports, txId, timeoutMs, listener, known, answer, fail } = submission
  if (known !== null) return answer(known)
  ports.tracker.timedOut(txId, listener, timeoutMs)
  fail(new SubmitError(txId, 'Timeout', `no verdict within ${timeoutMs} ms`))
}

function verdictOf(fact: TxFact): SubmitL2TxResponse | null {
  if (fact.state === 'valid') return { tag: 'SubmitTxSubmitted' }
  if (fact.state === 'confirmed') return { tag: 'SubmitTxConfirmed', snapshotNumber: fact.number }
  const { tag, reason, outcome } = fact.error
  if (outcome === 'unknown') return null
  return tag === 'TxInvalid' ? { tag: 'SubmitTxInvalid', validationError: reason } : { tag: 'SubmitTxRejected', reason: `${tag}: ${reason}` }
}

// The node has not taken it: it refused the request as such, or was never reached.
function isFinal(error: unknown): boolean {
  if (error instanceof UnsupportedByNodeError || error instanceof UnsupportedByConnectorError || error instanceof BridgeDisconnectedError) return true
  if (!(error instanceof BridgeRequestError)) return false
  return error.status === 0 ? /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(error.reason) : error.status < 500 && error.status !== 408
}
