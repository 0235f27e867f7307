// BIP32-Ed25519, derivation scheme 2 (the one of CIP-1852): every key of a path from its parent. Byte layouts: an
// extended private key is kL 32 | kR 32 | chain code 32, an extended public key is A 32 | chain code 32. See
// "BIP32-Ed25519, Hierarchical Deterministic Keys over a Non-linear Keyspace" (Khovratovich, Law).
import { bytesToNumber, type CurvePoint, decodePoint, multiplyBase, numberToBytes } from './curve.js'
import { publicKeyFromExtended } from './ed25519.js'
import { HmacSha512 } from './hmac.js'

/** First hardened index. */
export const HARDENED = 0x80000000

/**
 * Tags of the HMACs that derive a child: Z of a hardened and of a soft step. The next higher tag gives the child's
 * chain code.
 */
const TAG_HARDENED = 0
const TAG_SOFT = 2

/** One HMAC of a child over the parent's key. */
function childHmac(mac: HmacSha512, tag: number, keyBytes: Uint8Array, index: number): Uint8Array {
  const data = new Uint8Array(1 + keyBytes.length + 4)
  data[0] = tag
  data.set(keyBytes, 1)
  new DataView(data.buffer).setUint32(1 + keyBytes.length, index, true)
  const digest = mac.digest(data)
  data.fill(0)
  return digest
}

/** 8·ZL, of which only the left 28 bytes count: below 2^227, so that the sum stays below 2^255 for any real path. */
const scalarStep = (z: Uint8Array): bigint => BigInt.asUintN(224, bytesToNumber(z.subarray(0, 32))) << 3n

/**
 * Derives a child of a private key, hardened from index 2^31 on. Passing the parent's `publicKey` (32 bytes) saves its
 * computation in a soft step.
 */
export function derivePrivateChild(xprv: Uint8Array, index: number, publicKey?: Uint8Array): Uint8Array {
  const mac = new HmacSha512(xprv.subarray(64))
  const isHardened = index >= HARDENED
  const tag = isHardened ? TAG_HARDENED : TAG_SOFT
  const keyBytes = isHardened ? xprv.subarray(0, 64) : (publicKey ?? publicKeyFromExtended(xprv))
  const z = childHmac(mac, tag, keyBytes, index)
  const chain = childHmac(mac, tag + 1, keyBytes, index)
  mac.dispose()
  const child = new Uint8Array(96)
  numberToBytes(bytesToNumber(xprv.subarray(0, 32)) + scalarStep(z), child.subarray(0, 32))
  numberToBytes(bytesToNumber(xprv.subarray(32, 64)) + bytesToNumber(z.subarray(32)), child.subarray(32, 64))
  child.set(chain.subarray(32), 64)
  z.fill(0)
  chain.fill(0)
  return child
}

/** Derives the descendant of a private key along a path, and clears the keys between. */
export function derivePrivatePath(xprv: Uint8Array, path: readonly number[]): Uint8Array {
  let key: Uint8Array = xprv.slice()
  for (const index of path) {
    const child = derivePrivateChild(key, index)
    key.fill(0)
    key = child
  }
  return key
}

/** Returns the extended public key (64 bytes) of an extended private key. */
export function toExtendedPublic(xprv: Uint8Array): Uint8Array {
  const xpub = new Uint8Array(64)
  xpub.set(publicKeyFromExtended(xprv))
  xpub.set(xprv.subarray(64), 32)
  return xpub
}

/** An extended public key that has been decoded once, to derive many children from it. */
export interface PublicParent {
  readonly publicKey: Uint8Array
  readonly point: CurvePoint
  readonly mac: HmacSha512
}

/** Decodes an extended public key (64 bytes) once; `undefined` when its first 32 bytes are no point. */
export function openPublicParent(xpub: Uint8Array): PublicParent | undefined {
  const publicKey = xpub.slice(0, 32)
  const point = decodePoint(publicKey)
  return point && { publicKey, point, mac: new HmacSha512(xpub.subarray(32)) }
}

/** Same as {@link openPublicParent}, from the private key, whose point is computed anyway. */
export function openPrivateParent(xprv: Uint8Array): PublicParent {
  const point = multiplyBase(bytesToNumber(xprv.subarray(0, 32)))
  return { publicKey: point.toBytes(), point, mac: new HmacSha512(xprv.subarray(64)) }
}

/**
 * Derives the public key of a soft child as a point. An address needs no more, so the chain code of
 * {@link derivePublicChild} is left out.
 */
export function deriveChildPoint({ publicKey, point, mac }: PublicParent, index: number): CurvePoint {
  return point.add(multiplyBase(scalarStep(childHmac(mac, TAG_SOFT, publicKey, index))))
}

/** Derives a soft child (64 bytes) of an extended public key. */
export function derivePublicChild(parent: PublicParent, index: number): Uint8Array {
  const child = new Uint8Array(64)
  child.set(deriveChildPoint(parent, index).toBytes())
  child.set(childHmac(parent.mac, TAG_SOFT + 1, parent.publicKey, index).subarray(32), 32)
  return child
}
