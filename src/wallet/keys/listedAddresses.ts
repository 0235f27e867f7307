import { type Address, parseAddress } from '../../codec/address.js'
import type { NetworkId } from '../../constants.js'
import { InvalidAddressError, InvalidArgumentError } from '../../errors/input.js'
import { assertIndex } from './HdKeys.js'

/**
 * Parses the addresses of a wallet that has no keys.
 *
 * @throws {@link InvalidArgumentError} on an empty list; {@link InvalidAddressError} on one of another network.
 */
export function parseAddresses(addresses: readonly string[], networkId: NetworkId): Address[] {
  if (!Array.isArray(addresses) || addresses.length === 0)
    throw new InvalidArgumentError('key.addresses', 'at least one address', addresses)
  return addresses.map((text: string, i) => {
    const address = parseAddress(text, `key.addresses[${i}]`)
    if (address.networkId === networkId) return address
    throw new InvalidAddressError(`key.addresses[${i}] is an address of another network.`, {
      expected: `network ${networkId}`,
      got: `network ${address.networkId}`
    })
  })
}

/**
 * Returns the address at an index of account 0, the only account of a list.
 *
 * @throws {@link InvalidArgumentError} on another account, and beyond the end of the list.
 */
export function listedAddress(addresses: readonly Address[], accountIndex: number, keyIndex: number): Address {
  assertIndex(accountIndex, 'accountIndex')
  const address = accountIndex === 0 ? addresses[assertIndex(keyIndex, 'keyIndex')] : undefined
  if (address !== undefined) return address
  throw new InvalidArgumentError(
    'keyIndex',
    `account 0 and one of this wallet's ${addresses.length} addresses`,
    keyIndex
  )
}
