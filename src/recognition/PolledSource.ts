import type { Fetcher, RequestOptions, Tip } from '../types/provider.js'
import type { TxInput, UTxO } from '../types/utxo.js'
import { FORMER_HEAD_TOKEN } from './rules.js'

/** An answer of the chain source, and the tip at which it was given. */
interface Found {
  readonly tip: string
  readonly utxos: Promise<readonly UTxO[]>
}

/** Reads that take turns: outputs that are looked up, and addresses that are searched for new ones. */
type Turn = 'lookUp' | 'search'

/** Looks at a new tip between two searches for the token of the generation before, once none was found. */
const FORMER_TOKEN_EVERY = 10

/**
 * A chain source that is read again and again. While the tip stays the same, the tip alone is read. With a new one, an
 * output that was found by its unit is looked up by its reference, together with all others that are looked up so.
 *
 * A look makes one request beside the one for the tip: where both the references and an address are to be read at a new
 * tip, one of them has its turn, and the other keeps its answer until the next look.
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
  #turn: Turn | null = null
  #owed: Turn | null = null
  #isWhole = false
  #hasPutOff = false
  #hasLost = false

  constructor(source: Fetcher) {
    this.#source = source
    this.fetcher = {
      fetchAddressUTxOs: (address, unit, options) =>
        unit === undefined
          ? this.#once('search', address, options, () => source.fetchAddressUTxOs(address, undefined, options))
          : this.#findUnit(`${address} ${unit}`, unit, options, () => source.fetchAddressUTxOs(address, unit, options)),
      fetchUTxOs: (inputs, options) =>
        this.#once('lookUp', inputs.map(keyOf).join(), options, () => this.#together(inputs, options)),
      fetchProtocolParameters: (...given) => source.fetchProtocolParameters(...given),
      fetchTip: (options) => this.#readTip(options),
      ...(source?.fetchAssetUTxOs === undefined
        ? {}
        : {
            fetchAssetUTxOs: (unit, options) =>
              this.#findUnit(unit, unit, options, () => source.fetchAssetUTxOs!(unit, options))
          })
    }
  }

  /** True when this look has seen an output spent beside an answer of an earlier tip: they may tell of one step. */
  get isTorn(): boolean {
    return this.#hasPutOff && this.#hasLost
  }

  /** Begins a look: the tip is read again. With `whole`, so is all that is not of this tip. */
  begin({ whole = false }: { readonly whole?: boolean } = {}): void {
    this.#tip = null
    this.#asked.clear()
    this.#turn = null
    this.#isWhole = whole
    this.#hasPutOff = false
    this.#hasLost = false
  }

  #readTip(options: RequestOptions | undefined): Promise<Tip> {
    const tip = (this.#tip ??= this.#source.fetchTip(options))
    tip.catch(() => (this.#tip = null))
    return tip
  }

  /** Asks once for each tip. A second attempt of the same look reads the tip again, and all that is not of this tip. */
  async #once(
    turn: Turn,
    key: string,
    options: RequestOptions | undefined,
    ask: (before: readonly UTxO[] | null) => Promise<readonly UTxO[]>
  ): Promise<UTxO[]> {
    if (this.#asked.has(key)) this.begin({ whole: true })
    this.#asked.add(key)
    const { hash: tip } = await this.#readTip(options)
    const known = this.#found.get(key)
    const before = known === undefined ? null : await known.utxos
    if (before !== null && (known!.tip === tip || !this.#isDue(turn))) return [...before]
    const utxos = ask(before)
    this.#found.set(key, { tip, utxos })
    utxos.catch(() => this.#found.delete(key))
    const refs = new Set((await utxos).map(({ input }) => keyOf(input)))
    if (before?.some(({ input }) => !refs.has(keyOf(input))) === true) this.#hasLost = true
    return [...(await utxos)]
  }

  /** True when an answer of an earlier tip is to be read again in this look. One that was put off is due in the next. */
  #isDue(turn: Turn): boolean {
    if (this.#isWhole) return true
    if (this.#turn === null) {
      this.#turn = this.#owed ?? turn
      this.#owed = null
    }
    if (this.#turn === turn) return true
    this.#owed = turn
    this.#hasPutOff = true
    return false
  }

  #findUnit(
    key: string,
    unit: string,
    options: RequestOptions | undefined,
    search: () => Promise<readonly UTxO[]>
  ): Promise<UTxO[]> {
    return this.#once('lookUp', key, options, async (before) => {
      if (before !== null && before.length > 0) {
        const inputs = before.map(({ input }) => input)
        const present = await this.#together(inputs, options)
        if (present.length === inputs.length) return before
      }
      return this.#isFormer(unit, before) ? before : search()
    })
  }

  /** True where the token of the generation before was not found, and need not be searched again at this tip. */
  #isFormer(unit: string, before: readonly UTxO[] | null): before is readonly UTxO[] {
    if (!unit.endsWith(FORMER_HEAD_TOKEN) || before?.length !== 0) return false
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
