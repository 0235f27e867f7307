/** Returns the prefix of an asset name that states the purpose of the asset: 4 bytes, hex. `label` is 0 to 65535. @see CIP-67 */
export function assetNamePrefix(label: number): string {
  const digits = label.toString(16).padStart(4, '0')
  return `0${digits}${crc8(label).toString(16).padStart(2, '0')}0`
}

/**
 * Returns the label at the beginning of an asset name (hex); null when there is none.
 *
 * @example
 * ```ts
 * import { decodeAssetLabel } from 'layer-sdk/utils'
 * console.log(decodeAssetLabel('000de1404d79546f6b656e'), decodeAssetLabel('4d79546f6b656e')) // 222 null
 * ```
 * @see CIP-67
 */
export function decodeAssetLabel(assetName: string): number | null {
  const digits = typeof assetName === 'string' && /^0([0-9a-f]{4})[0-9a-f]{2}0/i.exec(assetName)?.[1]
  if (!digits) return null
  const label = parseInt(digits, 16)
  return assetNamePrefix(label) === assetName.slice(0, 8).toLowerCase() ? label : null
}

/** Computes the checksum in a label's prefix: CRC-8 with polynomial 0x07 over the label's two bytes. */
function crc8(label: number): number {
  let crc = 0
  for (const byte of [label >> 8, label & 255]) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 128 ? ((crc << 1) ^ 7) & 255 : crc << 1
  }
  return crc
}
