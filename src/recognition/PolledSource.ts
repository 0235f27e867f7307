import type { Fetcher, RequestOptions, Tip } from '../types/provider.js'
import type { UTxO } from '../types/utxo.js'

/**
 * A chain source that is read again and again: an output that was found by its unit is looked up by its reference as
 * long as it is unspent, and not at all while the tip stays the same.
 */
export class PolledSource {
  /** Reads the ledger. */
  readonly fetcher: Fetcher
  readonly #source: Fetcher
  readonly #found = new Map<string, { readonly tip: string; readonly utxos: readonly UTxO[] }>()
  readonly #asked = new Set<string>()
  #tip: Promise<Tip> | null = null

  constructor(source: Fetcher) {
    this.#source = source
    // Own members of a class's instance are its methods on the prototype as well.
    const bound = <Name extends keyof Fetcher>(name: Name): Fetcher[Name] =>
      source?.[name]?.bind(source) as Fetcher[Name]
    this.fetcher = {
      fetchAddressUTxOs: bound('fetchAddressUTxOs'),
      fetchUTxOs: bound('fetchUTxOs'),
      fetchProtocolParameters: bound('fetchProtocolParameters'),
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

  async #findAsset(unit: string, options: RequestOptions | undefined): Promise<UTxO[]> {
    // A second attempt of the same look reads the tip again.
    if (this.#asked.has(unit)) this.begin()
    this.#asked.add(unit)
    const { hash: tip } = await this.#readTip(options)
    const known = this.#found.get(unit)
    if (known?.tip === tip) return [...known.utxos]
    if (known !== undefined && known.utxos.length > 0) {
      const inputs = known.utxos.map(({ input }) => input)
      const present = await this.#source.fetchUTxOs(inputs, options)
      if (present.length === inputs.length) return this.#keep(unit, tip, known.utxos)
    }
    return this.#keep(unit, tip, await this.#source.fetchAssetUTxOs!(unit, options))
  }

  #keep(unit: string, tip: string, utxos: readonly UTxO[]): UTxO[] {
    this.#found.set(unit, { tip, utxos })
    return [...utxos]
  }
}
