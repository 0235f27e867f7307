import { base58, bech32 } from '@scure/base'
import fc from 'fast-check'
import { decodeBase58, encodeBase58 } from '../../src/codec/base58'
import { decodeBech32, encodeBech32 } from '../../src/codec/bech32'
import { scaled } from '../support/scale'

const bytes = fc.uint8Array({ maxLength: 120 })
const prefix = fc.stringMatching(/^[!-@[-~]{1,12}$/)

describe('bech32', () => {
  it('agrees with @scure/base on random bytes, both ways', () => {
    fc.assert(
      fc.property(prefix, bytes, (hrp, data) => {
        const text = encodeBech32(hrp, data)
        expect(text).toBe(bech32.encode(hrp, bech32.toWords(data), false))
        expect(decodeBech32(text)).toEqual({ prefix: hrp, bytes: data })
        expect(decodeBech32(text.toUpperCase())).toEqual({ prefix: hrp, bytes: data })
      }),
      { numRuns: scaled(20_000) }
    )
  })

  it('gives the verdict of @scure/base on changed texts', () => {
    const change = fc.tuple(
      fc.nat(200),
      fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7l1bioAQ~\x7f\0 é\u0131\u017f\u212a')
    )
    fc.assert(
      fc.property(prefix, bytes, fc.array(change, { maxLength: 2 }), (hrp, data, changes) => {
        let text = encodeBech32(hrp, data)
        for (const [at, character] of changes)
          text = text.slice(0, at % text.length) + character + text.slice((at % text.length) + 1)
        let expected: unknown
        try {
          const { prefix: known, words } = bech32.decode(text as `${string}1${string}`, false)
          expected = { prefix: known, bytes: bech32.fromWords(words) }
        } catch {
          expected = null
        }
        if (expected === null)
          expect(() => decodeBech32(text)).toThrow(expect.objectContaining({ code: 'INPUT_BECH32' }))
        else expect(decodeBech32(text)).toEqual(expected)
      }),
      { numRuns: scaled(40_000) }
    )
  })

  it.each(['', '1', 'a', 'a1', 'addr1', '1qqqqqq', 'a12uel4', 'A12UEl5', `a1${'q'.repeat(1_000_000)}`])(
    'refuses a text without valid checksum',
    (text) => {
      expect(() => decodeBech32(text)).toThrow(expect.objectContaining({ code: 'INPUT_BECH32' }))
    }
  )

  it('refuses the Kelvin sign, which lower case turns into a "k"', () => {
    const text = encodeBech32('addr', Uint8Array.of(0xb0, 0xb5, 0xad, 0x6b)).toUpperCase()
    expect(text.slice(5)).toContain('K')
    expect(() => decodeBech32(text.replace(/K/g, '\u212a'))).toThrow(expect.objectContaining({ code: 'INPUT_BECH32' }))
  })

  it('reads the valid vectors of BIP-173', () => {
    for (const text of [
      'a12uel5l',
      'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw',
      'split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w'
    ]) {
      const { prefix: hrp, bytes: data } = decodeBech32(text.toUpperCase())
      expect(encodeBech32(hrp, data)).toBe(text)
    }
  })
})

describe('base58', () => {
  it('agrees with @scure/base, leading zeros included', () => {
    fc.assert(
      fc.property(fc.nat(3), bytes, (zeros, data) => {
        const all = Uint8Array.from([...new Uint8Array(zeros), ...data])
        const text = encodeBase58(all)
        expect(text).toBe(base58.encode(all))
        expect(decodeBase58(text)).toEqual(all)
      }),
      { numRuns: scaled(10_000) }
    )
  })

  it.each(['0', 'O', 'I', 'l', 'Ae2 ', 'é', '1'.repeat(513), '😀'])(
    'refuses other characters and overlong texts',
    (text) => {
      expect(() => decodeBase58(text)).toThrow(expect.objectContaining({ code: 'INPUT_ADDRESS' }))
    }
  )
})
