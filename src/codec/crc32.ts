const POLYNOMIAL = 0xedb88320
let remainders: Uint32Array | null = null

/** Makes the lookup table of the checksum: the CRC remainder of each byte value. */
function makeRemainders(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0)
    return crc
  })
}

/** Computes CRC-32 (IEEE 802.3), the checksum of Byron addresses, as an unsigned number. */
export function crc32(bytes: Uint8Array): number {
  const table = (remainders ??= makeRemainders())
  let crc = -1
  for (const byte of bytes) crc = (crc >>> 8) ^ table[(crc ^ byte) & 255]!
  return ~crc >>> 0
}
