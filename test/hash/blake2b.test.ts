import { blake2b as nobleBlake2b } from '@noble/hashes/blake2.js'
import * as fc from 'fast-check'
import { bytesToHex } from '../../src/codec/hex'
import { utf8ToBytes } from '../../src/codec/utf8'
import { blake2b, blake2b224, blake2b256 } from '../../src/hash/blake2b'

describe('blake2b', () => {
  it('gives the digest of RFC 7693, appendix A', () => {
    expect(bytesToHex(blake2b(utf8ToBytes('abc'), 64))).toBe(
      'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923'
    )
  })

  it('equals @noble/hashes on every length up to 1,100 bytes', () => {
    const bytes = Uint8Array.from({ length: 1100 }, (_, i) => (i * 131 + 7) & 255)
    for (let length = 0; length <= bytes.length; length++) {
      const input = bytes.subarray(0, length)
      expect(bytesToHex(blake2b256(input))).toBe(bytesToHex(nobleBlake2b(input, { dkLen: 32 })))
      expect(bytesToHex(blake2b224(input))).toBe(bytesToHex(nobleBlake2b(input, { dkLen: 28 })))
    }
  })

  it('equals @noble/hashes on random bytes of any digest size', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000, size: 'max' }), fc.integer({ min: 1, max: 64 }), (bytes, size) => {
        expect(bytesToHex(blake2b(bytes, size))).toBe(bytesToHex(nobleBlake2b(bytes, { dkLen: size })))
      }),
      { numRuns: 500 }
    )
  })
})
