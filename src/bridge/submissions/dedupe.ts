import type { Transaction } from '../../types/transaction.js'
import type { SubmitL2TxResponse } from '../protocol/types.js'
import type { SubmitL2TxOptions } from './submitL2Tx.js'

type Submit = (transaction: Transaction, options?: SubmitL2TxOptions) => Promise<SubmitL2TxResponse>

interface Flight {
  readonly verdict: Promise<SubmitL2TxResponse>
  /** Ends the request once nobody waits for it. */
  readonly abort: AbortController
  waiting: number
}

/**
 * One request for each transaction, however many callers ask at the same time: a copy would be taken for a double spend. The first call's
 * timeout holds for all; each caller's signal ends its own waiting only, and the last one's the request. The verdict says `deduplicated`
 * to all but the first.
 */
export function shareFlights(submit: Submit): Submit {
  const flights = new Map<string, Flight>()

  const end = (txId: string, flight: Flight): void => { if (flights.get(txId) === flight) flights.delete(txId) }

  const start = (transaction: Transaction, timeout: number | undefined): Flight => {
    const txId = transaction?.txId
    const abort = new AbortController()
    const verdict = submit(transaction, { signal: abort.signal, ...(timeout === undefined ? {} : { timeout }) }).finally(() => end(txId, flight))
    const flight: Flight = { verdict, abort, waiting: 0 }
    flights.set(txId, flight)
    return flight
  }

  return async (transaction, options) => {
    const { signal, timeout } = options ?? {}
    signal?.throwIfAborted()
    const txId = transaction?.txId
    const running = flights.get(txId)
    const flight = running ?? start(transaction, timeout)
    flight.waiting++
    return new Promise<SubmitL2TxResponse>((resolve, reject) => {
      let here = true
      const leave = (): void => {
        signal?.removeEventListener('abort', onAbort)
        if (here) flight.waiting--
        here = false
      }
      const onAbort = (): void => {
        leave()
        if (flight.waiting === 0) {
          // Whoever asks from here on asks anew.
          end(txId, flight)
          flight.abort.abort(signal?.reason)
        }
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', onAbort)
      flight.verdict.then((verdict) => { leave(); resolve(running === undefined ? verdict : { ...verdict, deduplicated: true }) }, (error: Error) => { leave(); reject(error) })
    })
  }
}
