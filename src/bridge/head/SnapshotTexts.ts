import type { TxOutJson, UTxOObject } from '../protocol/types.js'
import { OutputMap, OutputSlices } from './OutputSlices.js'
import { diffText, KnownKeys, KnownText, type TextChange } from './textDiff.js'
import { type UtxoChange, UtxoIndex } from './UtxoIndex.js'

/** Outputs of a message as they were read from its text. */
export interface TextOutputs {
  readonly text: string
  /** Index of the brace that ends them. */
  readonly end: number
  /** Change since the previous text; `revision` is that of the index to which the change applies. */
  readonly change: TextChange | null
  readonly revision: number
  /** All outputs, where there was no previous text to compare with. */
  readonly all: { readonly outputs: UtxoIndex | OutputMap; readonly slices: OutputSlices } | null
}

/** The text whose outputs are in the index. */
interface Base {
  readonly known: KnownText | KnownKeys
  /** Outputs of the index that the text does not have: those of a commit. */
  readonly extra: ReadonlySet<string>
  /** Revision of the index with these outputs. */
  readonly revision: number
}

/** Reads the outputs of messages from their text; outputs that the previous text had too are not read again. */
export class SnapshotTexts {
  readonly #index: UtxoIndex
  readonly #maxKeptText: number
  readonly #isStrict: boolean
  #base: Base | null = null
  /** Outputs whose change has been computed and not applied yet, with the keys of the commit that they do not have. */
  #pending: { readonly read: TextOutputs; readonly extra: ReadonlySet<string> } | null = null

  /**
   * @param maxKeptText - maximum length of a text that is kept, so that the next one is compared with it; of a longer
   * text only the keys are kept
   * @param isStrict - true: a known key alone does not identify an output. So no keys of a longer text are kept, and a
   * text that writes a known output differently is read as a whole
   */
  constructor(index: UtxoIndex, maxKeptText: number, isStrict = false) {
    this.#index = index
    this.#isStrict = isStrict
    this.#maxKeptText = maxKeptText
  }

  /** Revision of the index that changes are computed against. */
  get revision(): number {
    return this.#index.revision
  }

  /** True when there is a previous text to compare with. */
  get hasBase(): boolean {
    return this.#base !== null && this.#base.revision === this.#index.revision
  }

  /**
   * Returns the change since the previous text; null where there is none, or the outputs have to be read as a whole.
   *
   * @param start - index after the brace that begins the outputs
   */
  compare(text: string, start: number): TextOutputs | null {
    const base = this.#base
    if (base === null || base.revision !== this.#index.revision) return null
    const change = diffText(
      base.known,
      text,
      start,
      (key) => this.#index.has(key) && !base.extra.has(key),
      this.#isStrict
    )
    return change && { text, end: change.end, change, revision: base.revision, all: null }
  }

  /** Begins to read all outputs of a text. The slices are read by the caller, then {@link whole} gives the outputs. */
  begin(text: string, start: number): { slices: OutputSlices; whole(): TextOutputs } {
    // An empty index adopts them as they are.
    const outputs = this.#index.size === 0 ? new UtxoIndex() : new OutputMap()
    const slices = new OutputSlices(text, start, outputs)
    return { slices, whole: () => ({ text, end: slices.end, change: null, revision: -1, all: { outputs, slices } }) }
  }

  /**
   * Returns the change to the index that leads to these outputs and those of a commit; null where the outputs were
   * compared with an earlier content of the index.
   */
  changeTo(read: TextOutputs, commit: UTxOObject | null): UtxoChange | null {
    const { all, change, revision } = read
    const base = this.#base
    const committing = Object.keys(commit ?? {})
    if (all !== null) {
      const { outputs } = all
      const extra = committing.filter((key) => !outputs.has(key))
      this.#pending = { read, extra: new Set(extra) }
      if (this.#index.size > 0 || !(outputs instanceof UtxoIndex)) return this.#index.diff(outputs, commit)
      return { added: extra, outputs: extra.map((key) => commit![key]!), removed: [], whole: outputs }
    }
    if (change === null || base === null || revision !== base.revision || revision !== this.#index.revision) return null
    const fresh = new Set(change.added)
    const removedKeys = new Set(change.removed)
    const result = { added: [] as string[], outputs: [] as TxOutJson[], removed: [] as string[] }
    const add = (key: string, output: TxOutJson): void => {
      result.added.push(key)
      result.outputs.push(output)
    }
    const isCommitting = (key: string): boolean => commit !== null && Object.hasOwn(commit, key)
    for (const [n, key] of change.added.entries()) if (!this.#index.has(key)) add(key, change.outputs[n]!)
    for (const key of change.removed) if (!isCommitting(key)) result.removed.push(key)
    for (const key of base.extra) if (!fresh.has(key) && !isCommitting(key)) result.removed.push(key)
    for (const key of committing) if (!this.#index.has(key) && !fresh.has(key)) add(key, commit![key]!)
    const isInText = (key: string): boolean =>
      fresh.has(key) || (this.#index.has(key) && !base.extra.has(key) && !removedKeys.has(key))
    this.#pending = { read, extra: new Set(committing.filter((key) => !isInText(key))) }
    return result
  }

  /**
   * Notes that the index has the outputs of a text, with which the next text is compared. Null: it has other outputs.
   */
  applied(read: TextOutputs | null): void {
    const [base, pending] = [this.#base, this.#pending]
    this.#base = this.#pending = null
    if (read === null || pending?.read !== read) return
    const known = this.#knownOf(read, base, pending.extra)
    if (known !== null) this.#base = { known, extra: pending.extra, revision: this.#index.revision }
  }

  #knownOf(
    { all, change, text, end }: TextOutputs,
    base: Base | null,
    extra: ReadonlySet<string>
  ): Base['known'] | null {
    const isKept = text.length <= this.#maxKeptText
    if (!isKept && this.#isStrict) return null
    if (all !== null) {
      const { starts, count } = all.slices
      // They may have become the index, and got those of the commit.
      return isKept
        ? new KnownText(text, starts.slice(0, count), count, end)
        : new KnownKeys([...all.outputs.keys()].filter((key) => !extra.has(key)))
    }
    if (change === null || base === null) return null
    // When the bound is crossed, the next text is read as a whole once.
    if (base.known instanceof KnownText) return isKept ? base.known.next(text, change) : null
    return text.length > this.#maxKeptText / 2 ? base.known.next(change) : null
  }
}
