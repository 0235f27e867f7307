import type { Fetcher, RequestOptions, Tip } from '../types/provider.js'
import type { TxInput, UTxO } from '../types/utxo.js'
import { FORMER_HEAD_TOKEN } from './rules.js'

/** An answer of the chain source, and the tip (newest block) at which it was given. */
interface Found {
  readonly tip: string
  readonly utxos: Promise<readonly UTxO[]>
}

/** Reads of which one has its turn in a poll: looking up known outputs, or searching an address for new ones. */
type Turn = 'lookUp' | 'search'

/** Number of polls at new tips between two searches for the token of the generation before, once none was found. */
const FORMER_TOKEN_EVERY = 10

/**
 * A chain source that is polled. While the tip (newest block) stays the same, a poll reads only the tip. At a new tip,
 * outputs that were found by their unit are looked up by their references, all in one request.
 *
 * A poll makes at most one request besides the one for the tip. Where both the references and an address have to be
 * read at a new tip, one of them has its turn, and the other keeps its earlier answer until the next poll.
 */
export class PolledSource {
  /** Reads the ledger, with these rules applied. */
  readonly fetcher: Fetcher
  readonly #source: Fetcher
  readonly #found = new Map<string, Found>()
  readonly #askedKeys = new Set<string>()
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
      fetchProtocolParameters: (...args) => source.fetchProtocolParameters(...args),
      fetchTip: (options) => this.#readTip(options),
      ...(source?.fetchAssetUTxOs === undefined
        ? {}
        : {
            fetchAssetUTxOs: (unit, options) =>
              this.#findUnit(unit, unit, options, () => source.fetchAssetUTxOs!(unit, options))
          })
    }
  }

  /**
   * True when this poll has found an output spent, while another answer is still that of an earlier tip: the two may
   * show different sides of one step.
   */
  get isTorn(): boolean {
    return this.#hasPutOff && this.#hasLost
  }

  /** Begins a poll, which reads the tip again; with `whole`, also all answers of earlier tips. */
  begin({ whole = false }: { readonly whole?: boolean } = {}): void {
    this.#tip = null
    this.#askedKeys.clear()
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

  /**
   * Asks once at each tip. When the same is asked twice in one poll, the tip and all answers of earlier tips are read
   * again.
   */
  async #once(
    turn: Turn,
    key: string,
    options: RequestOptions | undefined,
    ask: (before: readonly UTxO[] | null) => Promise<readonly UTxO[]>
  ): Promise<UTxO[]> {
    if (this.#askedKeys.has(key)) this.begin({ whole: true })
    this.#askedKeys.add(key)
    const { hash: tip } = await this.#readTip(options)
    const entry = this.#found.get(key)
    const before = entry === undefined ? null : await entry.utxos
    if (before !== null && (entry!.tip === tip || !this.#isDue(turn))) return [...before]
    const utxos = ask(before)
    this.#found.set(key, { tip, utxos })
    utxos.catch(() => this.#found.delete(key))
    const refs = new Set((await utxos).map(({ input }) => keyOf(input)))
    if (before?.some(({ input }) => !refs.has(keyOf(input))) === true) this.#hasLost = true
    return [...(await utxos)]
  }

  /**
   * Returns true when an answer of an earlier tip is to be read again in this poll. One that has to wait is due in the
   * next.
   */
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

  /**
   * Returns true for the token of the generation before, if it was not found and need not be searched again at this
   * tip.
   */
  #isFormer(unit: string, before: readonly UTxO[] | null): before is readonly UTxO[] {
    if (!unit.endsWith(FORMER_HEAD_TOKEN) || before?.length !== 0) return false
    this.#looksWithoutFormer = (this.#looksWithoutFormer + 1) % FORMER_TOKEN_EVERY
    return this.#looksWithoutFormer > 0
  }

  /** Looks up references; calls in the same task share one request. */
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
