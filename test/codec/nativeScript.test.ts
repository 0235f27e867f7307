import fc from 'fast-check'
import { CborReader } from '../../src/codec/cbor/reader'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import {
  decodeNativeScript,
  encodeNativeScript,
  evaluateNativeScript,
  type NativeScript,
  nativeScriptFromBytes,
  nativeScriptFromObject,
  nativeScriptFromText,
  nativeScriptHash
} from '../../src/codec/nativeScript'
import { nativeScripts } from '../support/ledgerArbitraries'
import { scaled } from '../support/scale'
import { runsInTime } from '../support/timing'
import { loadVectors } from '../support/vectors'

describe('native script vectors', () => {
  it('are read with their JSON and their hash, and written back to the same bytes', () => {
    for (const vector of loadVectors('native_scripts')) {
      const bytes = hexToBytes(vector.cborHex)
      expect(nativeScriptHash(bytes)).toBe(vector.scriptHash)
      expect(nativeScriptFromBytes(bytes)).toEqual(nativeScriptFromObject(vector.json))
      const again = encodeNativeScript(nativeScriptFromObject(vector.json))
      if (vector.csl === undefined || vector.csl === 'match') expect(bytesToHex(again)).toBe(vector.cborHex)
    }
  })
})

describe('native scripts', () => {
  it('survive a round trip through CBOR', () => {
    fc.assert(
      fc.property(nativeScripts(), (script) => {
        expect(nativeScriptFromBytes(encodeNativeScript(script))).toEqual(script)
      }),
      { numRuns: scaled(10_000) }
    )
  })

  it('are read from indefinite arrays and leave the reader behind the script', () => {
    const reader = new CborReader(hexToBytes('9f019f82041903e89f0405ffffff00'))
    expect(decodeNativeScript(reader)).toEqual({
      type: 'all',
      scripts: [
        { type: 'after', slot: 1000n },
        { type: 'after', slot: 5n }
      ]
    })
    expect(reader.offset).toBe(14)
  })

  it('write lists of more than 23 scripts with indefinite length, as cardano-cli does', () => {
    const scripts = (n: number): NativeScript => ({
      type: 'any',
      scripts: Array.from({ length: n }, () => ({ type: 'after', slot: 1n }))
    })
    expect(bytesToHex(encodeNativeScript(scripts(23)))).toBe(`820297${'820401'.repeat(23)}`)
    expect(bytesToHex(encodeNativeScript(scripts(24)))).toBe(`82029f${'820401'.repeat(24)}ff`)
  })

  it('hold by the ledger rule at the edges of the interval', () => {
    const none = new Set<string>()
    const after: NativeScript = { type: 'after', slot: 10n }
    const before: NativeScript = { type: 'before', slot: 10n }
    expect(evaluateNativeScript(after, none, { start: 10n })).toBe(true)
    expect(evaluateNativeScript(after, none, { start: 9n })).toBe(false)
    expect(evaluateNativeScript(after, none, { end: 99n })).toBe(false)
    expect(evaluateNativeScript(before, none, { end: 10n })).toBe(true)
    expect(evaluateNativeScript(before, none, { end: 11n })).toBe(false)
    expect(evaluateNativeScript(before, none)).toBe(false)
  })

  it('count signers', () => {
    const sig = (byte: string): NativeScript => ({ type: 'sig', keyHash: byte.repeat(28) })
    const two: NativeScript = { type: 'atLeast', required: 2, scripts: [sig('aa'), sig('bb'), sig('cc')] }
    expect(evaluateNativeScript(two, new Set(['aa'.repeat(28), 'cc'.repeat(28)]))).toBe(true)
    expect(evaluateNativeScript(two, new Set(['aa'.repeat(28)]))).toBe(false)
    expect(evaluateNativeScript({ type: 'all', scripts: [] }, new Set())).toBe(true)
    expect(evaluateNativeScript({ type: 'any', scripts: [] }, new Set())).toBe(false)
  })

  it.each([
    ['a nesting of 100,000 levels', '820181'.repeat(100_000)],
    ['a nesting of indefinite arrays', '9f019f'.repeat(100_000)],
    ['a huge declared length', '82019bffffffffffffffff'],
    ['a key hash of 27 bytes', `8200581b${'00'.repeat(27)}`],
    ['an unknown kind', '820600'],
    ['a missing item', '8200'],
    ['three items where two belong', '83040100'],
    ['an array that is cut short', '820182'],
    ['trailing bytes', '82040100']
  ])('refuse %s with a typed error', (_, hex) => {
    const bytes = hexToBytes(hex)
    const refused = () =>
      expect(() => nativeScriptFromBytes(bytes)).toThrow(expect.objectContaining({ code: 'INPUT_CBOR' }))
    runsInTime(50, refused)
  })

  it.each([
    ['script.type', { type: 'none' }],
    ['script', 'sig'],
    ['script.keyHash', { type: 'sig', keyHash: 'ab' }],
    ['script.scripts', { type: 'all' }],
    [
      'script.scripts[1].slot',
      {
        type: 'any',
        scripts: [
          { type: 'after', slot: 0 },
          { type: 'before', slot: 1.5 }
        ]
      }
    ],
    ['script.required', { type: 'atLeast', required: '1', scripts: [] }],
    ['script.slot', { type: 'after', slot: '18446744073709551616' }]
  ])('name the place %s in JSON that is refused', (path, json) => {
    expect(() => nativeScriptFromObject(json)).toThrow(expect.objectContaining({ code: 'INPUT_NATIVE_SCRIPT', path }))
  })
})

describe('a native script as JSON text', () => {
  it('takes a slot in decimal digits, exactly, and no other text for a number', () => {
    expect(nativeScriptFromText('{"type":"after","slot":18446744073709551615}')).toEqual({
      type: 'after',
      slot: 2n ** 64n - 1n
    })
    expect(nativeScriptFromText('{"type":"after","slot":"5"}')).toEqual({ type: 'after', slot: 5n })
    for (const slot of ['#5', '#18446744073709551615', '0x5', ' 5', '5n']) {
      expect(() => nativeScriptFromText(`{"type":"after","slot":"${slot}"}`)).toThrow(
        expect.objectContaining({ code: 'INPUT_NATIVE_SCRIPT' })
      )
    }
  })

  it('may nest as deep as a script, and no deeper', () => {
    const nested = (levels: number): string =>
      '{"type":"all","scripts":['.repeat(levels) + '{"type":"after","slot":1}' + ']}'.repeat(levels)
    expect(nativeScriptFromText(nested(512)).type).toBe('all')
    expect(() => nativeScriptFromText(nested(513))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/INPUT_(NATIVE_SCRIPT|JSON)/) })
    )
    expect(() => nativeScriptFromText('['.repeat(100_000))).toThrow(expect.objectContaining({ code: 'INPUT_JSON' }))
  })
})
