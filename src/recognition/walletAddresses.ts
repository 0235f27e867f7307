import type { Address } from '../codec/address.js'
import { addressToString, parseAddress } from '../codec/address.js'
import { described } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'

/**
 * Addresses of a wallet. They are matched on any network, because the parties do not sign the network of an address.
 */
export interface WalletAddresses {
  /** The addresses as they were given, each once. */
  readonly all: readonly string[]
  /** True: at least one is a Byron address, which no proof covers. */
  readonly hasByron: boolean
  /**
   * Returns the address of the wallet with the same credentials as that of an output; undefined where there is none.
   */
  find(address: string): string | undefined
}

const MAX_ADDRESSES = 100_000

/**
 * Reads the addresses of a wallet, which then match others by their payment and stake credentials.
 *
 * @throws {@link InvalidArgumentError} {@link InvalidAddressError}
 */
export function readWalletAddresses(addresses: unknown): WalletAddresses {
  if (!Array.isArray(addresses) || addresses.length > MAX_ADDRESSES)
    throw new InvalidArgumentError('addresses', `an array of at most ${MAX_ADDRESSES} addresses`, addresses)
  const byText = new Map<string, string>()
  const all: string[] = []
  let hasByron = false
  for (const addressText of addresses as unknown[]) {
    if (typeof addressText !== 'string') throw new InvalidArgumentError('addresses', 'addresses as bech32', addressText)
    const address = parseAddress(addressText, 'An address of addresses')
    if (address.type === 'reward')
      throw new InvalidArgumentError('addresses', 'payment addresses', described('a stake address'))
    if (address.type === 'byron') hasByron = true
    const first = textsOf(address, addressText).find((text) => byText.has(text))
    if (first !== undefined) continue
    all.push(addressText)
    for (const text of textsOf(address, addressText)) byText.set(text, addressText)
  }
  // Bech32 is written in one case; base58 of Byron addresses is not looked for.
  return { all, hasByron, find: (address) => byText.get(address) ?? byText.get(address.toLowerCase()) }
}

/** Returns the texts of an address on every network. */
function textsOf({ type, bytes }: Address, addressText: string): string[] {
  if (type === 'byron') return [addressText]
  return [0, 1].map((network) => {
    const other = bytes.slice()
    other[0] = (other[0]! & 0xf0) | network
    return addressToString(other)
  })
}
