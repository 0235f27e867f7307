import type { Credential } from '../../codec/address.js'
import { parseAddress } from '../../codec/address.js'
import type { Value } from '../../codec/value.js'
import { valueFromAmounts } from '../../codec/value.js'
import type { TxInput, TxOutput } from '../../types/utxo.js'
import type { CarriedScript } from './txScripts.js'
import { carriedScript } from './txScripts.js'
import { txOutJson } from '../json/txOutJson.js'

/** Reference of an output: `txHash#index`. */
export function entryRefOf({ txHash, index }: TxInput): string {
  return `${txHash}#${index}`
}

/**
 * An unspent output; its JSON is written once. Data that only a validation needs is made for it, and not kept: large
 * heads hold outputs by the 100,000.
 */
export class LedgerEntry {
  readonly input: TxInput
  readonly ref: string
  readonly output: TxOutput
  #json: string | undefined
  #script: CarriedScript | null | undefined

  constructor(input: TxInput, output: TxOutput) {
    this.input = input
    this.ref = entryRefOf(input)
    this.output = output
  }

  get value(): Value {
    return valueFromAmounts(this.output.amount)
  }

  /** Null for Byron addresses. */
  get payment(): Credential | null {
    return parseAddress(this.output.address).payment ?? null
  }

  /** The script that the output carries, or `null`; read once. */
  get script(): CarriedScript | null {
    return (this.#script ??= this.output.scriptRef === undefined ? null : carriedScript(this.output.scriptRef))
  }

  /** @throws a codec error on an inline datum or a script that cannot be read. */
  assertReadable(): void {
    if (this.output.inlineDatum !== undefined) this.json()
    void this.script
  }

  /** `"txHash#index":{...}` */
  json(): string {
    return (this.#json ??= `"${this.ref}":${txOutJson(this.output)}`)
  }
}

/** Entries by slots in blocks of {@link BLOCK_SLOTS}; a slot whose entry has gone is null. */
type Block = readonly (LedgerEntry | null)[]

const BLOCK_SLOTS = 64

/**
 * A UTxO that never changes. It shares the blocks of the set that it was copied from, so that many snapshots of a large
 * head stay small.
 */
export class UtxoView {
  readonly #blocks: readonly Block[]
  readonly size: number

  /** `size`: how many slots of the blocks hold an entry. */
  constructor(entries: readonly LedgerEntry[] | { readonly blocks: readonly Block[]; readonly size: number }) {
    this.#blocks = 'blocks' in entries ? entries.blocks : [entries]
    this.size = 'blocks' in entries ? entries.size : entries.length
  }

  /** The entries in the order in which they were added; the list is built anew for a UTxO of several blocks. */
  get entries(): readonly LedgerEntry[] {
    const [only] = this.#blocks
    if (this.#blocks.length === 1 && only!.length === this.size) return only as readonly LedgerEntry[]
    return [...this]
  }

  *[Symbol.iterator](): Generator<LedgerEntry, void, undefined> {
    for (const block of this.#blocks) for (const entry of block) if (entry !== null) yield entry
  }

  concat(other: UtxoView): UtxoView {
    if (other.size === 0) return this
    return this.size === 0
      ? other
      : new UtxoView({ blocks: [...this.#blocks, ...other.#blocks], size: this.size + other.size })
  }

  /**
   * Returns the outputs to drop from `other`, and those to add to it in order, to obtain this UTxO; null when the order
   * would differ.
   */
  changesFrom(other: UtxoView): { dropped: LedgerEntry[]; added: LedgerEntry[] } | null {
    return changesBySlot(other.#blocks, this.#blocks) ?? changesByEntry(other, this)
  }

  /** The node's JSON: an object keyed by output reference. */
  toJsonText(): string {
    const members: string[] = []
    for (const block of this.#blocks) for (const entry of block) if (entry !== null) members.push(entry.json())
    return `{${members.join(',')}}`
  }
}

/**
 * Returns the changes between two UTxOs of one set, which share the blocks that have not changed; null when slots hold
 * different entries, as after the set has been refilled.
 */
function changesBySlot(
  before: readonly Block[],
  after: readonly Block[]
): { dropped: LedgerEntry[]; added: LedgerEntry[] } | null {
  const isRegular = (blocks: readonly Block[]): boolean =>
    blocks.slice(0, -1).every((block) => block.length === BLOCK_SLOTS)
  if (!isRegular(before) || !isRegular(after)) return null
  const used = Math.max(0, before.length - 1) * BLOCK_SLOTS + (before.at(-1)?.length ?? 0)
  const dropped: LedgerEntry[] = []
  const added: LedgerEntry[] = []
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    const [old, now] = [before[i], after[i]]
    if (old === now) continue
    for (let j = 0; j < Math.max(old?.length ?? 0, now?.length ?? 0); j++) {
      const [was, is] = [old?.[j] ?? null, now?.[j] ?? null]
      if (was === is) continue
      if (is !== null && i * BLOCK_SLOTS + j < used) return null
      if (was !== null) dropped.push(was)
      if (is !== null) added.push(is)
    }
  }
  return { dropped, added }
}

function changesByEntry(before: UtxoView, after: UtxoView): { dropped: LedgerEntry[]; added: LedgerEntry[] } | null {
  const [old, now] = [new Set(before), new Set(after)]
  const added = [...now].filter((entry) => !old.has(entry))
  const inOrder = [...[...old].filter((entry) => now.has(entry)), ...added]
  let i = 0
  for (const entry of after) if (inOrder[i++] !== entry) return null
  return { dropped: [...old].filter((entry) => !now.has(entry)), added }
}

/** No outputs. */
export const EMPTY_VIEW: UtxoView = /* @__PURE__ */ new UtxoView([])

/** Receives the changes of a {@link UtxoSet}. */
export interface OutputFollower {
  reset(entries: readonly LedgerEntry[]): void
  add(entry: LedgerEntry): void
  remove(entry: LedgerEntry): void
}

/**
 * The unspent outputs of a ledger by reference, changed in place. A view costs one pointer for each block; a change
 * copies a block that a view shares.
 */
export class UtxoSet {
  readonly #slots = new Map<string, number>()
  #blocks: (LedgerEntry | null)[][] = []
  /** Indices of the blocks that no view shares, which may be changed in place. */
  readonly #unshared = new Set<number>()
  #used = 0
  readonly #ordered: OutputFollower | null
  #view: UtxoView | null = EMPTY_VIEW

  /** `ordered` receives every change. */
  constructor(ordered: OutputFollower | null = null) {
    this.#ordered = ordered
  }

  get size(): number {
    return this.#slots.size
  }

  get(ref: string): LedgerEntry | undefined {
    const slot = this.#slots.get(ref)
    return slot === undefined ? undefined : this.#blocks[Math.floor(slot / BLOCK_SLOTS)]![slot % BLOCK_SLOTS]!
  }

  add(entries: Iterable<LedgerEntry>): void {
    for (const entry of entries) {
      let slot = this.#slots.get(entry.ref)
      if (slot === undefined) {
        slot = this.#used++
        this.#slots.set(entry.ref, slot)
      }
      this.#block(slot)[slot % BLOCK_SLOTS] = entry
      this.#ordered?.add(entry)
    }
    this.#view = null
  }

  remove(refs: Iterable<string>): void {
    for (const ref of refs) {
      const slot = this.#slots.get(ref)
      if (slot === undefined) continue
      const block = this.#block(slot)
      this.#ordered?.remove(block[slot % BLOCK_SLOTS]!)
      block[slot % BLOCK_SLOTS] = null
      this.#slots.delete(ref)
    }
    this.#view = null
    if (this.#used > 2 * this.#slots.size + BLOCK_SLOTS) this.#fill([...this.view()])
  }

  /** Replaces the content by that of a view. */
  reset(view: UtxoView): void {
    this.#fill(view)
    this.#ordered?.reset(view.entries)
    this.#view = view
  }

  view(): UtxoView {
    if (this.#view === null) {
      this.#view = new UtxoView({ blocks: [...this.#blocks], size: this.size })
      this.#unshared.clear()
    }
    return this.#view
  }

  /** Replaces all entries by these, without empty slots. */
  #fill(entries: Iterable<LedgerEntry>): void {
    this.#slots.clear()
    this.#blocks = []
    this.#unshared.clear()
    this.#used = 0
    for (const entry of entries) {
      const slot = this.#used++
      this.#slots.set(entry.ref, slot)
      this.#block(slot)[slot % BLOCK_SLOTS] = entry
    }
  }

  /** Returns the block of a slot to be changed, copied first if a view shares it. */
  #block(slot: number): (LedgerEntry | null)[] {
    const index = Math.floor(slot / BLOCK_SLOTS)
    if (!this.#unshared.has(index)) {
      this.#blocks[index] = this.#blocks[index]?.slice() ?? []
      this.#unshared.add(index)
    }
    return this.#blocks[index]!
  }
}
