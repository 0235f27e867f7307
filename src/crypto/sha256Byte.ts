// SHA-256 (FIPS 180-4) of one block, for the checksum of recovery phrases, which is the only use of it here: a sixth of the
// code of a general implementation. Checked against Node's own in test/crypto.
const ROUNDS = 64

/** First 32 bits of the fractional part. Doubles hold 20 bits more, and no constant lies near a border. */
const fraction = (n: number): number => ((n - Math.floor(n)) * 0x100000000) | 0

const rotate = (n: number, bits: number): number => (n >>> bits) | (n << (32 - bits))

/** The first `count` primes. */
function primes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}

/** The first byte of the SHA-256 of up to 55 bytes. */
export function sha256Byte(message: Uint8Array): number {
  const constants = primes(ROUNDS)
  const block = new DataView(new ArrayBuffer(64))
  message.forEach((byte, i) => block.setUint8(i, byte))
  block.setUint8(message.length, 0x80)
  block.setUint32(60, message.length * 8)
  const w = new Int32Array(ROUNDS)
  let [a, b, c, d, e, f, g, h] = constants.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))) as [number, number, number, number, number, number, number, number]
  const initial = a
  for (let t = 0; t < ROUNDS; t++) {
    if (t < 16) w[t] = block.getUint32(4 * t)
    else {
      const [x, y] = [w[t - 15]!, w[t - 2]!]
      w[t] = (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) + w[t - 7]! + (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)) + w[t - 16]!
    }
    const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + fraction(Math.cbrt(constants[t]!)) + w[t]!) | 0
    const t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g]
  }
  new Uint8Array(block.buffer).fill(0)
  w.fill(0)
  return ((initial + a) >>> 24) & 0xff
}
