import type { Cardano } from '@cardano-sdk/core'
import { Serialization } from '@cardano-sdk/core'
import fc from 'fast-check'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { parseJson, stringifyJson } from '../../src/codec/json'
import { PlutusData, type PlutusDataJson } from '../../src/codec/plutusData'
import { isLayerError } from '../../src/errors/base'
import { build, plutusTree, type Tree } from '../support/ledgerArbitraries'
import { scaled } from '../support/scale'
import { runsInTime } from '../support/timing'

/** The tree as core's PlutusData. */
function coreData(tree: Tree): Cardano.PlutusData {
  if ('int' in tree) return tree.int
  if ('bytes' in tree) return tree.bytes
  if ('list' in tree) return { items: tree.list.map(coreData) }
  if ('map' in tree) return { data: new Map(tree.map.map(([key, value]) => [coreData(key), coreData(value)])) }
  return { constructor: tree.constr, fields: { items: tree.fields.map(coreData) } }
}

/**
 * What @cardano-sdk/core 0.47 gets wrong: negative integers beyond 64 bits (it writes -n as n), and repeated keys of
 * maps.
 */
function isBeyondCore(tree: Tree): boolean {
  if ('int' in tree) return tree.int < -(2n ** 64n)
  if ('list' in tree) return tree.list.some(isBeyondCore)
  if ('constr' in tree) return tree.fields.some(isBeyondCore)
  if (!('map' in tree)) return false
  const keys = new Set(tree.map.map(([key]) => build(key).toCbor()))
  return keys.size !== tree.map.length || tree.map.flat().some(isBeyondCore)
}

describe('PlutusData', () => {
  it('is written as @cardano-sdk/core writes it', () => {
    fc.assert(
      fc.property(
        plutusTree().filter((tree) => !isBeyondCore(tree)),
        (tree) => {
          const ours = build(tree)
          expect(ours.toCbor()).toBe(Serialization.PlutusData.fromCore(coreData(tree)).toCbor())
        }
      ),
      { numRuns: scaled(10_000) }
    )
  })

  it('comes back the same from CBOR and from the text of its JSON', () => {
    fc.assert(
      fc.property(plutusTree(), (tree) => {
        const data = build(tree)
        const cbor = data.toCbor()
        const decoded = PlutusData.fromCbor(cbor)
        expect(decoded.toCbor()).toBe(cbor)
        expect(decoded.toJson()).toEqual(data.toJson())
        expect(decoded.depth).toBe(data.depth)
        const text = stringifyJson(data.toJson())
        expect(PlutusData.fromJson(text).toCbor()).toBe(cbor)
        expect(PlutusData.fromJson(parseJson(text) as PlutusDataJson).hash()).toBe(data.hash())
      }),
      { numRuns: scaled(10_000) }
    )
  })

  it.each([
    ['constructor 0', PlutusData.constr(0, []), 'd87980'],
    ['constructor 6', PlutusData.constr(6, [PlutusData.int(1)]), 'd87f9f01ff'],
    ['constructor 7', PlutusData.constr(7, []), 'd9050080'],
    ['constructor 127', PlutusData.constr(127, []), 'd9057880'],
    ['constructor 128', PlutusData.constr(128, []), 'd86682188080'],
    ['constructor 2^64-1', PlutusData.constr(2n ** 64n - 1n, []), 'd866821bffffffffffffffff80'],
    ['an empty list', PlutusData.list([]), '80'],
    ['a list', PlutusData.list([PlutusData.int(0)]), '9f00ff'],
    ['an empty map', PlutusData.map([]), 'a0'],
    ['2^64-1', PlutusData.int(2n ** 64n - 1n), '1bffffffffffffffff'],
    ['2^64', PlutusData.int(2n ** 64n), 'c249010000000000000000'],
    ['-2^64', PlutusData.int(-(2n ** 64n)), '3bffffffffffffffff'],
    ['-2^64-1', PlutusData.int(-(2n ** 64n) - 1n), 'c349010000000000000000'],
    ['64 bytes', PlutusData.bytes(new Uint8Array(64)), `5840${'00'.repeat(64)}`],
    ['65 bytes', PlutusData.bytes(new Uint8Array(65)), `5f5840${'00'.repeat(64)}4100ff`],
    ['2^512', PlutusData.int(2n ** 512n), `c25f584001${'00'.repeat(63)}4100ff`]
  ])('writes %s as the ledger does', (_, data, cbor) => {
    expect(data.toCbor()).toBe(cbor)
    expect(PlutusData.fromCbor(cbor).toJson()).toEqual(data.toJson())
  })

  it.each([
    '9f01ff',
    '8101',
    'bf0102ff',
    'a10102',
    'd8799fff',
    'd87980',
    '1800',
    'c24101',
    'c240',
    '5f41004100ff',
    '5fff',
    'd8669f0080ff',
    'd8668218ff8101'
  ])('keeps the bytes %s, also inside other data', (cbor) => {
    const data = PlutusData.fromCbor(cbor)
    expect(data.toCbor()).toBe(cbor)
    expect(PlutusData.list([data]).toCbor()).toBe(`9f${cbor}ff`)
    expect(PlutusData.fromCbor(`81${cbor}`).asList()[0]!.toCbor()).toBe(cbor)
  })

  it('keeps nothing of the array it was read from', () => {
    const bytes = hexToBytes('83010243cafe01')
    const data = PlutusData.fromCbor(bytes)
    bytes.fill(0)
    data.asList()[2]!.asBytes().fill(0)
    data.toBytes().fill(0)
    expect(data.toCbor()).toBe('83010243cafe01')
    expect(bytesToHex(data.asList()[2]!.asBytes())).toBe('cafe01')
  })

  it('cannot be changed', () => {
    const data = PlutusData.fromCbor('82a10102d8799f01ff')
    const [map, constr] = data.asList()
    for (const inside of [
      data.asList(),
      map!.asMap(),
      map!.asMap()[0],
      constr!.asConstr(),
      constr!.asConstr().fields
    ]) {
      expect(Object.isFrozen(inside)).toBe(true)
    }
  })

  it('says which kind it is when another is asked for', () => {
    expect(() => PlutusData.int(1).asList()).toThrow(/kind "list"[^]*"int"/)
  })

  it.each([1.5, NaN, Infinity, 2 ** 53, '1', null, undefined])('refuses %p as an integer', (value) => {
    expect(() => PlutusData.int(value as number)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })

  it.each([-1, 0.5, 2n ** 64n, '0'])('refuses %p as a constructor', (index) => {
    expect(() => PlutusData.constr(index as number, [])).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })

  it('refuses parts that are not PlutusData, and more than 1,024 levels', () => {
    expect(() => PlutusData.list([1 as never])).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
    let data = PlutusData.int(0)
    for (let level = 1; level < 1024; level++) data = PlutusData.list([data])
    expect(data.depth).toBe(1024)
    expect(PlutusData.fromCbor(data.toCbor()).toJson()).toEqual(data.toJson())
    expect(() => PlutusData.list([data])).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })

  it('takes integers of its JSON as decimal digits too, at any size', () => {
    const digits = (7n ** 20_000n).toString()
    for (const json of [{ int: digits }, `{"int":${digits}}`, `{ "int" : -${digits} }`]) {
      expect(PlutusData.fromJson(json as string).asInt() ** 2n).toBe(7n ** 40_000n)
    }
    expect(PlutusData.fromJson('{"bytes":"12345678901234567890"}').toCbor()).toBe('4a12345678901234567890')
    expect(() => PlutusData.fromJson('{"int":1.12345678901234567890}')).toThrow(
      expect.objectContaining({ code: 'INPUT_PLUTUS_DATA' })
    )
    for (const number of ['1234567890123456', '1000000000000000'])
      expect(() => PlutusData.fromJson(`{"bytes":${number}}`)).toThrow(/data.bytes/)
    expect(() => PlutusData.fromJson('{"int":0000000000000000001}')).toThrow(
      expect.objectContaining({ code: 'INPUT_JSON' })
    )
    expect(() => PlutusData.fromJson(`{"int":"${'"\\'.repeat(500_000)}`)).toThrow(
      expect.objectContaining({ code: 'INPUT_JSON' })
    )
  })

  it('never takes a text for an integer but decimal digits: no mark of the JSON reader passes', () => {
    for (const text of ['#5', '#-5', '\ue0005', '5n', '0x5', ' 5', '5 ', '+5', '5.0', '5e3', '', '-']) {
      const json = JSON.stringify(text)
      expect(() => PlutusData.fromJson(`{"int":${json}}`)).toThrow(
        expect.objectContaining({ code: 'INPUT_PLUTUS_DATA' })
      )
      expect(() => PlutusData.fromJson(`{"constructor":${json},"fields":[]}`)).toThrow(
        expect.objectContaining({ code: 'INPUT_PLUTUS_DATA' })
      )
      expect(() => PlutusData.fromJson(`{"list":[{"int":${json}},{"int":${2n ** 70n}}]}`)).toThrow(
        expect.objectContaining({ code: 'INPUT_PLUTUS_DATA' })
      )
    }
    expect(PlutusData.fromJson('{"int":"5"}').toCbor()).toBe('05')
  })

  it('reads JSON as deep as the data may be, and not deeper', () => {
    const nested = (levels: number): string =>
      '{"map":[{"k":{"int":1},"v":'.repeat(levels) + '{"int":36893488147419103232}' + '}]}'.repeat(levels)
    expect(PlutusData.fromJson(nested(1_023)).depth).toBe(1_024)
    expect(() => PlutusData.fromJson(nested(1_024))).toThrow(expect.objectContaining({ code: 'INPUT_PLUTUS_DATA' }))
    expect(() => PlutusData.fromJson('['.repeat(100_000))).toThrow(expect.objectContaining({ code: 'INPUT_JSON' }))
  })

  it('reads the text of its JSON in linear time, and long strings in it', () => {
    for (const end of ['.', 'e', '']) {
      const text = `{"int":${'1'.repeat(16_384)}${end}`
      const refused = () =>
        expect(() => PlutusData.fromJson(text)).toThrow(expect.objectContaining({ code: 'INPUT_JSON' }))
      runsInTime(50, refused)
    }
    expect(PlutusData.fromJson(`{"bytes":"${'ab'.repeat(10_000_000)}"}`).asBytes()).toHaveLength(10_000_000)
  })

  it('refuses the holes of an array in JSON', () => {
    for (const json of [{ list: new Array(1) }, { map: new Array(1) }, { constructor: 0, fields: new Array(1) }]) {
      expect(() => PlutusData.fromJson(json)).toThrow(expect.objectContaining({ code: 'INPUT_PLUTUS_DATA' }))
    }
  })

  it.each([
    ['data', { int: 1, bytes: '' }],
    ['data', []],
    ['data', null],
    ['data', {}],
    ['data.int', { int: 1.5 }],
    ['data.int', { int: '1.0' }],
    ['data.bytes', { bytes: 5 }],
    ['data.list', { list: {} }],
    ['data.fields[1].list[0]', { constructor: 0, fields: [{ int: 0 }, { list: [{ nope: 1 }] }] }],
    ['data.constructor', { constructor: -1, fields: [] }],
    ['data.map[0]', { map: [{ k: { int: 1 } }] }],
    ['data.map[0].v', { map: [{ k: { int: 1 }, v: 2 }] }]
  ])('names %s in JSON that is refused', (path, json) => {
    expect(() => PlutusData.fromJson(json as PlutusDataJson)).toThrow(
      expect.objectContaining({ code: 'INPUT_PLUTUS_DATA', path })
    )
  })
})

describe('hostile PlutusData', () => {
  const SIZE = 16_384
  const outcome = (bytes: Uint8Array): string => {
    try {
      PlutusData.fromCbor(bytes).toJson()
      return 'read'
    } catch (error) {
      return isLayerError(error) ? error.code : String(error)
    }
  }

  it.each([
    ['nested arrays', '81'.repeat(SIZE)],
    ['nested indefinite arrays', '9f'.repeat(SIZE)],
    ['nested maps', 'a1'.repeat(SIZE)],
    ['nested constructors', 'd87981'.repeat(SIZE / 3)],
    ['nested tag 102', 'd8668200'.repeat(SIZE / 4)],
    ['an array of 2^64-1 items', `9bffffffffffffffff${'00'.repeat(SIZE)}`],
    ['an array of 2^53-1 items', `9b001fffffffffffff${'00'.repeat(SIZE)}`],
    ['a map of 2^52 entries', `bb0010000000000000${'00'.repeat(SIZE)}`],
    ['bytes of 2^64-1', '5bffffffffffffffff'],
    ['65 bytes in one piece', `5841${'00'.repeat(65)}`],
    ['a chunk of 65 bytes', `5f5841${'00'.repeat(65)}ff`],
    ['chunks inside chunks', '5f5f4100ffff'],
    ['an unknown tag', 'd87800'],
    ['tag 1401', 'd9057980'],
    ['text', '6161'],
    ['null', 'f6'],
    ['a float', 'f90000'],
    ['a map without its last value', 'bf0102' + '03ff'],
    ['a truncated array', '820101'.slice(0, 4)],
    ['trailing bytes', '0101'],
    ['nothing', ''],
    ['a break', 'ff'],
    ['tag 102 with three items', 'd86683008000'],
    ['a huge constructor index', 'd86682c249010000000000000000' + '80']
  ])('%s: a typed error, without hanging', (_, hex) => {
    const bytes = hexToBytes(hex)
    expect(outcome(bytes)).toBe('INPUT_CBOR')
    runsInTime(50, () => outcome(bytes))
  })

  it.each([
    ['an array of 16 K items', `99${(SIZE - 3).toString(16).padStart(4, '0')}${'00'.repeat(SIZE - 3)}`],
    ['16 K empty chunks', `5f${'40'.repeat(SIZE)}ff`],
    ['one integer of 16 KB', `c25f${`5840${'ff'.repeat(64)}`.repeat(248)}ff`]
  ])('%s is read without hanging', (_, hex) => {
    const bytes = hexToBytes(hex)
    expect(outcome(bytes)).toBe('read')
    runsInTime(50, () => outcome(bytes))
  })

  it('gives nothing but a result or a typed error on random and on damaged bytes', () => {
    const damaged = fc
      .tuple(plutusTree(), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), fc.nat())
      .map(([tree, changes, cut]) => {
        const bytes = build(tree).toBytes()
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte
        return bytes.subarray(0, bytes.length - (cut % 3 === 0 ? cut % bytes.length : 0))
      })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), (bytes) => {
        expect(['read', 'INPUT_CBOR']).toContain(outcome(bytes))
      }),
      { numRuns: scaled(100_000) }
    )
  })
})
