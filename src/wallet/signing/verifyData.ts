import { type Address, parseAddress } from '../../codec/address.js'
import { equalBytes } from '../../codec/bytes.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { type OptionNames, readOptions } from '../../codec/options.js'
import type { CoseSign1 } from '../../crypto/inner.js'
import { decodeCoseKey, decodeCoseSign1, sigStructure, verify } from '../../crypto/inner.js'
import { isLayerError } from '../../errors/base.js'
import { blake2b224 } from '../../hash/blake2b.js'
import { payloadBytes } from './signData.js'
import { hashOfKey } from './witnesses.js'

const KEY_BYTES = 32
const KEY_HASH_BYTES = 28

/** Signed data, and the address and payload that it must agree with. */
export interface VerifyDataOptions {
  /** COSE_Sign1: CBOR hex. */
  signature: string
  /**
   * COSE_Key: CBOR hex. May be left out only when the signature's protected header holds the public key as its key id.
   */
  key?: string | undefined
  /**
   * The address that must have signed. Give it in every login: without it the result says only that the holder of `key`
   * signed; the address in the signature is unproven.
   */
  address?: string | undefined
  /**
   * The message that must have been signed: hex digits of even length are bytes, other text is UTF-8. Always give it in
   * a login.
   */
  payload?: string | Uint8Array | undefined
}

// An unknown name is rejected: `adress` in the place of `address` would skip that check.
const OPTIONS: OptionNames<VerifyDataOptions> = { signature: true, key: true, address: true, payload: true }

/**
 * Returns true when data was signed for an address by the key that controls it (CIP-8, CIP-30). Never throws: malformed
 * input is not valid.
 *
 * True means: the signature is strictly valid Ed25519, its protected header names EdDSA and an address, and `payload`,
 * where stated, is the signed one. With `address`: it is the one in the protected header, and the key's hash is its
 * payment credential (stake credential of a reward address), so that no other key can sign for it. It accepts the forms
 * of real wallets: no key id; the address or the public key as key id; hashed payloads; detached payloads, sent
 * separately (then `payload` is needed); a 28-byte key hash in place of the address (Ledger).
 *
 * @example
 * ```ts
 * import { AppWallet, verifyData } from 'layer-sdk/wallet'
 * const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: AppWallet.brew().split(' ') } })
 * const address = wallet.getPaymentAddress()
 * const { signature, key } = await wallet.signData(address, 'login 42')
 * console.log(verifyData({ signature, key, address, payload: 'login 42' })) // true
 * console.log(verifyData({ signature, key, address, payload: 'login 43' })) // false
 * ```
 * @see CIP-8, CIP-30
 */
export function verifyData(options: VerifyDataOptions): boolean {
  try {
    const { signature, key, address, payload } = readOptions(options, OPTIONS)
    const sign1 = decodeCoseSign1(hexToBytes(signature))
    const publicKey = signingKey(sign1, key)
    // All that is cheap is checked before the curve is touched.
    if (
      publicKey === undefined ||
      (address !== undefined && !controls(publicKey, sign1.address, parseAddress(address)))
    )
      return false
    const signed = signedPayload(sign1, payload)
    return signed !== undefined && verify(sign1.signature, sigStructure(sign1.protectedHeader, signed), publicKey)
  } catch (error) {
    if (isLayerError(error)) return false
    throw error
  }
}

/** Returns the public key when it and all key ids name the same signer; undefined otherwise. */
function signingKey({ keyId, address }: CoseSign1, key: unknown): Uint8Array | undefined {
  if (key === undefined || key === null || key === '') return keyId?.length === KEY_BYTES ? keyId : undefined
  const { publicKey, keyId: ownId } = decodeCoseKey(hexToBytes(key as string))
  const names = (id: Uint8Array): boolean =>
    equalBytes(id, publicKey) || equalBytes(id, address) || bytesToHex(id) === hashOfKey(publicKey)
  return (keyId === undefined || names(keyId)) && (ownId === undefined || names(ownId)) ? publicKey : undefined
}

/**
 * Returns true when the protected header holds this address, or the hash of the key that signs for it, and the key is
 * the one that controls it. Without this check anyone could sign for any address.
 */
function controls(publicKey: Uint8Array, header: Uint8Array, address: Address): boolean {
  const credential = address.type === 'reward' ? address.stake : address.payment
  if (credential?.kind !== 'key' || credential.hash !== hashOfKey(publicKey)) return false
  return header.length === KEY_HASH_BYTES ? bytesToHex(header) === credential.hash : equalBytes(header, address.bytes)
}

/** Returns the payload that the signature covers when it agrees with the expected one; undefined otherwise. */
function signedPayload(
  { payload, hashed }: CoseSign1,
  expected: string | Uint8Array | undefined
): Uint8Array | undefined {
  if (hashed && payload !== null && payload.length !== KEY_HASH_BYTES) return undefined
  if (expected === undefined) return payload ?? undefined
  const message = payloadBytes(expected)
  const expectedPayload = hashed ? blake2b224(message) : message
  return payload === null || equalBytes(payload, expectedPayload) ? expectedPayload : undefined
}
