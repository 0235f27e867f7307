import type { Fetcher, Provider, UTxO } from 'layer-sdk/providers'
import { FallbackProvider, IndexerProvider, RpcProvider } from 'layer-sdk/providers'
import { SubmitOutcomeUnknownError, SubmitRejectedError } from '../../src/errors/provider.js'
import { InvalidAddressError } from '../../src/errors/input.js'
import { IndexerServer, KEY } from './support/indexerServer.js'
import { RpcServer } from './support/rpcServer.js'
import { TX, TX_ID } from './support/transaction.js'

const ADDRESS = 'addr_test1vr8nl4u0u6fmtfnawx2rxfz95dy7m46t6dhzdftp2uha87syeufdg'
const utxo = (index: number): UTxO => ({
  input: { txHash: 'a'.repeat(64), index },
  output: { address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '1' }] }
})

/** A provider of a user's own, that answers or fails as told. */
function own(name: string, calls: string[], answer: () => Promise<any>): Provider {
  const call = (method: string) => (): Promise<any> => {
    calls.push(`${name}.${method}`)
    return answer()
  }
  const fetcher = Object.fromEntries(
    ['fetchAddressUTxOs', 'fetchUTxOs', 'fetchProtocolParameters', 'fetchTip'].map((method) => [method, call(method)])
  )
  return { fetcher: fetcher as unknown as Fetcher, submitter: { submitTx: call('submitTx') } }
}

const fail = (error: unknown) => () => Promise.reject(error)

describe('FallbackProvider', () => {
  it('asks the first provider, and the next one when it fails', async () => {
    const calls: string[] = []
    const { fetcher } = new FallbackProvider([
      own('a', calls, fail(new Error('down'))),
      own('b', calls, async () => [utxo(1)])
    ])
    expect(await fetcher.fetchAddressUTxOs(ADDRESS)).toEqual([utxo(1)])
    expect(calls).toEqual(['a.fetchAddressUTxOs', 'b.fetchAddressUTxOs'])
  })

  it('hands every call on', async () => {
    const calls: string[] = []
    const { fetcher, submitter } = new FallbackProvider([own('a', calls, async () => 'answer')])
    expect(await fetcher.fetchUTxOs([])).toBe('answer')
    expect(await fetcher.fetchProtocolParameters()).toBe('answer')
    expect(await fetcher.fetchTip()).toBe('answer')
    expect(await submitter.submitTx(TX)).toBe('answer')
    expect(calls).toEqual(['a.fetchUTxOs', 'a.fetchProtocolParameters', 'a.fetchTip', 'a.submitTx'])
  })

  it('asks a provider that failed last, until the cooldown is over', async () => {
    jest.useFakeTimers()
    try {
      const calls: string[] = []
      const { fetcher } = new FallbackProvider(
        [own('a', calls, fail(new Error('down'))), own('b', calls, async () => [])],
        { cooldown: 1000 }
      )
      await fetcher.fetchTip()
      await fetcher.fetchTip()
      jest.advanceTimersByTime(1001)
      await fetcher.fetchTip()
      expect(calls.map((call) => call[0]).join('')).toBe('abbab')
    } finally {
      jest.useRealTimers()
    }
  })

  it('keeps what each provider failed with, when all of them do', async () => {
    const errors = [new Error('first'), new Error('second')]
    const { fetcher } = new FallbackProvider(errors.map((error, i) => own(String(i), [], fail(error))))
    await expect(fetcher.fetchTip()).rejects.toMatchObject({ code: 'PROVIDERS_EXHAUSTED', errors, cause: errors[1] })
    await expect(new FallbackProvider([own('a', [], fail(errors[0]))]).fetcher.fetchTip()).rejects.toBe(errors[0])
  })

  it('asks no other for what was wrong in the arguments, or no longer wanted', async () => {
    const calls: string[] = []
    const wrong = new InvalidAddressError('x', { expected: 'y', got: 'z' })
    const { fetcher } = new FallbackProvider([own('a', calls, fail(wrong)), own('b', calls, async () => [])])
    await expect(fetcher.fetchAddressUTxOs('x')).rejects.toBe(wrong)
    const reason = new Error('enough')
    const aborted = new FallbackProvider([own('c', calls, fail(reason)), own('d', calls, async () => [])])
    await expect(aborted.fetcher.fetchTip({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(calls).toEqual(['a.fetchAddressUTxOs', 'c.fetchTip'])
  })

  it('takes a refusal of a transaction for the answer', async () => {
    const calls: string[] = []
    const refused = new SubmitRejectedError(TX_ID, 3117, 'UnknownOutputReferences', 'spent')
    const { submitter } = new FallbackProvider([own('a', calls, fail(refused)), own('b', calls, async () => TX_ID)])
    await expect(submitter.submitTx(TX)).rejects.toBe(refused)
    expect(calls).toEqual(['a.submitTx'])
  })

  it('does not believe a refusal after another provider may have taken the transaction', async () => {
    const refused = new SubmitRejectedError(TX_ID, 3117, 'UnknownOutputReferences', 'spent')
    const unknown = new SubmitOutcomeUnknownError(TX_ID, new Error('lost'))
    const { submitter } = new FallbackProvider([own('a', [], fail(unknown)), own('b', [], fail(refused))])
    await expect(submitter.submitTx(TX)).rejects.toMatchObject({
      code: 'PROVIDER_SUBMIT_UNKNOWN',
      txId: TX_ID,
      cause: { errors: [unknown, refused] }
    })
  })

  it("does not believe a refusal after a provider of the user's own failed without a word on it", async () => {
    const refused = new SubmitRejectedError(TX_ID, 3117, 'UnknownOutputReferences', 'spent')
    const { submitter } = new FallbackProvider([own('a', [], fail(new Error('lost'))), own('b', [], fail(refused))])
    await expect(submitter.submitTx(TX)).rejects.toMatchObject({
      code: 'PROVIDER_SUBMIT_UNKNOWN',
      txId: TX_ID,
      cause: { errors: [new Error('lost'), refused] }
    })
  })

  it('never hides that a transaction may have been taken behind the failures of others', async () => {
    const unknown = new SubmitOutcomeUnknownError(TX_ID, new Error('lost'))
    const { submitter } = new FallbackProvider([own('a', [], fail(unknown)), own('b', [], fail(new Error('down')))])
    await expect(submitter.submitTx(TX)).rejects.toMatchObject({
      code: 'PROVIDER_SUBMIT_UNKNOWN',
      txId: TX_ID,
      cause: { code: 'PROVIDERS_EXHAUSTED' }
    })
  })

  it('refuses what is no provider, and a cooldown that is none', () => {
    for (const junk of [[null], [{}], [{ fetcher: {} }], 5]) {
      expect(() => new FallbackProvider(junk as never)).toThrow(
        expect.objectContaining({ code: 'INPUT_ARGUMENT', argument: 'providers' })
      )
    }
    for (const cooldown of [NaN, -1, '5']) {
      expect(() => new FallbackProvider([own('a', [], async () => [])], { cooldown: cooldown as never })).toThrow(
        expect.objectContaining({ argument: 'cooldown' })
      )
    }
  })

  it('needs a provider', () => {
    expect(() => new FallbackProvider([])).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT', argument: 'providers' })
    )
    expect(() => new FallbackProvider(undefined as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })

  it('goes from the Rpc to the Indexer, for reading and for submitting', async () => {
    const [indexer, rpc] = await Promise.all([new IndexerServer().listen(), new RpcServer().listen()])
    await rpc.close()
    const { fetcher, submitter } = new FallbackProvider([
      new RpcProvider({ apiEndpoint: rpc.wsOrigin, network: 'preprod', retry: { attempts: 1 } }),
      new IndexerProvider({ apiKey: KEY, network: 'preprod', baseUrl: indexer.baseUrl })
    ])
    expect(await fetcher.fetchAddressUTxOs(ADDRESS)).toEqual([])
    expect(await submitter.submitTx(TX)).toBe(TX_ID)
    await indexer.close()
  })
})
