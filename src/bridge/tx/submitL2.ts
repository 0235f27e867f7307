import { DEFAULT_NODE_WAIT_TIMEOUT, DEFAULT_SUBMIT_TIMEOUT } from '../../constants.js'
import { BridgeDisconnectedError } from '../../errors/bridge.js'
import { BridgeRequestError, SubmitError, UnsupportedByConnectorError, UnsupportedByNodeError } from '../../errors/operation.js'
import type { Transaction } from '../../types/transaction.js'
import { startTimer } from '../connection/timers.js'
import { valueOf } from '../http.js'
import type { BridgePorts } from '../ports.js'
import type { SubmitL2TxResponse } from '../shapes.js'
import { decodeSubmitL2Reply } from '../wire/replies.js'
import { routes } from '../wire/routes.js'
import { assertTransaction } from './submit.js'
import { shapeOf } from './txShape.js'
import type { TxFact, TxListener } from './TxTracker.js'

/** How long to wait for the node's verdict. */
export interface SubmitL2TxOptions {
  /** ms. @default 300000, the node's own limit */
  timeout?: number
  signal?: AbortSignal
}

/** The node answers at its own limit, so the default waits a little longer than it, ms. */
const ANSWER_GRACE_MS = 5_000
/** The node's 503 may be about another client's transaction: so long is watched whether ours is taken after all, ms. */
const REJECTION_GRACE_MS = 1_000
const NEEDS = 'a node from 1.0; submitTxSync works on every version'

/**
 * Sends a transaction over POST /transaction, once, and resolves with the node's verdict. When the answer is lost on its way, the messages
 * and the head's state tell instead.
 */
export function submitL2Tx(ports: BridgePorts, transaction: Transaction, options: SubmitL2TxOptions = {}): Promise<SubmitL2TxResponse> {
  const timeoutMs = options.timeout ?? DEFAULT_NODE_WAIT_TIMEOUT
  return new Promise<SubmitL2TxResponse>((resolve, reject) => {
    assertTransaction(transaction)
    options.signal?.throwIfAborted()
    if (!ports.profile().hasSubmitRoute) throw new UnsupportedByNodeError('submitL2Tx', { expected: NEEDS })
    const { txId } = transaction
    const abort = new AbortController()
    // What the messages say; the answer to the request goes first, unless there is none.
    let known: SubmitL2TxResponse | null = null
    let asking = false
    const settle = (action: () => void): void => {
      stopTimer()
      options.signal?.removeEventListener('abort', onAbort)
      stop?.()
      abort.abort()
      action()
    }
    const answer = (verdict: SubmitL2TxResponse): void => settle(() => resolve(verdict))
    const fail = (error: unknown): void => settle(() => reject(error as Error))
    const onAbort = (): void => fail(options.signal?.reason)
    const listener: TxListener = (fact) => {
      known = verdictOf(fact) ?? known
      // The node's handler ignores CommandFailed and would keep the request until its limit.
      if (fact.state === 'failed' && fact.error.tag !== 'TxInvalid' && known !== null) answer(known)
      else if (asking) return
      else if (known !== null) answer(known)
      else if (fact.state === 'failed') fail(fact.error)
    }
    const post = async (): Promise<void> => {
      asking = true
      try {
        const request = routes.submitL2Tx(transaction)
        const verdict = valueOf(request, await ports.ask(request, decodeSubmitL2Reply, { timeoutMs: timeoutMs * 2, signal: abort.signal }), NEEDS)
        asking = false
        if (verdict.tag === 'SubmitTxRejected' && known === null) {
          stopTimer()
          stopTimer = startTimer(REJECTION_GRACE_MS, () => answer(known ?? verdict))
        }
        else answer(verdict.tag === 'SubmitTxRejected' && known !== null ? known : verdict)
        if (verdict.tag === 'SubmitTxSubmitted' && verdict.timedOut === true) ports.tracker.timedOut(txId, listener, timeoutMs)
      } catch (error) {
        asking = false
        // Settled already: this is only the request being ended.
        if (abort.signal.aborted) return
        if (isFinal(error)) fail(error)
        else if (known !== null) answer(known)
        else {
          // It may have arrived. Nothing is resent: the messages and the head's state decide.
          ports.tracker.markDoubtful(txId)
          ports.reconcile()
          restartTimer(Math.min(timeoutMs, DEFAULT_SUBMIT_TIMEOUT))
        }
      }
    }
    const expire = (): void => {
      ports.tracker.timedOut(txId, listener, timeoutMs)
      fail(new SubmitError(txId, 'Timeout', `no verdict within ${timeoutMs} ms`))
    }
    let stopTimer = startTimer(options.timeout ?? timeoutMs + ANSWER_GRACE_MS, expire)
    const restartTimer = (ms: number): void => { stopTimer(); stopTimer = startTimer(ms, expire) }
    options.signal?.addEventListener('abort', onAbort, { once: true })
    let stop: (() => void) | undefined
    stop = ports.tracker.follow(shapeOf(txId, transaction.cborHex), listener, () => { void post() })
  })
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
