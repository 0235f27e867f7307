// BLAKE2b's compression function (RFC 7693, section 3.2). The sixteen 64-bit words of the working vector stand in local
// variables, each as its low and its high 32 bits: several times as fast as in an array. The mixing of four words is
// written once, for the words 0, 4, 8 and 12; the others are moved there, because moves between locals are nearly free.

// RFC 7693, section 2.7: the order of the message words in the ten distinct rounds, a hex digit a word. In each row the
// last three pairs are in reverse order, as the diagonals are.
const ROUNDS =
  '0123456789efcdabea489fd61c53b702b8c052fdae9471367931dcbe26f8405a905724afe13d68bc' +
  '2c6a0b834d19fe75c51fed4a078b9263db7ec139502a86f46fe9b308c2a514d7a2847615fbd03c9e'

/**
 * Message schedule of the twelve rounds (the last two repeat the first two), with doubled indexes for 32-bit halves.
 */
const SIGMA: Uint8Array = /* @__PURE__ */ Uint8Array.from(
  ROUNDS + ROUNDS.slice(0, 32),
  (digit) => 2 * parseInt(digit, 16)
)

/**
 * Compresses a block of 32 half words into the state, 16 half words.
 *
 * @param counter - number of bytes up to the block's end.
 * @param last - -1 for the last block, 0 for the others.
 */
export function compress(h: Int32Array, m: Int32Array, iv: Int32Array, counter: number, last: number): void {
  let l0 = h[0]!,
    h0 = h[1]!
  let l1 = h[2]!,
    h1 = h[3]!
  let l2 = h[4]!,
    h2 = h[5]!
  let l3 = h[6]!,
    h3 = h[7]!
  let l4 = h[8]!,
    h4 = h[9]!
  let l5 = h[10]!,
    h5 = h[11]!
  let l6 = h[12]!,
    h6 = h[13]!
  let l7 = h[14]!,
    h7 = h[15]!
  let l8 = iv[0]!,
    h8 = iv[1]!
  let l9 = iv[2]!,
    h9 = iv[3]!
  let l10 = iv[4]!,
    h10 = iv[5]!
  let l11 = iv[6]!,
    h11 = iv[7]!
  let l12 = iv[8]! ^ counter,
    h12 = iv[9]! ^ (counter / 0x100000000)
  let l13 = iv[10]!,
    h13 = iv[11]!
  let l14 = iv[12]! ^ last,
    h14 = iv[13]! ^ last
  let l15 = iv[14]!,
    h15 = iv[15]!
  let t = 0,
    p = 0,
    q = 0,
    w = 0
  for (let s = 0; s < 192;) {
    for (let column = 0; column < 4; column++) {
      // v0 += v4 + message word: the carry of an addition is the majority of the top bits of both addends and the
      // inverted sum.
      p = l0
      q = l4
      t = (p + q) | 0
      h0 = (h0 + h4 + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      l0 = t
      w = SIGMA[s++]!
      p = l0
      q = m[w]!
      t = (p + q) | 0
      h0 = (h0 + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      l0 = t
      // v12 = (v12 ^ v0) >>> 32
      p = l12 ^ l0
      q = h12 ^ h0
      l12 = q
      h12 = p
      // v8 += v12; v4 = (v4 ^ v8) >>> 24
      p = l8
      q = l12
      t = (p + q) | 0
      h8 = (h8 + h12 + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      l8 = t
      p = l4 ^ l8
      q = h4 ^ h8
      l4 = (p >>> 24) | (q << 8)
      h4 = (q >>> 24) | (p << 8)
      // v0 += v4 + message word; v12 = (v12 ^ v0) >>> 16
      p = l0
      q = l4
      t = (p + q) | 0
      h0 = (h0 + h4 + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      l0 = t
      w = SIGMA[s++]!
      p = l0
      q = m[w]!
      t = (p + q) | 0
      h0 = (h0 + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      l0 = t
      p = l12 ^ l0
      q = h12 ^ h0
      l12 = (p >>> 16) | (q << 16)
      h12 = (q >>> 16) | (p << 16)
      // v8 += v12; v4 = (v4 ^ v8) >>> 63
      p = l8
      q = l12
      t = (p + q) | 0
      h8 = (h8 + h12 + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      l8 = t
      p = l4 ^ l8
      q = h4 ^ h8
      l4 = (p << 1) | (q >>> 31)
      h4 = (q << 1) | (p >>> 31)
      // The next column comes to the front.
      t = l0
      l0 = l1
      l1 = l2
      l2 = l3
      l3 = t
      t = h0
      h0 = h1
      h1 = h2
      h2 = h3
      h3 = t
      t = l4
      l4 = l5
      l5 = l6
      l6 = l7
      l7 = t
      t = h4
      h4 = h5
      h5 = h6
      h6 = h7
      h7 = t
      t = l8
      l8 = l9
      l9 = l10
      l10 = l11
      l11 = t
      t = h8
      h8 = h9
      h9 = h10
      h10 = h11
      h11 = t
      t = l12
      l12 = l13
      l13 = l14
      l14 = l15
      l15 = t
      t = h12
      h12 = h13
      h13 = h14
      h14 = h15
      h15 = t
    }
    // Row k (words 4k to 4k + 3) puts the word of place k - i, modulo 4, into place i. That makes columns of the
    // diagonals, in mirrored order, and the second time diagonals of the columns again.
    t = l1
    l1 = l3
    l3 = t
    t = h1
    h1 = h3
    h3 = t
    t = l4
    l4 = l5
    l5 = t
    t = h4
    h4 = h5
    h5 = t
    t = l6
    l6 = l7
    l7 = t
    t = h6
    h6 = h7
    h7 = t
    t = l8
    l8 = l10
    l10 = t
    t = h8
    h8 = h10
    h10 = t
    t = l12
    l12 = l15
    l15 = t
    t = h12
    h12 = h15
    h15 = t
    t = l13
    l13 = l14
    l14 = t
    t = h13
    h13 = h14
    h14 = t
  }
  h[0]! ^= l0 ^ l8
  h[1]! ^= h0 ^ h8
  h[2]! ^= l1 ^ l9
  h[3]! ^= h1 ^ h9
  h[4]! ^= l2 ^ l10
  h[5]! ^= h2 ^ h10
  h[6]! ^= l3 ^ l11
  h[7]! ^= h3 ^ h11
  h[8]! ^= l4 ^ l12
  h[9]! ^= h4 ^ h12
  h[10]! ^= l5 ^ l13
  h[11]! ^= h5 ^ h13
  h[12]! ^= l6 ^ l14
  h[13]! ^= h6 ^ h14
  h[14]! ^= l7 ^ l15
  h[15]! ^= h7 ^ h15
}
