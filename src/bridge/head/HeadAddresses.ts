import { InvalidArgumentError } from '../../errors/input.js'
import type { UTxO } from '../../types/utxo.js'
import { AddressBook, networkOf } from './AddressBook.js'
import type { HeadModel } from './HeadModel.js'
import { networkOfSlotZero } from './slotClock.js'
import type { SnapshotCache } from './SnapshotCache.js'

/** The parts that show which addresses a head can have. */
interface AddressContext {
  readonly cache: Pick<SnapshotCache, 'holds' | 'networkId'>
  readonly model: Pick<HeadModel, 'slotZero'>
  /** `addresses`: those to which the connector is limited; undefined: no limit. */
  readonly node: { readonly connector: { readonly addresses?: readonly string[] | undefined } }
}

/**
 * Checks addresses that callers pass: they must be of the head's network, and among those that the connector follows.
 */
export class HeadAddresses {
  readonly #book: AddressBook = new AddressBook()
  readonly #context: AddressContext

  constructor(context: AddressContext) {
    this.#context = context
  }

  /**
   * Returns an address as the node writes it. One that holds outputs in the head needs no further check.
   *
   * @throws {@link InvalidAddressError} on one that cannot hold outputs in this head; {@link InvalidArgumentError} on
   * one that the connector does not follow
   */
  resolve(address: string): string {
    const { cache, model, node } = this.#context
    if (cache.holds(address)) return address
    const resolved = this.#book.resolve(address, cache.networkId ?? networkOfSlotZero(model.slotZero))
    if (node.connector.addresses?.includes(resolved) === false) {
      throw new InvalidArgumentError(
        'address',
        'one of the addresses that the connector follows (its option addresses)',
        address
      )
    }
    return resolved
  }

  /**
   * Checks a resolved address against the network of the given outputs of the head, as the network may have been
   * unknown before.
   *
   * @throws {@link InvalidAddressError}
   */
  assertNetwork(resolved: string, utxos: readonly UTxO[]): void {
    this.#book.resolve(resolved, networkOf(utxos.map(({ output }) => output.address)))
  }
}
