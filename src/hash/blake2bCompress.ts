// Made by scripts/generate-blake2b.mjs; change that, not this.

// RFC 7693, section 2.7: the order of the message words in the ten distinct rounds, a hex digit a word.
const ROUNDS =
  '0123456789abcdefea489fd61c02b753b8c052fdae3671947931dcbe265a40f8905724afe1bc683d' +
  '2c6a0b834d75fe19c51fed4a0763928bdb7ec13950f4862a6fe9b308c2d714a5a2847615fb9e3cd0'

/** Twelve rounds (the first two return), doubled to index 32-bit halves. */
const SIGMA: Uint8Array = /* @__PURE__ */ Uint8Array.from(ROUNDS + ROUNDS.slice(0, 32), (digit) => 2 * parseInt(digit, 16))

/** Compresses one block of 32 half words into the state; `counter` is the number of bytes up to the block's end. */
export function compress(h: Uint32Array, m: Int32Array, iv: Uint32Array, counter: number, last: boolean): void {
  let l0 = h[0]! | 0, h0 = h[1]! | 0
  let l1 = h[2]! | 0, h1 = h[3]! | 0
  let l2 = h[4]! | 0, h2 = h[5]! | 0
  let l3 = h[6]! | 0, h3 = h[7]! | 0
  let l4 = h[8]! | 0, h4 = h[9]! | 0
  let l5 = h[10]! | 0, h5 = h[11]! | 0
  let l6 = h[12]! | 0, h6 = h[13]! | 0
  let l7 = h[14]! | 0, h7 = h[15]! | 0
  let l8 = iv[0]! | 0, h8 = iv[1]! | 0
  let l9 = iv[2]! | 0, h9 = iv[3]! | 0
  let l10 = iv[4]! | 0, h10 = iv[5]! | 0
  let l11 = iv[6]! | 0, h11 = iv[7]! | 0
  let l12 = (iv[8]! ^ counter) | 0, h12 = (iv[9]! ^ (counter / 0x100000000)) | 0
  let l13 = iv[10]! | 0, h13 = iv[11]! | 0
  let l14 = (last ? ~iv[12]! : iv[12]!) | 0, h14 = (last ? ~iv[13]! : iv[13]!) | 0
  let l15 = iv[14]! | 0, h15 = iv[15]! | 0
  let t = 0, p = 0, q = 0, w = 0
  for (let s = 0; s < 192; ) {
    {
      let al = l0, ah = h0, bl = l4, bh = h4, cl = l8, ch = h8, dl = l12, dh = h12
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = q
      dh = p
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p >>> 24) | (q << 8)
      bh = (q >>> 24) | (p << 8)
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = (p >>> 16) | (q << 16)
      dh = (q >>> 16) | (p << 16)
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p << 1) | (q >>> 31)
      bh = (q << 1) | (p >>> 31)
      l0 = al
      h0 = ah
      l4 = bl
      h4 = bh
      l8 = cl
      h8 = ch
      l12 = dl
      h12 = dh
    }
    {
      let al = l1, ah = h1, bl = l5, bh = h5, cl = l9, ch = h9, dl = l13, dh = h13
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = q
      dh = p
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p >>> 24) | (q << 8)
      bh = (q >>> 24) | (p << 8)
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = (p >>> 16) | (q << 16)
      dh = (q >>> 16) | (p << 16)
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p << 1) | (q >>> 31)
      bh = (q << 1) | (p >>> 31)
      l1 = al
      h1 = ah
      l5 = bl
      h5 = bh
      l9 = cl
      h9 = ch
      l13 = dl
      h13 = dh
    }
    {
      let al = l2, ah = h2, bl = l6, bh = h6, cl = l10, ch = h10, dl = l14, dh = h14
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = q
      dh = p
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p >>> 24) | (q << 8)
      bh = (q >>> 24) | (p << 8)
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = (p >>> 16) | (q << 16)
      dh = (q >>> 16) | (p << 16)
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p << 1) | (q >>> 31)
      bh = (q << 1) | (p >>> 31)
      l2 = al
      h2 = ah
      l6 = bl
      h6 = bh
      l10 = cl
      h10 = ch
      l14 = dl
      h14 = dh
    }
    {
      let al = l3, ah = h3, bl = l7, bh = h7, cl = l11, ch = h11, dl = l15, dh = h15
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = q
      dh = p
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p >>> 24) | (q << 8)
      bh = (q >>> 24) | (p << 8)
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = (p >>> 16) | (q << 16)
      dh = (q >>> 16) | (p << 16)
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p << 1) | (q >>> 31)
      bh = (q << 1) | (p >>> 31)
      l3 = al
      h3 = ah
      l7 = bl
      h7 = bh
      l11 = cl
      h11 = ch
      l15 = dl
      h15 = dh
    }
    {
      let al = l0, ah = h0, bl = l5, bh = h5, cl = l10, ch = h10, dl = l15, dh = h15
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = q
      dh = p
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p >>> 24) | (q << 8)
      bh = (q >>> 24) | (p << 8)
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = (p >>> 16) | (q << 16)
      dh = (q >>> 16) | (p << 16)
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p << 1) | (q >>> 31)
      bh = (q << 1) | (p >>> 31)
      l0 = al
      h0 = ah
      l5 = bl
      h5 = bh
      l10 = cl
      h10 = ch
      l15 = dl
      h15 = dh
    }
    {
      let al = l1, ah = h1, bl = l6, bh = h6, cl = l11, ch = h11, dl = l12, dh = h12
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = q
      dh = p
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p >>> 24) | (q << 8)
      bh = (q >>> 24) | (p << 8)
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = (p >>> 16) | (q << 16)
      dh = (q >>> 16) | (p << 16)
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p << 1) | (q >>> 31)
      bh = (q << 1) | (p >>> 31)
      l1 = al
      h1 = ah
      l6 = bl
      h6 = bh
      l11 = cl
      h11 = ch
      l12 = dl
      h12 = dh
    }
    {
      let al = l2, ah = h2, bl = l7, bh = h7, cl = l8, ch = h8, dl = l13, dh = h13
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = q
      dh = p
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p >>> 24) | (q << 8)
      bh = (q >>> 24) | (p << 8)
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = (p >>> 16) | (q << 16)
      dh = (q >>> 16) | (p << 16)
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p << 1) | (q >>> 31)
      bh = (q << 1) | (p >>> 31)
      l2 = al
      h2 = ah
      l7 = bl
      h7 = bh
      l8 = cl
      h8 = ch
      l13 = dl
      h13 = dh
    }
    {
      let al = l3, ah = h3, bl = l4, bh = h4, cl = l9, ch = h9, dl = l14, dh = h14
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = q
      dh = p
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p >>> 24) | (q << 8)
      bh = (q >>> 24) | (p << 8)
      p = al
      q = bl
      t = (p + q) | 0
      ah = (ah + bh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      w = SIGMA[s++]!
      p = al
      q = m[w]!
      t = (p + q) | 0
      ah = (ah + m[w + 1]! + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      al = t
      p = dl ^ al
      q = dh ^ ah
      dl = (p >>> 16) | (q << 16)
      dh = (q >>> 16) | (p << 16)
      p = cl
      q = dl
      t = (p + q) | 0
      ch = (ch + dh + (((p & q) | ((p | q) & ~t)) >>> 31)) | 0
      cl = t
      p = bl ^ cl
      q = bh ^ ch
      bl = (p << 1) | (q >>> 31)
      bh = (q << 1) | (p >>> 31)
      l3 = al
      h3 = ah
      l4 = bl
      h4 = bh
      l9 = cl
      h9 = ch
      l14 = dl
      h14 = dh
    }
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
