const POLYNOMIAL = 0xedb88320
let remainders: Uint32Array | null = null

/** Remainder of each byte, made when it is first needed. */
function makeRemainders(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0)
    return crc
  })
}

/** CRC-32 (IEEE 802.3) as an unsigned number: the checksum of Byron addresses. */
export function crc32(bytes: Uint8Array): number {
  const table = (remainders ??= makeRemainders())
  let crc = -1
  for (const byte of bytes) crc = (crc >>> 8) ^ table[(crc ^ byte) & 255]!
  return ~crc >>> 0
}
