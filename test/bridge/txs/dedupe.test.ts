import { dedupeSubmissions } from '../../../src/bridge/txs/dedupe'
import type { SubmitL2TxResponse } from '../../../src/bridge/protocol/types'

const transaction = (txId: string) => ({ type: '', description: '', cborHex: '84', txId })
const CONFIRMED: SubmitL2TxResponse = { tag: 'SubmitTxConfirmed', snapshotNumber: 3 }
/** What a call gets that sent nothing. */
const SHARED: SubmitL2TxResponse = { ...CONFIRMED, deduplicated: true }

/** A submit that is answered by hand. */
function setup() {
  const calls: {
    txId: string
    signal: AbortSignal
    timeout: number | undefined
    answer(verdict: SubmitL2TxResponse): void
  }[] = []
  const submit = dedupeSubmissions(
    ({ txId }, options) =>
      new Promise((resolve, reject) => {
        options!.signal!.addEventListener('abort', () => reject(options!.signal!.reason))
        calls.push({ txId, signal: options!.signal!, timeout: options!.timeout, answer: resolve })
      })
  )
  return { calls, submit }
}

describe('parallel submits of one transaction', () => {
  it('are one request and get one verdict, which says so to all but the first', async () => {
    const { calls, submit } = setup()
    const verdicts = Promise.all([
      submit(transaction('aa'), { timeout: 5 }),
      submit(transaction('aa')),
      submit(transaction('aa'))
    ])
    await Promise.resolve()
    expect(calls.map(({ txId, timeout }) => [txId, timeout])).toEqual([['aa', 5]])
    calls[0]!.answer(CONFIRMED)
    expect(await verdicts).toEqual([CONFIRMED, SHARED, SHARED])
  })

  it('end for the caller whose signal ends, and for no other caller', async () => {
    const { calls, submit } = setup()
    const leaving = new AbortController()
    const first = submit(transaction('aa'), { signal: leaving.signal })
    const second = submit(transaction('aa'))
    leaving.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    expect(calls[0]!.signal.aborted).toBe(false)
    calls[0]!.answer(CONFIRMED)
    expect(await second).toEqual(SHARED)
  })

  it('end the request when the last caller leaves', async () => {
    const { calls, submit } = setup()
    const leaving = new AbortController()
    const both = [
      submit(transaction('aa'), { signal: leaving.signal }),
      submit(transaction('aa'), { signal: leaving.signal })
    ]
    leaving.abort(new Error('enough'))
    for (const each of both) await expect(each).rejects.toThrow('enough')
    expect(calls[0]!.signal.aborted).toBe(true)
  })

  it('are requested again by the first caller after the last one has left', async () => {
    const { calls, submit } = setup()
    const leaving = new AbortController()
    const first = submit(transaction('aa'), { signal: leaving.signal })
    leaving.abort(new Error('enough'))
    const second = submit(transaction('aa'))
    const third = submit(transaction('aa'))
    await expect(first).rejects.toThrow('enough')
    const fourth = submit(transaction('aa'))
    expect(calls).toHaveLength(2)
    calls[1]!.answer(CONFIRMED)
    expect(await Promise.all([second, third, fourth])).toEqual([CONFIRMED, SHARED, SHARED])
  })

  it('reject at once when the signal has ended already, without a request', async () => {
    const { calls, submit } = setup()
    await expect(submit(transaction('aa'), { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow(
      'too late'
    )
    expect(calls).toEqual([])
  })

  it('are requests of their own for other transactions, and again after the verdict', async () => {
    const { calls, submit } = setup()
    const verdicts = [submit(transaction('aa')), submit(transaction('bb'))]
    await Promise.resolve()
    for (const call of calls) call.answer(CONFIRMED)
    await Promise.all(verdicts)
    void submit(transaction('aa'))
    await Promise.resolve()
    expect(calls.map(({ txId }) => txId)).toEqual(['aa', 'bb', 'aa'])
  })
})
