import { ProvidersDisagreeError, ProvidersExhaustedError } from '../../errors/provider.js'
import type { Fetcher, RequestOptions } from '../../types/provider.js'
import type { UTxO } from '../../types/utxo.js'
import type { Provider } from './callProvider.js'

/** Calls whose answers are compared. */
type Compared = 'fetchAddressUTxOs' | 'fetchUTxOs' | 'fetchAssetUTxOs' | 'fetchTxMetadata'

/**
 * Returns a fetcher that requests outputs, metadata and the tip from two providers: outputs and metadata must be equal,
 * and of two tips the older one is returned. All other calls go to `fetcher`.
 *
 * Rejects with {@link ProvidersDisagreeError} when the answers differ, with {@link ProvidersExhaustedError} when fewer
 * than two providers answer.
 */
export function agreeing(providers: readonly Provider[], fetcher: Fetcher): Fetcher {
  const both = async <T>(
    call: Compared | 'fetchTip',
    run: (fetcher: Fetcher) => Promise<T>,
    options: RequestOptions | undefined
  ): Promise<readonly [T, T]> => {
    const able = providers.filter((each) => each.fetcher[call] !== undefined)
    const answers: T[] = []
    const errors: unknown[] = []
    for (let next = 0; answers.length < 2 && next < able.length;) {
      const missing = able.slice(next, next + 2 - answers.length)
      next += missing.length
      for (const result of await Promise.allSettled(missing.map((each) => run(each.fetcher)))) {
        if (result.status === 'fulfilled') answers.push(result.value)
        else errors.push(result.reason)
      }
      options?.signal?.throwIfAborted()
    }
    const [first, second] = answers
    if (first === undefined || second === undefined) throw new ProvidersExhaustedError(errors)
    return [first, second]
  }
  const compared = async <T>(
    call: Compared,
    run: (fetcher: Fetcher) => Promise<T>,
    options: RequestOptions | undefined
  ): Promise<T> => {
    const [first, second] = await both(call, run, options)
    if (keyOf(first) !== keyOf(second)) throw new ProvidersDisagreeError(call, `${sizeOf(first)} and ${sizeOf(second)}`)
    return first
  }
  return {
    ...fetcher,
    fetchAddressUTxOs: (address, asset, options) =>
      compared('fetchAddressUTxOs', (each) => each.fetchAddressUTxOs(address, asset, options), options),
    fetchUTxOs: (refs, options) => compared('fetchUTxOs', (each) => each.fetchUTxOs(refs, options), options),
    fetchAssetUTxOs: (unit, options) =>
      compared('fetchAssetUTxOs', (each) => each.fetchAssetUTxOs!(unit, options), options),
    fetchTxMetadata: (txHash, options) =>
      compared('fetchTxMetadata', (each) => each.fetchTxMetadata!(txHash, options), options),
    fetchTip: async (options) => {
      const [first, second] = await both('fetchTip', (each) => each.fetchTip(options), options)
      return first.slot <= second.slot ? first : second
    }
  }
}

/** Returns a text that is the same for answers with the same content in any order. */
function keyOf(answer: unknown): string {
  if (Array.isArray(answer)) return (answer as UTxO[]).map(outputKey).sort().join()
  if (answer instanceof Map) return [...answer].map(String).sort().join()
  return String(answer)
}

function outputKey({ input, output }: UTxO): string {
  const amounts = output.amount.map(({ unit, quantity }) => `${unit}=${quantity}`).sort()
  const { address, datumHash, inlineDatum, scriptRef } = output
  return JSON.stringify([input.txHash, input.index, address, amounts, datumHash, inlineDatum, scriptRef?.cborHex])
}

function sizeOf(answer: unknown): string {
  return Array.isArray(answer) ? `${answer.length} outputs` : 'another answer'
}
