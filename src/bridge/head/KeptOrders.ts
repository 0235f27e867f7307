import type { TxOutJson } from '../protocol/types.js'
import type { LargestFirst } from './LargestFirst.js'
import { largestFirst, quantityOf } from './selectOutputs.js'

/** Number of addresses whose orders are kept: those of one wallet. */
const MAX_ADDRESSES = 32
/** Maximum number of outputs in a change; with more, a new sort at the next request is cheaper than an update. */
const MAX_CHANGES = 500

/** Outputs of an address that are kept by key. */
export interface KeyedHolding {
  readonly address: string
  readonly keys: Iterable<string>
}

/** Sorted outputs of the addresses that were requested largest first; each change keeps the order up to date. */
export class KeptOrders {
  readonly #get: (key: string) => TxOutJson
  /** By address and unit, oldest first. */
  readonly #orders = new Map<string, Map<string, LargestFirst>>()

  constructor(get: (key: string) => TxOutJson) {
    this.#get = get
  }

  /** Returns the keys of an address's outputs that hold a unit, the largest first. */
  largestOf({ address, keys }: KeyedHolding, unit = 'lovelace'): Iterable<string> {
    let orders = this.#orders.get(address)
    if (orders === undefined) {
      this.#orders.set(address, (orders = new Map()))
      if (this.#orders.size > MAX_ADDRESSES) this.#orders.delete(this.#orders.keys().next().value!)
    }
    let order = orders.get(unit)
    if (order === undefined) orders.set(unit, (order = largestFirst(keys, this.#get, unit)))
    return order.keys()
  }

  /** Drops the orders before a change of very many outputs. `count`: number of outputs that come and go. */
  expect(count: number): void {
    if (count > MAX_CHANGES) this.clear()
  }

  add(key: string, output: TxOutJson): void {
    for (const [unit, order] of this.#orders.get(output.address) ?? []) order.add(key, quantityOf(output, unit))
  }

  remove(key: string, output: TxOutJson): void {
    for (const [unit, order] of this.#orders.get(output.address) ?? []) order.remove(key, quantityOf(output, unit))
  }

  clear(): void {
    this.#orders.clear()
  }
}
