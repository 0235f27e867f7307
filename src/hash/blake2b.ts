import { compress } from './blake2bCompress.js'

const BLOCK_BYTES = 128

// RFC 7693, section 2.6: the initial state, little-endian halves (low, high) of eight 64-bit words.
const IV = /* @__PURE__ */ Int32Array.of(
  0xf3bcc908,
  0x6a09e667,
  0x84caa73b,
  0xbb67ae85,
  0xfe94f82b,
  0x3c6ef372,
  0x5f1d36f1,
  0xa54ff53a,
  0xade682d1,
  0x510e527f,
  0x2b3e6c1f,
  0x9b05688c,
  0xfb41bd6b,
  0x1f83d9ab,
  0x137e2179,
  0x5be0cd19
)

// One block at a time, and public bytes only: creating these again would double the time of a short message.
const words = /* @__PURE__ */ new Int32Array(32)
const tail = /* @__PURE__ */ new Uint8Array(BLOCK_BYTES)

/**
 * BLAKE2b without key (RFC 7693), for public bytes: ids, key and script hashes. Not for secrets and not for MACs.
 *
 * @param sizeBytes - 1 to 64.
 */
export function blake2b(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  const state = IV.slice()
  state[0]! ^= 0x01010000 ^ sizeBytes
  const last = Math.max(0, Math.ceil(bytes.length / BLOCK_BYTES) - 1) * BLOCK_BYTES
  for (let offset = 0; offset < last; offset += BLOCK_BYTES) {
    loadBlock(bytes, offset)
    compress(state, words, IV, offset + BLOCK_BYTES, 0)
  }
  tail.fill(0).set(bytes.subarray(last))
  loadBlock(tail, 0)
  compress(state, words, IV, bytes.length, -1)
  return digest(state, sizeBytes)
}

/** The ledger's hash of transaction bodies, data and auxiliary data: 32 bytes. */
export function blake2b256(bytes: Uint8Array): Uint8Array {
  return blake2b(bytes, 32)
}

/** The ledger's hash of keys and scripts: 28 bytes. */
export function blake2b224(bytes: Uint8Array): Uint8Array {
  return blake2b(bytes, 28)
}

// Words are put together byte by byte, so the result does not depend on the machine's byte order.
function loadBlock(bytes: Uint8Array, offset: number): void {
  for (let i = 0, at = offset; i < 32; i++, at += 4) {
    words[i] = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
  }
}

function digest(state: Int32Array, sizeBytes: number): Uint8Array {
  const out = new Uint8Array(sizeBytes)
  for (let i = 0; i < sizeBytes; i++) out[i] = state[i >> 2]! >> (8 * (i & 3))
  return out
}
