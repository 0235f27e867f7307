import { addressToString, enterpriseAddress } from '../../codec/address.js'
import { concatBytes } from '../../codec/bytes.js'
import { bytesToHex } from '../../codec/hex.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import { publicKeyFromSeed } from '../../crypto/inner.js'
import { blake2b224, blake2b256 } from '../../hash/blake2b.js'

/** A key of the local node, made from its seed: never more than play money. */
export interface DevKey {
  readonly name: string
  readonly seed: Uint8Array
  readonly publicKey: Uint8Array
  /** Blake2b-224 of the public key: hex, 56 characters. */
  readonly keyHash: string
}

/** A funded key for trying things out, in the form that `ChainCliWallet` accepts. */
export interface FundedKey {
  /** Its name among the options' `testKeys`. */
  readonly name: string
  /** Enterprise address, bech32. */
  readonly address: string
  /** Signing key: CBOR hex (`5820` and 32 bytes). */
  readonly skey: string
  /** Verification key: CBOR hex. */
  readonly vkey: string
  /** Lovelace that the key holds on the simulated base ledger at the start; 0 for one that `testKeys` leaves out. */
  readonly lovelace: bigint
}

/** Test keys of a local head, at least three. */
export type FundedKeys = readonly [FundedKey, FundedKey, FundedKey, ...FundedKey[]]

/** True for a key or account that holds something at the start. */
export function isFunded({ lovelace }: Pick<FundedKey, 'lovelace'>): boolean {
  return lovelace > 0n
}

/** Derived keys kept: those of a head's parties and its test keys, for the next node of the process. */
const MAX_KEPT_KEYS = 256
const cache = new Map<string, DevKey>()

/** Verification keys as the node writes them: hex, 64 characters each. */
export function vkeysOf(keys: readonly DevKey[]): readonly string[] {
  return keys.map(({ publicKey }) => bytesToHex(publicKey))
}

/** Derives a key: the same seed and name give the same key. */
export function deriveKey(seed: string, name: string): DevKey {
  const text = `layer-sdk devnode/${seed}/${name}`
  const cached = cache.get(text)
  // Another seed and name may join to the same text.
  if (cached?.name === name) return cached
  const secret = blake2b256(utf8ToBytes(text))
  const publicKey = publicKeyFromSeed(secret)
  const key = { name, seed: secret, publicKey, keyHash: bytesToHex(blake2b224(publicKey)) }
  if (cache.size >= MAX_KEPT_KEYS) cache.delete(cache.keys().next().value!)
  cache.set(text, key)
  return key
}

/** Enterprise address of a key. */
export function keyAddress(key: DevKey, networkId: 0 | 1): string {
  return addressToString(enterpriseAddress(networkId, { kind: 'key', hash: key.keyHash }))
}

/** Returns a key in the form in which its owner uses it. */
export function fundedKey(key: DevKey, networkId: 0 | 1, lovelace: bigint): FundedKey {
  const cbor = (bytes: Uint8Array): string => bytesToHex(concatBytes(Uint8Array.of(0x58, 0x20), bytes))
  return {
    name: key.name,
    address: keyAddress(key, networkId),
    skey: cbor(key.seed),
    vkey: cbor(key.publicKey),
    lovelace
  }
}

/** Returns a reproducible id: a blake2b hash of the seed and a label. */
export function deriveId(seed: string, label: string, hash: (bytes: Uint8Array) => Uint8Array = blake2b256): string {
  return bytesToHex(hash(utf8ToBytes(`layer-sdk devnode/${seed}/${label}`)))
}
