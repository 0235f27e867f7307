import { addressToString, parseAddress } from '../../codec/address.js'
import type { Address } from '../../codec/address.js'
import { InvalidAddressError } from '../../errors/input.js'
import { dropOldestBeyond } from './limits.js'

/** Maximum number of checked addresses kept. */
const MAX_REMEMBERED = 1_000
/** Maximum number of outputs sampled for the head's network: Byron and broken addresses do not show it. */
const MAX_SAMPLED = 8

interface Known {
  /** The form in which the node writes it. */
  readonly text: string
  readonly networkId: number
}

/** Validates addresses, so that an invalid one, or one of another network, is not mistaken for one without outputs. */
export class AddressBook {
  readonly #addresses = new Map<string, Known>()

  /**
   * Checks that an address can hold outputs in the head, and returns it in the form in which the node writes it.
   *
   * @param networkId - of the head; null where it is not known: then addresses of both networks are accepted
   * @throws {@link InvalidAddressError}
   */
  resolve(text: string, networkId: number | null): string {
    let entry = this.#addresses.get(text)
    if (entry === undefined) dropOldestBeyond(this.#addresses.set(text, (entry = read(text))), MAX_REMEMBERED)
    if (networkId !== null && entry.networkId !== networkId) {
      throw new InvalidAddressError('The address belongs to another network than the head.', {
        expected: `an address of ${nameOf(networkId)}`,
        got: `one of ${nameOf(entry.networkId)}`
      })
    }
    return entry.text
  }
}

function read(text: string): Known {
  const address = parse(text)
  if (address.type !== 'reward') return { text: addressToString(address.bytes), networkId: address.networkId }
  throw new InvalidAddressError('The address cannot hold outputs.', {
    expected: 'a payment address',
    got: 'a reward address'
  })
}

function parse(text: string): Address {
  try {
    return parseAddress(text)
  } catch (cause) {
    throw new InvalidAddressError('The argument address is not a Cardano address.', {
      expected: 'a payment address in bech32 or base58',
      got: typeof text === 'string' ? `${text.length} characters that are not an address` : `a ${typeof text}`,
      cause
    })
  }
}

const nameOf = (networkId: number): string => (networkId === 1 ? 'mainnet' : 'a test network')

/**
 * Returns the network of a head by the addresses of its outputs: 1 for mainnet, 0 for the test networks, null when
 * unknown.
 */
export function networkOf(addresses: Iterable<string>): number | null {
  let left = MAX_SAMPLED
  for (const address of addresses) {
    if (left-- === 0) break
    if (address.startsWith('addr_test1')) return 0
    if (address.startsWith('addr1')) return 1
  }
  return null
}
