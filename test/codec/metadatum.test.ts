import { Serialization } from '@cardano-sdk/core'
import fc from 'fast-check'
import { chunkMetadataText, Metadatum } from '../../src/codec/metadatum'
import { hexToBytes } from '../../src/codec/hex'
import { isLayerError } from '../../src/errors/base'
import { type MetadataTree, metadataTree } from '../support/ledgerArbitraries'
import { scaled } from '../support/scale'
import { runsInTime } from '../support/timing'

const hasRepeatedKeys = (tree: MetadataTree): boolean => {
  if (Array.isArray(tree)) return tree.some(hasRepeatedKeys)
  if (!(tree instanceof Map)) return false
  const keys = [...tree.keys()]
  return (
    new Set(keys.map((key) => Metadatum.from(key).toCbor())).size !== keys.length ||
    [...keys, ...tree.values()].some(hasRepeatedKeys)
  )
}

describe('Metadatum', () => {
  it('is written as @cardano-sdk/core writes it', () => {
    fc.assert(
      fc.property(
        metadataTree.filter((tree) => !hasRepeatedKeys(tree)),
        (tree) => {
          expect(Metadatum.from(tree).toCbor()).toBe(Serialization.TransactionMetadatum.fromCore(tree).toCbor())
        }
      ),
      { numRuns: scaled(10_000) }
    )
  })

  it('comes back the same from CBOR', () => {
    fc.assert(
      fc.property(metadataTree, (tree) => {
        const metadatum = Metadatum.from(tree)
        const decoded = Metadatum.fromCbor(metadatum.toCbor())
        expect(decoded.toJson()).toEqual(metadatum.toJson())
        expect(decoded.toCbor()).toBe(metadatum.toCbor())
        expect(decoded.toObject()).toEqual(metadatum.toObject())
      }),
      { numRuns: scaled(10_000) }
    )
  })

  it('gives plain values back', () => {
    const value = { name: 'é', n: [1, -2, 2n ** 64n - 1n], raw: Uint8Array.of(1, 2), deep: { a: {} }, list: [] }
    expect(Metadatum.from(value).toObject()).toEqual(value)
    const keyed = new Map<number | string, number>([
      [1, 2],
      ['1', 3]
    ])
    expect(Metadatum.from(keyed).toObject()).toEqual(keyed)
    const proto = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as Record<string, unknown>
    const back = Metadatum.from(proto).toObject()
    expect(JSON.stringify(back)).toBe('{"__proto__":{"x":1},"constructor":2}')
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
  })

  it('keeps the bytes it was read from, inside other metadata too', () => {
    for (const cbor of ['9f01ff', 'bf0102ff', '1800', '7f61616162ff', '5f4100ff', 'a201010102']) {
      expect(Metadatum.fromCbor(cbor).toCbor()).toBe(cbor)
      expect(Metadatum.from([Metadatum.fromCbor(cbor)]).toCbor()).toBe(`81${cbor}`)
    }
    expect(Metadatum.fromCbor('a201010102').toJson()).toEqual({
      map: [1, 2].map((int) => ({ k: { int: 1 }, v: { int } }))
    })
  })

  class Custom {}
  const cycle: unknown[] = []
  cycle.push(cycle)
  it.each([
    ['metadata', null],
    ['metadata.a', { a: undefined }],
    ['metadata.a[1]', { a: [1, true] }],
    ['metadata.a.b', { a: { b: 1.5 } }],
    ['metadata["a b"]', { 'a b': NaN }],
    ['metadata[1]', new Map([[1, () => 1]])],
    ['metadata.when', { when: new Date() }],
    ['metadata', new Custom()],
    ['metadata', Symbol('x')],
    ['metadata', new Set([1])],
    ['metadata[0]', [2n ** 64n]],
    ['metadata[0]', [-(2n ** 64n) - 1n]],
    ['metadata[0]', [2 ** 53]],
    ['metadata.msg', { msg: 'é'.repeat(33) }],
    ['metadata (key 2)', { a: 1, ['k'.repeat(65)]: 2 }],
    ['metadata.raw', { raw: new Uint8Array(65) }],
    ['metadata[1]', [1, , 2]],
    [`metadata${'[0]'.repeat(64)}…[0]`, cycle]
  ])('names %s when it is refused', (path, value) => {
    expect(() => Metadatum.from(value)).toThrow(expect.objectContaining({ code: 'INPUT_METADATUM', path }))
  })

  it('takes text and bytes of 64 bytes', () => {
    expect(Metadatum.from('é'.repeat(32)).toCbor()).toBe(`7840${'c3a9'.repeat(32)}`)
    expect(Metadatum.from(new Uint8Array(64)).toCbor()).toBe(`5840${'00'.repeat(64)}`)
  })

  it.each([
    ['nested arrays', '81'.repeat(16_384)],
    ['nested maps', 'bf'.repeat(16_384)],
    ['a huge declared length', '9bffffffffffffffff'],
    ['a huge text', '7bffffffffffffffff'],
    ['65 bytes', `5841${'00'.repeat(65)}`],
    ['65 bytes of text in chunks', `7f7840${'61'.repeat(64)}6161ff`],
    ['text that is not UTF-8', '61ff'],
    ['null', 'f6'],
    ['a tag', 'c24101'],
    ['trailing bytes', '0000'],
    ['an odd map', 'bf01ff']
  ])('refuse %s with a typed error, without hanging', (_, hex) => {
    const bytes = hexToBytes(hex)
    const refused = () =>
      expect(() => Metadatum.fromCbor(bytes)).toThrow(expect.objectContaining({ code: 'INPUT_CBOR' }))
    runsInTime(50, refused)
  })

  it('gives nothing but a result or a typed error on any value', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true
        }),
        (value) => {
          try {
            Metadatum.fromCbor(Metadatum.from(value).toCbor())
          } catch (error) {
            expect(isLayerError(error)).toBe(true)
          }
        }
      ),
      { numRuns: scaled(20_000) }
    )
  })
})

describe('chunkMetadataText', () => {
  it('cuts at 64 bytes, never inside a character, and loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const chunks = chunkMetadataText(text)
        expect(chunks.join('')).toBe(text)
        for (const chunk of chunks) expect(new TextEncoder().encode(chunk).length).toBeLessThanOrEqual(64)
        const short = chunks.slice(0, -1).filter((chunk) => new TextEncoder().encode(chunk).length < 61)
        expect(short).toEqual([])
      }),
      { numRuns: scaled(10_000) }
    )
  })

  it('gives one piece for text that fits, also for none', () => {
    expect(chunkMetadataText('')).toEqual([''])
    expect(chunkMetadataText('a'.repeat(64))).toHaveLength(1)
    expect(chunkMetadataText('a'.repeat(65))).toHaveLength(2)
  })
})
