import type { Fetcher, RequestOptions, Tip } from '../types/provider.js'
import type { TxInput, UTxO } from '../types/utxo.js'
import { FORMER_HEAD_TOKEN } from './rules.js'

/** An answer of the chain source, and the tip at which it was given. */
interface Found {
  readonly tip: string
  readonly utxos: Promise<readonly UTxO[]>
}

/** Looks at a new tip between two searches for the token of the generation before, once none was found. */
const FORMER_TOKEN_EVERY = 10

/**
 * A chain source that is read again and again. While the tip stays the same, the tip alone is read. With a new one, an
 * output that was found by its unit is looked up by its reference, together with all others that are looked up so.
 */
export class PolledSource {
  /** Reads the ledger. */
  readonly fetcher: Fetcher
  readonly #source: Fetcher
  readonly #found = new Map<string, Found>()
  readonly #asked = new Set<string>()
  #tip: Promise<Tip> | null = null
  #lookUp: { readonly inputs: Map<string, TxInput>; readonly utxos: Promise<readonly UTxO[]> } | null = null
  #looksWithoutFormer = 0

  constructor(source: Fetcher) {
    this.#source = source
    this.fetcher = {
      fetchAddressUTxOs: (address, unit, options) =>
        this.#once(`address ${address} ${unit ?? ''}`, options, async (before) =>
          this.#isFormer(unit, before) ? before : source.fetchAddressUTxOs(address, unit, options)
        ),
      fetchUTxOs: (inputs, options) =>
        this.#once(`inputs ${inputs.map(keyOf).join()}`, options, () => this.#together(inputs, options)),
      fetchProtocolParameters: (...given) => source.fetchProtocolParameters(...given),
      fetchTip: (options) => this.#readTip(options),
      ...(source?.fetchAssetUTxOs === undefined
        ? {}
        : { fetchAssetUTxOs: (unit, options) => this.#findAsset(unit, options) })
    }
  }

  /** Begins a look: the tip is read again. */
  begin(): void {
    this.#tip = null
    this.#asked.clear()
  }

  #readTip(options: RequestOptions | undefined): Promise<Tip> {
    const tip = (this.#tip ??= this.#source.fetchTip(options))
    tip.catch(() => (this.#tip = null))
    return tip
  }

  /** Asks once for each tip. A second attempt of the same look reads the tip again. */
  async #once(
    key: string,
    options: RequestOptions | undefined,
    ask: (before: readonly UTxO[] | null) => Promise<readonly UTxO[]>
  ): Promise<UTxO[]> {
    if (this.#asked.has(key)) this.begin()
    this.#asked.add(key)
    const { hash: tip } = await this.#readTip(options)
    const known = this.#found.get(key)
    if (known?.tip === tip) return [...(await known.utxos)]
    const utxos = ask(known === undefined ? null : await known.utxos)
    this.#found.set(key, { tip, utxos })
    utxos.catch(() => this.#found.delete(key))
    return [...(await utxos)]
  }

  #findAsset(unit: string, options: RequestOptions | undefined): Promise<UTxO[]> {
    return this.#once(unit, options, async (before) => {
      if (before !== null && before.length > 0) {
        const inputs = before.map(({ input }) => input)
        const present = await this.#together(inputs, options)
        if (present.length === inputs.length) return before
      }
      if (this.#isFormer(unit, before)) return before
      return this.#source.fetchAssetUTxOs!(unit, options)
    })
  }

  /** True where the token of the generation before was not found, and need not be searched again at this tip. */
  #isFormer(unit: string | undefined, before: readonly UTxO[] | null): before is readonly UTxO[] {
    if (unit?.endsWith(FORMER_HEAD_TOKEN) !== true || before?.length !== 0) return false
    this.#looksWithoutFormer = (this.#looksWithoutFormer + 1) % FORMER_TOKEN_EVERY
    return this.#looksWithoutFormer > 0
  }

  /** Looks up references; calls of one task share a request. */
  async #together(inputs: readonly TxInput[], options: RequestOptions | undefined): Promise<readonly UTxO[]> {
    if (this.#lookUp === null) {
      const all = new Map<string, TxInput>()
      const utxos = Promise.resolve().then(() => {
        this.#lookUp = null
        return this.#source.fetchUTxOs([...all.values()], options)
      })
      this.#lookUp = { inputs: all, utxos }
    }
    const { inputs: all, utxos } = this.#lookUp
    const keys = new Set(inputs.map(keyOf))
    for (const input of inputs) all.set(keyOf(input), input)
    return (await utxos).filter(({ input }) => keys.has(keyOf(input)))
  }
}

function keyOf({ txHash, index }: TxInput): string {
  return `${txHash}#${index}`
}
