/** Prefix of an asset name that states the purpose of the asset: 4 bytes, hex. `label` is 0 to 65535. @see CIP-67 */
export function encodeAssetLabel(label: number): string {
  const digits = label.toString(16).padStart(4, '0')
  return `0${digits}${crc8(label).toString(16).padStart(2, '0')}0`
}

/** The label that an asset name (hex) begins with, or null when it has none. */
export function decodeAssetLabel(assetNameHex: string): number | null {
  const digits = typeof assetNameHex === 'string' && /^0([0-9a-f]{4})[0-9a-f]{2}0/i.exec(assetNameHex)?.[1]
  if (!digits) return null
  const label = parseInt(digits, 16)
  return encodeAssetLabel(label) === assetNameHex.slice(0, 8).toLowerCase() ? label : null
}

/** CRC-8 with polynomial 0x07 over the label's two bytes. */
function crc8(label: number): number {
  let crc = 0
  for (const byte of [label >> 8, label & 255]) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 128 ? ((crc << 1) ^ 7) & 255 : crc << 1
  }
  return crc
}
