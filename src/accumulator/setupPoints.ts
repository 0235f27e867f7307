/** Maximum number of outputs in one accumulator: the trusted setup has 4,096 points of G1. */
export const MAX_ELEMENTS = 4_095
/** Maximum number of outputs in one proof: the trusted setup has 65 points of G2. */
export const MAX_PROVEN = 64

const G1_BYTES = 48

// Each file is loaded on its own, when it is needed: a check of one output needs 96 bytes of the 203 KB.
const G1_FILES = [
  { from: 0, load: () => import('./setup/g1Points0.js') },
  { from: 256, load: () => import('./setup/g1Points256.js') },
  { from: 1024, load: () => import('./setup/g1Points1024.js') }
]

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Decodes base64 of whole groups of three bytes, as in all files here. It does not use atob, which some runtimes lack.
 */
function decodeBase64(base64: string): Uint8Array {
  const values = new Uint8Array(128)
  for (let i = 0; i < BASE64.length; i++) values[BASE64.charCodeAt(i)] = i
  const bytes = new Uint8Array((base64.length / 4) * 3)
  for (let i = 0, at = 0; i < base64.length; i += 4) {
    let group = 0
    for (let j = 0; j < 4; j++) group = (group << 6) | values[base64.charCodeAt(i + j)]!
    bytes[at++] = group >> 16
    bytes[at++] = group >> 8
    bytes[at++] = group
  }
  return bytes
}

/** Loads the compressed point tau G2, 96 bytes. */
export async function g2TauBytes(): Promise<Uint8Array> {
  return decodeBase64((await import('./setup/g2Tau.js')).POINTS)
}

/** Loads the compressed points tau^i G2 for i from 0 to 64, 96 bytes each. */
export async function g2PointsBytes(): Promise<Uint8Array> {
  return decodeBase64((await import('./setup/g2Points.js')).POINTS)
}

let loadedG1: Uint8Array = new Uint8Array(0)

/**
 * Loads the compressed points tau^i G1 for at least `count` numbers i from 0, 48 bytes each. The array is cached and
 * shared, so the caller must not change it.
 */
export async function g1PointsBytes(count: number): Promise<Uint8Array> {
  if (loadedG1.length >= count * G1_BYTES) return loadedG1
  const files = await Promise.all(G1_FILES.filter(({ from }) => from < count).map(({ load }) => load()))
  const points = decodeBase64(files.map(({ POINTS }) => POINTS).join(''))
  // Two calls may load at once: the larger one stays.
  if (points.length > loadedG1.length) loadedG1 = points
  return points
}
