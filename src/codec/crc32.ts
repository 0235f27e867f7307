const POLYNOMIAL = 0xedb88320

/** CRC-32 (IEEE 802.3) as an unsigned number: the checksum of Byron addresses. */
export function crc32(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0)
  }
  return ~crc >>> 0
}
