import type { UTxO } from '../../types/utxo.js'
import type { TxOutJson, UTxOObject } from '../protocol/types.js'
import { UnitCache } from '../protocol/utxoJson.js'
import type { Amounts } from './balance.js'
import { addOutput, sumOutputs, toCallerMap } from './balance.js'
import type { OutputSet } from './outputSet.js'
import { checkOutput, copyOf, toUtxo } from './publicOutputs.js'
import { KeptOrders } from './KeptOrders.js'
import { type AddressUTxOOptions, selectOutputs } from './selectOutputs.js'

/** Outputs that are added and removed together. `added` has the keys of `outputs`, in the same order. */
export interface UtxoChange {
  readonly added: readonly string[]
  readonly outputs: readonly TxOutJson[]
  readonly removed: readonly string[]
  /** Content for an empty index, which is put in before the added outputs. */
  readonly whole?: UtxoIndex
}

/** True when a change has no effect. */
export function isEmpty(change: UtxoChange): boolean {
  return !addsOutputs(change) && change.removed.length === 0
}

/** True when a change adds outputs. */
export function addsOutputs({ added, whole }: UtxoChange): boolean {
  return added.length > 0 || (whole !== undefined && whole.size > 0)
}

/** An address with many outputs: their keys and their sum are kept up to date. */
interface IndexedHolding {
  readonly address: string
  readonly amounts: Amounts
  keys: string[] | Set<string>
}

/**
 * An address with few outputs. It has two lists, not one of pairs. An address with one output, of which there can be
 * very many, is stored as the key alone.
 */
interface SmallHolding {
  readonly keys: string[]
  readonly outputs: TxOutJson[]
}

/**
 * Maximum number of outputs of an address that are summed on request: most addresses have few, and sums need memory.
 */
const FEW = 4
/** Maximum number of keys that are searched linearly. */
const MANY = 256

/**
 * The outputs of a head, with the assets of each address. An output never changes, so known ones are not read again.
 */
export class UtxoIndex {
  #outputs = new Map<string, TxOutJson>()
  /** Outputs in public form, of addresses that are read: building one needs ten times as long as copying it. */
  #built = new Map<string, UTxO>()
  #addresses = new Map<string, string | SmallHolding | IndexedHolding>()
  #units = new UnitCache()
  readonly #orders = new KeptOrders((key) => this.#outputs.get(key)!)
  #revision = 0

  /** Number that changes with the content. */
  get revision(): number {
    return this.#revision
  }

  /** Number of outputs. */
  get size(): number {
    return this.#outputs.size
  }

  has(key: string): boolean {
    return this.#outputs.has(key)
  }

  get(key: string): TxOutJson | undefined {
    return this.#outputs.get(key)
  }

  keys(): IterableIterator<string> {
    return this.#outputs.keys()
  }

  entries(): IterableIterator<[string, TxOutJson]> {
    return this.#outputs.entries()
  }

  addresses(): IterableIterator<string> {
    return this.#addresses.keys()
  }

  /** True when an address holds outputs. */
  holds(address: string): boolean {
    return this.#addresses.has(address)
  }

  /** Returns the outputs of an address within bounds, in public form; the objects are copies. */
  utxosOf(address: string, bounds: AddressUTxOOptions): UTxO[] {
    const holding = this.#addresses.get(address)
    const isKept = bounds.order === 'largest' && typeof holding === 'object' && 'amounts' in holding
    const keys = isKept
      ? selectOutputs(this.#orders.largestOf(holding, bounds.unit), (key) => this.#outputs.get(key)!, {
          ...bounds,
          order: undefined
        })
      : selectOutputs(keysOf(holding), (key) => this.#outputs.get(key)!, bounds)
    return keys.map((key) => {
      let utxo = this.#built.get(key)
      if (utxo === undefined) this.#built.set(key, (utxo = toUtxo(key, this.#outputs.get(key)!)))
      return copyOf(utxo)
    })
  }

  /** Returns all outputs in public form. They are not cached, unlike those of {@link utxosOf}. */
  utxos(): UTxO[] {
    return Array.from(this.#outputs, ([key, output]) => toUtxo(key, output))
  }

  /** Returns the sum of the outputs of an address, as a Map that the caller may change. */
  balanceOf(address: string): Map<string, bigint> {
    const holding = this.#addresses.get(address)
    if (holding === undefined) return new Map()
    if (typeof holding === 'string') return sumOutputs([this.#outputs.get(holding)!], this.#units)
    return 'outputs' in holding ? sumOutputs(holding.outputs, this.#units) : toCallerMap(holding.amounts)
  }

  /** Returns the change from the present content to the given outputs. */
  diff(utxo: OutputSet, more: UTxOObject | null = null): UtxoChange {
    const change = { added: [] as string[], outputs: [] as TxOutJson[], removed: [] as string[] }
    const add = (key: string, output: TxOutJson): void => {
      change.added.push(key)
      change.outputs.push(output)
    }
    const isThere = (key: string): boolean => utxo.has(key) || (more !== null && Object.hasOwn(more, key))
    // The node writes outputs in order, so most keys come as they are known: side by side, which is cheaper than
    // looking each one up.
    const knownKeys = this.#outputs.keys()
    let next = knownKeys.next()
    let displaced = 0
    for (const key of utxo.keys()) {
      while (!next.done && next.value !== key && !isThere(next.value)) {
        change.removed.push(next.value)
        next = knownKeys.next()
      }
      if (!next.done && next.value === key) next = knownKeys.next()
      else if (this.#outputs.has(key)) displaced++
      else add(key, utxo.get(key)!)
    }
    for (; !next.done; next = knownKeys.next()) if (!isThere(next.value)) change.removed.push(next.value)
    for (const key in more) if (!this.#outputs.has(key) && !utxo.has(key)) add(key, more[key]!)
    if (displaced > this.#outputs.size >> 3) this.#reorder(utxo)
    return change
  }

  /** Brings the known outputs into the node's order. */
  #reorder(utxo: OutputSet): void {
    const before = new Map(this.#outputs)
    this.#outputs.clear()
    for (const key of utxo.keys()) {
      const output = before.get(key)
      if (output !== undefined) this.#outputs.set(key, output)
    }
    for (const [key, output] of before) this.#outputs.set(key, output)
  }

  /**
   * Applies a change atomically.
   *
   * @throws {@link ProtocolError} when an added output cannot be read.
   */
  apply({ added, outputs, removed, whole }: UtxoChange): void {
    if (whole !== undefined) {
      whole.apply({ added, outputs, removed })
      return this.#adopt(whole)
    }
    this.#revision++
    this.#orders.expect(added.length + removed.length)
    if (this.#outputs.size > 0)
      for (let at = 0; at < added.length; at++) checkOutput(added[at]!, outputs[at]!, this.#units)
    for (const key of removed) this.#remove(key)
    try {
      for (let at = 0; at < added.length; at++) this.#add(added[at]!, outputs[at]!)
    } catch (error) {
      // Only when the index was empty before: then they are checked as they are added.
      this.clear()
      throw error
    }
  }

  /**
   * Adds outputs to an index that is not in use yet.
   *
   * @throws {@link ProtocolError} when one cannot be read; the index cannot be used then.
   */
  addAll(keys: readonly string[], outputs: readonly TxOutJson[]): void {
    this.#revision++
    for (let n = 0; n < keys.length; n++) this.#add(keys[n]!, outputs[n]!)
  }

  /** Moves the content of another index into this one; the other cannot be used afterwards. */
  #adopt(other: UtxoIndex): void {
    this.#revision++
    this.#outputs = other.#outputs
    this.#built = other.#built
    this.#addresses = other.#addresses
    this.#units = other.#units
    this.#orders.clear()
  }

  clear(): void {
    this.#revision++
    this.#outputs.clear()
    this.#built.clear()
    this.#addresses.clear()
    this.#units = new UnitCache()
    this.#orders.clear()
  }

  #add(key: string, output: TxOutJson): void {
    checkOutput(key, output, this.#units)
    const existing = this.#addresses.get(output.address)
    this.#outputs.set(key, output)
    this.#orders.add(key, output)
    if (existing === undefined) {
      this.#addresses.set(output.address, key)
      return
    }
    // One text for all outputs of an address.
    if (typeof existing === 'string') {
      const first = this.#outputs.get(existing)!
      output.address = first.address
      this.#addresses.set(first.address, { keys: [existing, key], outputs: [first, output] })
      return
    }
    output.address = 'outputs' in existing ? existing.outputs[0]!.address : existing.address
    if (!('outputs' in existing)) {
      if (existing.keys instanceof Set) existing.keys.add(key)
      else if (existing.keys.push(key) > MANY) existing.keys = new Set(existing.keys)
      addOutput(existing.amounts, output, this.#units)
    } else if (existing.keys.push(key) <= FEW) existing.outputs.push(output)
    else {
      const holding: IndexedHolding = { address: output.address, keys: existing.keys, amounts: new Map() }
      for (const each of [...existing.outputs, output]) addOutput(holding.amounts, each, this.#units)
      this.#addresses.set(holding.address, holding)
    }
  }

  #remove(key: string): void {
    const output = this.#outputs.get(key)
    if (output === undefined) return
    this.#outputs.delete(key)
    this.#orders.remove(key, output)
    this.#built.delete(key)
    const { address } = output
    const holding = this.#addresses.get(address)!
    if (typeof holding === 'string') {
      this.#addresses.delete(address)
      return
    }
    const at = holding.keys instanceof Set ? -1 : holding.keys.indexOf(key)
    if (holding.keys instanceof Set) holding.keys.delete(key)
    else holding.keys.splice(at, 1)
    if ('outputs' in holding) {
      holding.outputs.splice(at, 1)
      if (holding.keys.length === 1) this.#addresses.set(address, holding.keys[0]!)
      return
    }
    addOutput(holding.amounts, output, this.#units, -1)
    if ((holding.keys instanceof Set ? holding.keys.size : holding.keys.length) < FEW) {
      const keys = [...holding.keys]
      this.#addresses.set(address, { keys, outputs: keys.map((left) => this.#outputs.get(left)!) })
    }
  }
}

function keysOf(holding: string | SmallHolding | IndexedHolding | undefined): Iterable<string> {
  return typeof holding === 'string' ? [holding] : (holding?.keys ?? [])
}
