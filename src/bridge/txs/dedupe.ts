import type { SubmitL2TxResponse } from '../protocol/types.js'
import type { SubmitL2TxOptions } from './submitL2Tx.js'
import type { SubmittableTransaction } from './submitTx.js'

/** A transaction whose id is known. */
type Transaction = Exclude<SubmittableTransaction, string>
type Submit = (transaction: Transaction, options?: SubmitL2TxOptions) => Promise<SubmitL2TxResponse>

interface InFlight {
  readonly verdict: Promise<SubmitL2TxResponse>
  /** Aborts the request once no caller waits for it. */
  readonly abort: AbortController
  waiting: number
}

/**
 * Returns a `submit` that sends one request for each transaction, however many callers submit it at the same time,
 * because the node treats a copy as a double spend. The first call's timeout applies to all. A caller's signal ends
 * only its own wait; the request is aborted when no caller waits any more. The verdict has `deduplicated` for all
 * callers but the first.
 */
export function dedupeSubmissions(submit: Submit): Submit {
  const inFlight = new Map<string, InFlight>()

  const end = (txId: string, submission: InFlight): void => {
    if (inFlight.get(txId) === submission) inFlight.delete(txId)
  }

  const start = (transaction: Transaction, timeout: number | undefined): InFlight => {
    const txId = transaction?.txId
    const abort = new AbortController()
    const verdict = submit(transaction, {
      signal: abort.signal,
      ...(timeout === undefined ? {} : { timeout })
    }).finally(() => end(txId, submission))
    const submission: InFlight = { verdict, abort, waiting: 0 }
    inFlight.set(txId, submission)
    return submission
  }

  return async (transaction, options) => {
    const { signal, timeout } = options ?? {}
    signal?.throwIfAborted()
    const txId = transaction?.txId
    const running = inFlight.get(txId)
    const submission = running ?? start(transaction, timeout)
    submission.waiting++
    return new Promise<SubmitL2TxResponse>((resolve, reject) => {
      let isWaiting = true
      const leave = (): void => {
        signal?.removeEventListener('abort', onAbort)
        if (isWaiting) submission.waiting--
        isWaiting = false
      }
      const onAbort = (): void => {
        leave()
        if (submission.waiting === 0) {
          // Later calls send a request of their own.
          end(txId, submission)
          submission.abort.abort(signal?.reason)
        }
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', onAbort)
      submission.verdict.then(
        (verdict) => {
          leave()
          resolve(running === undefined ? verdict : { ...verdict, deduplicated: true })
        },
        (error: Error) => {
          leave()
          reject(error)
        }
      )
    })
  }
}
