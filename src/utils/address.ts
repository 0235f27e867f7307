import {
  addressToString,
  assertCredential,
  baseAddress,
  type Credential,
  enterpriseAddress,
  parseAddress,
  rewardAddress,
  type StakePointer
} from '../codec/address.js'
import { bytesToHex } from '../codec/hex.js'
import type { NetworkId } from '../constants.js'
import { InvalidAddressError, InvalidArgumentError } from '../errors/input.js'

/** A credential, or the hex of a key hash (56 characters). */
export type CredentialInput = Credential | string

/** The parts of an address. @see CIP-19 */
export interface AddressInfo {
  /** Kind of the address. */
  type: 'base' | 'pointer' | 'enterprise' | 'reward' | 'byron'
  /** 1 for mainnet, 0 for test networks. */
  networkId: number
  /** The address bytes: hex. */
  hex: string
  /** Credential that can spend; of base, pointer and enterprise addresses. */
  payment?: Credential
  /** Credential that stakes; of base and reward addresses. */
  stake?: Credential
  /** Pointer to the registration of the stake key; of pointer addresses. */
  pointer?: StakePointer
  /** Network `magic` (a number that names the network), null on mainnet; of Byron addresses. */
  byron?: { magic: number | null }
}

/**
 * Parses an address into its parts.
 *
 * @throws {@link InvalidAddressError}
 * @example
 * ```ts
 * import { addressInfo } from 'layer-sdk/utils'
 * const { type, networkId, payment } = addressInfo('addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8')
 * console.log(type, networkId, payment?.kind) // enterprise 1 key
 * ```
 */
export function addressInfo(address: string): AddressInfo {
  const { bytes, ...parts } = parseAddress(address, 'address')
  return { ...parts, hex: bytesToHex(bytes) }
}

/**
 * Returns the hash of the key that controls an address, hex of 28 bytes: the payment key, or the staking key of a
 * reward address.
 *
 * @throws {@link InvalidAddressError} on an address of a script, a Byron address, or a text that is no address.
 * @example
 * ```ts
 * import { getPubkeyHashFromAddress } from 'layer-sdk/utils'
 * console.log(getPubkeyHashFromAddress('addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8'))
 * ```
 */
export function getPubkeyHashFromAddress(address: string): string {
  const { type, payment, stake } = parseAddress(address, 'address')
  const credential = payment ?? stake
  if (credential?.kind === 'key') return credential.hash
  throw new InvalidAddressError('The address has no public key hash.', {
    expected: 'an address controlled by a key',
    got: type === 'byron' ? 'a Byron address' : `the ${type} address of a script`
  })
}

/**
 * Builds a base address, which has a payment and a staking part: bech32.
 *
 * @throws {@link InvalidArgumentError}
 * @throws {@link InvalidHexError}
 * @example
 * ```ts
 * import { buildBaseAddress, NETWORK_ID } from 'layer-sdk/utils'
 * const keyHash = '8e6c79d3eb92d058e3170c2f26428e2b8de39ff4fd38470fca2dc1d9'
 * console.log(buildBaseAddress(NETWORK_ID.PREPROD, keyHash, keyHash)) // addr_test1q...
 * ```
 */
export function buildBaseAddress(networkId: NetworkId, payment: CredentialInput, stake: CredentialInput): string {
  return addressToString(baseAddress(assertNetworkId(networkId), assertCredential(payment), assertCredential(stake)))
}

/**
 * Builds an enterprise address, which has a payment part only: bech32.
 *
 * @throws {@link InvalidArgumentError}
 * @throws {@link InvalidHexError}
 * @example
 * ```ts
 * import { buildEnterpriseAddress, NETWORK_ID } from 'layer-sdk/utils'
 * console.log(buildEnterpriseAddress(NETWORK_ID.MAINNET, '8e6c79d3eb92d058e3170c2f26428e2b8de39ff4fd38470fca2dc1d9')) // addr1v...
 * ```
 */
export function buildEnterpriseAddress(networkId: NetworkId, payment: CredentialInput): string {
  return addressToString(enterpriseAddress(assertNetworkId(networkId), assertCredential(payment)))
}

/**
 * Builds a reward address, which has a staking part only: bech32.
 *
 * @throws {@link InvalidArgumentError}
 * @throws {@link InvalidHexError}
 * @example
 * ```ts
 * import { buildRewardAddress, NETWORK_ID } from 'layer-sdk/utils'
 * console.log(buildRewardAddress(NETWORK_ID.MAINNET, '8e6c79d3eb92d058e3170c2f26428e2b8de39ff4fd38470fca2dc1d9')) // stake1u...
 * ```
 */
export function buildRewardAddress(networkId: NetworkId, stake: CredentialInput): string {
  return addressToString(rewardAddress(assertNetworkId(networkId), assertCredential(stake)))
}

/**
 * Builds the address of a script from its hash (hex, 56 characters): bech32. It is a base address when `stake` is
 * given, else an enterprise address.
 *
 * @throws {@link InvalidArgumentError} @throws {@link InvalidHexError}
 * @example
 * ```ts
 * import { NETWORK_ID, plutusScriptHash, scriptAddress } from 'layer-sdk/utils'
 * const hash = plutusScriptHash('4e4d01000033222220051200120011', 'PlutusV1')
 * console.log(scriptAddress(hash, NETWORK_ID.PREPROD))
 * ```
 */
export function scriptAddress(scriptHash: string, networkId: NetworkId, stake?: CredentialInput): string {
  const payment: Credential = { kind: 'script', hash: scriptHash }
  return stake === undefined ? buildEnterpriseAddress(networkId, payment) : buildBaseAddress(networkId, payment, stake)
}

function assertNetworkId(networkId: NetworkId): NetworkId {
  if (networkId !== 0 && networkId !== 1) throw new InvalidArgumentError('networkId', '0 or 1', networkId)
  return networkId
}
