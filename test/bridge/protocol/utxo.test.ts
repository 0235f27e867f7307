import fc from 'fast-check'
import { parseJson, stringifyJson } from '../../../src/codec/json.js'
import type { UTxOObject } from '../../../src/bridge/protocol/types.js'
import { utxoFromJson, utxoToJson } from '../../../src/bridge/protocol/utxoJson.js'
import { isLayerError } from '../../../src/errors/base.js'
import { scaled } from '../../support/scale'

const KEY = `${'ab'.repeat(32)}#0`
const POLICY = 'cd'.repeat(28)
const refused = expect.objectContaining({ code: 'BRIDGE_PROTOCOL' })
const read = (value: unknown, more = {}): any =>
  utxoFromJson({ [KEY]: { address: 'addr_test1x', value, ...more } } as UTxOObject)[0]!.output

describe("outputs of the node's JSON", () => {
  it('have lovelace first and the other units in order, quantities exact', () => {
    const utxo = parseJson(
      `{"${KEY}":{"address":"addr_test1x","value":{"${POLICY}":{"ff":9223372036854775807,"":9007199254740993,"aa":0},"lovelace":1000000}}}`
    )
    expect(utxoFromJson(utxo as UTxOObject)).toEqual([
      {
        input: { txHash: 'ab'.repeat(32), index: 0 },
        output: {
          address: 'addr_test1x',
          amount: [
            { unit: 'lovelace', quantity: '1000000' },
            { unit: POLICY, quantity: '9007199254740993' },
            { unit: `${POLICY}ff`, quantity: '9223372036854775807' }
          ]
        }
      }
    ])
  })

  it('have zero lovelace where the node leaves it out', () => {
    expect(read({ [POLICY]: { aa: 1 } }).amount).toEqual([
      { unit: 'lovelace', quantity: '0' },
      { unit: `${POLICY}aa`, quantity: '1' }
    ])
  })

  it.each([-1, 1.5, 1e30, NaN, Infinity, '1', null, true, [1], -1n, {}])(
    'are refused with the quantity %p, not left out',
    (quantity) => {
      expect(() => read({ lovelace: quantity })).toThrow(refused)
      expect(() => read({ [POLICY]: { aa: quantity } })).toThrow(refused)
    }
  )

  it('are refused without address or value, with a malformed key, datum or script', () => {
    for (const output of [
      null,
      7,
      [],
      {},
      { address: 7, value: {} },
      { address: 'a' },
      { address: 'a', value: [] },
      { address: 'a', value: { [POLICY]: 7 } },
      { address: 'a', value: {}, datumhash: 7 },
      { address: 'a', value: {}, inlineDatumRaw: {} },
      { address: 'a', value: {}, inlineDatum: 7 },
      { address: 'a', value: {}, inlineDatum: { bytes: 'x' } },
      { address: 'a', value: {}, inlineDatum: { constructor: -1, fields: [] } },
      { address: 'a', value: {}, inlineDatum: {} },
      { address: 'a', value: {}, referenceScript: { script: { type: 'Other', cborHex: '' } } }
    ]) {
      expect(() => utxoFromJson({ [KEY]: output } as never)).toThrow(refused)
    }
    for (const key of ['__proto__', 'constructor', 'ab', '#0', 'ab#', 'ab#x', 'ab#-1', 'ab#1e3']) {
      expect(() =>
        utxoFromJson(JSON.parse(`{${JSON.stringify(key)}:{"address":"a","value":{}}}`) as UTxOObject)
      ).toThrow(refused)
    }
  })

  it('encode a datum that came as JSON alone', () => {
    const cases: [unknown, string][] = [
      [{ int: 42 }, '182a'],
      [{ int: -1 }, '20'],
      [{ int: 2n ** 64n }, 'c249010000000000000000'],
      [{ int: -(2n ** 64n) - 1n }, 'c349010000000000000000'],
      [{ bytes: '' }, '40'],
      [{ bytes: 'ab'.repeat(65) }, `5f5840${'ab'.repeat(64)}41abff`],
      [{ list: [] }, '80'],
      [{ list: [{ int: 1 }] }, '9f01ff'],
      [{ map: [{ k: { int: 1 }, v: { bytes: 'aa' } }] }, 'a10141aa'],
      [{ constructor: 0, fields: [{ int: 42 }] }, 'd8799f182aff'],
      [{ constructor: 6, fields: [] }, 'd87f80'],
      [{ constructor: 7, fields: [] }, 'd9050080'],
      [{ constructor: 128, fields: [] }, 'd86682188080']
    ]
    for (const [inlineDatum, cbor] of cases) expect(read({}, { inlineDatum }).inlineDatum).toBe(cbor)
    expect(read({}, { inlineDatum: { int: 1 }, inlineDatumRaw: '1801' }).inlineDatum).toBe('1801')
    expect(read({}, { datumhash: 'aa' })).toMatchObject({ datumHash: 'aa' })
  })

  it('survive the way to the node and back', () => {
    const hex = (bytes: number): fc.Arbitrary<string> =>
      fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((data) => Buffer.from(data).toString('hex'))
    const quantity = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String)
    const assets = fc.uniqueArray(
      fc
        .tuple(hex(28), fc.integer({ min: 0, max: 32 }).chain(hex), quantity)
        .map(([policy, name, amount]) => ({ unit: policy + name, quantity: amount })),
      { selector: ({ unit }) => unit, maxLength: 4 }
    )
    const output = fc
      .tuple(quantity, assets, fc.option(hex(32), { nil: undefined }))
      .map(([lovelace, rest, datumHash]) => ({
        address: 'addr_test1x',
        amount: [{ unit: 'lovelace', quantity: lovelace }, ...rest.sort((a, b) => (a.unit < b.unit ? -1 : 1))],
        ...(datumHash === undefined ? {} : { datumHash })
      }))
    fc.assert(
      fc.property(fc.array(fc.tuple(hex(32), fc.nat(1000), output)), (items) => {
        const utxos = items.map(([txHash, index, each]) => ({ input: { txHash, index }, output: each }))
        expect(utxoFromJson(parseJson(stringifyJson(utxoToJson(utxos))) as UTxOObject)).toEqual(utxos)
      }),
      { numRuns: scaled(1000) }
    )
  })

  it('are refused on the way to the node, and pollute nothing, when they are none', () => {
    const input = { txHash: 'ab'.repeat(32), index: 0 }
    const withAmount = (amount: unknown): unknown => ({ input, output: { address: 'a', amount } })
    const amounts = [
      undefined,
      5,
      [null],
      [{ unit: 'lovelace', quantity: 'x' }],
      [{ unit: 'lovelace', quantity: '-1' }],
      [{ unit: 'lovelace', quantity: 1.5 }],
      [{ unit: '__proto__', quantity: '5' }],
      [{ unit: 'ab', quantity: '5' }],
      [{ quantity: '5' }]
    ]
    for (const utxo of [null, 5, {}, { input }, { input, output: 5 }, ...amounts.map(withAmount)])
      expect(() => utxoToJson([utxo] as never)).toThrow(refused)
    expect(({} as Record<string, unknown>)['']).toBeUndefined()
    // The way of a hostile node's own output.
    expect(() =>
      utxoToJson(utxoFromJson(JSON.parse(`{"${KEY}":{"address":"a","value":{"__proto__":{"":7}}}}`) as UTxOObject))
    ).toThrow(refused)
  })

  it('throw nothing but ProtocolError, and pollute nothing, whatever comes', () => {
    const names = fc.constantFrom(
      'address',
      'value',
      'lovelace',
      'inlineDatum',
      'inlineDatumRaw',
      'datumhash',
      'referenceScript',
      'script',
      'int',
      'list',
      'map',
      '__proto__',
      'constructor',
      'fields',
      KEY,
      POLICY
    )
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.string(),
        fc.double(),
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(names, tie('value'), { maxKeys: 4 })
      )
    })).value
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(fc.constant(KEY), fc.string(), fc.constant('__proto__')), value), (utxo) => {
        try {
          utxoFromJson(utxo as never)
        } catch (error) {
          if (!isLayerError(error, 'BRIDGE_PROTOCOL')) throw error
        }
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      }),
      { numRuns: scaled(20_000) }
    )
  })
})
