import type { UTxO } from '../../types/utxo.js'
import type { TxOutJson } from '../protocol/types.js'
import { networkOf } from './AddressBook.js'
import { Arriving } from './Arriving.js'
import type { AddressUTxOOptions } from './selectOutputs.js'
import type { UtxoIndex } from './UtxoIndex.js'

/** Read access to the outputs of a head: sums and lists are null before the outputs are known. */
export abstract class ShownOutputs {
  readonly #index: UtxoIndex
  /** Outputs of the pending deposit: they are among the outputs, and cannot be spent yet. */
  readonly arriving: Arriving = new Arriving()

  constructor(index: UtxoIndex) {
    this.#index = index
  }

  /** True when there is content: from then on balances and outputs can be read. */
  abstract get seeded(): boolean

  /** Returns the outputs by key. */
  entries(): IterableIterator<[string, TxOutJson]> {
    return this.#index.entries()
  }

  /** Returns true when an output, `'txHash#index'`, is there. */
  has(key: string): boolean {
    return this.#index.has(key)
  }

  /** True when an address holds outputs. */
  holds(address: string): boolean {
    return this.#index.holds(address)
  }

  /** Network of the outputs' addresses, 0 or 1; null while unknown. */
  get networkId(): number | null {
    return networkOf(this.#index.addresses())
  }

  /**
   * Returns the sum of an address by unit, as a Map that the caller may change; empty when it holds no outputs, null
   * before a baseline.
   */
  balance(address: string): Map<string, bigint> | null {
    return this.seeded ? this.#index.balanceOf(address) : null
  }

  /** Returns the addresses that hold outputs; null before a baseline. */
  addresses(): string[] | null {
    return this.seeded ? [...this.#index.addresses()] : null
  }

  /** Returns the outputs, or those of one address within bounds; null before a baseline. */
  utxos(address?: string, bounds: AddressUTxOOptions = {}): UTxO[] | null {
    if (!this.seeded) return null
    return address === undefined ? this.#index.utxos() : this.#index.utxosOf(address, bounds)
  }
}
