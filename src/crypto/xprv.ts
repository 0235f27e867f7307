// Text forms of extended keys: hex, and bech32 with the prefixes of CIP-5 and of the serialization libraries (xprv,
// xpub).
import { decodeBech32, encodeBech32 } from '../codec/bech32.js'
import { bytesToHex, hexToBytes, isHex } from '../codec/hex.js'
import { InvalidKeyError } from '../errors/wallet.js'
import { decodePoint } from './curve.js'

const XPRV_BYTES = 96
const XPUB_BYTES = 64

/**
 * Returns kL | kR | chain code (96 bytes) when kL is a scalar of BIP32-Ed25519: multiple of 8, bit 255 clear, bit 254
 * set. Derivation keeps this, so it holds for keys of any depth; anything else is another kind of key, or damaged.
 */
export function assertXprv(xprv: Uint8Array, what = 'private key'): Uint8Array {
  if (xprv.length !== XPRV_BYTES)
    throw new InvalidKeyError(what, `${XPRV_BYTES} bytes: kL, kR and chain code`, `${xprv.length} bytes`)
  if ((xprv[0]! & 7) !== 0 || (xprv[31]! & 0xc0) !== 0x40) {
    xprv.fill(0)
    throw new InvalidKeyError(what, 'an extended private key of BIP32-Ed25519', 'bytes whose fixed bits differ')
  }
  return xprv
}

/** An extended private key from hex, 192 characters. */
export function xprvFromHex(hex: string, what = 'private key'): Uint8Array {
  if (typeof hex !== 'string') throw new InvalidKeyError(what, '192 hexadecimal digits', `a ${typeof hex}`)
  return assertXprv(hexToBytes(hex, what), what)
}

/** An extended private key from bech32: `xprv`, or `root_xsk`, `acct_xsk`, `addr_xsk`, `stake_xsk` (CIP-5). */
export function xprvFromBech32(text: string, what = 'private key'): Uint8Array {
  const { prefix, bytes } = decodeBech32(text, what)
  if (prefix !== 'xprv' && !/^(root|acct|addr|stake)_xsk$/.test(prefix))
    throw new InvalidKeyError(what, 'the prefix xprv, root_xsk or acct_xsk', 'another prefix')
  return assertXprv(bytes, what)
}

/** `xprv1...`, the form the serialization libraries use for extended private keys of any depth. */
export function xprvToBech32(xprv: Uint8Array): string {
  return encodeBech32('xprv', xprv)
}

/**
 * An extended public key (public key 32 | chain code 32) from hex or bech32: `xpub`, or `root_xvk`, `acct_xvk`...
 * (CIP-5).
 */
export function parseXpub(text: string, what = 'public key'): Uint8Array {
  const isText = typeof text === 'string'
  const { prefix, bytes } =
    isText && isHex(text) ? { prefix: 'xpub', bytes: hexToBytes(text, what) } : decodeBech32(text, what)
  const isKnownPrefix = prefix === 'xpub' || /^(root|acct|addr|stake)_xvk$/.test(prefix)
  if (!isKnownPrefix) throw new InvalidKeyError(what, 'the prefix xpub or acct_xvk', 'another prefix')
  if (bytes.length !== XPUB_BYTES)
    throw new InvalidKeyError(what, `${XPUB_BYTES} bytes: public key and chain code`, `${bytes.length} bytes`)
  if (decodePoint(bytes.subarray(0, 32)) === undefined)
    throw new InvalidKeyError(what, 'a point of the curve edwards25519', 'other bytes')
  return bytes
}

/** An extended key as hex. */
export function xprvToHex(xprv: Uint8Array): string {
  return bytesToHex(xprv)
}
