import { stringifyJson } from '../../src/codec/json'
import { loadCurve } from '../../src/accumulator/curve'
import type { Fetcher, Recognition, WatchRecognitionOptions } from '../../src/recognition'
import { HEAD_TOKEN } from '../../src/recognition/rules'
import type { Hex, TxInput, UTxO } from '../../src/types/utxo'
import { openHead } from './madeHead'

type Source = WatchRecognitionOptions['provider']['fetcher']

/** Lets everything run that waits for no timer. */
export async function settle(until: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !until(); turn++) await new Promise((resolve) => setImmediate(resolve))
  if (!until()) throw new Error('it does not end')
}

/** A chain source and endpoints in memory, whose requests are counted, and a clock that tests advance. */
export class WatchedHead {
  /** Requests to the chain source by their method, since the last look began. */
  chain: string[] = []
  /** Requests to endpoints. */
  endpoints: string[] = []
  sums = 0
  block = 1
  seen: Recognition[] = []
  errors: unknown[] = []
  /** Outputs with the head's token. */
  heads: readonly object[]
  deposits: readonly UTxO[] = []
  /** The endpoints' answer. */
  body: string
  readonly #headId: Hex

  constructor(headId: Hex, lovelaceInside: number, bundle: unknown) {
    this.#headId = headId
    this.heads = [openHead(lovelaceInside)]
    this.body = stringifyJson(bundle)
  }

  readonly fetcher: Source = {
    fetchTip: () => {
      this.chain.push('tip')
      const hash = this.block.toString(16).padStart(64, '0')
      return Promise.resolve({ slot: 1_000 + this.block, hash, height: this.block })
    },
    fetchAssetUTxOs: (unit) => {
      this.chain.push('asset')
      return Promise.resolve((unit === this.#headId + HEAD_TOKEN ? this.heads : []) as UTxO[])
    },
    fetchUTxOs: (refs: readonly TxInput[]) => {
      this.chain.push('refs')
      const isAsked = ({ input }: UTxO): boolean =>
        refs.some(({ txHash, index }) => txHash === input.txHash && index === input.index)
      return Promise.resolve(([...this.heads, ...this.deposits] as UTxO[]).filter(isAsked))
    },
    fetchAddressUTxOs: () => {
      this.chain.push('address')
      return Promise.resolve([...this.deposits])
    },
    fetchProtocolParameters: () => Promise.reject(new Error('not needed'))
  } satisfies Fetcher

  /** Options of a watch that looks every 20 seconds. */
  options(more: Partial<WatchRecognitionOptions> = {}): WatchRecognitionOptions {
    return {
      headId: this.#headId,
      provider: { fetcher: this.fetcher },
      endpoints: ['https://a.example', 'https://b.example', 'https://c.example'],
      addresses: [],
      slotConfig: { zeroTime: 0, zeroSlot: 0, slotLength: 1000, startEpoch: 0, epochLength: 432_000 },
      accelerator: {
        msm: async (_points, scalars) => {
          this.sums++
          return (await (await loadCurve()).commit(scalars)).toBytes(true)
        }
      },
      fetchImpl: (url) => {
        this.endpoints.push(url)
        return Promise.resolve(new Response(this.body, { status: 200 }))
      },
      onError: (error) => void this.errors.push(error),
      ...more
    }
  }

  /** The next look, to its end: the watch then waits for the clock. */
  async look(): Promise<{ chain: string[]; endpoints: number; sums: number }> {
    this.chain = []
    this.endpoints = []
    this.sums = 0
    await jest.advanceTimersByTimeAsync(20_000)
    await settle(() => this.endpoints.length > 0 && jest.getTimerCount() === 1)
    return { chain: [...this.chain].sort(), endpoints: this.endpoints.length, sums: this.sums }
  }
}
