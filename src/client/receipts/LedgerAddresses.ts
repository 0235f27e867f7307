import type { UTxOObject } from '../../bridge/inner.js'

/** Maximum number of outputs kept when the source itself states the addresses that a snapshot spends. */
const MAX_RECENT = 10_000

/** Addresses of the head's unspent outputs, by reference: they name the senders of a transaction. */
export class LedgerAddresses {
  readonly #addresses = new Map<string, string>()
  /** One shared string for each address, however many outputs it has. */
  readonly #texts = new Map<string, string>()
  #isStated = false

  /** Replaces all outputs; null: by none. */
  reset(utxo: UTxOObject | null): void {
    this.#addresses.clear()
    this.#texts.clear()
    if (utxo !== null) this.addAll(utxo)
  }

  addAll(utxo: UTxOObject): void {
    for (const ref of Object.keys(utxo)) this.add(ref, utxo[ref]!.address)
  }

  add(ref: string, address: string): void {
    let text = this.#texts.get(address)
    if (text === undefined) {
      // Addresses of outputs that are gone cost more than the texts of those that are there save.
      if (this.#texts.size > 2 * this.#addresses.size + 1_000) this.#texts.clear()
      this.#texts.set(address, (text = address))
    }
    this.#addresses.set(ref, text)
    if (this.#isStated && this.#addresses.size > MAX_RECENT) {
      for (const oldest of this.#addresses.keys()) {
        this.#addresses.delete(oldest)
        break
      }
    }
  }

  /**
   * Adds the outputs that a snapshot spends, from a source that states them. From then on only recent outputs are kept.
   */
  state(spent: Readonly<Record<string, string>>): void {
    this.#isStated = true
    for (const ref of Object.keys(spent)) this.add(ref, spent[ref]!)
  }

  /** Removes an output, and returns its address; null where it is not known. */
  spend(ref: string): string | null {
    const address = this.#addresses.get(ref) ?? null
    this.#addresses.delete(ref)
    return address
  }
}
