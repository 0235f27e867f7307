import { blake2b } from '../hash/blake2b.js'
import { encodeBech32 } from './bech32.js'
import { concatBytes } from './bytes.js'

/** Returns the fingerprint `asset1...` of a native asset, from the bytes of its policy id and name. @see CIP-14 */
export function encodeFingerprint(policyId: Uint8Array, assetName: Uint8Array): string {
  return encodeBech32('asset', blake2b(concatBytes(policyId, assetName), 20))
}
