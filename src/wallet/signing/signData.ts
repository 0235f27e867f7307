import { parseAddress } from '../../codec/address.js'
import { bytesToHex, hexToBytes, isHex } from '../../codec/hex.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import { encodeCoseKey, encodeCoseSign1, encodeProtectedHeader, sigStructure } from '../../crypto/inner.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { AddressNotOwnError } from '../../errors/wallet.js'
import type { Signer } from '../keys/Signer.js'

/** Signed data in the two parts of CIP-30. */
export interface DataSignature {
  /** COSE_Sign1: CBOR hex. */
  signature: string
  /** COSE_Key with the public key: CBOR hex. */
  key: string
}

/**
 * Returns the bytes of a payload: text of hex digits, an even number, is decoded; any other text is encoded as UTF-8.
 */
export function payloadBytes(payload: string | Uint8Array): Uint8Array {
  if (payload instanceof Uint8Array) return payload
  if (typeof payload !== 'string') throw new InvalidArgumentError('payload', 'a text or a Uint8Array', payload)
  return isHex(payload) ? hexToBytes(payload) : utf8ToBytes(payload, 'payload')
}

/**
 * Signs data for an address with the key that controls it: the payment key, or the stake key for a reward address
 * (CIP-8, CIP-30).
 *
 * @throws {@link AddressNotOwnError} when none of the signers controls the address, or it is of another network.
 */
export function signDataWith(
  networkId: 0 | 1,
  address: string,
  payload: string | Uint8Array,
  payment: Signer,
  stake?: Signer
): DataSignature {
  const bytes = payloadBytes(payload)
  const parsed = parseAddress(address, 'address')
  const isReward = parsed.type === 'reward'
  const signer = isReward ? stake : payment
  const credential = isReward ? parsed.stake : parsed.payment
  if (credential?.kind !== 'key')
    throw new AddressNotOwnError(address, credential === undefined ? 'a Byron address' : 'an address of a script')
  if (credential.hash !== signer?.keyHash)
    throw new AddressNotOwnError(address, `an address of the key ${credential.hash}`)
  if (parsed.networkId !== networkId) throw new AddressNotOwnError(address, `an address of network ${parsed.networkId}`)
  const protectedHeader = encodeProtectedHeader(parsed.bytes)
  const signature = signer.sign(sigStructure(protectedHeader, bytes))
  return {
    signature: bytesToHex(encodeCoseSign1(protectedHeader, bytes, signature)),
    key: bytesToHex(encodeCoseKey(signer.publicKey))
  }
}
