import * as fc from 'fast-check'
import { parseJson, stringifyJson } from '../../../src/codec/json'
import { PlutusData } from '../../../src/codec/plutusData'
import type { PlutusDataJson } from '../../../src/codec/plutusData'
import { datumCbor } from '../../../src/bridge/protocol/datumJson'
import { loadVectors } from '../../support/vectors'

const hex = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const data = fc.letrec((tie) => ({
  data: fc.oneof(
    { maxDepth: 4 },
    fc.bigInt({ min: -(2n ** 600n), max: 2n ** 600n }).map((int) => ({ int })),
    hex.map((bytes) => ({ bytes })),
    fc.array(tie('data'), { maxLength: 30 }).map((list) => ({ list })),
    fc.array(fc.record({ k: tie('data'), v: tie('data') }), { maxLength: 30 }).map((map) => ({ map })),
    fc.record({ constructor: fc.integer({ min: 0, max: 70_000 }), fields: fc.array(tie('data'), { maxLength: 4 }) })
  )
})).data

describe('the CBOR of a datum that is known in its detailed form only', () => {
  it('is that of the ledger encoding for any datum', () => {
    fc.assert(
      fc.property(data, (json) => {
        const text = stringifyJson(json)
        expect(datumCbor(parseJson(text))).toBe(PlutusData.fromJson(parseJson(text) as PlutusDataJson).toCbor())
      }),
      { numRuns: 500 }
    )
  })

  it.each<unknown>([
    { int: 1.5 },
    { bytes: 'abc' },
    { bytes: 'zz' },
    { constructor: -1, fields: [] },
    { map: [1] },
    {},
    null,
    5
  ])('is refused for %j', (json) => {
    expect(() => datumCbor(json)).toThrow(expect.objectContaining({ code: 'BRIDGE_PROTOCOL' }))
  })
})

describe('the plutus_data vectors', () => {
  it('encode as PlutusData does', () => {
    for (const { cborHex } of loadVectors('plutus_data')) {
      const json = PlutusData.fromCbor(cborHex).toJson()
      expect(datumCbor(json)).toBe(PlutusData.fromJson(json).toCbor())
    }
  })
})
