import { encodeFingerprint } from '../codec/assetFingerprint.js'
import { assetNamePrefix } from '../codec/assetLabel.js'
import { concatBytes } from '../codec/bytes.js'
import { hexToBytes } from '../codec/hex.js'
import { described } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'

export { decodeAssetLabel } from '../codec/assetLabel.js'

/**
 * Returns the fingerprint `asset1...` of a native asset.
 *
 * @param policyId - hex, 56 characters; or the whole unit, policy id and asset name.
 * @param assetName - hex, up to 64 characters.
 * @throws {@link InvalidHexError} @throws {@link InvalidArgumentError} on another length.
 * @example
 * ```ts
 * import { assetFingerprint } from 'layer-sdk/utils'
 * console.log(assetFingerprint('7eae28af2208be856f7a119668ae52a49b73725e326dc16579dcc373')) // asset1rjkl...
 * ```
 * @see CIP-14
 */
export function assetFingerprint(policyId: string, assetName: string = ''): string {
  const unit = concatBytes(hexToBytes(policyId, 'policyId'), hexToBytes(assetName, 'assetName'))
  if (unit.length < 28 || unit.length > 60) {
    throw new InvalidArgumentError(
      'asset',
      'a policy id of 28 bytes and a name of up to 32',
      described(`${unit.length} bytes`)
    )
  }
  return encodeFingerprint(unit.subarray(0, 28), unit.subarray(28))
}

/**
 * Returns the prefix by which an asset name carries a label, e.g. `000de140` for 222 (an NFT): hex, 8 characters.
 *
 * @throws {@link InvalidArgumentError} unless the label is a whole number from 0 to 65535.
 * @example
 * ```ts
 * import { encodeAssetLabel, stringToHex } from 'layer-sdk/utils'
 * console.log(encodeAssetLabel(222) + stringToHex('MyToken')) // 000de1404d79546f6b656e
 * ```
 * @see CIP-67
 */
export function encodeAssetLabel(label: number): string {
  if (!Number.isInteger(label) || label < 0 || label > 0xffff) {
    throw new InvalidArgumentError('label', 'a whole number from 0 to 65535', label)
  }
  return assetNamePrefix(label)
}
