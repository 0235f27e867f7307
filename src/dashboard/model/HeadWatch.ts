import type { Signal } from '@preact/signals'
import { signal } from '@preact/signals'
import type { NetworkName } from '../../constants.js'
import { SLOT_CONFIG } from '../../constants.js'
import { KupoProvider } from '../../providers/index.js'
import type { Amount, Recognition, RecognitionStore, SetMemo } from '../../recognition/index.js'
import { watchRecognition } from '../../recognition/index.js'
import type { ErrorText } from './text.js'
import { errorText } from './text.js'

/** A head in which the page looks for money of the watched addresses. */
export interface LookedAtHead {
  /** Hex, 56 characters. */
  readonly headId: string
  /** HTTP addresses of its nodes. */
  readonly endpoints: readonly string[]
  /** Deposits that its node names, which are looked up on the base ledger. */
  readonly depositTxIds: readonly string[]
}

/** Settings of a watch: source of the base ledger, addresses and heads. */
export interface WatchSettings {
  /** URL of a Kupo. */
  readonly kupoUrl: string
  readonly network: NetworkName
  /** Bech32. */
  readonly addresses: readonly string[]
  readonly heads: readonly LookedAtHead[]
  /** Time between two readings, ms. */
  readonly intervalMs: number
}

/** Part of the settings that a person types. */
export interface TypedSettings extends Pick<WatchSettings, 'kupoUrl' | 'network' | 'addresses'> {
  /** HTTP addresses of the nodes of the head of this connection. */
  readonly endpoints: readonly string[]
  /** A further head with its own nodes. */
  readonly other: LookedAtHead | null
}

/** Results of earlier checks, kept longer than a view so that no later check accepts an older snapshot. */
export interface RecognitionMemory {
  readonly store: RecognitionStore
  readonly memo: SetMemo
}

/** Latest result for a head. */
export interface WatchState {
  /** The latest recognition; null before the first. */
  readonly found: Recognition | null
  /** Error of the base ledger; null while it answers. */
  readonly error: ErrorText | null
  /** Time at which the result arrived, by the local clock, ms since the Unix epoch. */
  readonly at: number
}

/** Balance of the addresses on the base ledger, without deposits. */
export interface BaseBalance {
  readonly amount: readonly Amount[]
  readonly error: ErrorText | null
}

/**
 * Recognises the addresses' money in heads and reads their balance on the base ledger, repeatedly until it is stopped.
 */
export class HeadWatch {
  /** Latest result by head id. */
  readonly heads: Signal<ReadonlyMap<string, WatchState>> = signal<ReadonlyMap<string, WatchState>>(new Map())
  /** Null before the first answer. */
  readonly base: Signal<BaseBalance | null> = signal<BaseBalance | null>(null)
  readonly #provider: KupoProvider
  readonly #settings: WatchSettings
  readonly #ended = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @throws {@link InvalidArgumentError} on a URL that cannot be used */
  constructor(settings: WatchSettings, memory: RecognitionMemory) {
    const { kupoUrl, network, heads, addresses, intervalMs: interval } = settings
    this.#settings = settings
    this.#provider = new KupoProvider({ baseUrl: kupoUrl, network })
    const slotConfig = SLOT_CONFIG[network.toUpperCase() as keyof typeof SLOT_CONFIG]
    for (const head of heads) {
      const fail = (error: unknown): void => this.#keep(head.headId, { error: errorText(error) })
      watchRecognition(
        {
          ...head,
          ...memory,
          addresses,
          provider: this.#provider,
          slotConfig,
          interval,
          signal: this.#ended.signal,
          onError: fail
        },
        (found) => this.#keep(head.headId, { found, error: null, at: Date.now() })
      )
    }
    void this.#readBase()
  }

  stop(): void {
    this.#ended.abort()
    clearTimeout(this.#timer)
  }

  #keep(headId: string, part: Partial<WatchState>): void {
    const before = this.heads.value.get(headId) ?? { found: null, error: null, at: 0 }
    this.heads.value = new Map(this.heads.value).set(headId, { ...before, ...part })
  }

  async #readBase(): Promise<void> {
    const { addresses, intervalMs } = this.#settings
    const { signal: ended } = this.#ended
    try {
      const lists = await Promise.all(
        addresses.map((address) => this.#provider.fetcher.fetchAddressUTxOs(address, undefined, { signal: ended }))
      )
      const sum = new Map<string, bigint>()
      for (const { output } of lists.flat())
        for (const { unit, quantity } of output.amount) sum.set(unit, (sum.get(unit) ?? 0n) + BigInt(quantity))
      const amount = [...sum].map(([unit, quantity]) => ({ unit, quantity: String(quantity) }))
      if (!ended.aborted) this.base.value = { amount, error: null }
    } catch (error) {
      if (!ended.aborted) this.base.value = { amount: this.base.value?.amount ?? [], error: errorText(error) }
    }
    if (!ended.aborted) this.#timer = setTimeout(() => void this.#readBase(), intervalMs)
  }
}
