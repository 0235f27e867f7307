import { concatBytes } from '../codec/bytes.js'
import { CborReader, MAJOR } from '../codec/cbor/reader.js'
import { PLUTUS_LANGUAGES, type PlutusLanguage } from '../codec/costModels.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import { jsonInteger } from '../codec/integer.js'
import {
  encodeNativeScript,
  type NativeScript,
  nativeScriptFromBytes,
  nativeScriptFromObject,
  nativeScriptFromText,
  nativeScriptHash
} from '../codec/nativeScript.js'
import { typedErrors } from '../codec/typedErrors.js'
import { InvalidArgumentError } from '../errors/input.js'
import { blake2b224 } from '../hash/blake2b.js'
import { getPubkeyHashFromAddress } from './address.js'

/** cardano-cli's JSON form of a native script. Slots beyond 2^53 - 1 are bigint. */
export type NativeScriptJson =
  /** The key with this `keyHash` (hex, 56 characters) signs. */
  | { type: 'sig'; keyHash: string }
  /** By `type`, all of the `scripts` hold, or one of them. */
  | { type: 'all' | 'any'; scripts: NativeScriptJson[] }
  /** As many of the `scripts` as `required` hold. */
  | { type: 'atLeast'; required: number; scripts: NativeScriptJson[] }
  /** By `type`, valid from `slot` on, or before it. */
  | { type: 'after' | 'before'; slot: number | bigint }

/**
 * Builds a minting policy that one signature satisfies: CBOR hex of the native script that requires a signature by this
 * key.
 *
 * @param pubkey - Ed25519 public key: hex, 64 characters.
 * @throws {@link InvalidHexError}
 * @example
 * ```ts
 * import { buildPolicyScriptFromPubkey, policyIdFromNativeScript } from 'layer-sdk/utils'
 * const script = buildPolicyScriptFromPubkey('7453c6a919acef30c12d3621431a5067b8c61deb686d7bb993043963eb208b50')
 * console.log(policyIdFromNativeScript(script)) // 8e6c79d3eb92d058e3170c2f26428e2b8de39ff4fd38470fca2dc1d9
 * ```
 */
export function buildPolicyScriptFromPubkey(pubkey: string): string {
  return buildMintingPolicyScriptFromKeyHash(bytesToHex(blake2b224(hexToBytes(pubkey, 'pubkey', 32))))
}

/**
 * Builds a minting policy that a signature by the key of an address satisfies: the payment key, or the staking key of a
 * reward address. CBOR hex.
 *
 * @throws {@link InvalidAddressError} on an address of a script, a Byron address, or a text that is no address.
 * @example
 * ```ts
 * import { buildMintingPolicyScriptFromAddress, policyIdFromNativeScript } from 'layer-sdk/utils'
 * const script = buildMintingPolicyScriptFromAddress('addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8')
 * console.log(policyIdFromNativeScript(script))
 * ```
 */
export function buildMintingPolicyScriptFromAddress(address: string): string {
  return buildMintingPolicyScriptFromKeyHash(getPubkeyHashFromAddress(address))
}

/**
 * Builds a minting policy that a signature by the key with this hash (hex, 56 characters) satisfies. CBOR hex.
 *
 * @throws {@link InvalidHexError}
 * @example
 * ```ts
 * import { buildMintingPolicyScriptFromKeyHash } from 'layer-sdk/utils'
 * console.log(buildMintingPolicyScriptFromKeyHash('8e6c79d3eb92d058e3170c2f26428e2b8de39ff4fd38470fca2dc1d9')) // 8200581c...
 * ```
 */
export function buildMintingPolicyScriptFromKeyHash(keyHash: string): string {
  return bytesToHex(encodeNativeScript({ type: 'sig', keyHash }))
}

/**
 * Returns the policy id, which is also the script hash, of a native script (CBOR hex): hex, 56 characters. The bytes
 * are hashed as they are given.
 *
 * @throws {@link InvalidHexError} @throws {@link InvalidCborError} when they are not a native script.
 * @example
 * ```ts
 * import { nativeScriptFromJson, policyIdFromNativeScript } from 'layer-sdk/utils'
 * const script = nativeScriptFromJson({ type: 'before', slot: 1000 })
 * console.log(policyIdFromNativeScript(script))
 * ```
 */
export function policyIdFromNativeScript(nativeScript: string): string {
  const bytes = hexToBytes(nativeScript, 'nativeScript')
  nativeScriptFromBytes(bytes)
  return nativeScriptHash(bytes)
}

/**
 * Converts a native script in cardano-cli's JSON, as object or text, to CBOR hex; the bytes equal cardano-cli's.
 *
 * @throws {@link InvalidNativeScriptError} that names the place. @throws {@link InvalidJsonError} on malformed text.
 * @example
 * ```ts
 * import { nativeScriptFromJson } from 'layer-sdk/utils'
 * const keyHash = '8e6c79d3eb92d058e3170c2f26428e2b8de39ff4fd38470fca2dc1d9'
 * console.log(nativeScriptFromJson({ type: 'all', scripts: [{ type: 'sig', keyHash }, { type: 'before', slot: 1000 }] }))
 * ```
 */
export function nativeScriptFromJson(json: NativeScriptJson | string): string {
  return bytesToHex(
    encodeNativeScript(
      typeof json === 'string' ? nativeScriptFromText(json) : typedErrors('script', () => nativeScriptFromObject(json))
    )
  )
}

/**
 * Converts a native script (CBOR hex) to cardano-cli's JSON, as an object.
 *
 * @throws {@link InvalidHexError} @throws {@link InvalidCborError}
 * @example
 * ```ts
 * import { nativeScriptToJson } from 'layer-sdk/utils'
 * console.log(nativeScriptToJson('82051903e8')) // { type: 'before', slot: 1000 }
 * ```
 */
export function nativeScriptToJson(nativeScript: string): NativeScriptJson {
  return toJson(nativeScriptFromBytes(hexToBytes(nativeScript, 'nativeScript')))
}

function toJson(script: NativeScript): NativeScriptJson {
  if ('slot' in script) return { type: script.type, slot: jsonInteger(script.slot) }
  return 'scripts' in script ? { ...script, scripts: script.scripts.map(toJson) } : script
}

/**
 * Returns the hash of a Plutus script: hex, 56 characters; also the policy id of a minting script.
 *
 * @param script - hex of the script in its one CBOR byte string, as in witness sets and Aiken's `compiledCode`; the
 * second byte string around it, as in cardano-cli's files and in a `ScriptRef`, is removed.
 * @throws {@link InvalidHexError} @throws {@link InvalidArgumentError} on another language.
 * @example
 * ```ts
 * import { plutusScriptHash } from 'layer-sdk/utils'
 * console.log(plutusScriptHash('4e4d01000033222220051200120011', 'PlutusV1'))
 * ```
 */
export function plutusScriptHash(script: string, language: PlutusLanguage): string {
  // Prefix of the hashed bytes (Alonzo ledger specification): 0 is the native script's.
  const prefix = PLUTUS_LANGUAGES.indexOf(language) + 1
  if (prefix === 0) throw new InvalidArgumentError('language', PLUTUS_LANGUAGES.join(', '), language)
  const bytes = hexToBytes(script, 'script')
  const content = byteStringContent(bytes)
  // A flat-encoded program never is a CBOR byte string itself: it begins with its version, 1.
  const single = content !== null && byteStringContent(content) !== null ? content : bytes
  return bytesToHex(blake2b224(concatBytes(Uint8Array.of(prefix), single)))
}

/** Returns the content of bytes that are exactly one CBOR byte string; else null. */
function byteStringContent(bytes: Uint8Array): Uint8Array | null {
  try {
    const reader = new CborReader(bytes)
    if (reader.peekMajor() !== MAJOR.BYTES) return null
    const content = reader.readBytes()
    reader.finish()
    return content
  } catch {
    return null
  }
}
