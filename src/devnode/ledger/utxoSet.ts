import type { Credential } from '../../codec/address.js'
import { parseAddress } from '../../codec/address.js'
import type { Value } from '../../codec/value.js'
import { valueFromAmounts } from '../../codec/value.js'
import type { TxInput, TxOutput } from '../../types/utxo.js'
import type { OrderedOutputs } from './orderedOutputs.js'
import type { CarriedScript } from './txScripts.js'
import { carriedScript } from './txScripts.js'
import { txOutJson } from '../wire/txOutJson.js'

/** How outputs are named: `txHash#index`. */
export function refOf({ txHash, index }: TxInput): string {
  return `${txHash}#${index}`
}

/** An unspent output; its JSON is written once. */
export class LedgerEntry {
  readonly input: TxInput
  readonly ref: string
  readonly output: TxOutput
  readonly value: Value
  /** Null for Byron addresses. */
  readonly payment: Credential | null
  #json: string | undefined
  #script: CarriedScript | null | undefined

  constructor(input: TxInput, output: TxOutput) {
    this.input = input
    this.ref = refOf(input)
    this.output = output
    this.value = valueFromAmounts(output.amount)
    this.payment = parseAddress(output.address).payment ?? null
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

/** A UTxO that never changes. It holds its entries only by reference, so that many snapshots of a large head stay small. */
export class UtxoView {
  readonly entries: readonly LedgerEntry[]
  constructor(entries: readonly LedgerEntry[]) {
    this.entries = entries
  }

  get size(): number {
    return this.entries.length
  }

  concat(other: UtxoView): UtxoView {
    if (other.size === 0) return this
    return this.size === 0 ? other : new UtxoView([...this.entries, ...other.entries])
  }

  /** The node's JSON: an object keyed by output reference. */
  toJsonText(): string {
    return `{${this.entries.map((entry) => entry.json()).join(',')}}`
  }
}

/** No outputs. */
export const EMPTY_VIEW: UtxoView = /* @__PURE__ */ new UtxoView([])

/** Unspent outputs by reference, changed in place; its view is made anew only after a change. */
export class UtxoSet {
  readonly #entries = new Map<string, LedgerEntry>()
  readonly #ordered: OrderedOutputs | null
  #view: UtxoView | null = EMPTY_VIEW

  /** `ordered` follows every change. */
  constructor(ordered: OrderedOutputs | null = null) {
    this.#ordered = ordered
  }

  get size(): number {
    return this.#entries.size
  }

  get(ref: string): LedgerEntry | undefined {
    return this.#entries.get(ref)
  }

  add(entries: Iterable<LedgerEntry>): void {
    for (const entry of entries) {
      this.#entries.set(entry.ref, entry)
      this.#ordered?.add(entry)
    }
    this.#view = null
  }

  remove(refs: Iterable<string>): void {
    for (const ref of refs) {
      const entry = this.#entries.get(ref)
      if (entry !== undefined) this.#ordered?.remove(entry)
      this.#entries.delete(ref)
    }
    this.#view = null
  }

  /** Becomes a copy of a view. */
  reset(view: UtxoView): void {
    this.#entries.clear()
    for (const entry of view.entries) this.#entries.set(entry.ref, entry)
    this.#ordered?.reset(view.entries)
    this.#view = view
  }

  view(): UtxoView {
    return (this.#view ??= new UtxoView([...this.#entries.values()]))
  }
}
